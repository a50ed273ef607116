/* The walk lists what is new or changed, up to a bound; then all threads work the list off: each reads logs, and whoever
   finds a full batch waiting writes it while the others go on reading. With one thread everything happens on it. */
#include "site/index/ingest.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/grow.h"
#include "log/bundle/bundle.h"
#include "site/query/fleet.h"
#include "site/index/expire.h"
#include "site/index/found.h"
#include "site/index/names.h"
#include "site/query/query.h"
#include "site/index/quiet.h"
#include "site/index/mpi_ranks.h"
#include "site/index/rollup.h"
#include "site/index/runs.h"

enum {
    LISTED = 200000, /* files that are listed before they are read */
    MOST_THREADS = 256,
    ERRAND_BYTES = 2 << 20, /* of logs that another rank gets at a time, or one log */
    LONGEST_PATH = 2500,    /* of directory and name as keys; PostgreSQL takes 2,704 bytes in all */
    WAITING = 2000,
    READ_AHEAD = 600,
};
static const double batch_seconds = 2;

/* A file to be read. */
typedef struct item {
    iol__walk_dir *dir;
    char *name;
    int64_t before;
    int64_t device, inode; /* of the bundle that it is in */
    int64_t size;
} item;

/* What the store knows of a file. */
typedef struct known {
    char *name;
    int64_t device, inode, size, mtime, log_id;
    bool settled; /* need not be read again while it is the same */
    bool seen;
} known;

typedef struct ingesting {
    const iol__ingest_options *options;
    iol__ingest_counts *counts;
    iol__store *writer, *reader;
    iol_error *error;
    int64_t expired_before;    /* logs of earlier days are not taken; 0: all are */
    _Atomic iol_status status; /* the first that was not IOL_OK; `error` goes with it, and is written under the lock */
    /* The walk. */
    item *items;
    size_t n_items;
    iol__walk_dir **dirs; /* that items are in */
    size_t n_dirs, dirs_room;
    known *known;
    size_t n_known;
    uint64_t listed_before; /* of lists that are done */
    /* The threads. */
    atomic_size_t next;
    pthread_mutex_t lock;
    pthread_cond_t written;
    iol__found *waiting; /* for a writer */
    size_t n_waiting;
    double since; /* when the first of them came */
    bool writing;
    uint64_t done;
    iol__quiet quiet; /* of who writes */
} ingesting;

static double ingest_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool stopped(const ingesting *in) { return in->status != IOL_OK || (in->options->stop && *in->options->stop); }

static void ingest_trouble(const ingesting *in, const char *path, const char *reason) {
    if (in->options->trouble) in->options->trouble(in->options->context, path, reason);
}

/* Reading ------------------------------------------------------------------------------------------------------- */

/* The directory that a thread read from last stays open. */
typedef struct ingest_worker {
    ingesting *in;
    const iol__walk_dir *dir;
    int fd;
    const iol__walk_dir *bundle_dir; /* the same for a bundle */
    iol__bundle *bundle;
} ingest_worker;

static int ingest_directory(ingest_worker *w, const iol__walk_dir *dir) {
    if (w->dir == dir) return w->fd;
    if (w->fd >= 0) close(w->fd);
    w->fd = iol__walk_open_dir(dir);
    w->dir = dir;
    return w->fd;
}

/* A bundle of the tree, and its numbers; NULL with the reason. */
static iol__bundle *open_ingest_bundle(const iol__walk_dir *dir, struct stat *status, iol_error *error) {
    iol__bundle *bundle = NULL;
    const int at = iol__walk_open_dir(dir), fd = at < 0 ? -1 : iol__walk_open_file(at, dir->bundle, status);
    if (fd < 0)
        iol__store_fail(error, IOL_SYSTEM, "%s", strerror(errno));
    else
        iol__bundle_open_file(fd, dir->bundle, &bundle, error);
    if (fd >= 0) close(fd);
    if (at >= 0) close(at);
    return bundle;
}

/* The same for a log in a bundle. */
static iol__found *read_bundled(ingest_worker *w, const item *it) {
    struct stat status;
    iol_error error = {0};
    if (w->bundle_dir != it->dir) {
        iol__bundle_close(w->bundle);
        w->bundle = open_ingest_bundle(it->dir, &status, &error);
        w->bundle_dir = it->dir;
    }
    iol__found *found = w->bundle ? iol__found_bundled(w->in->options, w->bundle, it->dir, it->name, it->before) : NULL;
    if (!found) return NULL;
    found->device = it->device;
    found->inode = it->inode;
    return found;
}

