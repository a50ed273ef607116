/* See runs.h. */
#include "site/index/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/deadline.h"
#include "base/strings.h"
#include "log/read/endings.h"
#include "log/merge/group.h"
#include "log/read/log_internal.h"
#include "site/index/names.h"
#include "site/index/walk.h"

enum {
    MOST_SECONDS = 10,
    MOST_BYTES = 256 << 20,
    MOST_TOGETHER = 50000, /* logs that are looked at together: what is kept of each takes up to a kilobyte */
};

typedef struct run_log {
    char *name, *jobid, *evidence;
} run_log;

struct iol__runs {
    run_log *logs; /* sorted by name */
    size_t count, room;
    bool failed;
};

bool iol__names_process_as_job(const char *name) {
    for (const char *at = strstr(name, "_id"); at; at = strstr(at + 1, "_id")) {
        char *end;
        const long long job = strtoll(at + 3, &end, 10);
        if (end > at + 3 && *end == '-' && job > 0 && strtoll(end + 1, &end, 10) == job && *end == '_') return true;
    }
    return false;
}

/* The walk ------------------------------------------------------------------------------------------------------------ */

typedef struct walking {
    iol__runs *runs;
    iol__grouping grouping; /* of all directories */
    int fd;                 /* of the one that is read; -1: not open */
    iol__walk_dir **dirs;   /* that the walk handed over: those below refer to them until its end */
    size_t n_dirs, dirs_room;
} walking;

static bool began_before(const iol__group_log *a, const iol__group_log *b) {
    return a->start < b->start || (a->start == b->start && a->pid < b->pid);
}

/* A run is called after its first process, number and start: by number of the group, that one. NULL without memory. */
static const iol__group_log **list_first_processes(const iol__grouping *g) {
    const iol__group_log **first = calloc(g->groups + 1, sizeof *first);
    for (size_t i = 0; first && i < g->count; i++) {
        const iol__group_log *l = &g->logs[i];
        if (l->group == IOL_NOT_GROUPED) continue;
        if (!first[l->group] || began_before(l, first[l->group])) first[l->group] = l;
    }
    return first;
}

static void keep_runs_log(iol__runs *runs, const iol__group_log *l, const iol__group_log *first) {
    if (!IOL_GROW(runs->logs, runs->room, runs->count)) {
        runs->failed = true;
        return;
    }
    run_log *one = &runs->logs[runs->count];
    *one = (run_log){strdup(l->path), NULL, strdup(l->evidence)};
    if (asprintf(&one->jobid, "%lld.%lld", (long long)first->pid, (long long)first->start) < 0) one->jobid = NULL;
    runs->failed = runs->failed || !one->name || !one->jobid || !one->evidence;
    runs->count++;
}

static int logs_by_path(const void *a, const void *b) {
    return strcmp(((const iol__group_log *)a)->path, ((const iol__group_log *)b)->path);
}

/* A log may lie in two directories, under the same name: an archive beside the place where it was written. */
static void drop_copies(iol__grouping *g) {
    size_t kept = 0;
    if (g->count) qsort(g->logs, g->count, sizeof *g->logs, logs_by_path);
    for (size_t i = 0; i < g->count; i++) {
        if (kept && strcmp(g->logs[kept - 1].path, g->logs[i].path) == 0)
            iol__group_log_free(&g->logs[i]);
        else
            g->logs[kept++] = g->logs[i];
    }
    g->count = kept;
}

/* Those of all logs that were seen since the last time. */
static void find_runs(walking *w) {
    iol__grouping *g = &w->grouping;
    drop_copies(g);
    const iol__group_log **first = iol__grouping_find(g) ? list_first_processes(g) : NULL;
    w->runs->failed = w->runs->failed || !first;
    for (size_t i = 0; first && i < g->count; i++)
        if (g->logs[i].group != IOL_NOT_GROUPED) keep_runs_log(w->runs, &g->logs[i], first[g->logs[i].group]);
    free(first);
    iol__grouping_free(g);
}

