/* Rank 0. It sends errands (number of the message; of each file root, directory below it, key, name, number of the log
   before; an empty message is the end), others answer (ranks_serve.c). Each has a few messages more than it can work on, so
   that it need not wait for the next one. */
#include "site/index/mpi_ranks.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "site/index/mpi_messages.h"

/* So many small logs take some ten milliseconds: long compared with the way there and back, short at the end of a run. */
enum { AT_ONCE = 128, MOST_AHEAD = 260, USUAL_PATIENCE = 300 };

typedef struct mpi_ranks_message {
    iol__errand errands[AT_ONCE];
    size_t count; /* 0: none */
} mpi_ranks_message;

/* Another rank, as rank 0 knows it. */
typedef struct iol__mpi_peer {
    mpi_ranks_message *messages; /* that it may have at a time; NULL: it has not said yet that it is there */
    size_t room, out;
    double since; /* when it was last heard of, or got something to do */
    bool dead;    /* it did not answer in time */
} peer;

/* Joining ------------------------------------------------------------------------------------------------------- */

/* What launchers tell their processes. */
static const struct {
    const char *size, *abi;
} launchers[] = {{"OMPI_COMM_WORLD_SIZE", "openmpi"}, {"PMI_SIZE", "mpich"}, {"MPI_LOCALNRANKS", "mpich"}};

bool iol__ranks_launched(void) {
    for (size_t i = 0; i < IOL_COUNT(launchers); i++)
        if (getenv(launchers[i].size)) return true;
    return getenv("SLURM_PROCID") != NULL;
}

static const char *which_abi(void) {
    const char *named = getenv("IOLITE_INDEX_MPI"), *tasks = getenv("SLURM_NTASKS");
    if (named) return *named && strcmp(named, "0") != 0 ? named : NULL;
    for (size_t i = 0; i < IOL_COUNT(launchers); i++) {
        const char *size = getenv(launchers[i].size);
        if (size && atoi(size) > 1) return launchers[i].abi;
    }
    /* srun: which MPI it is made for says what it offers. */
    if (!tasks || atoi(tasks) < 2 || !getenv("SLURM_PROCID")) return NULL;
    return getenv("PMIX_RANK") ? "openmpi" : getenv("PMI_RANK") || getenv("PMI_FD") ? "mpich" : NULL;
}

static void *mpi_ranks_load(const char *abi) {
    char self[PATH_MAX], path[PATH_MAX + 100];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0 || strpbrk(abi, "/")) return NULL;
    self[length] = 0;
    char *slash = strrchr(self, '/');
    if (slash) *slash = 0;
    void *library = NULL;
    static const char *const places[] = {"lib", IOLITE_PLUGINS}; /* below the prefix, or whole */
    for (size_t i = 0; i < IOL_COUNT(places) && !library; i++) {
        const bool whole = *places[i] == '/';
        snprintf(path, sizeof path, "%s%s%s/libiolite-index-%s.so", whole ? "" : self, whole ? "" : "/../../",
                 places[i], abi);
        library = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPIs load parts of their own that look for them */
    }
    return library;
}

