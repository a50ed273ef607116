/* Messages: rank 0 sends errands (root, directory below it, key, name, number of the log before; an empty message is the
   end), others answer with what they found, in the same order. The first answer is empty and says that a rank is there. */
#include "site/ranks.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "site/mpi/plugin.h"

/* So many small logs take some ten milliseconds: long compared with the way there and back, short at the end of a run. */
enum { AT_ONCE = 128, USUAL_PATIENCE = 300 };

/* Another rank, as rank 0 knows it. */
typedef struct peer {
    iol__errand errands[AT_ONCE];
    size_t count;
    double since;
    bool there, dead; /* it has said that it is there; it did not answer in time */
} peer;

struct iol__ranks {
    const iolite_index_mpi *mpi;
    int rank, size;
    peer *peers;
    iol__rows message;
    double patience;
    bool broken;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Joining ------------------------------------------------------------------------------------------------------- */

/* What launchers tell their processes. */
static const struct {
    const char *size, *abi;
} launchers[] = {{"OMPI_COMM_WORLD_SIZE", "openmpi"}, {"PMI_SIZE", "mpich"}, {"MPI_LOCALNRANKS", "mpich"}};

bool iol__ranks_launched(void) {
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (getenv(launchers[i].size)) return true;
    return getenv("SLURM_PROCID") != NULL;
}

static const char *which_abi(void) {
    const char *named = getenv("IOLITE_INDEX_MPI"), *tasks = getenv("SLURM_NTASKS");
    if (named) return *named && strcmp(named, "0") != 0 ? named : NULL;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const char *size = getenv(launchers[i].size);
        if (size && atoi(size) > 1) return launchers[i].abi;
    }
    /* srun: which MPI it is made for says what it offers. */
    if (!tasks || atoi(tasks) < 2 || !getenv("SLURM_PROCID")) return NULL;
    return getenv("PMIX_RANK") ? "openmpi" : getenv("PMI_RANK") || getenv("PMI_FD") ? "mpich" : NULL;
}

static void *load(const char *abi) {
    char self[PATH_MAX], path[PATH_MAX + 100];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0 || strpbrk(abi, "/")) return NULL;
    self[length] = 0;
    char *slash = strrchr(self, '/');
    if (slash) *slash = 0;
    void *library = NULL;
    static const char *const below[] = {"/../lib", "/../" IOLITE_PLUGINS};
    for (size_t i = 0; i < sizeof below / sizeof *below && !library; i++) {
        snprintf(path, sizeof path, "%s%s/libiolite-index-%s.so", self, below[i], abi);
        library = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPIs load parts of their own that look for them */
    }
    return library;
}

iol__ranks *iol__ranks_join(char why[300]) {
    const char *abi = which_abi(), *patience = getenv("IOLITE_STORE_TIMEOUT");
    *why = 0;
    if (!abi) return NULL;
    void *library = load(abi);
    const iolite_index_mpi *mpi = library ? dlsym(library, "iolite_index_plugin") : NULL;
    iol__ranks *r = mpi ? calloc(1, sizeof *r) : NULL;
    if (!mpi) {
        snprintf(why, 300,
                 "there is no libiolite-index-%.50s.so beside this program for the MPI that started it%s%.150s", abi,
                 library ? "" : ": ", library ? "" : dlerror());
        return NULL;
    }
    if (r && mpi->start(&r->rank, &r->size) == 0 && (r->peers = calloc((size_t)r->size, sizeof *r->peers))) {
        r->mpi = mpi;
        r->patience = patience && atof(patience) > 0 ? atof(patience) : USUAL_PATIENCE;
        return r;
    }
    snprintf(why, 300, "MPI could not be started");
    free(r);
    return NULL;
}

int iol__ranks_rank(const iol__ranks *r) { return r->rank; }