static iol__found *read_item(ingest_worker *w, const item *it) {
    if (it->dir->bundle) return read_bundled(w, it);
    return iol__found_read(w->in->options, ingest_directory(w, it->dir), it->dir, it->name, it->before);
}

/* Writing ------------------------------------------------------------------------------------------------------- */

static void count_and_tell(ingesting *in, const iol__found *f) {
    iol__ingest_counts *c = in->counts;
    const char *reason = f->broken ? f->reason : f->entry.reason;
    if (f->broken)
        c->broken++;
    else if (f->expired)
        c->unchanged++;
    else if (f->added)
        c->added++;
    else
        c->again++;
    if (!f->broken && f->entry.damaged) c->damaged++;
    if (!reason) return;
    char *path;
    if (asprintf(&path, "%s/%s", f->dir, f->name) < 0) path = NULL;
    ingest_trouble(in, path ? path : f->name, reason);
    free(path);
}

/* Sums of days that seem to be complete: at the end, all threads and ranks but one would be idle while they are made. A
   server, which takes its time for every statement, is asked at the end, for many days at once. */
static iol_status sum_up_quiet(ingesting *in, const iol__found *batch) {
    int64_t days[IOL_ROLLUP_DAYS];
    if (!in->writer->driver->local) return IOL_OK;
    for (const iol__found *f = batch; f; f = f->next)
        if (!f->broken && !f->expired) iol__quiet_note(&in->quiet, f->entry.day);
    const size_t count = iol__quiet_take(&in->quiet, days, IOL_ROLLUP_DAYS);
    return count ? iol__rollup_days(in->writer, days, count) : IOL_OK;
}

static iol_status write_batch(ingesting *in, iol__found *batch) {
    if (!batch) return IOL_OK;
    const iol_status status = iol__put_batch(in->writer, batch, in->options->again, in->options->plan.site);
    return status == IOL_OK ? sum_up_quiet(in, batch) : status;
}

/* With the lock held, or before there are threads. */
static void fail_once(ingesting *in, iol_status status, const iol__store *store) {
    if (status == IOL_OK || in->status != IOL_OK) return;
    if (in->error) *in->error = store->error;
    in->status = status;
}

/* With the lock held, which is given away meanwhile. */
static void write_waiting(ingesting *in) {
    iol__found *batch = in->waiting;
    in->waiting = NULL;
    in->n_waiting = 0;
    in->writing = true;
    pthread_mutex_unlock(&in->lock);
    iol_status status = write_batch(in, batch);
    pthread_mutex_lock(&in->lock);
    fail_once(in, status, in->writer);
    for (iol__found *f = batch, *next; f; f = next) {
        next = f->next;
        if (status == IOL_OK) count_and_tell(in, f);
        iol__found_free(f);
    }
    in->writing = false;
    pthread_cond_broadcast(&in->written);
}

/* Who hands out work to other ranks leaves the writing to those who read here, unless they have no time for it: while it
   writes, or waits for those who do, the other ranks would soon have nothing to do. */
static void ingest_hand_over(ingesting *in, iol__found *found, bool hands_out) {
    const size_t batch = in->writer->driver->batch, most = (hands_out ? 4 : 2) * batch;
    pthread_mutex_lock(&in->lock);
    if (found) {
        found->expired = !found->broken && found->entry.day > 0 && found->entry.day < in->expired_before;
        if (!in->waiting) in->since = ingest_now();
        found->next = in->waiting;
        in->waiting = found;
        in->n_waiting++;
    }
    in->done++;
    while (in->writing && in->n_waiting >= most) pthread_cond_wait(&in->written, &in->lock);
    bool full = in->n_waiting >= batch || (in->waiting && ingest_now() - in->since > batch_seconds);
    if (hands_out) full = in->n_waiting >= most;
    if (full && !in->writing) write_waiting(in);
    if (in->options->progress && in->done % 16 == 0)
        in->options->progress(in->options->context, in->listed_before + in->done, in->listed_before + in->n_items);
    pthread_mutex_unlock(&in->lock);
}

