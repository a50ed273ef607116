/* Merging: what many processes left becomes one log. Combined records are compared with a reduction that is worked out
   here once more, counter by counter over all ranks at once, from the rules of the format description. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/count.h"
#include "log/merge/merge.h"
#include "record/record.h"
#include "tests/support/logrecords.h"
#include "tests/support/merging.h"
#include "tests/support/opened.h"

enum { RANKS = 5, ROUNDS = 40 };

/* Random records -------------------------------------------------------------------------------------------------- */

static uint64_t dice_state;

static uint64_t dice(void) {
    uint64_t x = dice_state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static int64_t random_int(void) {
    switch (dice() % 6) {
    case 0: return 0;
    case 1: return -1;
    case 2: return (int64_t)(dice() % 4);
    default: return (int64_t)(dice() >> 24);
    }
}

static double random_real(void) {
    switch (dice() % 6) {
    case 0: return 0;
    case 1: return -1;
    case 2: return (double)(dice() % 4) / 4; /* ties */
    default: return (double)(dice() % 1000000007) / 1e6;
    }
}

/* A table of common values as the runtime keeps it: sorted, empty places last. Some values share their first number. */
static void random_common(const iol__common *table, int64_t *ints) {
    int64_t *values = ints + table->values, *counts = ints + table->counts;
    int width = table->width, used = (int)(dice() % 5), first = (int)(dice() % 4);
    memset(values, 0, 4 * (size_t)width * sizeof *values);
    int64_t count = 1 + (int64_t)(dice() % 20);
    for (int i = 0; i < 4; i++) {
        counts[i] = 0;
        if (i >= used) continue;
        values[i * width] = 4096 * (8 - first - i);
        for (int k = 1; k < width; k++) values[i * width + k] = k;
        if (width > 1) values[i * width + 1] = (int64_t)(dice() % 2);
        counts[i] = count;
        if (count > 1) count -= (int64_t)(dice() % 2);
    }
}

static void random_counts(int slot, lm_counts *counts) {
    const iol__module *module = &iol__modules[slot];
    for (unsigned i = 0; i < module->ints; i++) counts->ints[i] = random_int();
    for (unsigned i = 0; i < module->reals; i++) counts->reals[i] = random_real();
    for (unsigned i = 0; i < module->ints; i++)
        if (module->counters[i].reduce == IOL_REDUCE_OR) counts->ints[i] = (int64_t)(dice() % 3) - 1;
    for (int t = 0; module->roles->traffic && t < 2; t++)
        if (module->roles->common[t].values >= 0) random_common(&module->roles->common[t], counts->ints);
}

/* The rules, over all ranks at once ------------------------------------------------------------------------------- */

typedef struct ranks {
    lm_counts of[RANKS];
} ranks;

static int64_t expected_int(const ranks *all, const iol__counter *counter, unsigned at) {
    int64_t first = all->of[0].ints[at], result = first;
    for (int r = 1; r < RANKS; r++) {
        int64_t value = all->of[r].ints[at];
        switch (counter->reduce) {
        case IOL_REDUCE_SUM: result += value; break;
        case IOL_REDUCE_SUM_M1: result = result + value < 0 ? -1 : result + value; break;
        case IOL_REDUCE_MAX: result = value > result ? value : result; break;
        case IOL_REDUCE_OR: result = value > 0 || result > 0 ? 1 : result; break;
        default: break;
        }
    }
    if (counter->reduce != IOL_REDUCE_MAX_WITH) return result;
    int best = 0;
    for (int r = 1; r < RANKS; r++)
        if (all->of[r].reals[counter->with] > all->of[best].reals[counter->with]) best = r;
    return all->of[best].ints[at];
}

static double expected_real(const ranks *all, const iol__counter *counter, unsigned at) {
    double result = all->of[0].reals[at];
    for (int r = 1; r < RANKS; r++) {
        double value = all->of[r].reals[at];
        switch (counter->reduce) {
        case IOL_REDUCE_SUM: result += value; break;
        case IOL_REDUCE_MAX: result = fmax(result, value); break;
        case IOL_REDUCE_MIN_NZ:
            if (value > 0 && (result <= 0 || value < result)) result = value;
            if (value < 0 && result == 0) result = value; /* nobody saw it begin, and one could not know */
            break;
        default: break;
        }
    }
    return result;
}

typedef struct table {
    int64_t values[8][11], counts[8];
    int used;
} table;

static void table_insert(table *t, const int64_t *value, int width, int64_t count) {
    int at = 0;
    while (at < t->used && (t->counts[at] > count || (t->counts[at] == count && t->values[at][0] > value[0]))) at++;
    for (int i = t->used; i > at; i--) {
        memcpy(t->values[i], t->values[i - 1], sizeof t->values[i]);
        t->counts[i] = t->counts[i - 1];
    }
    memset(t->values[at], 0, sizeof t->values[at]);
    memcpy(t->values[at], value, (size_t)width * sizeof *value);
    t->counts[at] = count;
    t->used++;
}

static table table_from(const int64_t *ints, const iol__common *common) {
    table t = {.used = 0};
    for (int i = 0; i < 4; i++) {
        const int64_t *value = ints + common->values + i * common->width;
        if (value[0] == 0) continue;
        memcpy(t.values[t.used], value, (size_t)common->width * sizeof *value);
        t.counts[t.used++] = ints[common->counts + i];
    }
    return t;
}

static table tables_combined(const table *x, const table *y, int width) {
    table all = {.used = 0};
    for (int i = 0; i < x->used; i++) {
        int64_t count = x->counts[i];
        for (int j = 0; j < y->used; j++)
            if (memcmp(x->values[i], y->values[j], sizeof x->values[i]) == 0) count += y->counts[j];
        table_insert(&all, x->values[i], width, count);
        if (all.used > 4) all.used = 4;
    }
    for (int j = 0; j < y->used; j++) {
        bool known = false;
        for (int i = 0; i < x->used; i++) known |= memcmp(x->values[i], y->values[j], sizeof y->values[j]) == 0;
        if (!known) table_insert(&all, y->values[j], width, y->counts[j]);
        if (all.used > 4) all.used = 4;
    }
    return all;
}

static void expect_common(const ranks *all, const iol__common *common, int64_t *ints) {
    table t = table_from(all->of[0].ints, common);
    for (int r = 1; r < RANKS; r++) {
        table next = table_from(all->of[r].ints, common);
        t = tables_combined(&t, &next, common->width);
    }
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < common->width; k++)
            ints[common->values + i * common->width + k] = i < t.used ? t.values[i][k] : 0;
        ints[common->counts + i] = i < t.used ? t.counts[i] : 0;
    }
}

