/* See runs.h. The logs of one user on one machine that lie no more than a day apart are looked at together, as many as
   fit; where they are more, those of which each began within a minute of another. */
#include "site/index/runs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grow.h"
#include "log/merge/group.h"
#include "site/index/jobs.h"
#include "site/query/query.h"

enum {
    MOST_TOGETHER = 50000, /* logs: what is kept of each takes up to a kilobyte */
    MOST_TRIES = 10,
    AT_ONCE = 1000, /* logs in a statement */
};
static const int64_t DAY = INT64_C(86400) * 1000000, MINUTE = INT64_C(60) * 1000000;

bool iol__runs_wanted(const iol__site *site) {
    const char *rule = iol__tree_text(iol__site_value(site, "group_logs"));
    return !rule || strcmp(rule, "never") != 0;
}

bool iol__names_process_as_job(const char *name) {
    for (const char *at = strstr(name, "_id"); at; at = strstr(at + 1, "_id")) {
        char *end;
        const long long job = strtoll(at + 3, &end, 10);
        if (end > at + 3 && *end == '-' && job > 0 && strtoll(end + 1, &end, 10) == job && *end == '_') return true;
    }
    return false;
}

/* Which logs are looked at together --------------------------------------------------------------------------------- */

/* Logs of one user from a time to another. */
typedef struct runs_window {
    char *cluster;
    int64_t uid, from, to;
} runs_window;

typedef struct runs_windows {
    runs_window *list;
    size_t count;
    bool failed;
} runs_windows;

/* Logs that wait come by machine, user and start. */
static bool take_waiting(void *context, const iol__waiting_log_row *log) {
    runs_windows *w = context;
    runs_window *last = w->count ? &w->list[w->count - 1] : NULL;
    if (last && strcmp(last->cluster, log->cluster) == 0 && last->uid == log->uid && log->start <= last->to + DAY) {
        if (log->ended > last->to) last->to = log->ended;
        return true;
    }
    char *cluster = strdup(log->cluster);
    if (!cluster || !IOL_GROW_NEXT(w->list, w->count)) {
        free(cluster);
        w->failed = true;
        return false;
    }
    w->list[w->count++] = (runs_window){cluster, log->uid, log->start, log->ended};
    return true;
}

static iol_status list_windows(iol__store *store, runs_windows *windows) {
    iol__sql sql;
    iol__select_waiting_log(&sql);
    iol__sql_add(&sql, " FROM run_log WHERE waits = 1 ORDER BY cluster, uid, start");
    const iol_status status = iol__ask_waiting_log(&sql, store, take_waiting, windows);
    return windows->failed ? iol__store_fail(&store->error, IOL_SYSTEM, "out of memory") : status;
}

static void add_within(iol__sql *sql, const runs_window *w, int64_t apart) {
    iol__sql_add(sql, " FROM run_log WHERE cluster = ? AND uid = ? AND start <= ? AND ended >= ?");
    iol__sql_value(sql, iol__text(w->cluster));
    iol__sql_value(sql, iol__integer(w->uid));
    iol__sql_value(sql, iol__integer(w->to + apart));
    iol__sql_value(sql, iol__integer(w->from - apart));
}

static bool take_reach(void *context, const iol__run_reach_row *reach) {
    *(iol__run_reach_row *)context = *reach;
    return false;
}

/* Until no other log of the user is near: what is looked at together does not depend on which logs have come last. */
static iol_status widen_window(iol__store *store, runs_window *window) {
    const runs_window before = *window;
    int64_t apart = DAY;
    for (;;) {
        iol__run_reach_row reach = {0};
        iol__sql sql;
        iol__select_run_reach(&sql);
        add_within(&sql, window, apart);
        const iol_status status = iol__ask_run_reach(&sql, store, take_reach, &reach);
        if (status != IOL_OK) return status;
        if (reach.logs > MOST_TOGETHER && apart > MINUTE) {
            *window = before;
            apart = MINUTE;
        } else if (!reach.logs || (reach.first >= window->from && reach.last <= window->to)) {
            return IOL_OK;
        } else {
            if (reach.first < window->from) window->from = reach.first;
            if (reach.last > window->to) window->to = reach.last;
        }
    }
}

/* Their runs -------------------------------------------------------------------------------------------------------- */

typedef struct runs_log {
    const iol__run_log_row *says;
    const char *identity, *jobid, *evidence; /* as the store has them; no job id: the log is gone */
    const char *wanted_jobid, *wanted_evidence;
    int64_t day;
} runs_log;

typedef struct runs_finder {
    iol__store *store;
    const struct iol__site *site;
    const runs_window *window;
    iol__arena arena;
    runs_log *logs;
    size_t count;
    iol__grouping grouping;
} runs_finder;