/* A message, if one comes in time; false: none did. `until` 0: however long it takes. */
static bool wait_for_message(iol__ranks *r, double until, int *from, char **bytes, size_t *length) {
    struct timespec pause = {.tv_nsec = 50000};
    while (!r->mpi->look(from, length)) {
        if (until > 0 && now() > until) return false;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 2000000) pause.tv_nsec += pause.tv_nsec / 4;
    }
    *bytes = malloc(*length + 1);
    return *bytes && r->mpi->receive(*bytes, *length, *from) == 0;
}

/* Who has not been heard of by the end hangs, or is dead. */
static void count_missing(iol__ranks *r) {
    double until = now() + r->patience;
    for (int i = 1; i < r->size; i++) {
        while (!r->peers[i].there && !r->peers[i].dead) {
            int from;
            size_t length;
            char *bytes = NULL;
            if (wait_for_message(r, until, &from, &bytes, &length))
                r->peers[from].there = true;
            else
                r->peers[i].dead = true;
            free(bytes);
        }
        r->broken = r->broken || r->peers[i].dead;
    }
}

void iol__ranks_leave(iol__ranks *r) {
    if (!r) return;
    if (r->rank == 0) count_missing(r);
    for (int i = 1; r->rank == 0 && !r->broken && i < r->size; i++)
        if (r->mpi->send("", 0, i, r->patience) != 0) r->broken = true;
    r->mpi->finish(r->broken);
    iol__rows_free(&r->message);
    free(r->peers);
    free(r);
}

/* Rank 0 -------------------------------------------------------------------------------------------------------- */

static void add_text(iol__rows *to, const char *text) {
    iol__rows_u64(to, strlen(text));
    iol__rows_add(to, text, strlen(text) + 1);
}

static bool send_errands(iol__ranks *r, int to) {
    peer *p = &r->peers[to];
    iol__rows *m = &r->message;
    iol__rows_clear(m);
    for (size_t i = 0; i < p->count; i++) {
        const iol__errand *e = &p->errands[i];
        add_text(m, e->dir->root->path);
        add_text(m, e->dir->path);
        add_text(m, e->dir->key);
        add_text(m, e->name);
        iol__rows_u64(m, (uint64_t)e->before);
    }
    p->since = now();
    if (m->failed) return false;
    if (r->mpi->send(m->bytes, m->length, to, r->patience) == 0) return true;
    *m = (iol__rows){0}; /* MPI may hold on to it until the end of the process */
    return false;
}

static void give_up(iol__ranks *r, peer *p, const iol__errands *errands) {
    p->dead = r->broken = true;
    for (size_t i = 0; i < p->count; i++) errands->read_here(errands->context, &p->errands[i]);
    p->count = 0;
}

/* Each found, or a byte that says that there is none. */
static void take_answer(iol__ranks *r, peer *p, const char *bytes, size_t length, const iol__errands *errands) {
    const char *at = bytes, *end = bytes + length;
    (void)r;
    p->there = true;
    for (size_t i = 0; i < p->count; i++) {
        bool found = at < end && *at++;
        iol__found *f = found ? iol__found_unpack(&at, end) : NULL;
        if (f) f->dir = p->errands[i].dir->key;
        if (found && !f)
            errands->read_here(errands->context, &p->errands[i]);
        else
            errands->take(errands->context, f);
    }
    p->count = 0;
}

/* Work for all who have none; false when there is none left. */
static bool employ(iol__ranks *r, const iol__errands *errands) {
    for (int i = 1; i < r->size; i++) {
        peer *p = &r->peers[i];
        if (!p->there || p->dead || p->count) continue;
        p->count = errands->next(errands->context, p->errands, AT_ONCE, (size_t)r->size);
        if (!p->count) return false;
        if (!send_errands(r, i)) give_up(r, p, errands);
    }
    return true;
}

static bool anybody_out(iol__ranks *r, const iol__errands *errands) {
    bool out = false;
    for (int i = 1; i < r->size; i++) {
        peer *p = &r->peers[i];
        if (p->count && now() - p->since > r->patience) give_up(r, p, errands);
        out = out || p->count > 0;
    }
    return out;
}