static double population_variance(const double *values) {
    double mean = 0, squares = 0;
    for (int r = 0; r < RANKS; r++) mean += values[r] / RANKS;
    for (int r = 0; r < RANKS; r++) squares += (values[r] - mean) * (values[r] - mean);
    return squares / RANKS;
}

static void expect_extremes(const ranks *all, const iol__roles *roles, lm_counts *expected) {
    double times[RANKS], sizes[RANKS];
    int64_t volumes[RANKS];
    int fastest = 0, slowest = 0;
    for (int r = 0; r < RANKS; r++) {
        const lm_counts *c = &all->of[r];
        times[r] = c->reals[roles->read_time] + c->reals[roles->write_time] + c->reals[roles->meta_time];
        volumes[r] = c->ints[roles->bytes_read] + c->ints[roles->bytes_written];
        sizes[r] = (double)volumes[r];
        if (times[r] < times[fastest]) fastest = r;
        if (times[r] > times[slowest]) slowest = r;
    }
    expected->ints[roles->fastest_rank] = fastest;
    expected->ints[roles->fastest_bytes] = volumes[fastest];
    expected->reals[roles->fastest_time] = times[fastest];
    expected->ints[roles->slowest_rank] = slowest;
    expected->ints[roles->slowest_bytes] = volumes[slowest];
    expected->reals[roles->slowest_time] = times[slowest];
    if (roles->variance_time < 0) return;
    expected->reals[roles->variance_time] = population_variance(times);
    expected->reals[roles->variance_bytes] = population_variance(sizes);
}

static void expect_combined(int slot, const ranks *all, lm_counts *expected) {
    const iol__module *module = &iol__modules[slot];
    for (unsigned i = 0; i < module->ints; i++) expected->ints[i] = expected_int(all, &module->counters[i], i);
    for (unsigned i = 0; i < module->reals; i++)
        expected->reals[i] = expected_real(all, &module->counters[module->ints + i], i);
    if (!module->roles->traffic) return;
    for (int t = 0; t < 2; t++)
        if (module->roles->common[t].values >= 0) expect_common(all, &module->roles->common[t], expected->ints);
    expect_extremes(all, module->roles, expected);
}

static void assert_counts(const iol_record *record, const lm_counts *expected) {
    const iol__module *module = &iol__modules[record->slot];
    for (unsigned i = 0; i < module->ints; i++)
        if (record->ints[i] != expected->ints[i])
            fail_msg("%s is %lld instead of %lld", module->counters[i].name, (long long)record->ints[i],
                     (long long)expected->ints[i]);
    for (unsigned i = 0; i < module->reals; i++) {
        const iol__counter *counter = &module->counters[module->ints + i];
        double slack = counter->reduce == IOL_REDUCE_VARIANCE ? 1e-9 * fabs(expected->reals[i]) + 1e-9 : 0;
        if (!(fabs(record->reals[i] - expected->reals[i]) <= slack))
            fail_msg("%s is %.17g instead of %.17g", counter->name, record->reals[i], expected->reals[i]);
    }
}

/* Combining ------------------------------------------------------------------------------------------------------- */

