/* Summing up a log. Values that cannot be (negative, not a number) are left out and counted, so that one broken record
   does not spoil the picture. */
#include "report/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "log/figures/accumulate.h"
#include "log/figures/calls.h"
#include "log/trailer/cuts.h"
#include "log/read/log_internal.h"

enum {
    FILE_BUDGET = 14 << 20,  /* bytes for the table of files */
    RANKS_TRACKED = 1 << 21, /* more ranks than jobs have */
    TYPICAL_RATIO = 8,       /* decompressed against compressed bytes; only the progress bar relies on it */
};

const int64_t iol__size_bounds[IOL_SIZE_BUCKETS] = {100,     1024,     10240,     102400,     1048576,
                                                    4194304, 10485760, 104857600, 1073741824, 0};

/* Time by rank, in files of its own. The library's estimate has the same formula, but takes times as they are and
   does not cover datasets and variables. */
typedef struct rank_summary_times {
    double *times;
    size_t count;
} rank_summary_times;

static bool rank_add(rank_summary_times *ranks, int64_t rank, double time) {
    if (rank >= RANKS_TRACKED) return false;
    size_t at = (size_t)rank;
    if (at >= ranks->count) {
        size_t count = at < 1024 ? 1024 : at * 2;
        double *times = realloc(ranks->times, count * sizeof *times);
        if (!times) return false;
        memset(times + ranks->count, 0, (count - ranks->count) * sizeof *times);
        ranks->times = times;
        ranks->count = count;
    }
    ranks->times[at] += time;
    return true;
}

static double rank_slowest(const rank_summary_times *ranks) {
    double slowest = 0;
    for (size_t i = 0; i < ranks->count; i++)
        if (ranks->times[i] > slowest) slowest = ranks->times[i];
    return slowest;
}

/* One module --------------------------------------------------------------------------------------------------- */

typedef struct summary_reading {
    iol__layer *layer;
    iol__figures *figures;
    iol_sum *sum; /* NULL where a module has no totals */
    iol__file_totals *totals;
    rank_summary_times ranks;
    double shared_time;
    bool odd; /* something in this record cannot be */
} summary_reading;

/* A time or size to count with. */
static double summary_sane(summary_reading *r, double value) {
    r->odd |= iol__odd(value);
    return iol__sane(value);
}

static double int_value(summary_reading *r, const iol_record *record, int index) {
    return summary_sane(r, (double)record->ints[index]);
}

static double real_value(summary_reading *r, const iol_record *record, int index) {
    return summary_sane(r, record->reals[index]);
}

static double call_count(summary_reading *r, const iol_record *record, bool writes) {
    const int16_t *counters = iol__call_counters(record->slot, writes);
    double calls = 0;
    for (size_t i = 0; i < IOL_CALL_COUNTERS && counters[i]; i++) calls += int_value(r, record, counters[i] - 1);
    return calls;
}

static void add_summary_traffic(summary_reading *r, const iol_record *record) {
    iol__layer *layer = r->layer;
    const iol__roles *roles = iol__modules[record->slot].roles;
    double read_time = real_value(r, record, roles->read_time), write_time = real_value(r, record, roles->write_time);
    double meta_time = real_value(r, record, roles->meta_time);
    iol__file_total cost = {
        .id = record->id,
        .slot = record->slot,
        .shared = record->rank < 0,
        .ranks = 1,
        .bytes_read = int_value(r, record, roles->bytes_read),
        .bytes_written = int_value(r, record, roles->bytes_written),
        .calls = iol__record_calls(record, false) + iol__record_calls(record, true),
        .seeks = iol__record_seeks(record),
        .size = iol__record_size(r->figures->log, record),
        .time = record->rank < 0 ? summary_sane(r, iol__record_slowest_time(r->figures->log, record))
                                 : read_time + write_time + meta_time,
    };
    layer->bytes_read += cost.bytes_read;
    layer->bytes_written += cost.bytes_written;
    layer->reads += call_count(r, record, false);
    layer->writes += call_count(r, record, true);
    layer->read_time += read_time;
    layer->write_time += write_time;
    layer->meta_time += meta_time;
    if (record->rank < 0)
        r->shared_time += cost.time;
    else if (!rank_add(&r->ranks, record->rank, cost.time))
        r->odd = true;
    /* Datasets and variables are inside files that other modules list; a file of MPI-IO costs what MPI-IO took. */
    if (!roles->estimated) return;
    if (iol__figures_counts(r->figures, record))
        iol__file_totals_add(r->totals, &cost);
    else
        iol__file_totals_below(r->totals, &cost);
}

