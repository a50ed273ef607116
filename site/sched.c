/* Rows of the job ids of a batch are read, changed in memory in the order in which jobs and notes came, and written. A note
   about a job that is not listed yet is a row with the submit time 0, which the list takes over. Of a job that had the same
   id on another day it says nothing. */
#include "site/sched.h"

#include <stdlib.h>
#include <string.h>

#include "insight/arena.h"
#include "site/jobs.h"
#include "site/names.h"
#include "site/sql.h"

enum { BATCH = 512, WIDTH = IOL_AT(sched, missed) + 1 };

static const int64_t apart = INT64_C(86400) * 1000000; /* as of logs, jobs.c */

/* A job of a list, or a note. */
typedef struct event {
    iol__cell values[WIDTH];
    bool note;
} event;

typedef struct sched_row {
    iol__cell values[WIDTH];
    bool changed, gone;
} sched_row;

struct iol__sched {
    iol__store *store;
    const struct iol__site *site;
    event events[BATCH];
    size_t n_events;
    sched_row *rows;
    size_t n_rows, room;
    iol__arena arena;
};

iol__sched *iol__sched_new(iol__store *store, const struct iol__site *site) {
    iol__sched *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->store = store;
    s->site = site;
    return s;
}

void iol__sched_free(iol__sched *s) {
    if (!s) return;
    iol__arena_free(&s->arena);
    free(s->rows);
    free(s);
}

static iol_status no_memory(iol__sched *s) { return iol__store_fail(&s->store->error, IOL_SYSTEM, "out of memory"); }

/* Queueing ------------------------------------------------------------------------------------------------------- */

/* Names of jobs are their users' choice. Lists of nodes are long, and nobody's key. */
static iol__cell kept(iol__arena *arena, const iol__cell *cell, int column) {
    const bool is_list = column == IOL_AT(sched, nodelist) || column == IOL_AT(sched, missed);
    if (cell->kind != IOL_CELL_TEXT) return *cell;
    const char *copy = iol__arena_copy(arena, cell->as.text);
    return iol__text(is_list ? iol__valid_text(arena, copy) : iol__short_text(arena, copy));
}

/* False without memory. */
static bool keep(iol__sched *s, iol__cell *to, const iol__cell *from) {
    jmp_buf exhausted;
    volatile bool done = false;
    s->arena.exhausted = &exhausted;
    if (setjmp(exhausted) == 0) {
        for (int i = 0; i < WIDTH; i++) to[i] = kept(&s->arena, &from[i], i);
        done = true;
    }
    s->arena.exhausted = NULL;
    return done;
}

static iol_status queue(iol__sched *s, const iol__cell *values, bool note) {
    event *e = &s->events[s->n_events];
    e->note = note;
    if (!keep(s, e->values, values)) return no_memory(s);
    if (++s->n_events < BATCH) return IOL_OK;
    return iol__sched_write(s);
}

iol_status iol__sched_job(iol__sched *s, const iol__cell *row) { return queue(s, row, false); }

iol_status iol__sched_note(iol__sched *s, const iol__cell *row) { return queue(s, row, true); }

/* Rows ----------------------------------------------------------------------------------------------------------- */

static const char *text_at(const iol__cell *values, int column) { return iol__cell_text(&values[column]); }

static bool same_id(const iol__cell *a, const iol__cell *b) {
    return strcmp(text_at(a, IOL_AT(sched, jobid)), text_at(b, IOL_AT(sched, jobid))) == 0 &&
           strcmp(text_at(a, IOL_AT(sched, cluster)), text_at(b, IOL_AT(sched, cluster))) == 0;
}

static sched_row *add_row(iol__sched *s) {
    if (s->n_rows == s->room) {
        size_t room = s->room ? 2 * s->room : BATCH;
        sched_row *larger = realloc(s->rows, room * sizeof *larger);
        if (!larger) return NULL;
        s->rows = larger;
        s->room = room;
    }
    s->rows[s->n_rows] = (sched_row){0};
    return &s->rows[s->n_rows++];
}

static bool take_row(void *context, const iol__cell *cells, size_t count) {
    iol__sched *s = context;
    sched_row *row = count < WIDTH ? NULL : add_row(s);
    return row && keep(s, row->values, cells);
}

static const char columns[] = "SELECT cluster, jobid, submit, array_job, username, account, part, qos, name, state, "
                              "start, ended, nodes, cores, tasks, nodelist, entry, cause, missed FROM sched "
                              "WHERE cluster = ?";

/* Rows of all ids of one cluster that the events name. */
static iol_status load(iol__sched *s, const char *cluster) {
    iol__cell ids[BATCH];
    size_t n = 0;
    iol__sql sql;
    for (size_t i = 0; i < s->n_events; i++)
        if (strcmp(text_at(s->events[i].values, IOL_AT(sched, cluster)), cluster) == 0)
            ids[n++] = s->events[i].values[IOL_AT(sched, jobid)];
    iol__sql_start(&sql);
    iol__sql_add(&sql, "%s", columns);
    iol__sql_value(&sql, iol__text(cluster));
    sql.where = true;
    iol__sql_in(&sql, "jobid", ids, n);
    iol__sql_add(&sql, " ORDER BY jobid, submit");
    return iol__sql_ask(&sql, s->store, take_row, s);
}