static bool take_run_log(void *context, const iol__run_log_row *row) {
    runs_finder *f = context;
    iol__run_log_row *kept = iol__arena_alloc(&f->arena, 1, sizeof *kept);
    *kept = iol__keep_run_log(&f->arena, row);
    f->logs = iol__arena_grow(&f->arena, f->logs, f->count, sizeof *f->logs);
    f->logs[f->count++] = (runs_log){.says = kept};
    return true;
}

static int logs_by_number(const void *a, const void *b) {
    const int64_t x = ((const runs_log *)a)->says->log_id, y = ((const runs_log *)b)->says->log_id;
    return (x > y) - (x < y);
}

static bool take_log_of_run(void *context, const iol__log_of_run_row *row) {
    runs_finder *f = context;
    const iol__run_log_row key = {.log_id = row->log_id};
    const runs_log wanted = {.says = &key};
    runs_log *found = bsearch(&wanted, f->logs, f->count, sizeof *f->logs, logs_by_number);
    if (!found || !row->jobid || !row->identity) return true;
    found->identity = iol__arena_copy(&f->arena, row->identity);
    found->jobid = iol__arena_copy(&f->arena, row->jobid);
    found->evidence = row->run_evidence ? iol__arena_copy(&f->arena, row->run_evidence) : NULL;
    found->day = row->day;
    return true;
}

/* In an order that does not depend on which came first. Logs that are gone come last, and do not count. */
static int logs_in_order(const void *a, const void *b) {
    const runs_log *x = a, *y = b;
    if (!x->jobid || !y->jobid) return !x->jobid - !y->jobid;
    if (x->says->start != y->says->start) return x->says->start < y->says->start ? -1 : 1;
    if (x->says->pid != y->says->pid) return x->says->pid < y->says->pid ? -1 : 1;
    return strcmp(x->identity, y->identity);
}

static iol_status load_logs(runs_finder *f) {
    iol__cell numbers[AT_ONCE];
    iol__sql sql;
    iol__select_run_log(&sql);
    add_within(&sql, f->window, 0);
    iol_status status = iol__ask_run_log(&sql, f->store, take_run_log, f);
    if (f->count) qsort(f->logs, f->count, sizeof *f->logs, logs_by_number);
    for (size_t i = 0, n; status == IOL_OK && i < f->count; i += n) {
        for (n = 0; n < AT_ONCE && i + n < f->count; n++) numbers[n] = iol__integer(f->logs[i + n].says->log_id);
        iol__select_log_of_run(&sql);
        iol__sql_add(&sql, " FROM log WHERE cluster = ?");
        iol__sql_value(&sql, iol__text(f->window->cluster));
        sql.where = true;
        iol__sql_in(&sql, "log_id", numbers, n);
        status = iol__ask_log_of_run(&sql, f->store, take_log_of_run, f);
    }
    if (f->count) qsort(f->logs, f->count, sizeof *f->logs, logs_in_order);
    while (f->count && !f->logs[f->count - 1].jobid) f->count--;
    return status;
}

/* Copies of the lines of a text. False without memory. */
static bool split_lines(const char *text, char **list, size_t *count, size_t most) {
    while (text && *text && *count < most) {
        const size_t length = strcspn(text, "\n");
        if (length && !(list[(*count)++] = strndup(text, length))) return false;
        text += length + (text[length] == '\n');
    }
    return true;
}

/* "parent 47524" stands among the lines. */
static void take_parent(iol__group_log *l) {
    for (size_t i = l->n_keys; i-- > 0;) {
        if (strncmp(l->keys[i], "parent ", 7) != 0) continue;
        l->parent = strtoll(l->keys[i] + 7, NULL, 10);
        free(l->keys[i]);
        l->keys[i] = l->keys[--l->n_keys];
    }
}

static bool add_to_grouping(iol__grouping *g, const runs_log *log) {
    const iol__run_log_row *says = log->says;
    if (!IOL_GROW(g->logs, g->room, g->count)) return false;
    iol__group_log *l = &g->logs[g->count++];
    *l = (iol__group_log){.path = strdup(log->identity),
                          .user = says->username ? strdup(says->username) : NULL,
                          .uid = says->uid,
                          .pid = says->pid,
                          .start = (double)says->start / 1e6,
                          .end = (double)says->ended / 1e6,
                          .launcher = says->launcher != 0,
                          .group = IOL_NOT_GROUPED};
    const bool good = l->path && (l->user || !says->username) &&
                      split_lines(says->hosts, l->hosts, &l->n_hosts, IOL_GROUP_HOSTS) &&
                      split_lines(says->meetings, l->keys, &l->n_keys, IOL_GROUP_KEYS);
    take_parent(l);
    return good;
}

