/* Comparing two summaries. Layers meet by slot, files by record id (both lists are sorted by it and walked together),
   counters by their place in the totals of a module. */
#include "report/compare/two_logs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pairs ------------------------------------------------------------------------------------------------------------ */

static bool two_logs_known(iol__compared_pair pair) { return isfinite(pair.a) && isfinite(pair.b); }

double iol__pair_delta(iol__compared_pair pair) { return two_logs_known(pair) ? pair.b - pair.a : NAN; }

double iol__pair_ratio(iol__compared_pair pair) { return two_logs_known(pair) && pair.a != 0 ? pair.b / pair.a : NAN; }

bool iol__pair_differs(iol__compared_pair pair) { return two_logs_known(pair) && pair.a != pair.b; }

double iol__pair_size(iol__compared_pair pair) {
    if (!iol__pair_differs(pair)) return 0;
    double larger = fmax(fabs(pair.a), fabs(pair.b)), size = fabs(pair.b / larger - pair.a / larger);
    return size < 1 ? size : 1;
}

const char *iol__pair_text(char buffer[IOL_HUMAN], iol__compared_pair pair) {
    return iol__human_change(buffer, pair.a, pair.b);
}

/* Jobs ------------------------------------------------------------------------------------------------------------- */

const char *const iol__fact_keys[IOL_FACTS] = {
    [IOL_FACT_PROCESSES] = "processes", [IOL_FACT_RUN_TIME] = "run_time", [IOL_FACT_USER] = "uid"};

static double fact_of(const iol_log *log, iol__fact fact) {
    const iol_job *job = iol_log_job(log);
    bool finished = !iol_log_info(log)->mapped && job->end_seconds != 0 && job->run_time >= 0;
    switch (fact) {
    case IOL_FACT_PROCESSES: return job->processes > 0 ? (double)job->processes : NAN;
    case IOL_FACT_RUN_TIME: return finished ? job->run_time : NAN;
    case IOL_FACT_USER: return (double)job->uid;
    case IOL_FACTS: break;
    }
    return NAN;
}

static void compare_two_logs_jobs(iol__two_logs *c) {
    for (int i = 0; i < IOL_FACTS; i++) {
        c->facts[i] = (iol__compared_pair){fact_of(c->a->log, (iol__fact)i), fact_of(c->b->log, (iol__fact)i)};
        c->differs |= iol__pair_differs(c->facts[i]);
    }
    c->exe_differs = strcmp(iol_log_job(c->a->log)->exe, iol_log_job(c->b->log)->exe) != 0;
    c->differs |= c->exe_differs;
}

/* Layers ----------------------------------------------------------------------------------------------------------- */

const char *const iol__figure_keys[IOL_FIGURES] = {
    [IOL_FIGURE_TIME] = "time",
    [IOL_FIGURE_BYTES_READ] = "bytes_read",
    [IOL_FIGURE_BYTES_WRITTEN] = "bytes_written",
    [IOL_FIGURE_READS] = "reads",
    [IOL_FIGURE_WRITES] = "writes",
    [IOL_FIGURE_READ_TIME] = "read_time",
    [IOL_FIGURE_WRITE_TIME] = "write_time",
    [IOL_FIGURE_META_TIME] = "meta_time",
    [IOL_FIGURE_RATE] = "bytes_per_second",
    [IOL_FIGURE_RECORDS] = "records",
};

static double figure_of(const iol__layer *layer, iol__compared_figure figure) {
    if (!layer || !layer->readable) return NAN;
    if (figure == IOL_FIGURE_RECORDS) return (double)layer->records;
    const double values[IOL_FIGURES] = {
        [IOL_FIGURE_TIME] = layer->time,
        [IOL_FIGURE_BYTES_READ] = layer->bytes_read,
        [IOL_FIGURE_BYTES_WRITTEN] = layer->bytes_written,
        [IOL_FIGURE_READS] = layer->reads,
        [IOL_FIGURE_WRITES] = layer->writes,
        [IOL_FIGURE_READ_TIME] = layer->read_time,
        [IOL_FIGURE_WRITE_TIME] = layer->write_time,
        [IOL_FIGURE_META_TIME] = layer->meta_time,
        [IOL_FIGURE_RATE] = layer->bytes_per_second,
    };
    return layer->traffic && values[figure] >= 0 ? values[figure] : NAN;
}

