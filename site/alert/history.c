/* Runs that are comparable are a chain in a table by hash; of each the latest rates are kept in a ring. */
#include "site/alert/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "site/query/query.h"

enum { EARLIER = 60, BUCKETS = 1 << 14, MONTHS = 6 };

typedef struct like {
    struct like *next;
    const char *owner, *exename;
    int64_t nprocs;
    size_t count, room; /* rates that were added, and that fit in */
    double *rates;
    int64_t *starts;
} like;

struct iol__alert_history {
    iol__arena *arena;
    like *buckets[BUCKETS];
};

static like *history_find(iol__alert_history *h, const iol__alert_run *run) {
    uint64_t hash = (uint64_t)iol__hash_texts(run->owner, run->exename) + (uint64_t)run->nprocs * 0x9e3779b97f4a7c15u;
    like **at = &h->buckets[(hash ^ hash >> 32) % BUCKETS];
    for (like *l = *at; l; l = l->next)
        if (l->nprocs == run->nprocs && strcmp(l->owner, run->owner) == 0 && strcmp(l->exename, run->exename) == 0)
            return l;
    like *l = iol__arena_alloc(h->arena, 1, sizeof *l);
    *l = (like){.next = *at,
                .owner = iol__arena_copy(h->arena, run->owner),
                .exename = iol__arena_copy(h->arena, run->exename),
                .nprocs = run->nprocs};
    return *at = l;
}

/* Most programs run a few times only. */
static void make_history_room(iol__arena *arena, like *l) {
    size_t room = l->room ? 2 * l->room : 4;
    if (room > EARLIER) room = EARLIER;
    double *rates = iol__arena_alloc(arena, room, sizeof *rates);
    int64_t *starts = iol__arena_alloc(arena, room, sizeof *starts);
    if (l->count) memcpy(rates, l->rates, l->count * sizeof *rates);
    if (l->count) memcpy(starts, l->starts, l->count * sizeof *starts);
    l->rates = rates;
    l->starts = starts;
    l->room = room;
}

static void history_add(iol__arena *arena, like *l, const iol__alert_run *run) {
    if (!(run->rate > 0)) return;
    if (l->count == l->room && l->room < EARLIER) make_history_room(arena, l);
    l->rates[l->count % EARLIER] = run->rate;
    l->starts[l->count++ % EARLIER] = run->start;
}

static int history_by_number(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double iol__alert_slowdown(iol__alert_history *h, const iol__alert_run *run, size_t *earlier) {
    like *l = history_find(h, run);
    double rates[EARLIER], slowdown = NAN;
    size_t n = 0;
    for (size_t i = 0; i < l->count && i < EARLIER; i++)
        if (l->starts[i] < run->start) rates[n++] = l->rates[i]; /* jobs of an array start at once */
    if (n) qsort(rates, n, sizeof *rates, history_by_number);
    if (n && run->rate > 0) slowdown = rates[n / 2] / run->rate;
    history_add(h->arena, l, run);
    *earlier = n;
    return slowdown;
}

static bool take_run(void *context, const iol__earlier_job_row *job) {
    iol__alert_history *h = context;
    const double time = job->io_time / 1e6;
    const iol__alert_run run = {.owner = job->owner ? job->owner : "",
                                .exename = job->exename ? job->exename : "",
                                .nprocs = job->nprocs,
                                .start = job->start,
                                .rate = time > 0 ? job->bytes / time : NAN};
    history_add(h->arena, history_find(h, &run), &run);
    return true;
}

/* 20260315 becomes 20250915. */
static int64_t months_before(int64_t day) {
    int64_t months = day / 10000 * 12 + day / 100 % 100 - 1 - MONTHS;
    return months / 12 * 10000 + (months % 12 + 1) * 100 + day % 100;
}

iol_status iol__alert_history_load(iol__arena *arena, iol__store *store, int64_t since, iol__alert_history **history) {
    iol__sql sql;
    *history = iol__arena_alloc(arena, 1, sizeof **history);
    (*history)->arena = arena;
    if (!since) return IOL_OK;
    iol__select_earlier_job(&sql);
    iol__sql_add(&sql, " FROM job WHERE day >= ? AND day < ? AND logs > 0 AND io_time > 0 ORDER BY start, jobid");
    iol__sql_value(&sql, iol__integer(months_before(since)));
    iol__sql_value(&sql, iol__integer(since));
    return iol__ask_earlier_job(&sql, store, take_run, *history);
}
