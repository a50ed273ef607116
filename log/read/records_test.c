/* Records of fixed layout: every version of every module, in both byte orders, becomes the newest one exactly as the
   format says. The expected arrays are put together here by hand, piece by piece, not by the table of edits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/record.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

/* The newest form of a record, as it should come out. */
typedef struct expected {
    int64_t ints[LM_MOST_INTS];
    double reals[LM_MOST_REALS];
    unsigned n_ints, n_reals;
} expected;

static void ints_from(expected *e, const lm_counts *from, unsigned first, unsigned count) {
    for (unsigned i = 0; i < count; i++) e->ints[e->n_ints++] = from->ints[first + i];
}

static void ints_of(expected *e, int64_t value, unsigned count) {
    for (unsigned i = 0; i < count; i++) e->ints[e->n_ints++] = value;
}

static void reals_from(expected *e, const lm_counts *from, unsigned first, unsigned count) {
    for (unsigned i = 0; i < count; i++) e->reals[e->n_reals++] = from->reals[first + i];
}

static void reals_of(expected *e, double value, unsigned count) {
    for (unsigned i = 0; i < count; i++) e->reals[e->n_reals++] = value;
}

static void assert_record(const iol_record *record, const expected *e) {
    int slot = iol_record_slot(record);
    assert_int_equal(iol_counter_count(slot), e->n_ints + e->n_reals);
    iol_value value;
    for (unsigned i = 0; i < e->n_ints; i++) {
        assert_int_equal(iol_record_counter(record, i, &value), IOL_OK);
        assert_int_equal(value.kind, IOL_INT);
        if (value.as.i != e->ints[i]) fail_msg("slot %d, integer %u: %lld", slot, i, (long long)value.as.i);
    }
    for (unsigned i = 0; i < e->n_reals; i++) {
        assert_int_equal(iol_record_counter(record, e->n_ints + i, &value), IOL_OK);
        assert_int_equal(value.kind, IOL_REAL);
        if (value.as.d != e->reals[i]) fail_msg("slot %d, double %u: %f", slot, i, value.as.d);
    }
    assert_int_equal(iol_record_counter(record, e->n_ints + e->n_reals, &value), IOL_INVALID);
}

/* Two records of a version, in both byte orders. */
static void assert_upgraded(int slot, unsigned version, const lm_counts *counts, const expected *e, uint64_t owner) {
    for (int big = 0; big < 2; big++) {
        lm_log *made = lm_new(41, big, LM_ZLIB);
        for (int i = 0; i < 2; i++)
            lm_fixed(lm_records(made, slot, version), slot, version, 0xfeedface00000001, i - 1, 0xabcdef0123456789,
                     counts);
        opened o = opened_from(made);
        iol_records *records = records_of(&o, slot);
        for (int i = 0; i < 2; i++) {
            const iol_record *record = next_of(records);
            assert_int_equal(iol_record_slot(record), slot);
            assert_true(iol_record_id(record) == 0xfeedface00000001);
            assert_int_equal(iol_record_rank(record), i - 1);
            assert_true(iol_record_owner(record) == owner);
            assert_record(record, e);
        }
        ends_well(records);
        assert_int_equal(iol_log_error_count(o.log), 0);
        opened_close(&o);
    }
}

static void newest_versions_come_out_as_stored(void **state) {
    (void)state;
    for (int slot = LM_POSIX; slot < LM_KNOWN; slot++) {
        expected e = {0};
        lm_counts counts;
        unsigned ints, reals;
        if (!lm_shape(slot, lm_newest(slot), &ints, &reals)) continue;
        lm_fill(&counts, 7);
        ints_from(&e, &counts, 0, ints);
        reals_from(&e, &counts, 0, reals);
        bool owned = slot == LM_H5D || slot == LM_PNETCDF_VAR;
        assert_upgraded(slot, lm_newest(slot), &counts, &e, owned ? 0xabcdef0123456789 : 0);
    }
}

