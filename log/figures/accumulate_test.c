/* Totals, performance estimates and file counts against a second, plain computation: one counter at a time, by the
   rule that the schema names for it. Records are drawn at random, but the same ones in every run, from small values so
   that ties, zeros and -1 are frequent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "schema/schema.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

enum { RECORDS = 40, FILES = 7, RANKS = 5 };

static const int estimated[] = {LM_POSIX, LM_MPIIO, LM_STDIO, LM_DFS, LM_DAOS};
enum { ESTIMATED = 5 };

typedef struct record {
    uint64_t id;
    int64_t rank;
    lm_counts counts;
} record;

/* Drawing records --------------------------------------------------------------------------------------------- */

static uint64_t random_state;

static int64_t random_up_to(int64_t limit) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((random_state >> 33) % ((uint64_t)limit + 1));
}

/* A quarter of the integers are -1 or 0, so that their sums fall below zero. */
static void draw_counters(const iol__module *module, record *r) {
    for (int i = 0; i < module->ints; i++) r->counts.ints[i] = random_up_to(i % 4 == 0 ? 1 : 12) - 1;
    for (int i = 0; i < module->reals; i++) r->counts.reals[i] = (double)(random_up_to(9) - 1) / 4;
}

/* A table of common values as a writer leaves it: different values, by falling count, unused places at the end. Some
   have a hole, which ends the table for a reader although more follows. */
static void draw_common(record *r, const iol__common *table) {
    if (table->values < 0) return;
    int64_t used = random_up_to(4), count = 20;
    for (int i = 0; i < 4; i++) {
        for (int w = 0; w < table->width; w++)
            r->counts.ints[table->values + i * table->width + w] = i < used ? 4 * random_up_to(3) + i + 1 : 0;
        count -= random_up_to(4);
        r->counts.ints[table->counts + i] = i < used ? count : 0;
    }
    if (random_up_to(3) == 0) r->counts.ints[table->values + table->width * random_up_to(3)] = 0;
}

static void draw_records(int slot, record *records, int files) {
    const iol__module *module = &iol__modules[slot];
    random_state = (uint64_t)slot * 977 + (uint64_t)files;
    for (int i = 0; i < RECORDS; i++) {
        record *r = &records[i];
        *r = (record){.id = 100 + (uint64_t)random_up_to(files - 1), .rank = random_up_to(RANKS) - 1};
        draw_counters(module, r);
        draw_common(r, &module->roles->common[0]);
        draw_common(r, &module->roles->common[1]);
    }
}

static void add_records(lm_log *made, int slot, const record *records) {
    unsigned version = lm_newest(slot);
    for (int i = 0; i < RECORDS; i++)
        lm_fixed(lm_records(made, slot, version), slot, version, records[i].id, records[i].rank, 0, &records[i].counts);
}

/* The sum over all records of a slot, by the code under test. */
static iol_sum *summed(const opened *o, int slot) {
    iol_sum *sum = NULL;
    assert_int_equal(iol_sum_new(o->log, slot, &sum), IOL_OK);
    iol_records *records = records_of(o, slot);
    const iol_record *r;
    while (iol_records_next(records, &r) == IOL_OK) assert_int_equal(iol_sum_add(sum, r), IOL_OK);
    iol_records_close(records);
    assert_int_equal(iol_sum_records(sum), RECORDS);
    return sum;
}

static iol_sum *sum_of(opened *o, int slot, const record *records) {
    lm_log *made = lm_new(41, false, LM_ZLIB);
    add_records(made, slot, records);
    *o = opened_from(made);
    return summed(o, slot);
}

static iol_performance performance_of(const iol_sum *sum) {
    iol_performance p;
    assert_int_equal(iol_sum_performance(sum, &p), IOL_OK);
    return p;
}

/* Totals ------------------------------------------------------------------------------------------------------ */

static bool clamps(int slot) { return slot == LM_POSIX || slot == LM_DFS || slot == LM_DAOS; }