static void put_counts(lm_log *log, int slot, const char *name, int64_t rank, const lm_counts *counts) {
    lm_fixed(lm_records(log, slot, lm_newest(slot)), slot, lm_newest(slot), lm_id(name), rank,
             lm_id("/scratch/owner.h5"), counts);
}

/* The record must be there, once, with these counters and with what stands beside them. */
static void assert_record(iol_log *log, int slot, const char *name, int64_t rank, const lm_counts *expected) {
    iol_records *records;
    int count;
    const iol_record *record = record_of(log, slot, lm_id(name), rank, &records, &count);
    if (count != 1) fail_msg("%s: %d records of %s, rank %d", iol__modules[slot].name, count, name, (int)rank);
    assert_counts(record, expected);
    if (slot == LM_H5D || slot == LM_PNETCDF_VAR) assert_true(record->owner == lm_id("/scratch/owner.h5"));
    if (slot == LM_DAOS) {
        assert_true(record->oid_high == lm_id("/scratch/owner.h5"));
        assert_true(record->oid_low == lm_id("/scratch/owner.h5") + 1);
    }
    for (int i = 0; (slot == LM_DAOS || slot == LM_DFS) && i < 16; i++) {
        assert_int_equal(record->pool_uuid[i], lm_uuid_byte(false, i));
        assert_int_equal(record->container_uuid[i], lm_uuid_byte(true, i));
    }
    iol_records_close(records);
}

/* One file of all ranks, one of all but the last, and one that the writer had combined itself. */
static void combine_once(int slot, bool mapped) {
    merging *m = merging_new();
    ranks shared, part;
    lm_counts done, expected;
    random_counts(slot, &done);
    for (int r = 0; r < RANKS; r++) {
        lm_log *log = process(RANKS, mapped);
        random_counts(slot, &shared.of[r]);
        random_counts(slot, &part.of[r]);
        if (r == 0) put_counts(log, slot, merging_done, -1, &done);
        put_counts(log, slot, merging_shared, r, &shared.of[r]);
        if (r < RANKS - 1) put_counts(log, slot, merging_part, r, &part.of[r]);
        add_log(m, log);
    }
    iol_log *log = merged(m);
    assert_int_equal(m->merge.damaged, 0);
    expect_combined(slot, &shared, &expected);
    assert_record(log, slot, merging_shared, -1, &expected);
    assert_int_equal(count_of(log, slot, lm_id(merging_shared)), 1);
    for (int r = 0; r < RANKS - 1; r++) assert_record(log, slot, merging_part, r, &part.of[r]);
    assert_int_equal(count_of(log, slot, lm_id(merging_part)), RANKS - 1);
    assert_record(log, slot, merging_done, -1, &done);
    assert_int_equal(iol_log_job(log)->processes, RANKS);
    iol_log_close(log);
    merging_free(m);
}

static void every_counter_by_its_rule(void **state) {
    (void)state;
    for (int slot = LM_POSIX; slot < LM_KNOWN; slot++) {
        unsigned ints, reals;
        if (slot == LM_BGQ || !lm_shape(slot, lm_newest(slot), &ints, &reals)) continue;
        for (int round = 0; round < ROUNDS; round++) {
            dice_state = (uint64_t)(1000 * slot + round);
            combine_once(slot, round % 2);
        }
    }
}

/* The order of the inputs is not the order of the ranks when they started a moment apart. */
static void ties_go_to_the_lower_rank(void **state) {
    (void)state;
    merging *m = merging_new();
    for (int r = RANKS - 1; r >= 0; r--) {
        lm_log *log = process(RANKS, true);
        lm_counts counts = {.ints = {[IOL_POSIX_MODE] = 100 + r, [IOL_POSIX_BYTES_READ] = 10 + r},
                            .reals = {[IOL_POSIX_F_READ_TIME] = 2.5}};
        log->start_ns = 1000 * (RANKS - r);
        put_counts(log, LM_POSIX, merging_shared, r, &counts);
        add_log(m, log);
    }
    iol_log *log = merged(m);
    iol_records *records;
    int count;
    const iol_record *record = record_of(log, LM_POSIX, lm_id(merging_shared), -1, &records, &count);
    assert_non_null(record);
    assert_int_equal(record->ints[IOL_POSIX_MODE], 100);
    assert_int_equal(record->ints[IOL_POSIX_FASTEST_RANK], 0);
    assert_int_equal(record->ints[IOL_POSIX_SLOWEST_RANK], 0);
    assert_int_equal(record->ints[IOL_POSIX_FASTEST_RANK_BYTES], 10);
    assert_int_equal(record->ints[IOL_POSIX_SLOWEST_RANK_BYTES], 10);
    iol_records_close(records);
    iol_log_close(log);
    merging_free(m);
}