static void *ingest_work(void *data) {
    ingest_worker w = {.in = data, .fd = -1};
    ingesting *in = data;
    for (size_t i; !stopped(in) && (i = atomic_fetch_add(&in->next, 1)) < in->n_items;)
        ingest_hand_over(in, read_item(&w, &in->items[i]), false);
    if (w.fd >= 0) close(w.fd);
    iol__bundle_close(w.bundle);
    return NULL;
}

/* Under MPI: files for other ranks. They know files only; what is in bundles is read here. */
static size_t next_errands(void *context, iol__errand *list, size_t most, size_t readers) {
    ingest_worker *w = context;
    ingesting *in = w->in;
    const size_t taken = in->next, share = taken < in->n_items ? (in->n_items - taken) / (2 * readers) : 0;
    size_t n = 0;
    int64_t bytes = 0;
    if (most > share) most = share ? share : 1;
    for (size_t i;
         n < most && bytes < ERRAND_BYTES && !stopped(in) && (i = atomic_fetch_add(&in->next, 1)) < in->n_items;) {
        const item *it = &in->items[i];
        bytes += it->size;
        if (it->dir->bundle)
            ingest_hand_over(in, read_item(w, it), true);
        else
            list[n++] = (iol__errand){it->dir, it->name, it->before};
    }
    return n;
}

static void take_errand(void *context, iol__found *found) {
    ingest_hand_over(((ingest_worker *)context)->in, found, true);
}

static void read_errand(void *context, const iol__errand *e) {
    ingest_worker *w = context;
    item it = {.dir = (iol__walk_dir *)(uintptr_t)e->dir, .name = (char *)(uintptr_t)e->name, .before = e->before};
    ingest_hand_over(w->in, read_item(w, &it), true);
}

static void ingest_hand_out(ingesting *in) {
    ingest_worker w = {.in = in, .fd = -1};
    const iol__errands errands = {next_errands, take_errand, read_errand, &w};
    iol__ranks_hand_out(in->options->ranks, &errands);
    if (w.fd >= 0) close(w.fd);
    iol__bundle_close(w.bundle);
}