static int64_t plain_int(int slot, const record *records, int index) {
    const iol__counter *counter = &iol__modules[slot].counters[index];
    int64_t total = 0;
    double longest = 0;
    for (int i = 0; i < RECORDS; i++) {
        int64_t value = records[i].counts.ints[index];
        switch (counter->reduce) {
        case IOL_REDUCE_SUM:
        case IOL_REDUCE_SUM_M1:
            total += value;
            if (clamps(slot) && total < 0) total = -1;
            break;
        case IOL_REDUCE_MAX: total = value > total ? value : total; break;
        case IOL_REDUCE_ONE_SIDE: total = value; break;
        case IOL_REDUCE_OR: total = total || value > 0; break;
        case IOL_REDUCE_MAX_WITH:
            if (records[i].counts.reals[counter->with] > longest) {
                longest = records[i].counts.reals[counter->with];
                total = value;
            }
            break;
        default: fail_msg("%s has no rule for one counter", counter->name);
        }
    }
    return total;
}

static double plain_real(int slot, const record *records, int index) {
    const iol__module *module = &iol__modules[slot];
    const iol__counter *counter = &module->counters[module->ints + index];
    double total = 0;
    for (int i = 0; i < RECORDS; i++) {
        double value = records[i].counts.reals[index];
        switch (counter->reduce) {
        case IOL_REDUCE_SUM: total += value; break;
        case IOL_REDUCE_MIN_NZ: total = value > 0 && (total == 0 || value < total) ? value : total; break;
        case IOL_REDUCE_MAX: total = value > total ? value : total; break;
        default: fail_msg("%s has no rule for one counter", counter->name);
        }
    }
    return total;
}

static bool one_at_a_time(const iol__counter *counter) {
    return counter->reduce != IOL_REDUCE_COMMON4 && counter->reduce != IOL_REDUCE_FASTEST &&
           counter->reduce != IOL_REDUCE_SLOWEST && counter->reduce != IOL_REDUCE_VARIANCE;
}

/* What tools before Iolite made of these in a total is listed as an error of theirs. */
static bool left_open(const char *name) {
    return strcmp(name, "DAOS_NB_OPS") == 0 || strncmp(name, "PNETCDF_VAR_NB_", 15) == 0;
}

static void assert_plain_total(const iol_record *total, int slot, const record *records) {
    const iol__module *module = &iol__modules[slot];
    for (int i = 0; i < module->ints + module->reals; i++) {
        const iol__counter *counter = &module->counters[i];
        iol_value value;
        assert_int_equal(iol_record_counter(total, (size_t)i, &value), IOL_OK);
        if (!one_at_a_time(counter) || left_open(counter->name)) continue;
        bool right = i < module->ints ? value.as.i == plain_int(slot, records, i)
                                      : value.as.d == plain_real(slot, records, i - module->ints);
        if (!right) fail_msg("total_%s is wrong", counter->name);
    }
}

static void every_counter_is_combined_by_its_rule(void **state) {
    (void)state;
    static const int slots[] = {LM_POSIX,        LM_MPIIO,       LM_STDIO, LM_H5F, LM_H5D,
                                LM_PNETCDF_FILE, LM_PNETCDF_VAR, LM_DFS,   LM_DAOS};
    for (size_t s = 0; s < IOL_COUNT(slots); s++) {
        record records[RECORDS];
        draw_records(slots[s], records, FILES);
        opened o;
        iol_sum *sum = sum_of(&o, slots[s], records);
        assert_plain_total(iol_sum_total(sum), slots[s], records);
        iol_sum_free(sum);
        opened_close(&o);
    }
}

static void assert_total_of(int slot, unsigned version, const char *counter, int64_t expected) {
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_counts counts = {0};
    for (int i = 0; i < RECORDS; i++)
        lm_fixed(lm_records(made, slot, version), slot, version, (uint64_t)i, 0, 0, &counts);
    opened o = opened_from(made);
    iol_sum *sum = summed(&o, slot);
    assert_int_equal(int_of(iol_sum_total(sum), counter), expected);
    iol_sum_free(sum);
    opened_close(&o);
}