/* Ranks 1, 2, 4 and 7 twice have the sum and the sum of squares of the ranks 0 to 7, and are not all ranks. */
static void two_records_of_one_rank_are_not_two_ranks(void **state) {
    (void)state;
    merging *m = merging_new();
    for (int r = 0; r < 8; r++) {
        lm_log *log = process(8, true);
        lm_counts counts;
        lm_fill(&counts, r + 1);
        for (int i = 0; (r == 1 || r == 2 || r == 4 || r == 7) && i < 2; i++)
            put_counts(log, LM_STDIO, merging_shared, r, &counts);
        add_log(m, log);
    }
    iol_log *log = merged(m);
    assert_int_equal(count_of(log, LM_STDIO, lm_id(merging_shared)), 8);
    iol_log_close(log);
    merging_free(m);
}

static void options_decide_about_combining(void **state) {
    (void)state;
    static const struct {
        int64_t processes;
        iol__merge_reduce wish;
        int records;
    } cases[] = {{3, IOL_MERGE_AUTO, 1}, {3, IOL_MERGE_KEEP, 3},   {3, IOL_MERGE_REDUCE, 1},
                 {1, IOL_MERGE_AUTO, 3}, {1, IOL_MERGE_REDUCE, 1}, {1, IOL_MERGE_KEEP, 3}};
    for (size_t c = 0; c < IOL_COUNT(cases); c++) {
        merging *m = merging_new();
        for (int r = 0; r < 3; r++) {
            lm_log *log = process(cases[c].processes, true);
            lm_sample(log, LM_POSIX, 4, lm_id(merging_shared), cases[c].processes == 1 ? 0 : r, r + 1);
            add_log(m, log);
        }
        m->merge.reduce = cases[c].wish;
        iol_log *log = merged(m);
        assert_int_equal(count_of(log, LM_POSIX, lm_id(merging_shared)), cases[c].records);
        assert_int_equal(iol_log_job(log)->processes, 3);
        iol_log_close(log);
        merging_free(m);
    }
}

/* Modules with rules of their own --------------------------------------------------------------------------------- */

static void lustre_keeps_the_first(void **state) {
    (void)state;
    merging *m = merging_new();
    for (int r = 0; r < 3; r++) {
        lm_log *log = process(3, true);
        lm_sample(log, LM_LUSTRE, 2, lm_id(merging_shared), r, 10 * r + 1);
        add_log(m, log);
    }
    iol_log *log = merged(m);
    iol_records *records;
    int count;
    const iol_record *record = record_of(log, LM_LUSTRE, lm_id(merging_shared), -1, &records, &count);
    assert_int_equal(count, 1);
    assert_int_equal(record->n_components, 2);
    assert_int_equal(record->n_osts, 5);
    assert_int_equal(record->osts[0], 1);
    assert_string_equal(record->components[0].pool, "flash");
    iol_records_close(records);
    iol_log_close(log);
    merging_free(m);
}

static void bgq_counts_its_io_nodes(void **state) {
    (void)state;
    static const int64_t nodes[4] = {7, 9, 7, 8};
    for (int known = 0; known < 2; known++) {
        merging *m = merging_new();
        for (int r = 0; r < 4; r++) {
            lm_log *log = process(4, true);
            lm_counts counts;
            lm_fill(&counts, 3);
            counts.ints[IOL_BGQ_INODES] = known ? nodes[r] : -1;
            lm_fixed(lm_records(log, LM_BGQ, 2), LM_BGQ, 2, lm_id("darshan-bgq-record"), r, 0, &counts);
            add_log(m, log);
        }
        iol_log *log = merged(m);
        iol_records *records;
        int count;
        const iol_record *record = record_of(log, LM_BGQ, lm_id("darshan-bgq-record"), -1, &records, &count);
        assert_int_equal(count, 1);
        assert_int_equal(record->ints[IOL_BGQ_INODES], known ? 3 : -1);
        assert_int_equal(record->ints[IOL_BGQ_CSJOBID], 3001);
        iol_records_close(records);
        iol_log_close(log);
        merging_free(m);
    }
}

/* Also when the ranks do not agree on the number of servers: the record must be as long as it says. */
static void mdhim_adds_its_histogram(void **state) {
    (void)state;
    static const int64_t servers[3] = {2, 4, 1};
    merging *m = merging_new();
    for (int r = 0; r < 3; r++) {
        static const int64_t operations[4] = {5, 6, 7, 8};
        lm_log *log = process(3, true);
        lm_counts counts = {.ints = {10 + r, 20 + r, 100 * r, 300 - r, servers[r]},
                            .reals = {3.0 - r, 0, 0.5 * r, 0.25}};
        lm_mdhim(lm_records(log, LM_MDHIM, 1), lm_id(merging_shared), r, &counts, operations);
        lm_mdhim(lm_records(log, LM_MDHIM, 1), lm_id(merging_part), r, &counts, operations);
        add_log(m, log);
    }
    iol_log *log = merged(m);
    for (int file = 0; file < 2; file++) {
        iol_records *records;
        int count;
        const iol_record *record =
            record_of(log, LM_MDHIM, lm_id(file ? merging_part : merging_shared), -1, &records, &count);
        assert_int_equal(count, 1);
        static const int64_t ints[5] = {33, 63, 200, 300, 4}, sums[4] = {15, 12, 7, 8};
        assert_memory_equal(record->ints, ints, sizeof ints);
        assert_int_equal(record->n_servers, 4);
        assert_memory_equal(record->servers, sums, sizeof sums);
        assert_true(record->reals[0] == 1 && record->reals[1] == 0 && record->reals[2] == 1 &&
                    record->reals[3] == 0.25);
        iol_records_close(records);
    }
    iol_log_close(log);
    merging_free(m);
}