iol__ranks *iol__ranks_join(char why[300]) {
    const char *abi = which_abi(), *patience = getenv("IOLITE_STORE_TIMEOUT");
    *why = 0;
    if (!abi) return NULL;
    void *library = mpi_ranks_load(abi);
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
size_t iol__ranks_size(const iol__ranks *r) { return (size_t)r->size; }

/* The first message of a rank: how much it wants to have at a time. */
static void greet(peer *p, const char *bytes, size_t length) {
    uint64_t wanted = 0;
    if (length >= 8) memcpy(&wanted, bytes, 8);
    if (wanted > MOST_AHEAD) wanted = MOST_AHEAD;
    p->messages = calloc(wanted + 1, sizeof *p->messages);
    p->room = p->messages ? (size_t)wanted : 0;
    p->since = iol__ranks_now();
}

/* A message, if one comes in time. A rank that stops in the middle of one is given up at once. */
static bool wait_mpi_ranks_for_message(iol__ranks *r, double until, int *from, char **bytes, size_t *length) {
    int how;
    for (long pause = 0; (how = iol__ranks_receive(r, from, bytes, length)) == 0; iol__ranks_pause(&pause)) {
        iol__ranks_sent(r);
        if (iol__ranks_now() > until) return false;
    }
    if (how < 0) r->peers[*from].since = -r->patience - 1;
    return how > 0;
}

/* A rank that has not been heard of by the end hangs, or is dead. */
static void count_missing(iol__ranks *r) {
    const double until = iol__ranks_now() + r->patience;
    for (int i = 1; i < r->size; i++) {
        while (!r->peers[i].messages && !r->peers[i].dead) {
            int from;
            size_t length;
            char *bytes = NULL;
            if (wait_mpi_ranks_for_message(r, until, &from, &bytes, &length))
                greet(&r->peers[from], bytes, length);
            else
                r->peers[i].dead = true;
            free(bytes);
        }
        r->broken = r->broken || r->peers[i].dead;
    }
}

/* All others get the message that it is the end. */
static void dismiss(iol__ranks *r) {
    const double until = iol__ranks_now() + r->patience;
    long pause = 0;
    count_missing(r);
    for (int i = 1; i < r->size && !r->broken; i++) {
        iol__rows nothing = {0};
        r->broken = !iol__ranks_send(r, &nothing, i);
    }
    while (!r->broken && r->outgoing) {
        if (!iol__ranks_sent(r) || iol__ranks_now() > until) r->broken = true;
        if (r->outgoing) iol__ranks_pause(&pause);
    }
}

void iol__ranks_leave(iol__ranks *r) {
    if (!r) return;
    if (r->rank == 0) dismiss(r);
    r->mpi->finish(r->broken);
    for (int i = 0; i < r->size; i++) free(r->peers[i].messages);
    iol__ranks_free(r);
}

/* Handing out ---------------------------------------------------------------------------------------------------- */

static void add_mpi_ranks_text(iol__rows *to, const char *text) {
    iol__rows_u64(to, strlen(text));
    iol__rows_add(to, text, strlen(text) + 1);
}

static bool send_errands(iol__ranks *r, int to, size_t number) {
    const mpi_ranks_message *m = &r->peers[to].messages[number];
    iol__rows bytes = {0};
    iol__rows_u64(&bytes, number);
    for (size_t i = 0; i < m->count; i++) {
        const iol__errand *e = &m->errands[i];
        add_mpi_ranks_text(&bytes, e->dir->root->path);
        add_mpi_ranks_text(&bytes, e->dir->path);
        add_mpi_ranks_text(&bytes, e->dir->key);
        add_mpi_ranks_text(&bytes, e->name);
        iol__rows_u64(&bytes, (uint64_t)e->before);
    }
    return iol__ranks_send(r, &bytes, to);
}

static void read_here(peer *p, mpi_ranks_message *m, const iol__errands *errands) {
    for (size_t i = 0; i < m->count; i++) errands->read_here(errands->context, &m->errands[i]);
    m->count = 0;
    p->out--;
}

static void mpi_ranks_give_up(iol__ranks *r, peer *p, const iol__errands *errands) {
    p->dead = r->broken = true;
    for (size_t i = 0; i < p->room; i++)
        if (p->messages[i].count) read_here(p, &p->messages[i], errands);
}

/* Each found, or a byte that says that there is none. What is missing of the answer is read here. */
static void take_answer(peer *p, const char *bytes, size_t length, const iol__errands *errands) {
    uint64_t number = UINT64_MAX;
    if (length >= 8) memcpy(&number, bytes, 8);
    if (number >= p->room || !p->messages[number].count || p->dead) return;
    mpi_ranks_message *m = &p->messages[number];
    const char *at = bytes + 8, *end = bytes + length;
    p->since = iol__ranks_now();
    for (size_t i = 0; i < m->count; i++) {
        const bool there = at < end, found = there && *at++;
        iol__found *f = found ? iol__found_unpack(&at, end) : NULL;
        if (f) f->dir = m->errands[i].dir->key;
        if (found != (f != NULL) || !there)
            errands->read_here(errands->context, &m->errands[i]);
        else
            errands->take(errands->context, f);
    }
    m->count = 0;
    p->out--;
}

static void take_message(iol__ranks *r, int from, const char *bytes, size_t length, const iol__errands *errands) {
    peer *p = &r->peers[from];
    if (p->messages)
        take_answer(p, bytes, length, errands);
    else
        greet(p, bytes, length);
}

/* One more message for a rank that wants one. */
static size_t employ_one(iol__ranks *r, int rank, size_t readers, const iol__errands *errands) {
    peer *p = &r->peers[rank];
    size_t number = 0;
    while (p->messages[number].count) number++;
    mpi_ranks_message *m = &p->messages[number];
    m->count = errands->next(errands->context, m->errands, AT_ONCE, readers);
    if (!m->count) return 0;
    if (!p->out++) p->since = iol__ranks_now();
    const size_t given = m->count;
    if (!send_errands(r, rank, number)) mpi_ranks_give_up(r, p, errands);
    return given;
}

/* Work for all who want some, a message each and then the next; false when there is none left. */
static bool employ(iol__ranks *r, const iol__errands *errands) {
    size_t readers = 1;
    for (int i = 1; i < r->size; i++) readers += r->peers[i].dead ? 0 : r->peers[i].room;
    for (bool given = true; given;) {
        given = false;
        for (int i = 1; i < r->size; i++) {
            peer *p = &r->peers[i];
            if (!p->messages || p->dead || p->out == p->room) continue;
            if (!employ_one(r, i, readers, errands)) return false;
            given = true;
        }
    }
    return true;
}

static bool anybody_out(iol__ranks *r, const iol__errands *errands) {
    bool out = false;
    for (int i = 1; i < r->size; i++) {
        peer *p = &r->peers[i];
        if (p->out && iol__ranks_now() - p->since > r->patience) mpi_ranks_give_up(r, p, errands);
        out = out || p->out > 0;
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
        if (wait_mpi_ranks_for_message(r, iol__ranks_now() + (more ? 0.05 : 1), &from, &bytes, &length))
            take_message(r, from, bytes, length, errands);
        free(bytes);
        if (!anybody_out(r, errands)) {
            /* Nobody is there yet, or nobody any more: do not wait for them. */
            iol__errand own;
            if (errands->next(errands->context, &own, 1, 1) == 0) return;
            errands->read_here(errands->context, &own);
        }
    }
}
