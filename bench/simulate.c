/* simulate RANKS FILES own|shared FOLDER: the end of a job with more ranks than any machine here has processors for.
   Every rank really does what it does at the end, in a process of its own, one after the other: those below it in the
   tree first, whose messages are kept. Where a rank would wait for something from above, it ends, and does the same again
   when that is known; only ranks that write stay until all have been there. Prints one line: ranks, messages, their bytes, the longest message, depth of the two trees, messages
   and bytes into rank 0, peak memory of rank 0 and of any rank in KiB, seconds of rank 0, writers, bytes of the log, which
   is in the folder. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/core/files.h"
#include "runtime/core/store.h"
#include "runtime/finalize/exchange.h"
#include "runtime/finalize/finalize.h"
#include "runtime/finalize/made_up.h"
#include "runtime/finalize/survey.h"
#include "runtime/mpi/mpi.h"
#include "tests/support/runtime_stubs.h"

enum { WRITERS_MOST = 4096, SMALL = 1 << 16 };

/* What a process does otherwise ------------------------------------------------------------------------------------ */

void iol__trouble(const char *text, const char *detail) { fprintf(stderr, "simulate: %s%s\n", text, detail); }
void iol__say_place(const char *wanted, int why, const char *found) {
    fprintf(stderr, "simulate: %s: %s; %s\n", wanted, strerror(why), found);
}
const char *iol__mpi_library(void) { return "none: simulated"; }
const char *iol__mpi_host(void) { return "host"; }

_Noreturn static void die(const char *what) {
    perror(what);
    exit(1);
}

/* What the processes share ----------------------------------------------------------------------------------------- */

/* Messages are in files in memory, which nobody maps, so that the memory of a rank is its own: those up the tree, which
   take the place of others, and those between rank 0 and the writers. */
static int kept, kept_aside;

typedef struct place {
    uint64_t at, length;
    bool there, aside;
} place;

typedef struct shared {
    place *survey, *records; /* of each rank */
    place plan;
    place sizes[WRITERS_MOST], orders[WRITERS_MOST], answers[WRITERS_MOST];
    bool parked[WRITERS_MOST]; /* a rank that writes waits for its orders */
    pid_t pids[WRITERS_MOST];
    uint64_t top, top_aside; /* of the files */
    uint64_t messages, bytes, longest, to_root, to_root_bytes, words;
    int group; /* of ranks with one writer; 0: there is no plan yet */
    bool again;
    long memory_root, memory_most;
    double seconds_root;
} shared;

static shared *all;
static int ranks, files;
static bool are_shared;

static void *share(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) die("mmap");
    return memory;
}

static int file_of(const place *p) { return p->aside ? kept_aside : kept; }

static void keep(place *to, const void *message, size_t length, bool aside) {
    to->aside = aside;
    to->at = __atomic_fetch_add(aside ? &all->top_aside : &all->top, length, __ATOMIC_RELAXED);
    to->length = length;
    for (size_t done = 0; done < length;) {
        const ssize_t put = pwrite(file_of(to), (const char *)message + done, length - done, (off_t)(to->at + done));
        if (put <= 0) die("pwrite");
        done += (size_t)put;
    }
    __atomic_store_n(&to->there, true, __ATOMIC_RELEASE);
}

/* The transport ---------------------------------------------------------------------------------------------------- */

static place *place_of(int from, int to, int tag) {
    const int writer = all->group ? (tag == IOL_TAG_ORDER ? to : from) / all->group : 0;
    switch (tag) {
    case IOL_TAG_SURVEY: return &all->survey[all->again && to > 0 ? 1 : from]; /* the second time it changes nothing */
    case IOL_TAG_PLAN: return &all->plan;
    case IOL_TAG_RECORDS: return &all->records[from];
    case IOL_TAG_SIZES: return &all->sizes[writer];
    case IOL_TAG_ORDER: return &all->orders[writer];
    case IOL_TAG_ANSWER: return &all->answers[writer];
    default: return NULL;
    }
}

static void count(int to, size_t length) {
    __atomic_add_fetch(&all->messages, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&all->bytes, length, __ATOMIC_RELAXED);
    if (length > all->longest) all->longest = length;
    if (to == 0) all->to_root++, all->to_root_bytes += length;
}