static void unknown_values_survive_a_sum_only_where_it_clamps(void **state) {
    (void)state;
    assert_total_of(LM_POSIX, 3, "POSIX_FILENOS", -1);
    assert_total_of(LM_STDIO, 1, "STDIO_FDOPENS", -RECORDS);
    assert_total_of(LM_H5F, 2, "H5F_FLUSHES", -RECORDS);
}

/* Common values ----------------------------------------------------------------------------------------------- */

typedef struct common {
    int64_t value, count;
} common;

static void load_common(const iol__common *table, const int64_t *ints, common out[4]) {
    for (int i = 0; i < 4; i++) out[i] = (common){ints[table->values + i], ints[table->counts + i]};
}

/* Keep the leading entries that beat the new one, then the new one, then the rest, cut to four. */
static bool plain_insert(common all[4], common new) {
    common merged[5];
    int at = 0;
    while (at < 4 && (all[at].count > new.count || (all[at].count == new.count &&all[at].value > new.value))) at++;
    if (at == 4) return false;
    memcpy(merged, all, (size_t)at * sizeof *all);
    merged[at] = new;
    memcpy(merged + at + 1, all + at, (size_t)(4 - at) * sizeof *all);
    memcpy(all, merged, 4 * sizeof *all);
    return true;
}

static void plain_common(int slot, common all[4], const common new[4]) {
    bool done[4] = {false};
    if (slot == LM_MPIIO && new[0].value == 0) return;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (new[i].value == all[j].value) {
                all[j].count += new[i].count;
                done[i] = true;
            }
    for (int i = 0; i < 4; i++) {
        if (done[i]) continue;
        if (new[i].value == 0 || !plain_insert(all, new[i])) return;
    }
}

static void assert_common(const iol_record *total, int slot, const iol__common *table, const record *records) {
    common all[4] = {{0, 0}}, new[4];
    for (int i = 0; i < RECORDS; i++) {
        load_common(table, records[i].counts.ints, new);
        plain_common(slot, all, new);
    }
    for (int i = 0; i < 4; i++) {
        iol_value value, count;
        iol_record_counter(total, (size_t)(table->values + i), &value);
        iol_record_counter(total, (size_t)(table->counts + i), &count);
        assert_int_equal(value.as.i, all[i].value);
        assert_int_equal(count.as.i, all[i].count);
    }
}

static void common_values_are_merged_and_not_sorted_again(void **state) {
    (void)state;
    static const int slots[] = {LM_POSIX, LM_MPIIO, LM_DFS, LM_DAOS};
    for (int s = 0; s < 4; s++) {
        record records[RECORDS];
        draw_records(slots[s], records, FILES);
        opened o;
        iol_sum *sum = sum_of(&o, slots[s], records);
        const iol__roles *roles = iol__modules[slots[s]].roles;
        for (int t = 0; t < 2; t++)
            if (roles->common[t].values >= 0) assert_common(iol_sum_total(sum), slots[s], &roles->common[t], records);
        iol_sum_free(sum);
        opened_close(&o);
    }
}

/* Two groups of eleven numbers are the same value only if all eleven are. */
static void slabs_are_compared_as_wholes(void **state) {
    (void)state;
    static const int slots[] = {LM_H5D, LM_PNETCDF_VAR};
    for (int s = 0; s < 2; s++) {
        const iol__common *table = &iol__modules[slots[s]].roles->common[0];
        lm_log *made = lm_new(41, false, LM_ZLIB);
        bytes *b = lm_records(made, slots[s], lm_newest(slots[s]));
        lm_counts counts = {0};
        static const int64_t last[] = {5, 6, 5};
        for (int i = 0; i < 3; i++) {
            for (int w = 0; w < 11; w++) counts.ints[table->values + w] = w + 1;
            counts.ints[table->values + 10] = last[i];
            counts.ints[table->counts] = 10 + i;
            lm_fixed(b, slots[s], lm_newest(slots[s]), 1, i, 0, &counts);
        }
        opened o = opened_from(made);
        iol_sum *sum = NULL;
        assert_int_equal(iol_sum_new(o.log, slots[s], &sum), IOL_OK);
        iol_records *records = records_of(&o, slots[s]);
        for (int i = 0; i < 3; i++) assert_int_equal(iol_sum_add(sum, next_of(records)), IOL_OK);
        ends_well(records);
        /* The second came before the first by its count; the third joined the first where it was. */
        static const int64_t values[] = {6, 5}, totals[] = {11, 22};
        for (int i = 0; i < 2; i++) {
            iol_value value;
            iol_record_counter(iol_sum_total(sum), (size_t)(table->values + 11 * i + 10), &value);
            assert_int_equal(value.as.i, values[i]);
            iol_record_counter(iol_sum_total(sum), (size_t)(table->counts + i), &value);
            assert_int_equal(value.as.i, totals[i]);
        }
        iol_sum_free(sum);
        opened_close(&o);
    }
}

