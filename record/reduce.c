/* Reduction by the rules of docs/log-format.md, "Combining records". An aggregate takes one record after another; totals
   start at zero, shared records at the first record. */
#include "record/reduce.h"

#include <string.h>

/* Sums may meet -1 for "unknown". In totals of these modules a negative sum becomes -1 again; in the others it stays. In
   shared records each counter says itself which of the two it is. */
static bool clamps(int slot) { return slot == IOL_SLOT_POSIX || slot == IOL_SLOT_DFS || slot == IOL_SLOT_DAOS; }

bool iol__aggregate_possible(int slot) {
    if (slot <= IOL_SLOT_NULL || slot >= IOL_SLOTS_KNOWN || slot == IOL_SLOT_BGQ) return false;
    return iol__modules[slot].form == IOL_FORM_FIXED || iol__modules[slot].form == IOL_FORM_MDHIM;
}

static uint8_t reduction(const iol__reduction *how, const iol__counter *counter) {
    bool sum = counter->reduce == IOL_REDUCE_SUM || counter->reduce == IOL_REDUCE_SUM_M1;
    if (!sum || how->rules == IOL_RULES_SHARED || counter->kind == IOL_KIND_REAL) return counter->reduce;
    return clamps(how->slot) ? IOL_REDUCE_SUM_M1 : IOL_REDUCE_SUM;
}

static unsigned find_reduce_runs(const iol__reduction *how, const iol__counter *counters, unsigned count,
                                 iol__run *runs) {
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) {
        uint8_t reduce = reduction(how, &counters[i]);
        if (n && runs[n - 1].reduce == reduce)
            runs[n - 1].count++;
        else
            runs[n++] = (iol__run){reduce, (uint16_t)i, 1};
    }
    return n;
}

void iol__reduction_start(iol__reduction *how, int slot, iol__rules rules) {
    const iol__module *module = &iol__modules[slot];
    *how = (iol__reduction){.slot = slot, .rules = rules};
    how->n_int_runs = find_reduce_runs(how, module->counters, module->ints, how->int_runs);
    how->n_real_runs = find_reduce_runs(how, module->counters + module->ints, module->reals, how->real_runs);
}

void iol__aggregate_start(iol__aggregate *a, int slot, iol__rules rules) {
    memset(a, 0, sizeof *a);
    iol__reduction_start(&a->how, slot, rules);
}

/* Sums wrap like the machine's: a log can hold any number. */
static int64_t reduce_add(int64_t x, int64_t y) { return (int64_t)((uint64_t)x + (uint64_t)y); }

static void sum_ints(int64_t *to, const int64_t *from, unsigned count) {
    for (unsigned i = 0; i < count; i++) to[i] = reduce_add(to[i], from[i]);
}

static void sum_ints_clamped(int64_t *to, const int64_t *from, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        int64_t sum = reduce_add(to[i], from[i]);
        to[i] = sum < 0 ? -1 : sum;
    }
}

/* A size goes along when its own record has the longer call. Done before the times themselves are combined. */
static void follow_maxima(const iol__counter *counters, const iol__run *run, int64_t *to_ints, const double *to_reals,
                          const int64_t *ints, const double *reals) {
    for (unsigned i = run->start; i < run->start + run->count; i++)
        if (reals[counters[i].with] > to_reals[counters[i].with]) to_ints[i] = ints[i];
}

static void reduce_combine_ints(const iol__run *run, int64_t *to, const int64_t *from, bool one_side) {
    switch (run->reduce) {
    case IOL_REDUCE_SUM: sum_ints(to, from, run->count); break;
    case IOL_REDUCE_SUM_M1: sum_ints_clamped(to, from, run->count); break;
    case IOL_REDUCE_MAX:
        for (unsigned i = 0; i < run->count; i++)
            if (from[i] > to[i]) to[i] = from[i];
        break;
    case IOL_REDUCE_ONE_SIDE:
        if (one_side) memcpy(to, from, run->count * sizeof *to);
        break;
    case IOL_REDUCE_OR:
        for (unsigned i = 0; i < run->count; i++)
            if (from[i] > 0 || to[i] > 0) to[i] = 1;
        break;
    default: break; /* common values, fastest and slowest are combined as wholes */
    }
}

/* Times that are known come before "unknown" (-1), and in shared records that before "never" (0), in whatever order the
   ranks come. */
static bool is_earlier(iol__rules rules, double time, double than) {
    if (time > 0) return than <= 0 || time < than;
    return rules == IOL_RULES_SHARED && time < 0 && than == 0;
}