/* A rank that comes again sends again; that is one message. */
static int send_message(void *self, int to, int tag, const void *message, size_t length) {
    const iol__transport *me = self;
    place *p = place_of(me->rank, to, tag);
    if (tag == IOL_TAG_ABANDONED) return 0;
    if (tag == IOL_TAG_SURVEY && all->again) return 0;
    if (tag == IOL_TAG_PLAN && all->again && me->rank == 0) return 0;
    if (tag == IOL_TAG_PLAN && !all->group) all->group = (int)((const iol__plan *)message)->group;
    if (p && !(tag == IOL_TAG_PLAN && p->there))
        keep(p, message, length, tag != IOL_TAG_SURVEY && tag != IOL_TAG_RECORDS);
    if (tag == IOL_TAG_WORD) all->words++;
    count(to, length);
    return 0;
}

/* Where it would have to wait for long, it ends; but for those that write. */
static long probe(void *self, int from, int tag) {
    const iol__transport *me = self;
    const place *p = place_of(from, me->rank, tag);
    if (tag == IOL_TAG_ABANDONED) return IOL_NO_MESSAGE;
    if (p && __atomic_load_n(&p->there, __ATOMIC_ACQUIRE)) return (long)p->length;
    if (tag == IOL_TAG_ORDER) __atomic_store_n(&all->parked[me->rank / all->group], true, __ATOMIC_RELEASE);
    if (tag == IOL_TAG_ORDER || tag == IOL_TAG_ANSWER) return IOL_NO_MESSAGE;
    iol__store_remove();
    _exit(0);
}

static int receive(void *self, int from, int tag, void *message, size_t room) {
    const iol__transport *me = self;
    place *p = place_of(from, me->rank, tag);
    if (p->length > room) return (int)IOL_BROKEN;
    for (size_t done = 0; done < p->length;) {
        const ssize_t got = pread(file_of(p), (char *)message + done, p->length - done, (off_t)(p->at + done));
        if (got <= 0) die("pread");
        done += (size_t)got;
    }
    if (tag == IOL_TAG_ORDER) p->there = false; /* the next one is another */
    return 1;
}

static int done(void *self, int ticket) {
    (void)self;
    (void)ticket;
    return 1;
}

static void give_up(void *self) { (void)self; }

/* Ranks ------------------------------------------------------------------------------------------------------------ */

static void be_rank(int rank) {
    iol__transport me = {.rank = rank, .size = ranks, .send = send_message, .receive = receive, .probe = probe};
    iol__core *core = &iol__core_state;
    me.self = &me;
    me.done = done;
    me.give_up = give_up;
    runtime_forked();
    core->pid = getpid();
    core->world = 77;
    core->world_rank = rank;
    core->world_size = ranks;
    core->zero_s = 1700000000;
    runtime_clock(INT64_C(12) << 28);
    if (iol__files_enter()) {
        iol__made_up_records(files, are_shared, rank);
        iol__files_leave();
    }
    core->phase = IOL_PHASE_OFF;
    iol__finalize(&me);
}

/* Until it has ended, or waits for orders. */
static bool wait_for(int rank, pid_t child, struct rusage *usage) {
    const int writer = all->again && rank > 0 && rank % all->group == 0 ? rank / all->group : 0;
    int status = 0;
    for (pid_t got; (got = wait4(child, &status, writer ? WNOHANG : 0, usage)) != child;) {
        if (got < 0) die("wait4");
        if (__atomic_load_n(&all->parked[writer], __ATOMIC_ACQUIRE)) {
            all->pids[writer] = child;
            return false;
        }
        nanosleep(&(struct timespec){0, 200000}, NULL);
    }
    if (status == 0) return true;
    fprintf(stderr, "simulate: rank %d failed\n", rank);
    exit(1);
}

static void run_rank(int rank) {
    struct rusage usage;
    const pid_t child = fork();
    if (child == 0) {
        be_rank(rank);
        _exit(0);
    }
    if (child < 0) die("fork");
    if (!wait_for(rank, child, &usage)) return;
    const double seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    if (usage.ru_maxrss > all->memory_most) all->memory_most = usage.ru_maxrss;
    if (rank == 0) all->memory_root = usage.ru_maxrss, all->seconds_root = seconds;
}

/* Of a process that does nothing. */
static long memory_of_nobody(void) {
    struct rusage usage = {0};
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child < 0 || wait4(child, NULL, 0, &usage) != child) die("fork");
    return usage.ru_maxrss;
}