static void negative_and_large_values_survive(void **state) {
    (void)state;
    lm_counts counts;
    expected e = {0};
    lm_fill(&counts, 1);
    counts.ints[0] = INT64_MIN;
    counts.ints[1] = INT64_MAX;
    counts.ints[2] = -1;
    counts.reals[0] = -1.0;
    counts.reals[1] = 1e300;
    ints_from(&e, &counts, 0, 69);
    reals_from(&e, &counts, 0, 17);
    assert_upgraded(LM_POSIX, 4, &counts, &e, 0);
}

/* POSIX 3 to 4, from the integers of version 3 in `from` beginning at `first`; `skip` of them lie behind the sixth. */
static void posix_ints(expected *e, const lm_counts *from, unsigned skip) {
    ints_from(e, from, 0, 1);         /* OPENS */
    ints_of(e, -1, 2);                /* FILENOS, DUPS */
    ints_from(e, from, 1, 5);         /* READS WRITES SEEKS STATS MMAPS */
    ints_from(e, from, 6 + skip, 2);  /* FSYNCS FDSYNCS */
    ints_of(e, -1, 2);                /* RENAME_SOURCES, RENAME_TARGETS */
    ints_of(e, 0, 1);                 /* RENAMED_FROM */
    ints_from(e, from, 8 + skip, 56); /* MODE and all behind it */
}

static void old_reals(expected *e, const lm_counts *from) {
    reals_from(e, from, 0, 3);
    reals_of(e, -1.0, 2); /* CLOSE_START, OPEN_END */
    reals_from(e, from, 3, 12);
}

static void posix_1_loses_its_stream_counters(void **state) {
    (void)state;
    lm_counts counts;
    expected e = {0};
    lm_fill(&counts, 3);
    for (int i = 6; i < 10; i++) counts.ints[i] = 0;
    counts.ints[8] = 5; /* only stream opens matter */
    posix_ints(&e, &counts, 4);
    old_reals(&e, &counts);
    assert_upgraded(LM_POSIX, 1, &counts, &e, 0);
}

static void posix_1_with_stream_opens_is_left_out(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        lm_log *made = lm_new(0, big, LM_ZLIB);
        lm_counts counts;
        lm_fill(&counts, 3);
        static const int64_t stream_opens[] = {1, 0, INT64_MAX, -1, 256};
        for (uint64_t i = 0; i < 5; i++) {
            counts.ints[6] = stream_opens[i];
            lm_fixed(lm_records(made, LM_POSIX, 1), LM_POSIX, 1, i, 0, 0, &counts);
        }
        opened o = opened_from(made);
        iol_records *records = records_of(&o, LM_POSIX);
        assert_int_equal(iol_record_id(next_of(records)), 1);
        assert_int_equal(iol_record_id(next_of(records)), 3);
        ends_well(records);
        opened_close(&o);
    }
}

static void posix_2_gains_timestamps(void **state) {
    (void)state;
    lm_counts counts;
    expected e = {0};
    lm_fill(&counts, 3);
    posix_ints(&e, &counts, 0);
    old_reals(&e, &counts);
    assert_upgraded(LM_POSIX, 2, &counts, &e, 0);
}

static void posix_3_keeps_all_its_doubles(void **state) {
    (void)state;
    lm_counts counts;
    expected e = {0};
    lm_fill(&counts, 3);
    posix_ints(&e, &counts, 0);
    reals_from(&e, &counts, 0, 17);
    assert_upgraded(LM_POSIX, 3, &counts, &e, 0);
}

static void mpiio_1_and_2_gain_timestamps(void **state) {
    (void)state;
    for (unsigned version = 1; version <= 2; version++) {
        lm_counts counts;
        expected e = {0};
        lm_fill(&counts, 4);
        ints_from(&e, &counts, 0, 51);
        old_reals(&e, &counts);
        assert_upgraded(LM_MPIIO, version, &counts, &e, 0);
    }
}

static void stdio_1_gains_fdopens(void **state) {
    (void)state;
    lm_counts counts;
    expected e = {0};
    lm_fill(&counts, 5);
    ints_from(&e, &counts, 0, 1);
    ints_of(&e, -1, 1);
    ints_from(&e, &counts, 1, 12);
    reals_from(&e, &counts, 0, 15);
    assert_upgraded(LM_STDIO, 1, &counts, &e, 0);
}