/* Fastest and slowest ------------------------------------------------------------------------------------------ */

typedef struct extreme {
    int64_t rank, bytes;
    double time;
} extreme;

static double own_time(const iol__roles *roles, const lm_counts *c) {
    return c->reals[roles->read_time] + c->reals[roles->write_time] + c->reals[roles->meta_time];
}

static extreme extreme_of(const iol__roles *roles, const record *r, bool slow) {
    const lm_counts *c = &r->counts;
    if (r->rank >= 0)
        return (extreme){r->rank, c->ints[roles->bytes_read] + c->ints[roles->bytes_written], own_time(roles, c)};
    return (extreme){c->ints[slow ? roles->slowest_rank : roles->fastest_rank],
                     c->ints[slow ? roles->slowest_bytes : roles->fastest_bytes],
                     c->reals[slow ? roles->slowest_time : roles->fastest_time]};
}

static extreme plain_extreme(const iol__roles *roles, const record *records, bool slow) {
    extreme best = extreme_of(roles, &records[0], slow);
    for (int i = 1; i < RECORDS; i++) {
        extreme next = extreme_of(roles, &records[i], slow);
        if (records[i].id != records[0].id) return (extreme){-1, -1, 0.0};
        if (slow ? next.time > best.time : next.time < best.time) best = next;
    }
    return best;
}

static void assert_extreme(const iol_record *total, int rank, int moved, int time, unsigned ints, extreme expected) {
    iol_value value;
    iol_record_counter(total, (size_t)rank, &value);
    assert_int_equal(value.as.i, expected.rank);
    iol_record_counter(total, (size_t)moved, &value);
    assert_int_equal(value.as.i, expected.bytes);
    iol_record_counter(total, ints + (size_t)time, &value);
    assert_true(value.as.d == expected.time);
}

static void fastest_and_slowest_hold_for_one_file_only(void **state) {
    (void)state;
    for (int s = 0; s < ESTIMATED; s++)
        for (int files = 1; files <= FILES; files += FILES - 1) {
            int slot = estimated[s];
            const iol__module *module = &iol__modules[slot];
            const iol__roles *roles = module->roles;
            record records[RECORDS];
            draw_records(slot, records, files);
            opened o;
            iol_sum *sum = sum_of(&o, slot, records);
            const iol_record *total = iol_sum_total(sum);
            assert_int_equal(iol_record_id(total), files == 1 ? 100 : 0);
            assert_int_equal(iol_record_rank(total), -1);
            assert_extreme(total, roles->fastest_rank, roles->fastest_bytes, roles->fastest_time, module->ints,
                           plain_extreme(roles, records, false));
            assert_extreme(total, roles->slowest_rank, roles->slowest_bytes, roles->slowest_time, module->ints,
                           plain_extreme(roles, records, true));
            iol_value value;
            for (int v = 0; v < 2 && roles->variance_time >= 0; v++) {
                int index = v ? roles->variance_bytes : roles->variance_time;
                iol_record_counter(total, (size_t)(module->ints + index), &value);
                assert_true(value.as.d == 0.0);
            }
            iol_sum_free(sum);
            opened_close(&o);
        }
}