static void traces_stay_apart(void **state) {
    (void)state;
    merging *m = merging_new();
    for (int r = 0; r < 3; r++) {
        lm_log *log = process(3, false);
        /* One log has thread identities, so the merged one has room for them. */
        lm_sample(log, LM_DXT_POSIX, r == 1 ? 2 : 1, lm_id(merging_shared), r, r + 1);
        lm_sample(log, LM_DXT_MPIIO, 2, lm_id(merging_shared), r, r + 1);
        add_log(m, log);
    }
    iol_log *log = merged(m);
    iol_module module;
    iol_log_module(log, LM_DXT_POSIX, &module);
    assert_int_equal(module.version, 2);
    iol_log_module(log, LM_DXT_MPIIO, &module);
    assert_int_equal(module.version, 2);
    for (int r = 0; r < 3; r++) {
        iol_records *records;
        int count;
        const iol_record *record = record_of(log, LM_DXT_POSIX, lm_id(merging_shared), r, &records, &count);
        assert_int_equal(count, 1);
        assert_int_equal(record->trace.writes, 3);
        assert_int_equal(record->trace.reads, 2);
        assert_string_equal(record->trace.host, "node0001");
        iol_segment segments[8];
        size_t got;
        assert_int_equal(iol_records_segments(records, segments, 8, &got), IOL_OK);
        assert_int_equal(got, 5);
        for (int i = 0; i < 5; i++) {
            assert_int_equal(segments[i].offset, 4096 * i);
            assert_int_equal(segments[i].length, 4097 + r);
            assert_true(segments[i].start == 0.25 * i && segments[i].end == 0.25 * i + 0.125);
            assert_true(segments[i].thread == (r == 1 ? 0x7f0000001000u + (uint64_t)(i % 2) : 0));
        }
        iol_records_close(records);
    }
    iol_log_close(log);
    merging_free(m);
}

static void heat_maps_agree_and_keep_their_bytes(void **state) {
    (void)state;
    static const double widths[3] = {0.1, 0.4, 0.2};
    static const size_t bins[3] = {200, 150, 200};
    merging *m = merging_new();
    int64_t written[3] = {0}, read[3] = {0};
    for (int r = 0; r < 3; r++) {
        int64_t w[200], d[200];
        for (size_t i = 0; i < bins[r]; i++) {
            written[r] += w[i] = (int64_t)(i % 7) * 1000;
            read[r] += d[i] = (int64_t)i;
        }
        lm_log *log = process(3, true);
        lm_heatmap(lm_records(log, LM_HEATMAP, 1), lm_id("heatmap:POSIX"), r, widths[r], bins[r], w, d);
        add_log(m, log);
    }
    iol_log *log = merged(m);
    for (int r = 0; r < 3; r++) {
        iol_records *records;
        int count;
        const iol_record *record = record_of(log, LM_HEATMAP, lm_id("heatmap:POSIX"), r, &records, &count);
        assert_int_equal(count, 1);
        assert_true(record->heatmap.bin_width == 0.4);
        assert_int_equal(record->heatmap.bins, 150);
        for (size_t i = 0; i < 150; i++) {
            written[r] -= record->heatmap.written[i];
            read[r] -= record->heatmap.read[i];
        }
        assert_int_equal(written[r], 0);
        assert_int_equal(read[r], 0);
        iol_records_close(records);
    }
    iol_log_close(log);
    merging_free(m);
}

/* Readers drop the last bin where ranks of one log differ by one; between logs nothing may be dropped. */
static void heat_maps_that_differ_by_one_bin(void **state) {
    (void)state;
    merging *m = merging_new();
    for (int r = 0; r < 2; r++) {
        static const int64_t written[11] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, read[11] = {0};
        lm_log *log = process(2, true);
        lm_heatmap(lm_records(log, LM_HEATMAP, 1), lm_id("heatmap:POSIX"), r, 0.5, (size_t)(10 + r), written, read);
        add_log(m, log);
    }
    iol_log *log = merged(m);
    for (int r = 0; r < 2; r++) {
        iol_records *records;
        int count;
        const iol_record *record = record_of(log, LM_HEATMAP, lm_id("heatmap:POSIX"), r, &records, &count);
        assert_int_equal(record->heatmap.bins, 11);
        assert_int_equal(record->heatmap.written[10], r ? 11 : 0);
        assert_int_equal(record->heatmap.written[9], 10);
        iol_records_close(records);
    }
    iol_log_close(log);
    merging_free(m);
}