static void h5f_1_and_2_gain_counters_and_times(void **state) {
    (void)state;
    lm_counts counts;
    expected one = {0}, two = {0};
    lm_fill(&counts, 6);
    ints_from(&one, &counts, 0, 1);
    ints_of(&one, -1, 2);
    reals_from(&one, &counts, 0, 1);
    reals_of(&one, -1.0, 2);
    reals_from(&one, &counts, 1, 1);
    reals_of(&one, -1.0, 1);
    assert_upgraded(LM_H5F, 1, &counts, &one, 0);
    ints_from(&two, &counts, 0, 1);
    ints_of(&two, -1, 2);
    reals_from(&two, &counts, 0, 4);
    reals_of(&two, -1.0, 1);
    assert_upgraded(LM_H5F, 2, &counts, &two, 0);
}

static void h5d_1_has_no_owner(void **state) {
    (void)state;
    lm_counts counts;
    expected e = {0};
    lm_fill(&counts, 8);
    ints_from(&e, &counts, 0, 94);
    reals_from(&e, &counts, 0, 17);
    assert_upgraded(LM_H5D, 1, &counts, &e, 0);
}

static void pnetcdf_ints(expected *e, const lm_counts *from) {
    ints_of(e, -1, 1);
    ints_of(e, from->ints[0] + from->ints[1], 1);
    ints_of(e, -1, 7);
}

static void pnetcdf_file_1_and_2_add_their_opens(void **state) {
    (void)state;
    lm_counts counts;
    expected one = {0}, two = {0};
    lm_fill(&counts, 9);
    counts.ints[0] = 200; /* the sum carries into another byte */
    counts.ints[1] = 100;
    pnetcdf_ints(&one, &counts);
    reals_from(&one, &counts, 0, 1);
    reals_of(&one, -1.0, 3);
    reals_from(&one, &counts, 1, 1);
    reals_of(&one, -1.0, 3);
    assert_upgraded(LM_PNETCDF_FILE, 1, &counts, &one, 0);
    pnetcdf_ints(&two, &counts);
    reals_from(&two, &counts, 0, 2);
    reals_of(&two, -1.0, 1);
    reals_from(&two, &counts, 2, 2);
    reals_of(&two, -1.0, 3);
    assert_upgraded(LM_PNETCDF_FILE, 2, &counts, &two, 0);
}

static void bgq_1_loses_its_extra_field(void **state) {
    (void)state;
    lm_counts counts;
    expected e = {0};
    lm_fill(&counts, 10);
    ints_from(&e, &counts, 0, 11);
    reals_from(&e, &counts, 0, 1);
    assert_upgraded(LM_BGQ, 1, &counts, &e, 0);
}

static void daos_records_carry_their_object(void **state) {
    (void)state;
    static const int slots[] = {LM_DFS, LM_DAOS};
    for (int s = 0; s < 2; s++)
        for (int big = 0; big < 2; big++) {
            lm_counts counts;
            lm_fill(&counts, 1);
            lm_log *made = lm_new(41, big, LM_ZLIB);
            lm_fixed(lm_records(made, slots[s], 1), slots[s], 1, 1, 0, 0x1122334455667788, &counts);
            opened o = opened_from(made);
            iol_records *records = records_of(&o, slots[s]);
            const iol_record *record = next_of(records);
            for (int place = 0; place < 16; place++) {
                assert_int_equal(record->pool_uuid[place], lm_uuid_byte(false, place));
                assert_int_equal(record->container_uuid[place], lm_uuid_byte(true, place));
            }
            if (slots[s] == LM_DAOS) {
                assert_true(record->oid_high == 0x1122334455667788);
                assert_true(record->oid_low == 0x1122334455667789);
            }
            ends_well(records);
            opened_close(&o);
        }
}

