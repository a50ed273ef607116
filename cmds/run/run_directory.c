/* The directory of a run: made before the program starts, emptied when its log is written. Only its owner may enter it;
   processes of the run that have become somebody else leave their records beside it. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/run/leftovers.h"
#include "cmds/run/run_directory.h"
#include "log/read/found.h"
#include "log/merge/living.h"
#include "record/hash.h"
#include "record/held.h"
#include "record/mapped.h"

enum { LOCK_TRIES = 200, LOCK_PAUSE_US = 10000 };

const char *mapped_place(const iol__config *config, unsigned index) {
    static const char *const usual[] = {"/dev/shm", "/tmp"};
    const char *set = config->values[IOL_SET_MMAP_DIR].text;
    if (*set && index-- == 0) return set;
    return index < IOL_COUNT(usual) ? usual[index] : NULL;
}

size_t mapped_places(const iol__config *config, const char *places[RUN_PLACES]) {
    size_t count = 0;
    while (count < RUN_PLACES && (places[count] = mapped_place(config, (unsigned)count)) != NULL) count++;
    return count;
}

/* Making ---------------------------------------------------------------------------------------------------------- */

static uint64_t random_number(const struct timespec *time) {
    uint64_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
        int64_t facts[] = {time->tv_sec, time->tv_nsec, getpid()};
        number = iol__hash(facts, sizeof facts, 0);
    }
    return number ? number : 1;
}

/* The key comes from the kernel or there is none: one that can be guessed would protect nothing. */
static void make_key(uint8_t key[IOL_RUN_KEY]) {
    if (getrandom(key, IOL_RUN_KEY, 0) != IOL_RUN_KEY) memset(key, 0, IOL_RUN_KEY);
}

