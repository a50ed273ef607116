/* Summing up the figures. A time or count that cannot be (not measured, below zero, no number) counts as none, so that one
   broken record does not spoil the picture; times a little below zero are those of threads that changed processors. */
#include "log/figures/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "log/figures/calls.h"
#include "log/read/log_internal.h"
#include "log/trailer/processes.h"
#include "record/record.h"

const iol__figure_info iol__figure_infos[IOL_JOB_FIGURES] = {
#define FIGURE(name, unit, formula, unknown) {#name, unit, formula, unknown},
#include "log/figures/figures.def"
#undef FIGURE
};

const char *const iol__figure_units[IOL_FIGURE_UNITS] = {
    [IOL_IN_SECONDS] = "s",       [IOL_IN_BYTES] = "bytes", [IOL_IN_BYTES_PER_SECOND] = "bytes/s",
    [IOL_IN_SHARE] = "part of 1", [IOL_IN_NUMBER] = "",
};

static double count(int64_t value) { return value > 0 ? (double)value : 0; }

void iol__figures_start(iol__figures *f, iol_log *log) { *f = (iol__figures){.log = log}; }

bool iol__figures_want_parts(iol__figures *f) {
    f->place = calloc(iol_log_mount_count(f->log) + 1, sizeof *f->place);
    f->rank = calloc(1, sizeof *f->rank); /* grows with rank_time */
    return f->place && f->rank;
}

void iol__figures_free(iol__figures *f) {
    free(f->rank_time);
    free(f->shared_beyond);
    free(f->rank);
    free(f->place);
    iol__idmap_free(&f->through_mpiio);
    *f = (iol__figures){0};
}

/* Records ------------------------------------------------------------------------------------------------------ */

static bool is_layer(int slot) {
    return slot == IOL_SLOT_MPIIO || slot == IOL_SLOT_POSIX || slot == IOL_SLOT_STDIO || slot == IOL_SLOT_DFS ||
           slot == IOL_SLOT_DAOS;
}

bool iol__figures_counts(const iol__figures *f, const iol_record *record) {
    if (!is_layer(record->slot)) return false;
    return record->slot != IOL_SLOT_POSIX || iol__idmap_find(&f->through_mpiio, record->id) == IOL_IDMAP_NONE;
}

static bool reach(iol__figures *f, size_t rank) {
    if (rank < f->rank_room) return true;
    size_t room = rank < 512 ? 512 : 2 * rank;
    if (room > IOL_FIGURES_RANKS) room = IOL_FIGURES_RANKS;
    double *grown = realloc(f->rank_time, room * sizeof *grown);
    if (grown) f->rank_time = grown;
    double *beyond = realloc(f->shared_beyond, room * sizeof *beyond);
    if (beyond) f->shared_beyond = beyond;
    iol__part_figures *parts = f->rank ? realloc(f->rank, room * sizeof *parts) : NULL;
    if (parts) f->rank = parts;
    if (!grown || !beyond || (f->rank && !parts)) return false;
    memset(grown + f->rank_room, 0, (room - f->rank_room) * sizeof *grown);
    memset(beyond + f->rank_room, 0, (room - f->rank_room) * sizeof *beyond);
    if (parts) memset(parts + f->rank_room, 0, (room - f->rank_room) * sizeof *parts);
    f->rank_room = room;
    return true;
}

static void add_part(iol__part_figures *to, const iol__part_figures *part) {
    for (int i = 0; i < IOL_SUMMED_FIGURES; i++) to->value[i] += part->value[i];
}

static double seconds_of(const iol__part_figures *part) {
    const double *v = part->value;
    return v[IOL_FIGURE_read_time] + v[IOL_FIGURE_write_time] + v[IOL_FIGURE_meta_time];
}

static void add_beyond(iol__figures *f, int64_t rank, double seconds) {
    if (rank < 0 || rank >= IOL_FIGURES_RANKS || rank >= f->log->job.processes) return;
    if (!reach(f, (size_t)rank)) {
        f->no_memory = true;
        return;
    }
    f->shared_beyond[rank] += seconds;
    if ((size_t)rank >= f->n_ranks) f->n_ranks = (size_t)rank + 1;
}