static void an_invalid_version_fails_only_its_module(void **state) {
    (void)state;
    static const uint32_t invalid[] = {0, 5, 77, UINT32_MAX};
    for (int i = 0; i < 4; i++) {
        lm_log *made = lm_new(41, false, LM_ZLIB);
        lm_sample(made, LM_POSIX, 4, 1, 0, 1);
        made->slots[LM_POSIX].version = invalid[i];
        lm_sample(made, LM_STDIO, 2, 2, 0, 2);
        opened o = opened_from(made);
        iol_records *records = NULL;
        assert_int_equal(iol_records_open(o.log, LM_POSIX, &records), IOL_UNSUPPORTED);
        assert_null(records);
        assert_int_equal(iol_log_error_count(o.log), 1);
        assert_int_equal(iol_log_error(o.log, 0)->slot, LM_POSIX);
        records = records_of(&o, LM_STDIO);
        next_of(records);
        ends_well(records);
        opened_close(&o);
    }
}

static void bytes_behind_the_last_whole_record_cost_no_record(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_sample(made, LM_POSIX, 4, 1, 0, 1);
    lm_sample(made, LM_POSIX, 4, 2, 0, 1);
    bytes_fill(&made->slots[LM_POSIX].payload, 0, 703);
    opened o = opened_from(made);
    iol_records *records = records_of(&o, LM_POSIX);
    assert_int_equal(iol_record_id(next_of(records)), 1);
    assert_int_equal(iol_record_id(next_of(records)), 2);
    const iol_record *record;
    assert_int_not_equal(iol_records_next(records, &record), IOL_OK);
    iol_records_close(records);
    opened_close(&o);
}

static void counters_are_found_by_name_and_number(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_sample(made, LM_POSIX, 4, 1, 0, 1);
    opened o = opened_from(made);
    iol_records *records = records_of(&o, LM_POSIX);
    const iol_record *record = next_of(records);
    iol_counter counter;
    iol_value value;
    assert_int_equal(iol_counter_find(LM_POSIX, "POSIX_BYTES_READ"), 14);
    assert_int_equal(iol_counter_find(LM_POSIX, "POSIX_F_OPEN_START_TIMESTAMP"), 69);
    assert_int_equal(iol_counter_find(LM_POSIX, "STDIO_OPENS"), -1);
    assert_int_equal(iol_counter_at(LM_POSIX, 14, &counter), IOL_OK);
    assert_string_equal(counter.name, "POSIX_BYTES_READ");
    assert_string_equal(counter.unit, "bytes");
    assert_int_equal(iol_counter_at(LM_POSIX, 86, &counter), IOL_INVALID);
    assert_int_equal(int_of(record, "POSIX_BYTES_READ"), 1015);
    assert_true(real_of(record, "POSIX_F_OPEN_START_TIMESTAMP") == 1 + 1 / 512.0);
    assert_int_equal(iol_record_find(record, "POSIX_NOTHING", &value), IOL_INVALID);
    assert_int_equal(iol_module_find("MPI-IO"), LM_MPIIO);
    assert_int_equal(iol_module_find("nothing"), -1);
    ends_well(records);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newest_versions_come_out_as_stored),
        cmocka_unit_test(negative_and_large_values_survive),
        cmocka_unit_test(posix_1_loses_its_stream_counters),
        cmocka_unit_test(posix_1_with_stream_opens_is_left_out),
        cmocka_unit_test(posix_2_gains_timestamps),
        cmocka_unit_test(posix_3_keeps_all_its_doubles),
        cmocka_unit_test(mpiio_1_and_2_gain_timestamps),
        cmocka_unit_test(stdio_1_gains_fdopens),
        cmocka_unit_test(h5f_1_and_2_gain_counters_and_times),
        cmocka_unit_test(h5d_1_has_no_owner),
        cmocka_unit_test(pnetcdf_file_1_and_2_add_their_opens),
        cmocka_unit_test(bgq_1_loses_its_extra_field),
        cmocka_unit_test(daos_records_carry_their_object),
        cmocka_unit_test(an_invalid_version_fails_only_its_module),
        cmocka_unit_test(bytes_behind_the_last_whole_record_cost_no_record),
        cmocka_unit_test(counters_are_found_by_name_and_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
