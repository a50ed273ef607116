/* Rows of the job ids of a batch are read, changed in memory in the order in which jobs and notes came, and written. A note
   about a job that is not listed yet is a row with the submit time 0, which the list takes over. Of a job that had the same
   id on another day it says nothing. */
#include "site/index/sched.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/arena.h"
#include "site/index/jobs.h"
#include "site/index/names.h"
#include "site/query/query.h"

enum { BATCH = 512 };

static const int64_t apart = INT64_C(86400) * 1000000; /* as of logs, jobs.c */

/* A job of a list, or a note. */
typedef struct sched_event {
    iol__sched_row job;
    bool note;
} sched_event;

typedef struct stored_job {
    iol__sched_row job;
    bool changed, gone;
} stored_job;

struct iol__sched {
    iol__store *store;
    const struct iol__site *site;
    sched_event events[BATCH];
    size_t n_events;
    stored_job *rows;
    size_t n_rows, room;
    iol__arena arena;
    bool rebuild_all;
};

iol__sched *iol__sched_new(iol__store *store, const struct iol__site *site) {
    iol__sched *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->store = store;
    s->site = site;
    return s;
}

void iol__sched_rebuild_all(iol__sched *s) { s->rebuild_all = true; }

void iol__sched_free(iol__sched *s) {
    if (!s) return;
    iol__arena_free(&s->arena);
    free(s->rows);
    free(s);
}

static iol_status sched_no_memory(iol__sched *s) {
    return iol__store_fail(&s->store->error, IOL_SYSTEM, "out of memory");
}

/* Queueing ------------------------------------------------------------------------------------------------------- */

/* Names of jobs are their users' choice. */
static const char *keep_name(void *arena, const char *name) {
    return iol__short_text(arena, iol__arena_copy(arena, name));
}

/* Lists of nodes and of programs are long, and nobody's key. */
static const char *keep_list(iol__arena *arena, const char *list) {
    return list ? iol__valid_text(arena, iol__arena_copy(arena, list)) : NULL;
}

/* False without memory. */
static bool keep_job(iol__sched *s, iol__sched_row *to, const iol__sched_row *from) {
    jmp_buf exhausted;
    volatile bool done = false;
    s->arena.exhausted = &exhausted;
    if (setjmp(exhausted) == 0) {
        *to = *from;
        to->nodelist = to->missed = NULL;
        iol__row_keep(iol__tables[IOL_TABLE_sched].columns, iol__table_width(IOL_TABLE_sched), to, keep_name,
                      &s->arena);
        to->nodelist = keep_list(&s->arena, from->nodelist);
        to->missed = keep_list(&s->arena, from->missed);
        done = true;
    }
    s->arena.exhausted = NULL;
    return done;
}

static iol_status queue_event(iol__sched *s, const iol__sched_row *job, bool note) {
    sched_event *e = &s->events[s->n_events];
    e->note = note;
    if (!keep_job(s, &e->job, job)) return sched_no_memory(s);
    if (++s->n_events < BATCH) return IOL_OK;
    return iol__sched_write(s);
}

iol_status iol__sched_job(iol__sched *s, const iol__sched_row *row) { return queue_event(s, row, false); }

iol_status iol__sched_note(iol__sched *s, const iol__sched_row *row) { return queue_event(s, row, true); }

/* Rows ----------------------------------------------------------------------------------------------------------- */

static bool same_id(const iol__sched_row *a, const iol__sched_row *b) {
    return strcmp(a->jobid, b->jobid) == 0 && strcmp(a->cluster, b->cluster) == 0;
}

static stored_job *add_stored_job(iol__sched *s) {
    if (!IOL_GROW(s->rows, s->room, s->n_rows)) return NULL;
    s->rows[s->n_rows] = (stored_job){0};
    return &s->rows[s->n_rows++];
}

static bool take_stored_job(void *context, const iol__sched_row *job) {
    iol__sched *s = context;
    stored_job *row = add_stored_job(s);
    return row && keep_job(s, &row->job, job);
}

/* Rows of all ids of one cluster that the events name. */
static iol_status sched_load(iol__sched *s, const char *cluster) {
    iol__cell ids[BATCH];
    size_t n = 0;
    iol__sql sql;
    for (size_t i = 0; i < s->n_events; i++)
        if (strcmp(s->events[i].job.cluster, cluster) == 0) ids[n++] = iol__text(s->events[i].job.jobid);
    iol__select_sched(&sql);
    iol__sql_add(&sql, " FROM sched WHERE cluster = ?");
    iol__sql_value(&sql, iol__text(cluster));
    sql.where = true;
    iol__sql_in(&sql, "jobid", ids, n);
    iol__sql_add(&sql, " ORDER BY jobid, submit");
    return iol__ask_sched(&sql, s->store, take_stored_job, s);
}

static iol_status sched_load_all(iol__sched *s) {
    iol_status status = IOL_OK;
    s->n_rows = 0;
    for (size_t i = 0; i < s->n_events && status == IOL_OK; i++) {
        const char *cluster = s->events[i].job.cluster;
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++) seen = strcmp(s->events[k].job.cluster, cluster) == 0;
        if (!seen) status = sched_load(s, cluster);
    }
    return status;
}

/* What only notes have. */
static void copy_noted(iol__sched_row *to, const iol__sched_row *from) {
    to->entry = from->entry;
    to->cause = from->cause;
    to->missed = from->missed;
}

static void copy_known_notes(iol__sched_row *to, const iol__sched_row *from) {
    if (from->entry) to->entry = from->entry;
    if (from->cause) to->cause = from->cause;
    if (from->missed) to->missed = from->missed;
}