static void headers_of_autoperf_come_once(void **state) {
    (void)state;
    merging *m = merging_new();
    for (int r = 0; r < 3; r++) {
        lm_log *log = process(3, false);
        lm_counts counts = {0};
        counts.reals[IOL_MPI_TOTAL_COMM_TIME] = r; /* 0, 1, 2 */
        counts.reals[IOL_MPI_TOTAL_COMM_SYNC_TIME] = 3 * r;
        lm_apmpi_header(lm_records(log, LM_APMPI, 1), 1, 99, 99);
        lm_apmpi(lm_records(log, LM_APMPI, 1), lm_id("APMPI"), r, &counts, "nid00001");
        lm_sample(log, LM_APXC, 1, lm_id("APXC"), r, r + 1);
        add_log(m, log);
    }
    iol_log *log = merged(m);
    assert_int_equal(count_of(log, LM_APMPI, lm_id("APMPI")), 3);
    assert_int_equal(count_of(log, LM_APXC, lm_id("APXC")), 3);
    iol_records *records;
    const iol_record *record;
    assert_int_equal(iol_records_open(log, LM_APMPI, &records), IOL_OK);
    assert_int_equal(iol_records_next(records, &record), IOL_OK);
    assert_true(record->header && record->sync_times);
    assert_near(record->comm_variance, 2.0 / 3, 1e-12);
    assert_near(record->sync_variance, 6.0, 1e-12);
    iol_records_close(records);
    iol_log_close(log);
    merging_free(m);
}

/* The job --------------------------------------------------------------------------------------------------------- */

static void times_of_the_job(void **state) {
    (void)state;
    merging *m = merging_new();
    static const int64_t starts[3] = {1700000005, 1700000003, 1700000004},
                         ends[3] = {1700000050, 1700000070, 1700000060};
    for (int r = 0; r < 3; r++) {
        lm_log *log = process(3, false);
        log->start = starts[r];
        log->end = ends[r];
        log->end_ns = 111 * (r + 1);
        lm_sample(log, LM_POSIX, 4, lm_id(merging_part), r, 1);
        add_log(m, log);
    }
    iol_log *log = merged(m);
    const iol_job *job = iol_log_job(log);
    assert_int_equal(job->start_seconds, 1700000003);
    assert_int_equal(job->end_seconds, 1700000070);
    assert_int_equal(job->end_nanoseconds, 222);
    assert_int_equal(job->processes, 3);
    assert_int_equal(job->job_id, 4242);
    assert_string_equal(job->exe, "/opt/app/bin/solver -n 4 input.nml");
    iol_log_close(log);
    m->merge.end_seconds = 1700000099;
    log = merged(m);
    assert_int_equal(iol_log_job(log)->end_seconds, 1700000099);
    assert_int_equal(iol_log_job(log)->end_nanoseconds, 0);
    iol_log_close(log);
    merging_free(m);
}

/* Killed processes have no end time: the last thing that happened stands for it. */
static void killed_processes_end_with_their_last_deed(void **state) {
    (void)state;
    merging *m = merging_new();
    for (int r = 0; r < 2; r++) {
        lm_log *log = process(2, true);
        lm_counts counts = {.reals = {[IOL_POSIX_F_CLOSE_END_TIMESTAMP] = 12.5 + r, [IOL_POSIX_F_READ_TIME] = 500}};
        put_counts(log, LM_POSIX, merging_part, r, &counts);
        add_log(m, log);
    }
    iol_log *log = merged(m);
    const iol_job *job = iol_log_job(log);
    assert_near(job->run_time, 13.5, 1e-6);
    iol_log_close(log);
    merging_free(m);
}