/* Those below it first; their messages are not needed any more when it has been there. */
static void run_tree(int rank, bool flat) {
    iol__rt_exchange x;
    const uint64_t before = all->top;
    iol__exchange_start(&x, &(iol__transport){.rank = rank, .size = ranks}, 600);
    const int n = flat ? x.n_flat : x.n_children;
    for (int i = 0; i < n; i++) run_tree(flat ? x.first_flat + i : x.children[i], flat);
    run_rank(rank);
    place *own = flat ? &all->survey[rank] : &all->records[rank];
    if (rank == 0 || !own->there || own->at == before) return;
    static char part_of[SMALL];
    for (uint64_t at = 0; at < own->length;) {
        const size_t part = own->length - at < SMALL ? own->length - at : SMALL;
        if (pread(kept, part_of, part, (off_t)(own->at + at)) != (ssize_t)part ||
            pwrite(kept, part_of, part, (off_t)(before + at)) != (ssize_t)part)
            die("moving a message");
        at += part;
    }
    own->at = before;
    all->top = before + own->length;
    if (ftruncate(kept, (off_t)all->top) != 0) die("ftruncate");
}

static int depth(int base, bool flat) {
    int n = 0;
    for (int64_t below = 1, level = 1; below < ranks; n++) {
        level *= base;
        below = flat ? below + level : level;
    }
    return n;
}

/* Ranks that wrote have heard the end of it. */
static void end_writers(int writers) {
    struct rusage usage;
    for (int w = 1; w < writers; w++) {
        if (all->pids[w] > 0 && wait4(all->pids[w], NULL, 0, &usage) != all->pids[w]) die("wait4");
        if (all->pids[w] > 0 && usage.ru_maxrss > all->memory_most) all->memory_most = usage.ru_maxrss;
    }
}

static uint64_t size_of_log(const char *folder) {
    char pattern[4200];
    glob_t found;
    struct stat st = {0};
    snprintf(pattern, sizeof pattern, "%s/*.darshan", folder);
    if (glob(pattern, 0, NULL, &found) != 0 || found.gl_pathc != 1 || stat(found.gl_pathv[0], &st) != 0) {
        fputs("simulate: there is not one log\n", stderr);
        exit(1);
    }
    globfree(&found);
    return (uint64_t)st.st_size;
}

int main(int argc, char **argv) {
    char variable[4200];
    const char *writers_wanted = getenv("IOLITE_AGGREGATORS");
    char aggregators[64];
    if (argc != 5 || (ranks = atoi(argv[1])) < 1 || (files = atoi(argv[2])) < 1) {
        fputs("usage: simulate RANKS FILES own|shared FOLDER\n", stderr);
        return 2;
    }
    are_shared = strcmp(argv[3], "shared") == 0;
    snprintf(variable, sizeof variable, "IOLITE_LOG_DIR=%s", argv[4]);
    snprintf(aggregators, sizeof aggregators, "IOLITE_AGGREGATORS=%s", writers_wanted ? writers_wanted : "0");
    runtime_start(NULL, (const char *[]){variable, aggregators, "IOLITE_FINALIZE_TIMEOUT=86400", NULL});
    all = share(sizeof *all);
    all->survey = share((size_t)ranks * sizeof(place));
    all->records = share((size_t)ranks * sizeof(place));
    kept = memfd_create("messages", MFD_CLOEXEC);
    kept_aside = memfd_create("aside", MFD_CLOEXEC);
    if (kept < 0 || kept_aside < 0) die("memfd_create");
    const long none = memory_of_nobody();
    run_tree(0, true);
    all->again = true;
    run_tree(0, false);
    const int writers = (ranks + all->group - 1) / all->group;
    end_writers(writers);
    const uint64_t words = (uint64_t)ranks - 1 - all->words; /* that ranks other than the first pass on */
    printf("%d %llu %llu %llu %d %d %llu %llu %ld %ld %.3f %d %llu\n", ranks,
           (unsigned long long)(all->messages + words), (unsigned long long)(all->bytes + 8 * words),
           (unsigned long long)all->longest, depth(IOL_BRANCHES, false), depth(IOL_FLAT_CHILDREN, true),
           (unsigned long long)all->to_root, (unsigned long long)all->to_root_bytes, all->memory_root - none,
           all->memory_most - none, all->seconds_root, writers, (unsigned long long)size_of_log(argv[4]));
    runtime_stop();
    return 0;
}