/* The other readers of the records, and the watcher of the clock; either may be missing. */
typedef struct visitors {
    iol__progress *progress;
    iol__summary_visitor visitor;
    void *context;
} visitors;

static void read_summary_records(summary_reading *r, iol_records *records, const visitors *with) {
    iol__layer *layer = r->layer;
    const iol__module *module = &iol__modules[layer->module.slot];
    double record_bytes = 16 + 8.0 * (module->ints + module->reals);
    const iol_record *record;
    while (iol_records_next(records, &record) == IOL_OK) {
        layer->records++;
        r->odd = false;
        if (r->sum) iol_sum_add(r->sum, record);
        iol__figures_add(r->figures, record);
        if (layer->traffic) add_summary_traffic(r, record);
        layer->odd_records += r->odd;
        if (with->visitor) with->visitor(with->context, records, record);
        if (!with->progress) continue;
        iol__progress_step(with->progress, record_bytes * (double)layer->records,
                           TYPICAL_RATIO * (double)layer->module.length);
    }
}

static void add_summary_ranks(summary_reading *r) {
    iol__layer *layer = r->layer;
    if (!layer->traffic) return;
    layer->time = rank_slowest(&r->ranks) + r->shared_time;
    for (size_t i = 0; i < r->ranks.count; i++) layer->all_ranks += r->ranks.times[i];
}

/* As io_time of the whole job is computed (log/figures/figures.def), so that a job with one layer has one time and one
   rate. */
static void summary_estimate(iol__layer *layer, const iol__figures *figures) {
    const double at_a_time = figures->value[IOL_FIGURE_concurrency], run_time = figures->value[IOL_FIGURE_run_time];
    if (!layer->traffic) return;
    if (at_a_time > 0) layer->time = fmax(layer->time, layer->all_ranks / at_a_time);
    if (!iol__figures_impossible(layer->time, run_time)) layer->time = fmin(layer->time, run_time);
    /* Nobody waits longer for a part of the I/O than for all of it, which knows which ranks waited at the same time. */
    const double all = figures->value[IOL_FIGURE_io_time];
    if (all > 0 && !iol__figures_impossible(figures->waited, run_time)) layer->time = fmin(layer->time, all);
    double rate = (layer->bytes_read + layer->bytes_written) / layer->time;
    layer->bytes_per_second = isfinite(rate) ? rate : -1;
}

static iol__summary_totals *totals_of(const iol_sum *sum) {
    iol__summary_totals *totals = calloc(1, sizeof *totals);
    if (!totals) return NULL;
    const iol_record *record = iol_sum_total(sum);
    totals->record = *record;
    memcpy(totals->ints, record->ints, record->n_ints * sizeof *totals->ints);
    memcpy(totals->reals, record->reals, record->n_reals * sizeof *totals->reals);
    totals->record.ints = totals->ints;
    totals->record.reals = totals->reals;
    for (size_t i = 0; i < record->n_ints + record->n_reals; i++) totals->unknown[i] = !iol__sum_knows(sum, i);
    totals->estimated = iol_sum_performance(sum, &totals->performance) == IOL_OK;
    for (int c = 0; totals->estimated && c < IOL_CATEGORIES; c++)
        totals->estimated = iol_sum_files(sum, (iol_category)c, &totals->files[c]) == IOL_OK;
    return totals;
}

static void read_summary_layer(iol__summary *summary, iol__file_totals *totals, iol__layer *layer,
                               const visitors *with) {
    int slot = layer->module.slot;
    iol_records *records;
    if (layer->module.length == 0) return;
    if (iol_records_open(summary->log, slot, &records) != IOL_OK) {
        layer->damaged = summary->log->damaged >> slot & 1;
        return;
    }
    layer->readable = true;
    layer->traffic = iol__modules[slot].roles->traffic;
    summary_reading r = {.layer = layer, .totals = totals, .figures = &summary->figures};
    if (iol_sum_new(summary->log, slot, &r.sum) != IOL_OK) r.sum = NULL;
    read_summary_records(&r, records, with);
    layer->damaged = summary->log->damaged >> slot & 1;
    layer->readable = !layer->damaged || layer->records > 0;
    layer->traffic = layer->traffic && layer->readable;
    add_summary_ranks(&r);
    if (r.sum && layer->readable) layer->totals = totals_of(r.sum);
    iol_sum_free(r.sum);
    free(r.ranks.times);
    iol_records_close(records);
}