/* Programs without MPI: ranks by order of start, and all times on one axis. */
static void processes_get_ranks_and_one_time_axis(void **state) {
    (void)state;
    merging *m = merging_new();
    static const int64_t starts[3] = {1700000002, 1700000000, 1700000001}; /* ranks 2, 0, 1 */
    for (int i = 0; i < 3; i++) {
        lm_log *log = process(1, true);
        log->start = starts[i];
        log->start_ns = 500000000;
        log->job_id = 900 - i; /* without a scheduler each has its own, in no order that means anything */
        lm_counts counts = {.ints = {[IOL_POSIX_BYTES_READ] = 100 + i},
                            .reals = {[IOL_POSIX_F_OPEN_START_TIMESTAMP] = 0.25, [IOL_POSIX_F_READ_TIME] = 0.125}};
        put_counts(log, LM_POSIX, merging_shared, 0, &counts);
        lm_sample(log, LM_DXT_POSIX, 1, lm_id(merging_shared), 0, 1);
        add_log(m, log);
    }
    iol_log *log = merged(m);
    assert_int_equal(iol_log_job(log)->processes, 3);
    assert_int_equal(iol_log_job(log)->start_seconds, 1700000000);
    assert_int_equal(iol_log_job(log)->start_nanoseconds, 500000000);
    for (int i = 0; i < 3; i++) {
        int64_t rank = starts[i] - 1700000000;
        iol_records *records;
        int count;
        const iol_record *record = record_of(log, LM_POSIX, lm_id(merging_shared), rank, &records, &count);
        assert_int_equal(count, 1);
        assert_int_equal(record->ints[IOL_POSIX_BYTES_READ], 100 + i);
        assert_near(record->reals[IOL_POSIX_F_OPEN_START_TIMESTAMP], 0.25 + (double)rank, 1e-9);
        assert_true(record->reals[IOL_POSIX_F_CLOSE_END_TIMESTAMP] == 0); /* never stays never */
        assert_true(record->reals[IOL_POSIX_F_READ_TIME] == 0.125);
        iol_records_close(records);
        record = record_of(log, LM_DXT_POSIX, lm_id(merging_shared), rank, &records, &count);
        assert_int_equal(count, 1);
        iol_segment segment;
        size_t got;
        assert_int_equal(iol_records_segments(records, &segment, 1, &got), IOL_OK);
        assert_near(segment.end, 0.125 + (double)rank, 1e-9);
        iol_records_close(records);
    }
    iol_log_close(log);
    merging_free(m);
}

static void flags_names_and_trailers_are_united(void **state) {
    (void)state;
    merging *m = merging_new();
    for (int r = 0; r < 3; r++) {
        lm_log *log = process(3, false);
        char name[32], text[32];
        snprintf(name, sizeof name, "/scratch/own-%d", r);
        snprintf(text, sizeof text, "section of rank %d", r);
        lm_name(log, lm_id(name), r == 1 ? "" : name);
        lm_name(log, 77, r == 0 ? "" : "a name that comes later");
        lm_sample(log, LM_POSIX, 4, lm_id(name), r, 1);
        if (r == 1) log->partial_flags = UINT64_C(1) << LM_POSIX;
        if (r == 2) log->partial_flags = UINT64_C(1) << LM_STDIO | UINT64_C(1) << LM_MPIIO;
        lm_trailer(log, r == 2 ? "xyzw" : "abcd", r == 1, text, strlen(text));
        add_log(m, log);
    }
    iol_log *log = merged(m);
    assert_true(iol_log_info(log)->partial_flags ==
                (UINT64_C(1) << LM_POSIX | UINT64_C(1) << LM_STDIO | UINT64_C(1) << LM_MPIIO));
    assert_string_equal(iol_log_name(log, lm_id("/scratch/own-0")), "/scratch/own-0");
    assert_string_equal(iol_log_name(log, lm_id("/scratch/own-1")), "");
    assert_string_equal(iol_log_name(log, 77), "a name that comes later");
    assert_int_equal(iol_log_name_count(log), 6);
    assert_int_equal(iol_log_trailer_count(log), 3);
    for (size_t i = 0; i < 3; i++) {
        char tag[5], text[32];
        const void *stored;
        size_t length;
        snprintf(text, sizeof text, "section of rank %zu", i);
        assert_int_equal(iol_log_trailer(log, i, tag, &stored, &length), IOL_OK);
        assert_string_equal(tag, i == 2 ? "xyzw" : "abcd");
        assert_int_equal(length, strlen(text));
        assert_memory_equal(stored, text, length);
    }
    iol_log_close(log);
    merging_free(m);
}

/* Inputs that are not what they should be ------------------------------------------------------------------------- */

static void other_jobs_are_left_out(void **state) {
    (void)state;
    merging *m = merging_new();
    for (int r = 0; r < 4; r++) {
        lm_log *log = process(2, true);
        log->job_id = 100 + r / 2;
        lm_sample(log, LM_POSIX, 4, lm_id(merging_shared), r % 2, r + 1);
        add_log(m, log);
    }
    m->merge.one_job = true;
    m->merge.job_id = 101;
    iol_log *log = merged(m);
    assert_int_equal(m->merge.used, 2);
    assert_int_equal(m->merge.skipped, 2);
    assert_int_equal(iol_log_job(log)->job_id, 101);
    assert_int_equal(iol_log_job(log)->processes, 2);
    assert_int_equal(count_of(log, LM_POSIX, lm_id(merging_shared)), 1);
    iol_log_close(log);
    m->merge.one_job = false;
    log = merged(m); /* two jobs, one after the other */
    assert_int_equal(iol_log_job(log)->processes, 4);
    assert_int_equal(count_of(log, LM_POSIX, lm_id(merging_shared)), 1);
    iol_log_close(log);
    merging_free(m);
}