static const iol__layer *find_layer(const iol__summary *summary, int slot) {
    for (size_t i = 0; i < summary->n_layers; i++)
        if (summary->layers[i].module.slot == slot) return &summary->layers[i];
    return NULL;
}

static void add_two_logs_layer(iol__two_logs *c, const iol__layer *a, const iol__layer *b) {
    iol__layer_change *change = &c->layers[c->n_layers++];
    *change = (iol__layer_change){.a = a, .b = b, .differs = !a || !b};
    for (int i = 0; i < IOL_FIGURES; i++) {
        change->figures[i] =
            (iol__compared_pair){figure_of(a, (iol__compared_figure)i), figure_of(b, (iol__compared_figure)i)};
        change->differs |= iol__pair_differs(change->figures[i]);
    }
    c->differs |= change->differs;
}

/* How much time came or went; a side that has nothing counts as none. */
static double time_change(iol__compared_pair time) {
    return fabs((isfinite(time.b) ? time.b : 0) - (isfinite(time.a) ? time.a : 0));
}

static int layers_by_change(const void *left, const void *right) {
    const iol__layer_change *x = left, *y = right;
    double s = time_change(x->figures[IOL_FIGURE_TIME]), t = time_change(y->figures[IOL_FIGURE_TIME]);
    if (s != t) return s > t ? -1 : 1;
    int slot = (x->a ? x->a : x->b)->module.slot, other = (y->a ? y->a : y->b)->module.slot;
    return (slot > other) - (slot < other);
}

static void compare_layers(iol__two_logs *c) {
    for (int slot = 0; slot < IOL_SLOTS; slot++) {
        const iol__layer *a = find_layer(c->a, slot), *b = find_layer(c->b, slot);
        if (a || b) add_two_logs_layer(c, a, b);
    }
    qsort(c->layers, c->n_layers, sizeof *c->layers, layers_by_change);
}

/* Files ------------------------------------------------------------------------------------------------------------ */

iol__compared_pair iol__file_time(const iol__file_change *file) {
    return (iol__compared_pair){file->a ? file->a->time : NAN, file->b ? file->b->time : NAN};
}

const iol__file_total *iol__changed_file(const iol__file_change *file) {
    if (!file->a || !file->b) return file->a ? file->a : file->b;
    return file->a->time > file->b->time ? file->a : file->b;
}

static bool files_differ(const iol__file_total *a, const iol__file_total *b) {
    return a->time != b->time || a->bytes_read != b->bytes_read || a->bytes_written != b->bytes_written ||
           a->shared != b->shared || a->ranks != b->ranks || a->slot != b->slot;
}