/* A run is called after its first process, number and start. */
static const char *name_run(runs_finder *f, const runs_log *first) {
    const iol__run_log_row *says = first->says;
    return iol__arena_print(&f->arena, "%lld.%lld", (long long)says->pid, (long long)(says->start / 1000000));
}

static iol_status find_groups(runs_finder *f) {
    iol__grouping *g = &f->grouping;
    bool good = true;
    for (size_t i = 0; good && i < f->count; i++) good = add_to_grouping(g, &f->logs[i]);
    if (!good || !iol__grouping_find(g)) return iol__store_fail(&f->store->error, IOL_SYSTEM, "out of memory");
    const char **names = iol__arena_alloc(&f->arena, g->groups + 1, sizeof *names);
    const runs_log **first = iol__arena_alloc(&f->arena, g->groups + 1, sizeof *first);
    for (size_t i = 0; i < f->count; i++) { /* in order of their start */
        const runs_log *log = &f->logs[i];
        const size_t group = g->logs[i].group;
        if (group == IOL_NOT_GROUPED) continue;
        if (!first[group]) {
            first[group] = log;
            names[group] = log->says->jobid; /* what all programs of one process have */
        } else if (strcmp(first[group]->says->jobid, log->says->jobid) != 0) {
            names[group] = name_run(f, first[group]);
        }
    }
    for (size_t i = 0; i < f->count; i++) {
        const size_t group = g->logs[i].group;
        f->logs[i].wanted_jobid = group == IOL_NOT_GROUPED ? f->logs[i].says->jobid : names[group];
        f->logs[i].wanted_evidence = g->logs[i].evidence;
    }
    return IOL_OK;
}

/* Rows ---------------------------------------------------------------------------------------------------------------- */

static bool is_moved(const runs_log *log) { return strcmp(log->jobid, log->wanted_jobid) != 0; }
static bool is_explained_anew(const runs_log *log) {
    return !log->evidence || strcmp(log->evidence, log->wanted_evidence) != 0;
}
static bool is_waiting(const runs_log *log) { return log->says->waits != 0; }

static int logs_by_move(const void *a, const void *b) {
    const runs_log *x = *(runs_log *const *)a, *y = *(runs_log *const *)b;
    const int order = strcmp(x->jobid, y->jobid);
    return order ? order : strcmp(x->wanted_jobid, y->wanted_jobid);
}

static int logs_by_evidence(const void *a, const void *b) {
    return strcmp((*(runs_log *const *)a)->wanted_evidence, (*(runs_log *const *)b)->wanted_evidence);
}

static int logs_all_alike(const void *a, const void *b) {
    (void)a, (void)b;
    return 0;
}

typedef iol_status runs_statement(runs_finder *f, const runs_log *log, const iol__cell *numbers, size_t count);

/* One statement for all logs that are alike, as many as fit. */
static iol_status for_alike(runs_finder *f, bool (*chosen)(const runs_log *), int (*order)(const void *, const void *),
                            runs_statement *write) {
    runs_log **list = iol__arena_alloc(&f->arena, f->count + 1, sizeof *list);
    iol__cell numbers[AT_ONCE];
    iol_status status = IOL_OK;
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++)
        if (chosen(&f->logs[i])) list[count++] = &f->logs[i];
    qsort(list, count, sizeof(*list), order);
    for (size_t i = 0, n; status == IOL_OK && i < count; i += n) {
        for (n = 0; n < AT_ONCE && i + n < count && order(&list[i], &list[i + n]) == 0; n++)
            numbers[n] = iol__integer(list[i + n]->says->log_id);
        status = write(f, list[i], numbers, n);
    }
    return status;
}

static void add_of_job(iol__sql *sql, const runs_finder *f, const char *jobid, const iol__cell *numbers, size_t count) {
    iol__sql_add(sql, " WHERE cluster = ? AND jobid = ?");
    iol__sql_value(sql, iol__text(f->window->cluster));
    iol__sql_value(sql, iol__text(jobid));
    sql->where = true;
    iol__sql_in(sql, "log_id", numbers, count);
}

/* Where logs are found by their job, a log of another job is another row, and the one before it has to go. */
static iol_status move_logs(runs_finder *f, const runs_log *log, const iol__cell *numbers, size_t count) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "UPDATE log SET jobid = ?");
    iol__sql_value(&sql, iol__text(log->wanted_jobid));
    add_of_job(&sql, f, log->jobid, numbers, count);
    const iol_status status = iol__sql_ask(&sql, f->store, NULL, NULL);
    if (status != IOL_OK || f->store->driver->atomic) return status;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "DELETE FROM log");
    add_of_job(&sql, f, log->jobid, numbers, count);
    return iol__sql_ask(&sql, f->store, NULL, NULL);
}