/* The whole log ------------------------------------------------------------------------------------------------ */

static double list_layers(iol__summary *summary) {
    double bytes = 0;
    const uint64_t cuts = iol__cuts_of(summary->log);
    iol_module module;
    for (int slot = 0; slot < IOL_SLOTS && iol_log_module(summary->log, slot, &module) == IOL_OK; slot++) {
        if (module.length == 0 && !module.partial) continue;
        summary->layers[summary->n_layers++] = (iol__layer){.module = module, .cut = cuts >> slot & 1};
        bytes += (double)module.length;
    }
    return bytes > 0 ? bytes : 1;
}

bool iol__summary_make_visited(iol_log *log, size_t top, iol__progress *progress, iol__summary_visitor visitor,
                               void *context, iol__summary *summary) {
    const visitors with = {.progress = progress, .visitor = visitor, .context = context};
    *summary = (iol__summary){.log = log};
    iol__file_totals *totals = iol__file_totals_new(FILE_BUDGET);
    if (!totals) return false;
    double all = list_layers(summary), done = 0;
    iol__figures_start(&summary->figures, log);
    const bool started = !visitor || iol__figures_want_parts(&summary->figures);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < summary->n_layers; i++) {
            iol__layer *layer = &summary->layers[i];
            if ((layer->module.slot == IOL_SLOT_MPIIO) != (pass == 0)) continue; /* it comes first: see figures.h */
            done += (double)layer->module.length;
            if (progress) iol__progress_piece(progress, done / all);
            read_summary_layer(summary, totals, layer, &with);
        }
    bool counted = iol__figures_finish(&summary->figures);
    for (size_t i = 0; i < summary->n_layers; i++) summary_estimate(&summary->layers[i], &summary->figures);
    summary->top_lossy = iol__file_totals_lossy(totals);
    size_t files = iol__file_totals_files(totals);
    if (top > files) top = files;
    summary->top = calloc(top + 1, sizeof *summary->top);
    if (summary->top) summary->n_top = iol__file_totals_top(totals, summary->top, top);
    iol__file_totals_free(totals);
    const bool good = summary->top && counted && started;
    if (!good) iol__summary_free(summary);
    return good;
}

bool iol__summary_make(iol_log *log, size_t top, iol__progress *progress, iol__summary *summary) {
    return iol__summary_make_visited(log, top, progress, NULL, NULL, summary);
}

void iol__summary_free(iol__summary *summary) {
    iol__figures_free(&summary->figures);
    for (size_t i = 0; i < summary->n_layers; i++) {
        free(summary->layers[i].totals);
        summary->layers[i].totals = NULL;
    }
    free(summary->top);
    summary->top = NULL;
}

/* POSIX sees what reaches the file system; where it is missing, the layer above it has to do. */
const iol__layer *iol__summary_sizes(const iol__summary *summary) {
    static const int order[] = {IOL_SLOT_POSIX, IOL_SLOT_MPIIO, IOL_SLOT_DFS,
                                IOL_SLOT_DAOS,  IOL_SLOT_H5D,   IOL_SLOT_PNETCDF_VAR};
    for (size_t o = 0; o < IOL_COUNT(order); o++)
        for (size_t i = 0; i < summary->n_layers; i++) {
            const iol__layer *layer = &summary->layers[i];
            if (layer->module.slot == order[o] && layer->totals && layer->reads + layer->writes > 0) return layer;
        }
    return NULL;
}

double iol__layer_meta_share(const iol__layer *layer) {
    double all = layer->read_time + layer->write_time + layer->meta_time;
    return all > 0 ? layer->meta_time / all : -1;
}

double iol__layer_run_share(const iol__layer *layer, const iol_job *job) {
    const double run = job->run_time;
    return run > 0 && isfinite(run) && layer->time <= 1.05 * run ? fmin(1, layer->time / run) : -1;
}

/* The newest form of traces differs by thread identities only, and few tools write it. */
bool iol__layer_is_older(const iol__layer *layer) {
    if (!layer->readable) return false;
    const iol__module *module = &iol__modules[layer->module.slot];
    return module->form != IOL_FORM_TRACE && layer->module.version < module->current;
}

double iol__layer_size_count(const iol__layer *layer, bool writes, size_t bucket) {
    const iol__roles *roles = iol__modules[layer->module.slot].roles;
    int first = writes ? roles->write_buckets : roles->read_buckets;
    return first < 0 ? -1 : (double)layer->totals->ints[(size_t)first + bucket];
}