void iol__ranks_hand_out(iol__ranks *r, const iol__errands *errands) {
    for (;;) {
        bool more = employ(r, errands);
        if (!anybody_out(r, errands) && !more) return;
        int from;
        char *bytes = NULL;
        size_t length;
        if (wait_for_message(r, now() + (more ? 0.05 : 1), &from, &bytes, &length))
            take_answer(r, &r->peers[from], bytes, length, errands);
        free(bytes);
        if (!anybody_out(r, errands)) {
            /* Nobody is there yet, or nobody any more: do not wait for them. */
            iol__errand own;
            if (errands->next(errands->context, &own, 1, 1) == 0) return;
            errands->read_here(errands->context, &own);
        }
    }
}

/* Others -------------------------------------------------------------------------------------------------------- */

typedef struct served {
    const iol__ingest_options *options;
    iol__walk_root root;
    char *root_path; /* NULL: none is open */
    char *dir_path;
    int dir_fd;
} served;

static const char *take_text(const char **at, const char *end) {
    uint64_t length;
    if (end - *at < 9) return NULL;
    memcpy(&length, *at, 8); /* rank 0 has the same order of bytes: one job does not span two kinds of machine */
    if (length >= (uint64_t)(end - *at - 8)) return NULL;
    const char *text = *at + 8;
    *at += 8 + length + 1;
    return text;
}

/* The directory that was used last stays open. */
static bool enter(served *s, const char *root, const char *dir) {
    if (s->root_path && strcmp(s->root_path, root) != 0) {
        iol__walk_root_close(&s->root);
        free(s->root_path);
        s->root_path = NULL;
    }
    if (!s->root_path) {
        if (iol__walk_open(root, &s->root) != 0) return false;
        s->root_path = strdup(root);
        free(s->dir_path);
        s->dir_path = NULL;
    }
    if (s->dir_path && strcmp(s->dir_path, dir) == 0) return true;
    if (s->dir_fd >= 0) close(s->dir_fd);
    free(s->dir_path);
    s->dir_path = strdup(dir);
    iol__walk_dir d = {.root = &s->root, .path = s->dir_path};
    s->dir_fd = s->dir_path ? iol__walk_open_dir(&d) : -1;
    return s->dir_fd >= 0;
}

static void run_errands(served *s, const char *at, const char *end, iol__rows *answer) {
    while (at < end) {
        const char *root = take_text(&at, end), *dir = take_text(&at, end), *key = take_text(&at, end),
                   *name = take_text(&at, end);
        uint64_t before = 0;
        if (!name || end - at < 8) return;
        memcpy(&before, at, 8);
        at += 8;
        iol__walk_dir d = {.root = &s->root, .path = s->dir_path, .key = (char *)(uintptr_t)key};
        iol__found *f = enter(s, root, dir) ? iol__found_read(s->options, s->dir_fd, &d, name, (int64_t)before) : NULL;
        iol__rows_add(answer, f ? "\1" : "\0", 1);
        if (f) iol__found_pack(answer, f);
        iol__found_free(f);
    }
}

void iol__ranks_serve(iol__ranks *r, const iol__ingest_options *options) {
    served s = {.options = options, .dir_fd = -1};
    bool going = r->mpi->send("", 0, 0, 0) == 0;
    while (going) {
        int from;
        size_t length = 0;
        char *bytes = NULL;
        going = wait_for_message(r, 0, &from, &bytes, &length) && length > 0;
        iol__rows_clear(&r->message);
        if (going) run_errands(&s, bytes, bytes + length, &r->message);
        if (going) going = !r->message.failed && r->mpi->send(r->message.bytes, r->message.length, 0, 0) == 0;
        free(bytes);
    }
    if (s.root_path) iol__walk_root_close(&s.root);
    if (s.dir_fd >= 0) close(s.dir_fd);
    free(s.root_path);
    free(s.dir_path);
}