/* When the calls of a record began and ended, as far as it has timestamps. */
static void add_extent(iol__figures *f, const iol_record *record) {
    const iol__module *module = &iol__modules[record->slot];
    for (size_t i = 0; i < module->reals; i++) {
        const iol__counter *counter = &module->counters[module->ints + i];
        const double at = record->reals[i];
        if (!(at > 0) || !isfinite(at) || counter->unit[1] != ' ') continue; /* "s since job start" */
        f->shared_first = f->shared_first > 0 ? fmin(f->shared_first, at) : at;
        f->shared_last = fmax(f->shared_last, at);
    }
}

/* A record of all ranks has the sum of their times, and those of its slowest and its fastest rank; the rest is everybody
   else's alike. */
static void add_shared(iol__figures *f, const iol_record *record, double slowest, double all) {
    const iol__roles *roles = iol__modules[record->slot].roles;
    const double ranks = (double)(f->log->job.processes > 1 ? f->log->job.processes : 1);
    const int64_t last = record->ints[roles->slowest_rank];
    const double own = fmin(slowest, all), each = ranks > 1 ? (all - own) / (ranks - 1) : all;
    f->shared_slowest += slowest;
    f->shared_each += each;
    add_beyond(f, last, own - each);
    if (last < 0) f->shared_each += own - each;
    add_extent(f, record);
}

static void add_time(iol__figures *f, const iol_record *record, double slowest, const iol__part_figures *part) {
    const double all = seconds_of(part);
    f->longest = fmax(f->longest, record->rank == -1 ? slowest : all);
    if (record->rank == -1) {
        add_shared(f, record, slowest, all);
        return;
    }
    if (record->rank < 0 || record->rank >= IOL_FIGURES_RANKS) return;
    size_t rank = (size_t)record->rank;
    if (!reach(f, rank)) {
        f->no_memory = true;
        return;
    }
    f->rank_time[rank] += all;
    if (f->rank) add_part(&f->rank[rank], part);
    if (rank >= f->n_ranks) f->n_ranks = rank + 1;
}

/* Past what a log of this size can justify, files are no longer distinguished. */
static void note_file(iol__figures *f, uint64_t id) {
    if (iol__idmap_find(&f->through_mpiio, id) != IOL_IDMAP_NONE || !iol__budget_take(f->log, IOL_IDMAP_COST)) return;
    if (iol__idmap_add(&f->through_mpiio, id) == IOL_IDMAP_NONE) f->no_memory = true;
}

void iol__figures_add(iol__figures *f, const iol_record *record) {
    if (record->slot == IOL_SLOT_MPIIO) note_file(f, record->id);
    if (!iol__figures_counts(f, record)) return;
    const iol__roles *roles = iol__modules[record->slot].roles;
    const iol__part_figures part = {{
        [IOL_FIGURE_bytes_read] = count(record->ints[roles->bytes_read]),
        [IOL_FIGURE_bytes_written] = count(record->ints[roles->bytes_written]),
        [IOL_FIGURE_reads] = iol__record_calls(record, false),
        [IOL_FIGURE_writes] = iol__record_calls(record, true),
        [IOL_FIGURE_read_time] = iol__sane(record->reals[roles->read_time]),
        [IOL_FIGURE_write_time] = iol__sane(record->reals[roles->write_time]),
        [IOL_FIGURE_meta_time] = iol__sane(record->reals[roles->meta_time]),
    }};
    for (int i = 0; i < IOL_SUMMED_FIGURES; i++) f->value[i] += part.value[i];
    if (f->place) add_part(&f->place[iol__mount_index(f->log, iol_log_name(f->log, record->id))], &part);
    add_time(f, record, iol__sane(iol__record_slowest_time(f->log, record)), &part);
}

/* Processes ---------------------------------------------------------------------------------------------------- */

typedef struct life {
    double start, end;
} life;

typedef struct lives {
    const iol__figures *figures;
    double least; /* seconds of I/O from which a process counts: a shell that waits for others does not */
    life *list;
    size_t count, room;
    bool no_memory;
} lives;

static bool note_life(void *context, const iol__process *p) {
    lives *l = context;
    const iol__figures *f = l->figures;
    const bool busy = p->rank >= 0 && (size_t)p->rank < f->n_ranks && f->rank_time[p->rank] >= l->least;
    if (!busy || !(p->end >= p->start)) return true;
    if (!IOL_GROW(l->list, l->room, l->count)) {
        l->no_memory = true;
        return false;
    }
    l->list[l->count++] = (life){p->start, p->end};
    return true;
}