static bool make_file(const run_directory *run, const char *name, const void *bytes, size_t length) {
    int fd = openat(run->held, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return false;
    fchmod(fd, 0600); /* whatever the umask is */
    bool written = length == 0 || write(fd, bytes, length) == (ssize_t)length;
    if (close(fd) != 0) written = false;
    return written;
}

static bool make_run_directory_spool(const run_directory *run) {
    iol__spool_head head = {.committed = sizeof head};
    memcpy(head.magic, IOL_SPOOL_MAGIC, sizeof head.magic);
    return make_file(run, IOL_RUN_SPOOL, &head, sizeof head);
}

static bool make_list(const run_directory *run) { return make_file(run, IOL_RUN_PROCESSES, "", 0); }

/* The lock goes when this process does, however it ends. Nothing else depends on it, so that a file system without
   locks will do. */
static void hold(run_directory *run) {
    run->held = open(run->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (run->held >= 0) flock(run->held, LOCK_SH);
}

bool run_lives(int directory) {
    if (flock(directory, LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK;
    flock(directory, LOCK_UN);
    return false;
}

/* 0 or errno. */
static int make_at(const char *place, run_directory *run) {
    int length = snprintf(run->path, sizeof run->path, "%s/iolite-run-%lu-%016" PRIx64, place, (unsigned long)getuid(),
                          run->number);
    if (length < 0 || (size_t)length >= sizeof run->path) return ENAMETOOLONG;
    if (mkdir(run->path, 0700) != 0) return errno;
    hold(run);
    errno = 0;
    if (run->held >= 0 && fchmod(run->held, 0700) == 0 && make_run_directory_spool(run) && make_list(run)) return 0;
    int error = errno ? errno : ENOSPC;
    remove_run_directory(run);
    if (run->held < 0) rmdir(run->path);
    close_run_directory(run);
    return error;
}

/* A relative directory would be another one in every process that changes its own. */
static const char *absolute(const char *place, char *room) { return *place == '/' ? place : realpath(place, room); }

/* Whether the file system that the path leads to is another one than that of the directory. */
static bool is_covered(const run_directory *run, const struct stat *held) {
    char place[RUN_PATH];
    struct stat st;
    snprintf(place, sizeof place, "%s", run->path);
    *strrchr(place, '/') = '\0';
    return stat(*place ? place : "/", &st) != 0 || st.st_dev != held->st_dev;
}

/* Under the same name, which is free. */
static void make_again(run_directory *run) {
    if (mkdir(run->path, 0700) != 0) return;
    close(run->held);
    hold(run);
}

static bool run_directory_is_there(const run_directory *run, const char *name) {
    struct stat st;
    return fstatat(run->held, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* A program that mounts something over the directory reports it itself. */
static bool find_run_directory_again(run_directory *run) {
    struct stat named, held;
    if (fstat(run->held, &held) != 0) return false;
    if (stat(run->path, &named) == 0 && named.st_dev == held.st_dev && named.st_ino == held.st_ino) return true;
    const bool covered = is_covered(run, &held);
    if (held.st_nlink > 0)
        snprintf(run->path, sizeof run->path, "/proc/self/fd/%d/.", run->held);
    else
        make_again(run);
    return covered;
}

bool repair_run_directory(run_directory *run) {
    const bool found = find_run_directory_again(run), spool = run_directory_is_there(run, IOL_RUN_SPOOL),
               list = run_directory_is_there(run, IOL_RUN_PROCESSES);
    if (!spool) make_run_directory_spool(run);
    if (!list) make_list(run);
    return found && spool && list;
}

static struct timespec last_change(const char *place) {
    struct stat st;
    return stat(place, &st) == 0 ? st.st_mtim : (struct timespec){0};
}

static void note_changes(const iol__config *config, run_directory *run) {
    const char *place;
    for (unsigned i = 0; i < RUN_PLACES && (place = mapped_place(config, i)) != NULL; i++)
        run->before[i] = last_change(place);
}

bool make_run_directory(const iol__config *config, run_directory *run) {
    char full[PATH_MAX];
    clock_gettime(CLOCK_REALTIME, &run->zero);
    clock_gettime(CLOCK_MONOTONIC, &run->monotonic);
    run->number = random_number(&run->zero);
    make_key(run->key);
    const char *place;
    for (unsigned i = 0; (place = mapped_place(config, i)) != NULL; i++) {
        errno = 0;
        const char *path = absolute(place, full);
        int error = path ? make_at(path, run) : errno;
        if (!error) {
            note_changes(config, run);
            return true;
        }
        fprintf(stderr, "iolite: records cannot be kept in %s: %s\n", place, strerror(error));
    }
    return false;
}

size_t describe_run(const run_directory *run, const iol__runner *us, char *text, size_t room) {
    uint64_t monotonic = (uint64_t)run->monotonic.tv_sec * 1000000000u + (uint64_t)run->monotonic.tv_nsec;
    char key[2 * IOL_RUN_KEY + 1];
    for (size_t i = 0; i < IOL_RUN_KEY; i++) snprintf(key + 2 * i, 3, "%02x", run->key[i]);
    const int at = snprintf(text, room, "%" PRIx64 "-%s:%lld.%09ld:%" PRIu64 ":%d.%d.%" PRIu64 ".%d.", run->number, key,
                            (long long)run->zero.tv_sec, run->zero.tv_nsec, monotonic, us->pid, us->outermost, us->born,
                            us->caller);
    snprintf(text + at, room - (size_t)at, "%0*d:%s", IOL_RUNNER_DIGITS, 0, run->path);
    return (size_t)at;
}

/* Ending ---------------------------------------------------------------------------------------------------------- */

#define SPOOL_CLOSED IOL_RUN_SPOOL ".closed"

void list_unseen(const run_directory *run, int32_t pid, const char *command) {
    struct stat st;
    size_t length = strlen(command), padded = (length + 7) / 8 * 8;
    if (fstatat(run->held, IOL_RUN_PROCESSES, &st, AT_SYMLINK_NOFOLLOW) != 0 || st.st_size != 0) return;
    struct {
        iol__process_entry entry;
        char command[4096];
    } one = {.entry = {.pid = pid,
                       .parent = getpid(),
                       .run = run->number,
                       .zero_s = run->zero.tv_sec,
                       .zero_ns = run->zero.tv_nsec}};
    if (padded > sizeof one.command) return;
    one.entry.bytes = (uint32_t)(sizeof one.entry + padded);
    one.entry.command_bytes = (uint32_t)length;
    memcpy(one.command, command, length);
    int fd = openat(run->held, IOL_RUN_PROCESSES, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return;
    ssize_t written = write(fd, &one, one.entry.bytes);
    (void)written; /* the log can do without */
    close(fd);
}

void close_spool(const run_directory *run) {
    if (renameat(run->held, IOL_RUN_SPOOL, run->held, SPOOL_CLOSED) != 0) return;
    int fd = openat(run->held, SPOOL_CLOSED, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return;
    /* A writer that stands still with the lock held has not moved the mark: what counts is whole in any case. */
    for (int i = 0; i < LOCK_TRIES && flock(fd, LOCK_EX | LOCK_NB) != 0; i++) usleep(LOCK_PAUSE_US);
    close(fd);
}

/* Listing --------------------------------------------------------------------------------------------------------- */

/* opendir() takes 32 KiB and asks several questions first, which is much for the few names of a short run. */
typedef struct run_directory_listing {
    int directory;
    size_t at, end;
    _Alignas(8) char bytes[4096];
} run_directory_listing;

/* As the kernel gives it. */
typedef struct run_directory_listed {
    uint64_t inode;
    int64_t offset;
    uint16_t bytes;
    uint8_t type;
    char name[];
} run_directory_listed;

/* NULL at the end. */
static const char *run_directory_next_name(run_directory_listing *l) {
    if (l->at == l->end) {
        const long got = syscall(SYS_getdents64, l->directory, l->bytes, sizeof l->bytes);
        if (got <= 0) return NULL;
        l->at = 0;
        l->end = (size_t)got;
    }
    const run_directory_listed *entry = (const void *)(l->bytes + l->at);
    l->at += entry->bytes;
    return entry->name;
}

static bool open_listing(run_directory_listing *l, int from, const char *path) {
    l->directory = openat(from, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    l->at = l->end = 0;
    return l->directory >= 0;
}

/* Strays --------------------------------------------------------------------------------------------------------- */

/* What is in the file; where it has holes, so has the copy. */
static bool copy_data(int in, int out, off_t size) {
    off_t at = 0, hole;
    while ((at = lseek(in, at, SEEK_DATA)) >= 0 && (hole = lseek(in, at, SEEK_HOLE)) > at) {
        if (lseek(out, at, SEEK_SET) != at) return false;
        while (at < hole) {
            const ssize_t got = sendfile(out, in, &at, (size_t)(hole - at));
            if (got <= 0) return false;
        }
    }
    return errno == ENXIO && ftruncate(out, size) == 0; /* there are no more data */
}

static bool run_directory_copy(int in, off_t size, int directory, const char *name) {
    const int out = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (out < 0) return false;
    bool good = copy_data(in, out, size);
    if (close(out) != 0) good = false;
    if (!good) unlinkat(directory, name, 0);
    return good;
}

/* Whether somebody of this run left it, and does not need it any more. Processes that root started may have become
   somebody else; an ordinary user's have not. */
static bool is_stray(const run_directory *run, int fd, const struct stat *st, const char *name) {
    static const uint8_t none[IOL_RUN_KEY];
    uint8_t head[IOL_MAPPED_HEAD];
    iol__mapped facts;
    if ((st->st_mode & 07777) != 0600 || (st->st_uid != geteuid() && geteuid() != 0)) return false;
    if (!read_mapped_head(fd, 0, head)) return false;
    memcpy(&facts, head + IOL_MAPPED_AT, sizeof facts);
    if (facts.run != run->number || memcmp(facts.key, run->key, sizeof facts.key) != 0) return false;
    return memcmp(facts.key, none, sizeof none) != 0 && !iol__mapped_lives(fd, name, &facts);
}

/* Only ours: another owner may put something else under this name at any time. */
static void leave_there(stray_list *left, const char *place, const char *name, uid_t owner) {
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/%s", place, name);
    if (owner != geteuid() || length < 0 || (size_t)length >= sizeof path) return;
    char **paths = realloc(left->paths, (left->count + 1) * sizeof *paths);
    if (!paths) return;
    left->paths = paths;
    paths[left->count] = strdup(path);
    if (paths[left->count]) left->count++;
}

void free_strays(stray_list *list) {
    for (size_t i = 0; i < list->count; i++) free(list->paths[i]);
    free(list->paths);
}

/* Beside the rest of the run it is seen which records are of one process. What has moved in must be what was looked at:
   the owner of a file may rename another to its name at any time. */
static void move_in(const run_directory *run, const char *path, int place, const char *name, stray_list *left) {
    struct stat before, after;
    const int fd = iol__found_open(place, name, &before);
    if (fd >= 0 && is_stray(run, fd, &before, name)) {
        if (renameat(place, name, run->held, name) == 0) {
            const bool same = fstatat(run->held, name, &after, AT_SYMLINK_NOFOLLOW) == 0 &&
                              before.st_dev == after.st_dev && before.st_ino == after.st_ino;
            if (!same) unlinkat(run->held, name, 0);
        } else if (errno != EXDEV || !run_directory_copy(fd, before.st_size, run->held, name)) {
            leave_there(left, path, name, before.st_uid);
        } else if (unlinkat(place, name, 0) != 0) {
            unlinkat(run->held, name, 0); /* or it would count twice */
        }
    }
    if (fd >= 0) close(fd);
}

/* Nobody has put anything there since before the run. A change just before it would not tell: clocks of file systems
   tick. There may be thousands of files in such a place. */
static bool is_untouched(const run_directory *run, unsigned index, const char *place) {
    if (index >= RUN_PLACES || run->before[index].tv_sec == 0 || run->before[index].tv_sec + 1 >= run->zero.tv_sec)
        return false;
    const struct timespec now = last_change(place);
    return now.tv_sec == run->before[index].tv_sec && now.tv_nsec == run->before[index].tv_nsec;
}

void gather_strays(const iol__config *config, const run_directory *run, stray_list *left) {
    const char *place;
    char beginning[64];
    snprintf(beginning, sizeof beginning, "iolite-%016" PRIx64 "-", run->number);
    for (unsigned i = 0; run->held >= 0 && (place = mapped_place(config, i)) != NULL; i++) {
        run_directory_listing names;
        if (is_untouched(run, i, place) || !open_listing(&names, AT_FDCWD, place)) continue;
        for (const char *name; (name = run_directory_next_name(&names)) != NULL;)
            if (iol__name_between(name, beginning, IOL_MAPPED_SUFFIX)) move_in(run, place, names.directory, name, left);
        close(names.directory);
    }
}

FILE *open_in_run(const run_directory *run, const char *name) {
    struct stat st;
    const int fd = iol__found_open(run->held, name, &st);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    if (fd >= 0 && !file) close(fd);
    return file;
}

void tell_messages(const run_directory *run) {
    char first[512] = "", line[512];
    unsigned more = 0;
    FILE *file = open_in_run(run, IOL_RUN_MESSAGES);
    if (!file) return;
    if (!fgets(first, sizeof first, file)) first[0] = '\0';
    while (fgets(line, sizeof line, file)) more++;
    fclose(file);
    first[strcspn(first, "\n")] = '\0';
    if (!first[0]) return;
    fprintf(stderr, "iolite: %s", first);
    if (more) fprintf(stderr, " (and %u more)", more);
    fputc('\n', stderr);
}

static bool is_in_use(const run_directory *run, const char *name) {
    uint8_t head[IOL_MAPPED_HEAD];
    iol__mapped facts;
    struct stat st;
    const int fd = iol__found_open(run->held, name, &st);
    if (fd < 0) return false;
    bool used = true; /* it was just made */
    if (read_mapped_head(fd, 0, head)) {
        memcpy(&facts, head + IOL_MAPPED_AT, sizeof facts);
        used = iol__mapped_lives(fd, name, &facts);
    }
    close(fd);
    return used;
}

bool somebody_records(const void *run) {
    run_directory_listing names;
    const char *name;
    bool records = false;
    if (!open_listing(&names, ((const run_directory *)run)->held, ".")) return true;
    while (!records && (name = run_directory_next_name(&names)) != NULL)
        records = iol__name_between(name, "iolite-", IOL_MAPPED_SUFFIX) && is_in_use(run, name);
    close(names.directory);
    return records;
}

/* A process that was killed while it made its mapped file leaves one without a log in it, and without a lock. Whose
   process it is stands in its name. */
static bool is_unfinished(const run_directory *run, const char *name) {
    static const char none[8];
    char head[16] = {0};
    struct stat st;
    int pid;
    if (*name == '.' || sscanf(name, "iolite-%*16[0-9a-f]-%d-", &pid) != 1 || pid <= 0) return false;
    if (kill(pid, 0) == 0 || errno != ESRCH) return false;
    const int fd = iol__found_open(run->held, name, &st);
    const bool empty = fd >= 0 && pread(fd, head, sizeof head, 0) >= 0 && memcmp(head + 8, none, sizeof none) == 0 &&
                       flock(fd, LOCK_SH | LOCK_NB) == 0;
    if (fd >= 0) close(fd);
    return empty;
}

/* Whether it is one of the files that every run may have, and no records of anybody. */
static bool run_directory_is_ours(const char *name) {
    static const char closed[] = SPOOL_CLOSED;
    static const char *const names[] = {IOL_RUN_SPOOL, closed, IOL_RUN_PROCESSES, IOL_RUN_MESSAGES, IOL_RUN_LOGS};
    for (size_t i = 0; i < IOL_COUNT(names); i++)
        if (strcmp(name, names[i]) == 0) return true;
    return iol__name_between(name, IOL_SPARE_FILE, "");
}

void remove_run_directory(const run_directory *run) {
    run_directory_listing names;
    if (run->held < 0) return;
    const bool open = open_listing(&names, run->held, ".");
    for (const char *name; open && (name = run_directory_next_name(&names)) != NULL;)
        if (run_directory_is_ours(name) || is_unfinished(run, name)) unlinkat(run->held, name, 0);
    if (open) close(names.directory);
    rmdir(run->path);
}

/* Jobs ------------------------------------------------------------------------------------------------------------- */

bool is_job_directory(const char *path) {
    const char *slash = strrchr(path, '/');
    return strncmp(slash ? slash + 1 : path, IOL_JOB_DIRECTORY, sizeof IOL_JOB_DIRECTORY - 1) == 0;
}

bool is_session_directory(const char *name) {
    static const char session[] = "-" IOL_SESSION;
    const char *user = name + strlen(IOL_JOB_DIRECTORY);
    return strncmp(user + strspn(user, "0123456789"), session, sizeof session - 1) == 0;
}

bool take_job_directory(const char *path, run_directory *job) {
    if (!open_run_directory(path, job)) return false;
    if (flock(job->held, LOCK_EX | LOCK_NB) == 0) {
        if (!run_directory_is_there(job, SPOOL_CLOSED)) close_spool(job); /* else somebody was killed who was at it */
        return true;
    }
    close_run_directory(job);
    return false;
}

void put_job_back(const run_directory *job) {
    enum { NO_REPLACE = 1 }; /* RENAME_NOREPLACE; not every C library has the function */
    syscall(SYS_renameat2, job->held, SPOOL_CLOSED, job->held, IOL_RUN_SPOOL, NO_REPLACE);
}

bool is_job_silent(int directory) {
    const run_directory job = {.held = directory};
    return !somebody_records(&job);
}

void remove_job_directory(const run_directory *job) {
    run_directory_listing names;
    const bool open = open_listing(&names, job->held, ".");
    for (const char *name; open && (name = run_directory_next_name(&names)) != NULL;)
        if (strcmp(name, SPOOL_CLOSED) == 0 || iol__name_between(name, IOL_SPARE_FILE, "") || is_unfinished(job, name))
            unlinkat(job->held, name, 0);
    if (open) close(names.directory);
    rmdir(job->path);
}

bool open_run_directory(const char *path, run_directory *run) {
    struct stat st;
    *run = (run_directory){.held = -1};
    if (strlen(path) >= sizeof run->path) return false;
    strcpy(run->path, path);
    run->held = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (run->held >= 0 && fstat(run->held, &st) == 0 && st.st_uid == geteuid()) return true;
    close_run_directory(run);
    return false;
}

void close_run_directory(run_directory *run) {
    if (run->held >= 0) close(run->held);
    run->held = -1;
}