static void reduce_combine_reals(iol__rules rules, const iol__run *run, double *to, const double *from) {
    switch (run->reduce) {
    case IOL_REDUCE_SUM:
        for (unsigned i = 0; i < run->count; i++) to[i] += from[i];
        break;
    case IOL_REDUCE_MIN_NZ:
        for (unsigned i = 0; i < run->count; i++)
            if (is_earlier(rules, from[i], to[i])) to[i] = from[i];
        break;
    case IOL_REDUCE_MAX:
        for (unsigned i = 0; i < run->count; i++)
            if (from[i] > to[i]) to[i] = from[i];
        break;
    default: break;
    }
}

void iol__reduction_combine(const iol__reduction *how, int64_t *to_ints, double *to_reals, const int64_t *custom_ints,
                            const double *custom_reals, bool one_side) {
    const iol__counter *counters = iol__modules[how->slot].counters;
    for (unsigned r = 0; r < how->n_int_runs; r++) {
        const iol__run *run = &how->int_runs[r];
        if (run->reduce == IOL_REDUCE_MAX_WITH)
            follow_maxima(counters, run, to_ints, to_reals, custom_ints, custom_reals);
        else
            reduce_combine_ints(run, to_ints + run->start, custom_ints + run->start, one_side);
    }
    for (unsigned r = 0; r < how->n_real_runs; r++) {
        const iol__run *run = &how->real_runs[r];
        reduce_combine_reals(how->rules, run, to_reals + run->start, custom_reals + run->start);
    }
}

/* Put a new value before the slots that it beats, by count and then by value; false if it beats none of the four. */
static bool insert_common(int64_t *values, int64_t *counts, unsigned width, const int64_t *value, int64_t count) {
    int at = 0;
    while (at < 4 && (counts[at] > count || (counts[at] == count && values[(unsigned)at * width] > value[0]))) at++;
    if (at == 4) return false;
    size_t moved = (size_t)(3 - at);
    memmove(values + ((unsigned)at + 1) * width, values + (unsigned)at * width, moved * width * sizeof *values);
    memmove(counts + at + 1, counts + at, moved * sizeof *counts);
    memcpy(values + (unsigned)at * width, value, width * sizeof *values);
    counts[at] = count;
    return true;
}

static bool reduce_same_value(const int64_t *x, const int64_t *y, unsigned width) {
    return x[0] == y[0] && (width == 1 || memcmp(x, y, width * sizeof *x) == 0);
}

/* As log tools do it: counts of known values grow in place, new values go in before those that they beat. */
static void total_common(iol__aggregate *a, const iol__common *table, const int64_t *ints) {
    unsigned width = (unsigned)table->width;
    int64_t *values = a->ints + table->values, *counts = a->ints + table->counts;
    const int64_t *new_values = ints + table->values, *new_counts = ints + table->counts;
    bool done[4] = {false};
    /* POSIX, DFS and DAOS go on where the first value is 0; that matters only for the odd counts of damaged logs. */
    if (!clamps(a->how.slot) && new_values[0] == 0) return;
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            if (reduce_same_value(new_values + i * width, values + j * width, width)) {
                counts[j] = reduce_add(counts[j], new_counts[i]);
                done[i] = true;
            }
    for (unsigned i = 0; i < 4; i++) {
        if (done[i]) continue;
        if (new_values[i * width] == 0) return;
        if (!insert_common(values, counts, width, new_values + i * width, new_counts[i])) return;
    }
}

/* As the runtime does it: counts of equal values are added, then all values of both tables compete for four places. */
static void shared_common(iol__aggregate *a, const iol__common *table, const int64_t *ints) {
    enum { WIDEST = 11 };
    unsigned width = (unsigned)table->width;
    int64_t *values = a->ints + table->values, *counts = a->ints + table->counts;
    int64_t all[8 * WIDEST], all_counts[8], merged[4 * WIDEST] = {0}, merged_counts[4] = {0};
    memcpy(all, values, 4 * width * sizeof *all);
    memcpy(all + 4 * width, ints + table->values, 4 * width * sizeof *all);
    memcpy(all_counts, counts, 4 * sizeof *counts);
    memcpy(all_counts + 4, ints + table->counts, 4 * sizeof *counts);
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 4; j < 8; j++)
            if (all[i * width] != 0 && reduce_same_value(all + i * width, all + j * width, width)) {
                all_counts[i] = reduce_add(all_counts[i], all_counts[j]);
                all[j * width] = 0; /* an empty place never enters */
            }
    for (unsigned i = 0; i < 8; i++)
        if (all[i * width] != 0) insert_common(merged, merged_counts, width, all + i * width, all_counts[i]);
    memcpy(values, merged, 4 * width * sizeof *values);
    memcpy(counts, merged_counts, 4 * sizeof *counts);
}

typedef struct extremes {
    double fastest, slowest;
    int64_t fastest_rank, slowest_rank, fastest_bytes, slowest_bytes;
} extremes;