/* Whether two rows may be about one job, by what is known of its start. */
static bool one_time(const iol__sched_row *a, const iol__sched_row *b) {
    return !a->start.known || !b->start.known || llabs(a->start.value - b->start.value) <= apart;
}

static bool same_cell(const iol__cell *a, const iol__cell *b) {
    if (a->kind != b->kind) return false;
    if (a->kind == IOL_CELL_TEXT) return strcmp(a->as.text ? a->as.text : "", b->as.text ? b->as.text : "") == 0;
    return iol__cell_integer(a) == iol__cell_integer(b);
}

static bool same_row(const iol__sched_row *a, const iol__sched_row *b) {
    const iol__column *columns = iol__tables[IOL_TABLE_sched].columns;
    for (size_t i = 0; i < iol__table_width(IOL_TABLE_sched); i++) {
        const iol__cell x = iol__row_cell(&columns[i], a), y = iol__row_cell(&columns[i], b);
        if (!same_cell(&x, &y)) return false;
    }
    return true;
}

/* What was noted of this job stays: under its own key, or before its list was known (0), which then goes. */
static bool apply_job(iol__sched *s, const sched_event *e, bool *changed) {
    stored_job *own = NULL;
    iol__sched_row listed = e->job;
    for (size_t i = 0; i < s->n_rows; i++) {
        stored_job *row = &s->rows[i];
        if (row->gone || !same_id(&row->job, &e->job)) continue;
        if (row->job.submit == e->job.submit)
            own = row;
        else if (row->job.submit != 0 || !one_time(&row->job, &e->job))
            continue;
        copy_known_notes(&listed, &row->job);
        if (row != own) row->gone = *changed = true;
    }
    if (own && same_row(&own->job, &listed)) return true;
    if (!own) own = add_stored_job(s);
    if (!own) return false;
    own->job = listed;
    own->changed = *changed = true;
    return true;
}

/* A list that names the job knows better when it ran and how it ended. */
static bool apply_note(iol__sched *s, const sched_event *e, bool *changed) {
    stored_job *last = NULL;
    for (size_t i = 0; i < s->n_rows; i++) {
        stored_job *row = &s->rows[i];
        if (row->gone || !same_id(&row->job, &e->job)) continue;
        if (row->job.submit != 0 && !one_time(&row->job, &e->job)) continue;
        if (!last || row->job.submit > last->job.submit) last = row;
    }
    iol__sched_row noted = last && last->job.submit != 0 ? last->job : e->job;
    copy_noted(&noted, &e->job);
    if (last && same_row(&last->job, &noted)) return true;
    if (!last) last = add_stored_job(s);
    if (!last) return false;
    last->job = noted;
    last->changed = *changed = true;
    return true;
}

/* Writing -------------------------------------------------------------------------------------------------------- */

static iol_status delete_job(iol__store *store, const iol__sched_row *job) {
    const iol__cell key[] = {iol__text(job->cluster), iol__text(job->jobid), iol__integer(job->submit)};
    return iol__store_run(store, "DELETE FROM sched WHERE cluster = ? AND jobid = ? AND submit = ?", key, 3);
}

static iol_status write_sched_rows(iol__sched *s) {
    iol_status status = IOL_OK;
    for (size_t i = 0; i < s->n_rows && status == IOL_OK; i++) {
        const stored_job *row = &s->rows[i];
        if (row->gone)
            status = delete_job(s->store, &row->job);
        else if (row->changed)
            status = iol__store_put_sched(s->store, &row->job);
    }
    return status;
}

/* A writer that read rows which another is about to change would write them back as they were: without the notes, for
   instance, that the other has read meanwhile. */
static iol_status guard_events(iol__sched *s) {
    iol__job_key keys[BATCH];
    for (size_t i = 0; i < s->n_events; i++) keys[i] = (iol__job_key){s->events[i].job.cluster, s->events[i].job.jobid};
    return iol__jobs_guard(s->store, keys, s->n_events);
}

static iol_status sched_write_all(iol__sched *s) {
    iol__job_key keys[BATCH];
    size_t n = 0;
    iol_status status = guard_events(s);
    if (status == IOL_OK) status = sched_load_all(s);
    for (size_t i = 0; i < s->n_events && status == IOL_OK; i++) {
        const sched_event *e = &s->events[i];
        bool changed = s->rebuild_all;
        if (e->note ? !apply_note(s, e, &changed) : !apply_job(s, e, &changed)) status = sched_no_memory(s);
        if (changed) keys[n++] = (iol__job_key){e->job.cluster, e->job.jobid};
    }
    if (status == IOL_OK) status = write_sched_rows(s);
    return status == IOL_OK ? iol__jobs_rebuild(s->store, s->site, keys, n, NULL, 0) : status;
}

static iol_status sched_write_once(iol__sched *s) {
    s->store->yielded = false;
    iol_status status = iol__store_begin(s->store);
    if (status != IOL_OK) return status;
    status = sched_write_all(s);
    if (status == IOL_OK) status = iol__store_commit(s->store);
    if (status != IOL_OK) iol__store_rollback(s->store);
    return status;
}

enum { MOST_TRIES = 10 };

/* Two writers that wait for each other: the server ends one of them, which writes again. */
iol_status iol__sched_write(iol__sched *s) {
    if (!s->n_events) return IOL_OK;
    iol_status status = sched_write_once(s);
    for (int tries = 1; tries < MOST_TRIES && status != IOL_OK && s->store->yielded; tries++)
        status = sched_write_once(s);
    s->n_events = 0;
    iol__arena_free(&s->arena);
    s->arena = (iol__arena){0};
    return status;
}