/* All that is listed, to the last one. */
static void work_off(ingesting *in) {
    pthread_t threads[MOST_THREADS];
    size_t started = 0, wanted = in->options->threads < MOST_THREADS ? in->options->threads : MOST_THREADS;
    if (in->options->ranks) wanted++; /* this thread is busy with the others */
    in->next = 0;
    in->done = 0;
    while (started + 1 < wanted && started < MOST_THREADS && started + 1 < in->n_items &&
           pthread_create(&threads[started], NULL, ingest_work, in) == 0)
        started++;
    if (in->options->ranks)
        ingest_hand_out(in);
    else
        ingest_work(in);
    for (size_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
    pthread_mutex_lock(&in->lock);
    if (in->status == IOL_OK) write_waiting(in);
    pthread_mutex_unlock(&in->lock);
    in->listed_before += in->n_items;
    for (size_t i = 0; i < in->n_items; i++) free(in->items[i].name);
    in->n_items = 0;
}

/* The walk ------------------------------------------------------------------------------------------------------ */

static int by_known(const void *a, const void *b) { return strcmp(((const known *)a)->name, ((const known *)b)->name); }

static bool take_known(void *context, const iol__known_place_row *place) {
    ingesting *in = context;
    if (!IOL_GROW_NEXT(in->known, in->n_known)) return false;
    const bool broken = place->state && strcmp(place->state, "ok") != 0,
               old = place->reader && strcmp(place->reader, IOLITE_VERSION) != 0;
    in->known[in->n_known++] = (known){.name = strdup(place->name ? place->name : ""),
                                       .device = place->device,
                                       .inode = place->inode,
                                       .size = place->size,
                                       .mtime = place->mtime,
                                       .log_id = place->log_id,
                                       .settled = !(broken && old)};
    return in->known[in->n_known - 1].name != NULL;
}

static void remember_dir(ingesting *in, iol__walk_dir *dir) {
    if (!IOL_GROW(in->dirs, in->dirs_room, in->n_dirs)) return;
    in->dirs[in->n_dirs++] = dir;
}

static void ingest_enter(void *context, iol__walk_dir *dir) {
    ingesting *in = context;
    remember_dir(in, dir);
    iol__sql sql;
    in->n_known = 0;
    if (stopped(in)) return;
    iol__select_known_place(&sql);
    iol__sql_add(&sql, " FROM place WHERE dir = ? ORDER BY name");
    iol__sql_value(&sql, iol__text(dir->key));
    iol_status status = iol__ask_known_place(&sql, in->reader, take_known, in);
    fail_once(in, status, in->reader);
    if (in->n_known) qsort(in->known, in->n_known, sizeof *in->known, by_known);
}

static void ingest_file(void *context, iol__walk_dir *dir, const char *name, const struct stat *status) {
    ingesting *in = context;
    if (in->options->own && status->st_uid != geteuid()) return;
    char *key = iol__key_of_path(name);
    if (stopped(in) || !key) {
        free(key);
        return;
    }
    in->counts->seen++;
    if (strlen(dir->key) + strlen(key) > LONGEST_PATH) {
        in->counts->trouble++;
        ingest_trouble(in, dir->key, "the path of a file in it is longer than an index can hold");
        free(key);
        return;
    }
    known wanted = {.name = key};
    known *k = in->n_known ? bsearch(&wanted, in->known, in->n_known, sizeof *in->known, by_known) : NULL;
    free(key);
    if (k) k->seen = true;
    int64_t mtime = (int64_t)status->st_mtim.tv_sec * 1000000 + status->st_mtim.tv_nsec / 1000;
    bool same = k && k->settled && k->device == (int64_t)status->st_dev && k->inode == (int64_t)status->st_ino &&
                k->size == status->st_size && k->mtime == mtime;
    /* A link has other numbers than the file that it leads to. */
    if (k && S_ISLNK(status->st_mode)) same = k->settled;
    if (same && !in->options->again) {
        in->counts->unchanged++;
        return;
    }
    if (in->n_items == LISTED) work_off(in);
    in->items[in->n_items++] =
        (item){dir, strdup(name), k ? k->log_id : 0, (int64_t)status->st_dev, (int64_t)status->st_ino, status->st_size};
}

static void ingest_leave(void *context, const iol__walk_dir *dir, bool complete) {
    ingesting *in = context;
    for (size_t i = 0; i < in->n_known; i++) {
        if (complete && !in->known[i].seen && !stopped(in)) {
            if (iol__put_gone(in->writer, dir->key, in->known[i].name) == IOL_OK) in->counts->gone++;
        }
        free(in->known[i].name);
    }
    in->n_known = 0;
}

typedef struct ingest_bundled {
    ingesting *in;
    iol__walk_dir *dir;
    struct stat status; /* of the bundle */
} ingest_bundled;

static bool list_bundled(void *context, const iol__bundle_entry *entry) {
    ingest_bundled *b = context;
    struct stat status = b->status;
    status.st_size = (off_t)entry->size;
    status.st_mtim = (struct timespec){.tv_sec = entry->mtime / 1000000000, .tv_nsec = entry->mtime % 1000000000};
    ingest_file(b->in, b->dir, entry->name, &status);
    return !stopped(b->in);
}

static void visit_bundle(void *context, iol__walk_dir *dir) {
    ingest_bundled b = {.in = context, .dir = dir};
    iol_error error = {0};
    ingest_enter(b.in, dir);
    iol__bundle *bundle = open_ingest_bundle(dir, &b.status, &error);
    const bool complete = bundle && iol__bundle_each(bundle, list_bundled, &b, &error) == IOL_OK;
    ingest_leave(b.in, dir, complete);
    if (!complete) {
        b.in->counts->trouble++;
        ingest_trouble(b.in, dir->key, error.message);
    }
    iol__bundle_close(bundle);
}

static void walk_trouble(void *context, const char *path, int error) {
    ingesting *in = context;
    in->counts->trouble++;
    ingest_trouble(in, path, strerror(error));
}

/* Directories that are gone ------------------------------------------------------------------------------------------- */

typedef struct dir_list {
    char **list;
    size_t count;
} dir_list;

static bool take_dir(void *context, const iol__place_dir_row *row) {
    dir_list *dirs = context;
    if (!row->dir) return true;
    if (!IOL_GROW_NEXT(dirs->list, dirs->count)) return false;
    dirs->list[dirs->count] = strdup(row->dir);
    return dirs->list[dirs->count] && ++dirs->count;
}

/* Also of a bundle, whose key ends with '#'. */
static bool dir_is_gone(const char *key) {
    struct stat status;
    char *path = iol__path_of_key(key);
    const size_t length = path ? strlen(path) : 0;
    if (length && path[length - 1] == '#') path[length - 1] = 0;
    const bool gone = length && lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
    free(path);
    return gone;
}

static void forget_dir(ingesting *in, const char *key) {
    iol__cell value = iol__text(key);
    int64_t files = 0;
    if (iol__store_number(in->writer, "SELECT COUNT(*) FROM place WHERE dir = ?", &value, 1, 0, &files) != IOL_OK)
        return;
    if (iol__store_run(in->writer, "DELETE FROM place WHERE dir = ?", &value, 1) == IOL_OK)
        in->counts->gone += (uint64_t)files;
}

/* The walk sees what is there; directories that vanished as a whole are known to the store alone. */
static void forget_dirs(ingesting *in, const char *root) {
    dir_list dirs = {0};
    char *from = NULL, *to = NULL, *key = iol__key_of_path(strcmp(root, "/") == 0 ? "" : root);
    if (key && asprintf(&from, "%s/", key) >= 0 && asprintf(&to, "%s0", key) >= 0) { /* '0' follows '/' */
        iol__sql sql;
        iol__select_place_dir(&sql);
        iol__sql_add(&sql, " FROM place WHERE dir >= ? AND dir < ?");
        iol__sql_value(&sql, iol__text(from));
        iol__sql_value(&sql, iol__text(to));
        iol__ask_place_dir(&sql, in->reader, take_dir, &dirs);
    }
    for (size_t i = 0; i < dirs.count; i++) {
        if (!stopped(in) && dir_is_gone(dirs.list[i])) forget_dir(in, dirs.list[i]);
        free(dirs.list[i]);
    }
    free(dirs.list);
    free(from);
    free(to);
    free(key);
}

static void walk_one(ingesting *in, const char *path) {
    iol__walk_root root;
    const iol__walk walk = {ingest_enter, ingest_file, ingest_leave, walk_trouble, in, visit_bundle};
    int error = iol__walk_open(path, &root);
    if (error) {
        walk_trouble(in, path, error);
        return;
    }
    iol__walk_tree(&root, &walk);
    work_off(in);
    if (!root.file && !stopped(in)) forget_dirs(in, root.path);
    for (size_t i = 0; i < in->n_dirs; i++) iol__walk_dir_free(in->dirs[i]);
    in->n_dirs = 0;
    iol__walk_root_close(&root);
}

static iol_status keep_limits(ingesting *in) {
    const iol__metric_limits limits = iol__metric_limits_of(in->options->plan.rulebook);
    iol_status status = iol__fleet_keep_limits(in->writer, &limits);
    if (status != IOL_OK && in->error) *in->error = in->writer->error;
    return status;
}

/* Logs that may come before an earlier one of the list does: those that wait for a writer, and those that readers have. */
static uint64_t patience_with_days(const iol__ingest_options *options) {
    return WAITING + READ_AHEAD * options->threads * (options->ranks ? iol__ranks_size(options->ranks) : 1);
}

iol_status iol__ingest(const char *const *paths, size_t n_paths, const iol__ingest_options *options,
                       iol__ingest_counts *counts, iol_error *error) {
    ingesting in = {.options = options, .counts = counts, .error = error};
    *counts = (iol__ingest_counts){0};
    pthread_mutex_init(&in.lock, NULL);
    pthread_cond_init(&in.written, NULL);
    in.items = malloc(LISTED * sizeof *in.items);
    in.status = in.items ? iol__store_open(options->store, IOL_STORE_WRITE, &in.writer, error)
                         : iol__store_fail(error, IOL_SYSTEM, "out of memory");
    if (in.status == IOL_OK) in.status = keep_limits(&in);
    if (in.status == IOL_OK) {
        in.status = iol__expired_before(in.writer, &in.expired_before);
        if (in.status != IOL_OK && error) *error = in.writer->error;
    }
    iol__quiet_start(&in.quiet, patience_with_days(options));
    if (in.status == IOL_OK) in.status = iol__store_open(options->store, IOL_STORE_READ, &in.reader, error);
    for (size_t i = 0; i < n_paths && !stopped(&in); i++) walk_one(&in, paths[i]);
    if (!stopped(&in)) fail_once(&in, iol__runs_find(in.writer, options->plan.site), in.writer);
    iol__store_close(in.reader);
    iol__store_close(in.writer);
    free(in.items);
    free(in.known);
    free(in.dirs);
    iol__quiet_free(&in.quiet);
    pthread_cond_destroy(&in.written);
    pthread_mutex_destroy(&in.lock);
    return in.status;
}