static int by_birth(const void *a, const void *b) {
    const life *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

static double lives_at_a_time(life *list, size_t n) {
    double sum = 0, covered = 0, end = -INFINITY;
    if (n) qsort(list, n, sizeof *list, by_birth);
    for (size_t i = 0; i < n; i++) {
        sum += list[i].end - list[i].start;
        if (list[i].end <= end) continue;
        covered += list[i].end - fmax(end, list[i].start);
        end = list[i].end;
    }
    return covered > 0 ? sum / covered : NAN;
}

static double find_concurrency(iol__figures *f) {
    lives l = {.figures = f};
    for (size_t r = 0; r < f->n_ranks; r++) l.least = fmax(l.least, 0.1 * f->rank_time[r]);
    iol__processes_each(f->log, note_life, &l);
    const double found = lives_at_a_time(l.list, l.count);
    f->no_memory = f->no_memory || l.no_memory;
    free(l.list);
    return found;
}

/* The end ------------------------------------------------------------------------------------------------------- */

double iol__run_time(const iol_log *log) {
    const bool known = !log->info.job_damaged && !log->info.mapped && log->job.end_seconds != 0;
    return known && isfinite(log->job.run_time) && log->job.run_time > 0 ? log->job.run_time : NAN;
}

/* Ranks that wait for each other at every shared file lose the time of its slowest one each time. They cannot have where
   that is longer than the files were in use: then ranks used them side by side, and the one that was longest in I/O
   counts. */
static double waited_for_ranks(const iol__figures *f, double slowest_alone) {
    const double in_turn = f->shared_slowest + slowest_alone, in_use = f->shared_last - f->shared_first;
    if (!(in_use > 0) || f->shared_slowest <= 1.05 * in_use) return in_turn;
    double longest = f->shared_each + slowest_alone;
    for (size_t r = 0; r < f->n_ranks; r++)
        longest = fmax(longest, f->rank_time[r] + f->shared_each + f->shared_beyond[r]);
    return fmin(longest, in_turn);
}

bool iol__figures_finish(iol__figures *f) {
    double *v = f->value, slowest = 0, sum = 0;
    for (size_t r = 0; r < f->n_ranks; r++) {
        slowest = fmax(slowest, f->rank_time[r]);
        sum += f->rank_time[r];
    }
    f->waited = waited_for_ranks(f, slowest);
    iol__budget_return(f->log, IOL_IDMAP_COST * f->through_mpiio.count);
    iol__idmap_free(&f->through_mpiio);
    f->through_mpiio = (iol__idmap){0};
    v[IOL_FIGURE_run_time] = iol__run_time(f->log);
    v[IOL_FIGURE_bytes] = v[IOL_FIGURE_bytes_read] + v[IOL_FIGURE_bytes_written];
    v[IOL_FIGURE_call_time] = v[IOL_FIGURE_read_time] + v[IOL_FIGURE_write_time] + v[IOL_FIGURE_meta_time];
    v[IOL_FIGURE_concurrency] = find_concurrency(f);
    const double at_a_time = v[IOL_FIGURE_concurrency];
    v[IOL_FIGURE_io_time] = fmin(at_a_time > 0 ? fmax(f->waited, sum / at_a_time) : f->waited, v[IOL_FIGURE_run_time]);
    const bool threads = iol__figures_impossible(f->waited, v[IOL_FIGURE_run_time]);
    v[IOL_FIGURE_io_time_low] = threads ? fmin(f->longest, v[IOL_FIGURE_io_time]) : v[IOL_FIGURE_io_time];
    v[IOL_FIGURE_io_share] = v[IOL_FIGURE_io_time] / v[IOL_FIGURE_run_time];
    v[IOL_FIGURE_rate] = v[IOL_FIGURE_io_time] > 0 ? v[IOL_FIGURE_bytes] / v[IOL_FIGURE_io_time] : NAN;
    iol__map_sums_of(f->log, &f->maps);
    v[IOL_FIGURE_map_bytes] = f->maps.count > f->maps.unmeasured ? f->maps.used : NAN;
    return !f->no_memory;
}