static iol_status load_all(iol__sched *s) {
    iol_status status = IOL_OK;
    s->n_rows = 0;
    for (size_t i = 0; i < s->n_events && status == IOL_OK; i++) {
        const char *cluster = text_at(s->events[i].values, IOL_AT(sched, cluster));
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = strcmp(text_at(s->events[k].values, IOL_AT(sched, cluster)), cluster) == 0;
        if (!seen) status = load(s, cluster);
    }
    return status;
}

static int64_t submit_of(const iol__cell *values) { return iol__cell_integer(&values[IOL_AT(sched, submit)]); }

/* Columns that only notes have. */
static const int noted[] = {IOL_AT(sched, entry), IOL_AT(sched, cause), IOL_AT(sched, missed)};
enum { NOTED = sizeof noted / sizeof *noted };

static void take_over(iol__cell *to, const iol__cell *from) {
    for (int i = 0; i < NOTED; i++)
        if (from[noted[i]].kind != IOL_CELL_NULL) to[noted[i]] = from[noted[i]];
}

/* Whether two rows may be about one job, by what is known of its start. */
static bool one_time(const iol__cell *a, const iol__cell *b) {
    const iol__cell *x = &a[IOL_AT(sched, start)], *y = &b[IOL_AT(sched, start)];
    return x->kind == IOL_CELL_NULL || y->kind == IOL_CELL_NULL ||
           llabs(iol__cell_integer(x) - iol__cell_integer(y)) <= apart;
}

/* What was noted of this job stays: under its own key, or before its list was known (0), which then goes. */
static bool apply_job(iol__sched *s, event *e) {
    sched_row *own = NULL;
    int64_t submit = submit_of(e->values);
    for (size_t i = 0; i < s->n_rows; i++) {
        sched_row *row = &s->rows[i];
        if (row->gone || !same_id(row->values, e->values)) continue;
        if (submit_of(row->values) == submit)
            own = row;
        else if (submit_of(row->values) != 0 || !one_time(row->values, e->values))
            continue;
        take_over(e->values, row->values);
        if (row != own) row->gone = true;
    }
    if (!own) own = add_row(s);
    if (!own) return false;
    memcpy(own->values, e->values, sizeof own->values);
    own->changed = true;
    return true;
}

/* A list that names the job knows better when it ran and how it ended. */
static bool apply_note(iol__sched *s, const event *e) {
    sched_row *last = NULL;
    for (size_t i = 0; i < s->n_rows; i++) {
        sched_row *row = &s->rows[i];
        if (row->gone || !same_id(row->values, e->values)) continue;
        if (submit_of(row->values) != 0 && !one_time(row->values, e->values)) continue;
        if (!last || submit_of(row->values) > submit_of(last->values)) last = row;
    }
    if (last && submit_of(last->values) != 0) {
        for (int i = 0; i < NOTED; i++) last->values[noted[i]] = e->values[noted[i]];
    } else {
        if (!last) last = add_row(s);
        if (!last) return false;
        memcpy(last->values, e->values, sizeof last->values);
    }
    last->changed = true;
    return true;
}

/* Writing -------------------------------------------------------------------------------------------------------- */

static iol_status write_rows(iol__sched *s) {
    iol_status status = IOL_OK;
    for (size_t i = 0; i < s->n_rows && status == IOL_OK; i++) {
        const sched_row *row = &s->rows[i];
        if (row->gone) /* its first three columns are the key */
            status = iol__store_run(s->store, "DELETE FROM sched WHERE cluster = ? AND jobid = ? AND submit = ?",
                                    row->values, 3);
        else if (row->changed)
            status = iol__store_put(s->store, IOL_TABLE_sched, row->values);
    }
    return status;
}

static iol_status write_all(iol__sched *s) {
    iol__job_key keys[BATCH];
    iol_status status = load_all(s);
    for (size_t i = 0; i < s->n_events && status == IOL_OK; i++) {
        event *e = &s->events[i];
        if (e->note ? !apply_note(s, e) : !apply_job(s, e)) status = no_memory(s);
        keys[i] = (iol__job_key){text_at(e->values, IOL_AT(sched, cluster)), text_at(e->values, IOL_AT(sched, jobid))};
    }
    if (status == IOL_OK) status = write_rows(s);
    return status == IOL_OK ? iol__jobs_rebuild(s->store, s->site, keys, s->n_events, NULL, 0) : status;
}

iol_status iol__sched_write(iol__sched *s) {
    if (!s->n_events) return IOL_OK;
    iol_status status = iol__store_begin(s->store);
    if (status == IOL_OK) {
        status = write_all(s);
        if (status == IOL_OK) status = iol__store_commit(s->store);
        if (status != IOL_OK) iol__store_rollback(s->store);
    }
    s->n_events = 0;
    iol__arena_free(&s->arena);
    s->arena = (iol__arena){0};
    return status;
}
