/* The thread that looks for new logs: in the trees that were named, and among those that were handed in, which are below
   uploads/CLUSTER. A store that others fill is left alone. The tree of a site is walked once; from then on only the
   directories of today and yesterday are, because servers of metadata have better things to do. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "serve/serve.h"
#include "site/index/ingest.h"
#include "site/index/rollup.h"
#include "text/text.h"

static void indexer_complain(iol__serve *s, const char *why) {
    iol__complain("iolite serve: ", "indexing: %s", why);
    atomic_fetch_add(&s->index_failures, 1);
}

static void indexer_sum_up(iol__serve *s) {
    iol__store *store;
    iol_error error;
    if (iol__store_open(s->options->store, IOL_STORE_WRITE, &store, &error) != IOL_OK) {
        indexer_complain(s, error.message);
        return;
    }
    if (iol__rollup(store) != IOL_OK) indexer_complain(s, iol__store_error(store));
    iol__store_close(store);
}

/* What the indexer works with; it stays although files are read again meanwhile. */
typedef struct means {
    iol__serve *serve;
    const iol__site *site;
    const iol__rulebook *rulebook;
    const char *cluster;
} means;

static bool index_trees(const means *m, const char *const *paths, size_t n_paths, const char *cluster, bool own) {
    iol__serve *s = m->serve;
    iol__ingest_counts counts = {0};
    iol_error error;
    const iol__ingest_options options = {
        .plan = {.rulebook = m->rulebook, .site = m->site, .cluster = cluster ? cluster : m->cluster, .files = 3},
        .store = s->options->store,
        .threads = 1,
        .own = own,
        .most_bytes = UINT64_C(4) << 30,
        .stop = &iol__serve_stop};
    iol_status status = iol__ingest(paths, n_paths, &options, &counts, &error);
    if (status != IOL_OK) {
        indexer_complain(s, error.message);
        return false;
    }
    atomic_fetch_add(&s->indexed_logs, counts.added);
    return counts.added || counts.again;
}

static bool index_uploads(const means *m) {
    iol__serve *s = m->serve;
    char path[4096];
    bool changed = false;
    snprintf(path, sizeof path, "%s/uploads", s->options->state);
    DIR *uploads = opendir(path);
    for (struct dirent *entry; uploads && !iol__serve_stop && (entry = readdir(uploads));) {
        const char *paths[] = {path};
        if (*entry->d_name == '.') continue;
        snprintf(path, sizeof path, "%s/uploads/%s", s->options->state, entry->d_name);
        changed = index_trees(m, paths, 1, entry->d_name, false) || changed;
    }
    if (uploads) closedir(uploads);
    return changed;
}

static void pause_for(unsigned seconds) {
    for (unsigned i = 0; i < seconds * 10 && !iol__serve_stop; i++) {
        struct timespec tenth = {.tv_nsec = 100000000};
        nanosleep(&tenth, NULL);
    }
}

static bool index_own(const means *m, const char *path) {
    return access(path, F_OK) == 0 && index_trees(m, &path, 1, NULL, true);
}

static bool index_own_day(const means *m, const char *tree, time_t at) {
    char path[4096];
    struct tm day;
    localtime_r(&at, &day);
    snprintf(path, sizeof path, "%s/%d/%d/%d", tree, day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
    return index_own(m, path);
}

static bool index_shared(const means *m, bool first) {
    enum { DAY = 86400 };
    const iol__serve_options *o = m->serve->options;
    const time_t now = time(NULL);
    bool changed = false;
    for (size_t i = 0; i < o->n_shared_logs && !iol__serve_stop; i++) {
        const iol__shared_logs *l = &o->shared_logs[i];
        if (first || !l->dated) {
            changed = index_own(m, l->path) || changed;
        } else {
            changed = index_own_day(m, l->path, now - DAY) || changed;
            changed = index_own_day(m, l->path, now) || changed;
        }
    }
    return changed;
}

static bool indexer_index_once(iol__serve *s, bool first) {
    const iol__serve_options *o = s->options;
    iol__serve_keep(s);
    pthread_rwlock_rdlock(&s->files);
    const means m = {s, s->site, s->rulebook, iol__serve_cluster(s)};
    pthread_rwlock_unlock(&s->files);
    bool changed = index_uploads(&m);
    const char **there = calloc(o->n_logs + 1, sizeof *there);
    size_t n = 0;
    for (size_t i = 0; there && i < o->n_logs; i++)
        if (access(o->logs[i], F_OK) == 0) there[n++] = o->logs[i];
    if (n) changed = index_trees(&m, there, n, NULL, false) || changed;
    free(there);
    changed = index_shared(&m, first) || changed;
    iol__serve_kept(s);
    return changed;
}

void *iol__serve_indexer(void *context) {
    iol__serve *s = context;
    unsigned long long summed = 0;
    for (bool first = true; !iol__serve_stop; first = false) {
        bool changed = indexer_index_once(s, first);
        unsigned long long uploads = atomic_load(&s->uploads);
        if (changed || uploads != summed) indexer_sum_up(s);
        summed = uploads;
        pause_for(s->options->interval);
    }
    return NULL;
}