static int totals_by_id(const void *left, const void *right) {
    const iol__file_total *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static int files_by_change(const void *left, const void *right) {
    const iol__file_change *x = left, *y = right;
    double s = time_change(iol__file_time(x)), t = time_change(iol__file_time(y));
    if (x->differs != y->differs) return x->differs ? -1 : 1;
    if (s != t) return s > t ? -1 : 1;
    uint64_t id = iol__changed_file(x)->id, other = iol__changed_file(y)->id;
    return (id > other) - (id < other);
}

static bool compare_two_logs_files(iol__two_logs *c, iol__summary *sa, iol__summary *sb) {
    c->files = calloc(sa->n_top + sb->n_top + 1, sizeof *c->files);
    if (!c->files) return false;
    qsort(sa->top, sa->n_top, sizeof *sa->top, totals_by_id);
    qsort(sb->top, sb->n_top, sizeof *sb->top, totals_by_id);
    size_t i = 0, j = 0;
    while (i < sa->n_top || j < sb->n_top) {
        const iol__file_total *a = i < sa->n_top ? &sa->top[i] : NULL, *b = j < sb->n_top ? &sb->top[j] : NULL;
        if (a && b && a->id != b->id) *(a->id < b->id ? &b : &a) = NULL;
        iol__file_change change = {.a = a, .b = b, .differs = !a || !b || files_differ(a, b)};
        c->n_files_differ += change.differs;
        c->files[c->n_files++] = change;
        i += a != NULL;
        j += b != NULL;
    }
    c->differs |= c->n_files_differ > 0;
    if (c->n_files) qsort(c->files, c->n_files, sizeof *c->files, files_by_change);
    return true;
}

/* Counters --------------------------------------------------------------------------------------------------------- */

static bool two_logs_adds_up(const iol__counter *counter) {
    return counter->reduce == IOL_REDUCE_SUM || counter->reduce == IOL_REDUCE_SUM_M1;
}

bool iol__counter_is_amount(const iol__counter *counter) {
    if (strcmp(counter->unit, "s since job start") == 0) return false;
    return two_logs_adds_up(counter) || counter->reduce == IOL_REDUCE_MAX;
}

/* -1 says that the writer did not know; a sum over such values may be any negative number. */
static double two_logs_total_value(const iol__summary_totals *totals, unsigned i, const iol__counter *counter) {
    const iol_record *record = &totals->record;
    double value = i < record->n_ints ? (double)record->ints[i] : record->reals[i - record->n_ints];
    bool unknown = value == -1 || (value < 0 && (two_logs_adds_up(counter) || counter->kind == IOL_KIND_REAL));
    return unknown || !isfinite(value) ? (double)NAN : value;
}

/* Integers are compared as such: two that differ may be the same double. */
static bool totals_differ(const iol__summary_totals *a, const iol__summary_totals *b, unsigned i) {
    if (i < a->record.n_ints) return a->record.ints[i] != b->record.ints[i];
    i -= a->record.n_ints;
    return a->record.reals[i] != b->record.reals[i];
}

static void add_two_logs_counters(iol__two_logs *c, const iol__summary_totals *a, const iol__summary_totals *b) {
    int slot = a->record.slot;
    const iol__module *module = &iol__modules[slot];
    for (unsigned i = 0; i < a->record.n_ints + a->record.n_reals; i++) {
        const iol__counter *counter = &module->counters[i];
        if (strcmp(counter->unit, "record id") == 0) continue;
        iol__counter_change change = {.slot = slot, .counter = counter};
        change.value = (iol__compared_pair){two_logs_total_value(a, i, counter), two_logs_total_value(b, i, counter)};
        change.differs = two_logs_known(change.value) && totals_differ(a, b, i);
        c->n_counters_differ += change.differs;
        c->counters[c->n_counters++] = change;
    }
}

static int counters_by_change(const void *left, const void *right) {
    const iol__counter_change *x = left, *y = right;
    double s = iol__pair_size(x->value), t = iol__pair_size(y->value);
    if (x->differs != y->differs) return x->differs ? -1 : 1;
    if (s != t) return s > t ? -1 : 1;
    s = fabs(iol__pair_delta(x->value));
    t = fabs(iol__pair_delta(y->value));
    if (x->differs && s != t) return s > t ? -1 : 1;
    if (x->slot != y->slot) return x->slot < y->slot ? -1 : 1;
    return (x->counter > y->counter) - (x->counter < y->counter);
}

static bool compare_two_logs_counters(iol__two_logs *c) {
    size_t most = 1;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        most += (size_t)iol__modules[slot].ints + iol__modules[slot].reals;
    c->counters = calloc(most, sizeof *c->counters);
    if (!c->counters) return false;
    for (size_t i = 0; i < c->n_layers; i++) {
        const iol__layer *a = c->layers[i].a, *b = c->layers[i].b;
        if (a && b && a->totals && b->totals) add_two_logs_counters(c, a->totals, b->totals);
    }
    c->differs |= c->n_counters_differ > 0;
    if (c->n_counters) qsort(c->counters, c->n_counters, sizeof *c->counters, counters_by_change);
    return true;
}

/* All of it -------------------------------------------------------------------------------------------------------- */

bool iol__two_logs_compare(iol__summary *a, iol__summary *b, iol__two_logs *comparison) {
    *comparison = (iol__two_logs){.a = a, .b = b};
    compare_two_logs_jobs(comparison);
    compare_layers(comparison);
    if (compare_two_logs_files(comparison, a, b) && compare_two_logs_counters(comparison)) return true;
    iol__two_logs_free(comparison);
    return false;
}

void iol__two_logs_free(iol__two_logs *comparison) {
    free(comparison->files);
    free(comparison->counters);
    comparison->files = NULL;
    comparison->counters = NULL;
}