static iol_status explain_logs(runs_finder *f, const runs_log *log, const iol__cell *numbers, size_t count) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "UPDATE log SET run_evidence = ? WHERE cluster = ?");
    iol__sql_value(&sql, iol__text(log->wanted_evidence));
    iol__sql_value(&sql, iol__text(f->window->cluster));
    sql.where = true;
    iol__sql_in(&sql, "log_id", numbers, count);
    return iol__sql_ask(&sql, f->store, NULL, NULL);
}

static iol_status settle_logs(runs_finder *f, const runs_log *log, const iol__cell *numbers, size_t count) {
    iol__sql sql;
    (void)log;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "UPDATE run_log SET waits = ? WHERE waits = 1");
    iol__sql_value(&sql, iol__integer(0));
    sql.where = true;
    iol__sql_in(&sql, "log_id", numbers, count);
    return iol__sql_ask(&sql, f->store, NULL, NULL);
}

/* Jobs that lost or got a log. Of a log that waits a kill may have left the job that it had before. */
static iol_status rebuild_jobs(runs_finder *f) {
    iol__job_key *keys = iol__arena_alloc(&f->arena, 3 * f->count + 1, sizeof *keys);
    int64_t *days = iol__arena_alloc(&f->arena, f->count + 1, sizeof *days);
    size_t n_keys = 0, n_days = 0;
    for (size_t i = 0; i < f->count; i++) {
        const runs_log *log = &f->logs[i];
        const char *const ids[] = {log->says->jobid, log->jobid, log->wanted_jobid};
        if (!is_moved(log) && !is_waiting(log)) continue;
        for (int k = 0; k < 3; k++) keys[n_keys++] = (iol__job_key){f->window->cluster, ids[k]};
        days[n_days++] = log->day;
    }
    return iol__jobs_rebuild(f->store, f->site, keys, n_keys, days, n_days);
}

/* Whoever looks at the logs of this user waits here for others who do; the last one sees all of them. */
static iol_status begin_alone(runs_finder *f) {
    char user[24];
    snprintf(user, sizeof user, "uid %lld", (long long)f->window->uid);
    int64_t key = iol__hash_texts(f->window->cluster, user);
    const iol_status status = iol__store_begin(f->store);
    return status == IOL_OK ? iol__store_guard(f->store, &key, 1, true) : status;
}

/* Where nothing happens at once, jobs are made when their logs are where they belong. */
static iol_status find_in_window(runs_finder *f) {
    const bool atomic = f->store->driver->atomic;
    iol_status status = atomic ? begin_alone(f) : IOL_OK;
    if (status == IOL_OK) status = load_logs(f);
    if (status == IOL_OK) status = find_groups(f);
    if (status == IOL_OK) status = for_alike(f, is_moved, logs_by_move, move_logs);
    if (status == IOL_OK) status = for_alike(f, is_explained_anew, logs_by_evidence, explain_logs);
    if (status == IOL_OK && !atomic) status = begin_alone(f);
    if (status == IOL_OK) status = rebuild_jobs(f);
    if (status == IOL_OK) status = for_alike(f, is_waiting, logs_all_alike, settle_logs);
    return status == IOL_OK ? iol__store_commit(f->store) : status;
}

static iol_status find_once(iol__store *store, const iol__site *site, const runs_window *window) {
    runs_finder *f = calloc(1, sizeof *f);
    if (!f) return iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
    jmp_buf exhausted;
    volatile iol_status status = IOL_SYSTEM;
    f->store = store;
    f->site = site;
    f->window = window;
    f->arena.exhausted = &exhausted;
    if (setjmp(exhausted) == 0)
        status = find_in_window(f);
    else
        iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
    if (status != IOL_OK) iol__store_rollback(store);
    iol__grouping_free(&f->grouping);
    iol__arena_free(&f->arena);
    free(f);
    return status;
}

/* Two writers that wait for each other: the server ends one of them, which begins again. */
static iol_status find_runs_of(iol__store *store, const iol__site *site, runs_window *window) {
    iol_status status = widen_window(store, window);
    if (status != IOL_OK) return status;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        store->yielded = false;
        status = find_once(store, site, window);
        if (status == IOL_OK || !store->yielded) break;
    }
    return status;
}

iol_status iol__runs_find(iol__store *store, const iol__site *site) {
    runs_windows windows = {0};
    iol_status status = iol__runs_wanted(site) ? list_windows(store, &windows) : IOL_OK;
    for (size_t i = 0; i < windows.count; i++) {
        if (status == IOL_OK) status = find_runs_of(store, site, &windows.list[i]);
        free(windows.list[i].cluster);
    }
    free(windows.list);
    return status;
}