static void damaged_inputs_give_what_they_have(void **state) {
    (void)state;
    merging *m = merging_new();
    for (int r = 0; r < 3; r++) {
        lm_log *log = process(3, false);
        for (int64_t file = 0; file < 20; file++) lm_sample(log, LM_POSIX, 4, (uint64_t)(file + 1), r, 1);
        lm_sample(log, LM_STDIO, 2, lm_id(merging_shared), r, 1);
        log->compression = LM_NONE;
        size_t length;
        uint8_t *file = lm_finish(log, &length);
        lm_free(log);
        add_bytes(m, file, r == 1 ? length - 248 - 704 - 100 : length); /* the last POSIX records of rank 1 are gone */
        free(file);
    }
    add_bytes(m, (const uint8_t *)"no log at all", 13);
    iol_log *log = merged(m);
    assert_int_equal(m->merge.damaged, 2);
    assert_int_equal(m->merge.used, 3);
    assert_non_null(strstr(m->complaints, m->paths[1]));
    assert_non_null(strstr(m->complaints, m->paths[3]));
    assert_true(iol_log_info(log)->partial_flags >> LM_POSIX & 1);
    assert_int_equal(count_of(log, LM_POSIX, 1), 1);  /* all three ranks have it */
    assert_int_equal(count_of(log, LM_POSIX, 20), 2); /* rank 1 has lost it */
    iol_log_close(log);
    merging_free(m);
}

static void nothing_comes_of_nothing(void **state) {
    (void)state;
    merging *m = merging_new();
    add_bytes(m, (const uint8_t *)"no log at all", 13);
    m->merge = (iol__merge){.inputs = m->inputs, .n_inputs = 1};
    assert_int_equal(iol__merge_logs(&m->merge, m->output, &(iol_write_options){0}, &m->error), IOL_NOT_A_LOG);
    assert_true(m->error.message[0] != 0);
    assert_int_not_equal(access(m->output, F_OK), 0);
    merging_free(m);
}

/* Totals over the merged log are the totals over its inputs. */
static void nothing_is_counted_twice_or_lost(void **state) {
    (void)state;
    merging *m = merging_new();
    dice_state = 7;
    int64_t written = 0, opens = 0;
    for (int r = 0; r < RANKS; r++) {
        lm_log *log = process(RANKS, true);
        for (int file = 0; file < 10; file++) {
            if (dice() % 4 == 0) continue;
            lm_counts counts = {
                .ints = {
                    [IOL_POSIX_OPENS] = (int64_t)(dice() % 10), [IOL_POSIX_BYTES_WRITTEN] = (int64_t)(dice() >> 30)}};
            written += counts.ints[IOL_POSIX_BYTES_WRITTEN];
            opens += counts.ints[IOL_POSIX_OPENS];
            lm_fixed(lm_records(log, LM_POSIX, 4), LM_POSIX, 4, (uint64_t)(file + 1), r, 0, &counts);
        }
        add_log(m, log);
    }
    iol_log *log = merged(m);
    iol_sum *sum;
    iol_records *records;
    const iol_record *record;
    assert_int_equal(iol_sum_new(log, LM_POSIX, &sum), IOL_OK);
    assert_int_equal(iol_records_open(log, LM_POSIX, &records), IOL_OK);
    while (iol_records_next(records, &record) == IOL_OK) iol_sum_add(sum, record);
    assert_int_equal(int_of(iol_sum_total(sum), "POSIX_BYTES_WRITTEN"), written);
    assert_int_equal(int_of(iol_sum_total(sum), "POSIX_OPENS"), opens);
    iol_records_close(records);
    iol_sum_free(sum);
    iol_log_close(log);
    merging_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_counter_by_its_rule),
        cmocka_unit_test(ties_go_to_the_lower_rank),
        cmocka_unit_test(two_records_of_one_rank_are_not_two_ranks),
        cmocka_unit_test(options_decide_about_combining),
        cmocka_unit_test(lustre_keeps_the_first),
        cmocka_unit_test(bgq_counts_its_io_nodes),
        cmocka_unit_test(mdhim_adds_its_histogram),
        cmocka_unit_test(traces_stay_apart),
        cmocka_unit_test(heat_maps_agree_and_keep_their_bytes),
        cmocka_unit_test(heat_maps_that_differ_by_one_bin),
        cmocka_unit_test(headers_of_autoperf_come_once),
        cmocka_unit_test(times_of_the_job),
        cmocka_unit_test(killed_processes_end_with_their_last_deed),
        cmocka_unit_test(processes_get_ranks_and_one_time_axis),
        cmocka_unit_test(flags_names_and_trailers_are_united),
        cmocka_unit_test(other_jobs_are_left_out),
        cmocka_unit_test(damaged_inputs_give_what_they_have),
        cmocka_unit_test(nothing_comes_of_nothing),
        cmocka_unit_test(nothing_is_counted_twice_or_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