static void the_first_of_equally_fast_ranks_stays(void **state) {
    (void)state;
    for (int s = 0; s < ESTIMATED; s++) {
        int slot = estimated[s];
        const iol__module *module = &iol__modules[slot];
        record records[RECORDS];
        draw_records(slot, records, 1);
        for (int i = 0; i < RECORDS; i++) {
            memset(records[i].counts.reals, 0, sizeof records[i].counts.reals);
            records[i].counts.reals[module->roles->read_time] = 2.5;
            records[i].rank = 30 - i % 20;
        }
        opened o;
        iol_sum *sum = sum_of(&o, slot, records);
        iol_value fastest, slowest;
        iol_record_counter(iol_sum_total(sum), (size_t)module->roles->fastest_rank, &fastest);
        iol_record_counter(iol_sum_total(sum), (size_t)module->roles->slowest_rank, &slowest);
        assert_int_equal(fastest.as.i, 30);
        assert_int_equal(slowest.as.i, 30);
        const iol_performance p = performance_of(sum);
        assert_int_equal(p.slowest_rank, 11); /* the estimate takes the lowest rank instead */
        iol_sum_free(sum);
        opened_close(&o);
    }
}

/* The sum of one record, of a file and rank. */
static iol_sum *sum_of_one(opened *o, uint64_t id, int64_t rank) {
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_sample(made, LM_POSIX, 4, id, rank, 1);
    *o = opened_from(made);
    iol_sum *sum = NULL;
    assert_int_equal(iol_sum_new(o->log, LM_POSIX, &sum), IOL_OK);
    iol_records *records = records_of(o, LM_POSIX);
    assert_int_equal(iol_sum_add(sum, next_of(records)), IOL_OK);
    ends_well(records);
    return sum;
}

static void a_total_of_one_record_is_of_its_file_and_rank(void **state) {
    (void)state;
    opened o;
    iol_sum *sum = sum_of_one(&o, 55, 3);
    assert_int_equal(iol_record_id(iol_sum_total(sum)), 55);
    assert_int_equal(iol_record_rank(iol_sum_total(sum)), 3);
    assert_int_equal(int_of(iol_sum_total(sum), "POSIX_FASTEST_RANK"), 3);
    iol_sum_free(sum);
    opened_close(&o);
}

/* Performance ------------------------------------------------------------------------------------------------- */

static iol_performance plain_performance(const iol__roles *roles, const record *records) {
    iol_performance p = {0};
    double io[RANKS] = {0}, meta[RANKS] = {0}, rw[RANKS] = {0};
    for (int i = 0; i < RECORDS; i++) {
        const record *r = &records[i];
        const double *f = r->counts.reals;
        p.total_bytes += r->counts.ints[roles->bytes_read] + r->counts.ints[roles->bytes_written];
        if (r->rank < 0) {
            p.shared_time += f[roles->slowest_time];
            continue;
        }
        io[r->rank] += f[roles->meta_time] + f[roles->read_time] + f[roles->write_time];
        meta[r->rank] += f[roles->meta_time];
        rw[r->rank] += f[roles->read_time] + f[roles->write_time];
    }
    for (int rank = 0; rank < RANKS; rank++) {
        if (io[rank] <= p.slowest_rank_io_time) continue;
        p.slowest_rank = rank;
        p.slowest_rank_io_time = io[rank];
        p.slowest_rank_meta_time = meta[rank];
        p.slowest_rank_rw_time = rw[rank];
    }
    p.time = p.slowest_rank_io_time + p.shared_time;
    p.mib_per_second = p.time == 0 ? 0 : (double)p.total_bytes / 1048576 / p.time;
    return p;
}

static void assert_performance(const iol_performance *got, const iol_performance *expected) {
    assert_int_equal(got->total_bytes, expected->total_bytes);
    assert_int_equal(got->slowest_rank, expected->slowest_rank);
    assert_true(got->slowest_rank_io_time == expected->slowest_rank_io_time);
    assert_true(got->slowest_rank_meta_time == expected->slowest_rank_meta_time);
    assert_true(got->slowest_rank_rw_time == expected->slowest_rank_rw_time);
    assert_true(got->shared_time == expected->shared_time);
    assert_true(got->time == expected->time);
    assert_true(got->mib_per_second == expected->mib_per_second);
}

/* Files ------------------------------------------------------------------------------------------------------- */