/* What a record says of its fastest and slowest rank. Totals believe what shared records have stored. */
static extremes extremes_of(const iol__aggregate *a, const iol__roles *roles, int64_t rank, const int64_t *ints,
                            const double *reals) {
    double own = reals[roles->read_time] + reals[roles->write_time] + reals[roles->meta_time];
    int64_t bytes = reduce_add(ints[roles->bytes_read], ints[roles->bytes_written]);
    if (rank < 0 && roles->estimated && a->how.rules == IOL_RULES_TOTALS)
        return (extremes){reals[roles->fastest_time], reals[roles->slowest_time], ints[roles->fastest_rank],
                          ints[roles->slowest_rank],  ints[roles->fastest_bytes], ints[roles->slowest_bytes]};
    return (extremes){own, own, rank, rank, bytes, bytes};
}

/* Totals keep the first of two equal times, shared records that of the lower rank: their ranks come in any order. */
static bool wins_tie(const iol__aggregate *a, int64_t rank, int64_t over) {
    return a->how.rules == IOL_RULES_SHARED && rank < over;
}

static void combine_extremes(iol__aggregate *a, const iol__roles *roles, const extremes *e) {
    int64_t *out = a->ints;
    double *times = a->reals;
    double fastest = times[roles->fastest_time], slowest = times[roles->slowest_time];
    if (a->records == 1 || e->fastest < fastest ||
        (e->fastest == fastest && wins_tie(a, e->fastest_rank, out[roles->fastest_rank]))) {
        out[roles->fastest_rank] = e->fastest_rank;
        out[roles->fastest_bytes] = e->fastest_bytes;
        times[roles->fastest_time] = e->fastest;
    }
    if (a->records == 1 || e->slowest > slowest ||
        (e->slowest == slowest && wins_tie(a, e->slowest_rank, out[roles->slowest_rank]))) {
        out[roles->slowest_rank] = e->slowest_rank;
        out[roles->slowest_bytes] = e->slowest_bytes;
        times[roles->slowest_time] = e->slowest;
    }
}

/* Over several files no rank is the fastest. */
static void forget_extremes(iol__aggregate *a, const iol__roles *roles) {
    int64_t *out = a->ints;
    out[roles->fastest_rank] = out[roles->fastest_bytes] = -1;
    out[roles->slowest_rank] = out[roles->slowest_bytes] = -1;
    a->reals[roles->fastest_time] = a->reals[roles->slowest_time] = 0;
}

/* Population variance, updated record by record. */
static void combine_variance(iol__aggregate *a, int which, int16_t counter, double value) {
    if (counter < 0) return;
    double before = a->mean[which];
    a->mean[which] += (value - before) / (double)a->records;
    a->squares[which] += (value - a->mean[which]) * (value - before);
    a->reals[counter] = a->squares[which] / (double)a->records;
}

static void start_shared(iol__aggregate *a, int64_t rank, const int64_t *ints, const double *reals) {
    const iol__module *module = &iol__modules[a->how.slot];
    memcpy(a->ints, ints, module->ints * sizeof *ints);
    memcpy(a->reals, reals, module->reals * sizeof *reals);
    a->lowest_rank = rank;
}

static void reduce_combine(iol__aggregate *a, int64_t rank, const int64_t *ints, const double *reals) {
    const iol__roles *roles = iol__modules[a->how.slot].roles;
    /* Totals keep what came last, shared records what the lowest rank has. */
    const bool one_side = a->how.rules == IOL_RULES_TOTALS || rank < a->lowest_rank;
    iol__reduction_combine(&a->how, a->ints, a->reals, ints, reals, one_side);
    if (rank < a->lowest_rank) a->lowest_rank = rank;
    for (int i = 0; roles->traffic && i < 2; i++)
        if (roles->common[i].values >= 0)
            (a->how.rules == IOL_RULES_TOTALS ? total_common : shared_common)(a, &roles->common[i], ints);
}

void iol__aggregate_add(iol__aggregate *a, uint64_t id, int64_t rank, const int64_t *ints, const double *reals) {
    const iol__roles *roles = iol__modules[a->how.slot].roles;
    if (a->records++ == 0) {
        a->id = id;
        a->rank = rank;
    }
    if (id != a->id) {
        a->many_files = true;
        a->id = 0;
    }
    if (rank != a->rank) a->rank = -1;
    if (a->records == 1 && a->how.rules == IOL_RULES_SHARED)
        start_shared(a, rank, ints, reals);
    else
        reduce_combine(a, rank, ints, reals);
    if (!roles->traffic) return;
    extremes e = extremes_of(a, roles, rank, ints, reals);
    if (a->many_files)
        forget_extremes(a, roles);
    else
        combine_extremes(a, roles, &e);
    if (a->how.rules == IOL_RULES_TOTALS) return;
    combine_variance(a, 0, roles->variance_time, e.slowest);
    combine_variance(a, 1, roles->variance_bytes, (double)e.slowest_bytes);
}