static void add_candidate(void *context, iol__walk_dir *dir, const char *name, const struct stat *status) {
    walking *w = context;
    struct stat now;
    iol_log *log;
    if (!iol__names_process_as_job(name) || !iol__ends_as_log(name) || status->st_size > MOST_BYTES) return;
    if (w->fd < 0) w->fd = iol__walk_open_dir(dir);
    const int fd = w->fd < 0 ? -1 : iol__walk_open_file(w->fd, name, &now);
    if (fd < 0) return;
    if (w->grouping.count == MOST_TOGETHER) find_runs(w);
    if (iol__log_open_part(fd, name, 0, 0, &log, NULL) == IOL_OK) {
        log->deadline = iol__deadline_in(MOST_SECONDS);
        w->runs->failed = !iol__grouping_add(&w->grouping, log, name) || w->runs->failed;
        iol_log_close(log);
    }
    close(fd);
}

static void leave_directory(void *context, const iol__walk_dir *dir, bool complete) {
    walking *w = context;
    (void)dir, (void)complete;
    if (w->fd >= 0) close(w->fd);
    w->fd = -1;
}

/* The reader of the logs reports what cannot be read. */
static void ignore_trouble(void *context, const char *path, int error) { (void)context, (void)path, (void)error; }

static void keep_directory(void *context, iol__walk_dir *dir) {
    walking *w = context;
    if (!IOL_GROW(w->dirs, w->dirs_room, w->n_dirs)) {
        w->runs->failed = true;
        return; /* the process has no memory and ends soon */
    }
    w->dirs[w->n_dirs++] = dir;
}

static void free_directories(walking *w) {
    for (size_t i = 0; i < w->n_dirs; i++) iol__walk_dir_free(w->dirs[i]);
    free(w->dirs);
    w->dirs = NULL;
    w->n_dirs = w->dirs_room = 0;
}

static int runs_by_name(const void *a, const void *b) {
    return strcmp(((const run_log *)a)->name, ((const run_log *)b)->name);
}

iol__runs *iol__runs_find(const char *const *paths, size_t count, const iol__site *site) {
    const char *rule = iol__tree_text(iol__site_value(site, "group_logs"));
    iol__runs *runs = rule && strcmp(rule, "never") == 0 ? NULL : calloc(1, sizeof *runs);
    walking w = {.runs = runs, .fd = -1};
    const iol__walk walk = {keep_directory, add_candidate, leave_directory, ignore_trouble, &w, NULL};
    for (size_t i = 0; runs && i < count; i++) {
        iol__walk_root root;
        if (iol__walk_open(paths[i], &root) != 0) continue;
        if (!root.file) iol__walk_tree(&root, &walk);
        free_directories(&w);
        iol__walk_root_close(&root);
    }
    if (runs) find_runs(&w);
    if (runs && runs->failed) {
        iol__runs_free(runs);
        return NULL;
    }
    if (runs && runs->count) qsort(runs->logs, runs->count, sizeof *runs->logs, runs_by_name);
    return runs;
}

void iol__runs_free(iol__runs *runs) {
    for (size_t i = 0; runs && i < runs->count; i++) {
        free(runs->logs[i].name);
        free(runs->logs[i].jobid);
        free(runs->logs[i].evidence);
    }
    if (runs) free(runs->logs);
    free(runs);
}

bool iol__runs_of(const iol__runs *runs, const char *name, const char **jobid, const char **evidence) {
    const run_log wanted = {.name = (char *)(uintptr_t)iol__base_name(name)};
    const run_log *found =
        runs && runs->count ? bsearch(&wanted, runs->logs, runs->count, sizeof *runs->logs, runs_by_name) : NULL;
    if (!found) return false;
    *jobid = found->jobid;
    *evidence = found->evidence;
    return true;
}