typedef struct file {
    int64_t read, written, offset, processes;
} file;

static bool belongs(const file *f, iol_category category) {
    switch (category) {
    case IOL_FILES_READ_ONLY: return f->read > 0 && f->written == 0;
    case IOL_FILES_WRITE_ONLY: return f->written > 0 && f->read == 0;
    case IOL_FILES_READ_WRITE: return f->read > 0 && f->written > 0;
    case IOL_FILES_UNIQUE: return f->processes == 1;
    case IOL_FILES_SHARED: return f->processes == -1;
    case IOL_FILES_PART_SHARED: return f->processes != 1 && f->processes != -1;
    default: return true;
    }
}

static int64_t highest(int64_t so_far, int64_t offset) {
    if (so_far == -1 || offset == -1) return -1;
    return offset > so_far ? offset : so_far;
}

static int64_t record_offset(const iol__roles *roles, const int64_t *c) {
    if (roles->max_byte_read < 0) return -1;
    int64_t read = c[roles->max_byte_read], written = c[roles->max_byte_written];
    return read > written ? read : written;
}

static void collect_files(const iol__roles *roles, const record *records, file files[FILES], bool seen[FILES]) {
    for (int i = 0; i < RECORDS; i++) {
        const int64_t *c = records[i].counts.ints;
        file *f = &files[records[i].id - 100];
        seen[records[i].id - 100] = true;
        f->read += c[roles->bytes_read];
        f->written += c[roles->bytes_written];
        f->offset = highest(f->offset, record_offset(roles, c));
        f->processes = records[i].rank < 0 ? -1 : f->processes + 1;
    }
}

static iol_files plain_files(const iol__roles *roles, const record *records, iol_category category) {
    file files[FILES] = {{0}};
    bool seen[FILES] = {false};
    iol_files out = {0};
    collect_files(roles, records, files, seen);
    for (int i = 0; i < FILES; i++) {
        if (!seen[i] || !belongs(&files[i], category)) continue;
        out.count++;
        out.bytes += files[i].read + files[i].written;
        out.max_offset = highest(out.max_offset, files[i].offset);
    }
    return out;
}

/* Byte counters as in a real log: not negative, and some files only read or only written. */
static void make_believable(const iol__roles *roles, record *records) {
    for (int i = 0; i < RECORDS; i++) {
        int64_t *c = records[i].counts.ints;
        c[roles->bytes_read] = records[i].id % 3 == 0 ? 0 : c[roles->bytes_read] + 1;
        c[roles->bytes_written] = records[i].id % 3 == 1 ? 0 : c[roles->bytes_written] + 1;
        if (records[i].id % 7 == 5) records[i].rank = -1;
    }
}

static void estimates_follow_the_formulae(void **state) {
    (void)state;
    for (int s = 0; s < ESTIMATED; s++) {
        int slot = estimated[s];
        const iol__roles *roles = iol__modules[slot].roles;
        record records[RECORDS];
        draw_records(slot, records, FILES);
        make_believable(roles, records);
        opened o;
        iol_sum *sum = sum_of(&o, slot, records);
        iol_performance got, expected = plain_performance(roles, records);
        assert_int_equal(iol_sum_performance(sum, &got), IOL_OK);
        assert_performance(&got, &expected);
        for (int category = 0; category < IOL_CATEGORIES; category++) {
            iol_files counted, plain = plain_files(roles, records, (iol_category)category);
            assert_int_equal(iol_sum_files(sum, (iol_category)category, &counted), IOL_OK);
            assert_int_equal(counted.count, plain.count);
            assert_int_equal(counted.bytes, plain.bytes);
            assert_int_equal(counted.max_offset, plain.max_offset);
        }
        iol_sum_free(sum);
        opened_close(&o);
    }
}

/* Records of one file, and the process count that must come of them. */
static void assert_category(const int64_t *ranks, size_t count, iol_category expected) {
    lm_log *made = lm_new(41, false, LM_ZLIB);
    for (size_t i = 0; i < count; i++) lm_sample(made, LM_POSIX, 4, 1, ranks[i], 1);
    opened o = opened_from(made);
    iol_sum *sum = NULL;
    iol_sum_new(o.log, LM_POSIX, &sum);
    iol_records *records = records_of(&o, LM_POSIX);
    for (size_t i = 0; i < count; i++) iol_sum_add(sum, next_of(records));
    ends_well(records);
    for (int category = IOL_FILES_UNIQUE; category <= IOL_FILES_PART_SHARED; category++) {
        iol_files files;
        assert_int_equal(iol_sum_files(sum, (iol_category)category, &files), IOL_OK);
        assert_int_equal(files.count, category == (int)expected);
    }
    iol_sum_free(sum);
    opened_close(&o);
}

static void sharing_is_counted_in_the_order_of_records(void **state) {
    (void)state;
    assert_category((const int64_t[]){0}, 1, IOL_FILES_UNIQUE);
    assert_category((const int64_t[]){-1}, 1, IOL_FILES_SHARED);
    assert_category((const int64_t[]){0, 1}, 2, IOL_FILES_PART_SHARED);
    assert_category((const int64_t[]){3, -1}, 2, IOL_FILES_SHARED);
    assert_category((const int64_t[]){-1, 3}, 2, IOL_FILES_PART_SHARED); /* -1 and one more is 0 */
    assert_category((const int64_t[]){-1, 3, 4}, 3, IOL_FILES_UNIQUE);   /* and one more is 1 */
}

static void without_any_time_there_is_no_rate(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_counts counts = {0};
    counts.ints[14] = 1 << 20;
    lm_fixed(lm_records(made, LM_POSIX, 4), LM_POSIX, 4, 1, 3, 0, &counts);
    opened o = opened_from(made);
    iol_sum *sum = NULL;
    iol_sum_new(o.log, LM_POSIX, &sum);
    iol_records *records = records_of(&o, LM_POSIX);
    iol_sum_add(sum, next_of(records));
    ends_well(records);
    const iol_performance p = performance_of(sum);
    assert_int_equal(p.total_bytes, 1 << 20);
    assert_int_equal(p.slowest_rank, 0);
    assert_true(p.time == 0 && p.mib_per_second == 0);
    iol_sum_free(sum);
    opened_close(&o);
}

static void a_rank_beyond_the_process_count_does_no_harm(void **state) {
    (void)state;
    opened o;
    iol_sum *sum = sum_of_one(&o, 1, INT64_MAX);
    const iol_performance p = performance_of(sum);
    assert_true(p.slowest_rank == INT64_MAX);
    iol_sum_free(sum);
    opened_close(&o);
}

static void a_sum_takes_only_records_of_its_module(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_sample(made, LM_STDIO, 2, 1, 0, 1);
    lm_sample(made, LM_HEATMAP, 1, 1, 0, 1);
    opened o = opened_from(made);
    iol_sum *sum = NULL;
    assert_int_not_equal(iol_sum_new(o.log, LM_HEATMAP, &sum), IOL_OK);
    assert_int_equal(iol_sum_new(o.log, LM_POSIX, &sum), IOL_OK);
    iol_records *records = records_of(&o, LM_STDIO);
    assert_int_equal(iol_sum_add(sum, next_of(records)), IOL_INVALID);
    ends_well(records);
    iol_sum_free(sum);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_counter_is_combined_by_its_rule),
        cmocka_unit_test(unknown_values_survive_a_sum_only_where_it_clamps),
        cmocka_unit_test(common_values_are_merged_and_not_sorted_again),
        cmocka_unit_test(slabs_are_compared_as_wholes),
        cmocka_unit_test(fastest_and_slowest_hold_for_one_file_only),
        cmocka_unit_test(the_first_of_equally_fast_ranks_stays),
        cmocka_unit_test(a_total_of_one_record_is_of_its_file_and_rank),
        cmocka_unit_test(estimates_follow_the_formulae),
        cmocka_unit_test(sharing_is_counted_in_the_order_of_records),
        cmocka_unit_test(without_any_time_there_is_no_rate),
        cmocka_unit_test(a_rank_beyond_the_process_count_does_no_harm),
        cmocka_unit_test(a_sum_takes_only_records_of_its_module),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
