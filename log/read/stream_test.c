/* Regions and their compressed streams, seen through records: every compression, many streams, records cut anywhere,
   regions larger than any buffer, and damage in the middle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "log/read/kept.h"
#include "log/read/log_internal.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

static const uint8_t compressions[] = {LM_ZLIB, LM_BZIP2, LM_NONE, LM_ZSTD};
enum { COMPRESSIONS = 4 };

/* Records that differ, so that a lost or repeated piece is seen. */
static void add_numbered(lm_log *made, int count) {
    lm_counts counts;
    for (int i = 0; i < count; i++) {
        lm_fill(&counts, i);
        counts.reals[3] = (double)(i * 7919 % 1000003); /* keeps compressors from folding everything away */
        lm_fixed(lm_records(made, LM_POSIX, 4), LM_POSIX, 4, (uint64_t)i, i, 0, &counts);
    }
}

static void assert_numbered(const opened *o, int count) {
    iol_records *records = records_of(o, LM_POSIX);
    for (int i = 0; i < count; i++) {
        const iol_record *record = next_of(records);
        iol_value value;
        assert_int_equal(iol_record_id(record), i);
        assert_int_equal(iol_record_rank(record), i);
        assert_int_equal(iol_record_counter(record, 68, &value), IOL_OK);
        assert_int_equal(value.as.i, 1000 * i + 69);
        assert_int_equal(iol_record_counter(record, 69 + 3, &value), IOL_OK);
        assert_true(value.as.d == (double)(i * 7919 % 1000003));
    }
    ends_well(records);
    assert_int_equal(iol_log_error_count(o->log), 0);
}

static void every_compression_is_read(void **state) {
    (void)state;
    for (int i = 0; i < COMPRESSIONS; i++) {
        if (!lm_can(compressions[i])) continue;
        lm_log *made = lm_new(41, false, compressions[i]);
        add_numbered(made, 10);
        lm_name(made, 3, "/three");
        opened o = opened_from(made);
        assert_int_equal(iol_log_info(o.log)->compression, compressions[i]);
        assert_string_equal(iol_log_job(o.log)->exe, "/opt/app/bin/solver -n 4 input.nml");
        assert_string_equal(iol_log_name(o.log, 3), "/three");
        assert_numbered(&o, 10);
        opened_close(&o);
    }
}

static void one_stream_a_rank_gives_one_sequence(void **state) {
    (void)state;
    for (int i = 0; i < COMPRESSIONS; i++) {
        if (!lm_can(compressions[i])) continue;
        lm_log *made = lm_new(41, false, compressions[i]);
        add_numbered(made, 12);
        lm_region *posix = &made->slots[LM_POSIX];
        for (size_t cut = 1; cut <= 12; cut++) posix->cuts[posix->n_cuts++] = 704 * cut;
        opened o = opened_from(made);
        assert_numbered(&o, 12);
        opened_close(&o);
    }
}

static void a_stream_may_end_inside_a_record(void **state) {
    (void)state;
    static const size_t places[] = {1, 8, 15, 16, 17, 100, 703, 704, 705, 2000};
    for (int i = 0; i < COMPRESSIONS; i++) {
        if (!lm_can(compressions[i])) continue;
        lm_log *made = lm_new(41, false, compressions[i]);
        add_numbered(made, 4);
        lm_region *posix = &made->slots[LM_POSIX];
        memcpy(posix->cuts, places, sizeof places);
        posix->n_cuts = IOL_COUNT(places);
        lm_name(made, 1, "/a/name/in/two/streams");
        lm_name(made, 2, "/next");
        made->names.cuts[0] = 12;
        made->names.cuts[1] = 30;
        made->names.n_cuts = 2;
        opened o = opened_from(made);
        assert_numbered(&o, 4);
        assert_string_equal(iol_log_name(o.log, 1), "/a/name/in/two/streams");
        assert_string_equal(iol_log_name(o.log, 2), "/next");
        opened_close(&o);
    }
}

static void regions_of_many_mebibytes_are_whole(void **state) {
    (void)state;
    enum { RECORDS = 9000 }; /* 6 MiB: more than any window, and past every 1 MiB boundary */
    for (int i = 0; i < COMPRESSIONS; i++) {
        if (!lm_can(compressions[i])) continue;
        lm_log *made = lm_new(41, false, compressions[i]);
        add_numbered(made, RECORDS);
        opened o = opened_from(made);
        assert_numbered(&o, RECORDS);
        opened_close(&o);
    }
}

static void a_large_region_of_large_streams_is_whole(void **state) {
    (void)state;
    enum { RECORDS = 9000 };
    for (int i = 0; i < COMPRESSIONS; i++) {
        if (!lm_can(compressions[i])) continue;
        lm_log *made = lm_new(41, false, compressions[i]);
        add_numbered(made, RECORDS);
        lm_region *posix = &made->slots[LM_POSIX];
        posix->cuts[0] = 704 * 100 + 3;
        posix->cuts[1] = 704 * 7600 + 501;
        posix->n_cuts = 2;
        opened o = opened_from(made);
        assert_numbered(&o, RECORDS);
        opened_close(&o);
    }
}

/* Decoders may have taken all input while output still waits for room, wherever the room happens to end. */
static void regions_of_any_size_around_a_buffer_are_whole(void **state) {
    (void)state;
    static const int around[] = {186, 372, 745, 1489, 2979};
    for (int i = 0; i < COMPRESSIONS; i++)
        for (int size = 0; size < 5; size++)
            for (int more = -1; more <= 2; more++) {
                if (!lm_can(compressions[i])) continue;
                lm_log *made = lm_new(41, false, compressions[i]);
                add_numbered(made, around[size] + more);
                opened o = opened_from(made);
                assert_numbered(&o, around[size] + more);
                opened_close(&o);
            }
}

/* Damage the compressed bytes of the second stream; what the first holds must still come out. */
static void records_before_damage_are_delivered(void **state) {
    (void)state;
    for (int i = 0; i < COMPRESSIONS; i++) {
        if (!lm_can(compressions[i]) || compressions[i] == LM_NONE) continue;
        size_t first, length;
        lm_log *alone = lm_new(41, false, compressions[i]);
        add_numbered(alone, 3);
        uint8_t *file = lm_finish(alone, &length);
        first = get_u64(file + lm_map_at(41, LM_POSIX) + 8, false);
        free(file);
        lm_free(alone);

        lm_log *made = lm_new(41, false, compressions[i]);
        add_numbered(made, 6);
        made->slots[LM_POSIX].cuts[0] = 3 * 704;
        made->slots[LM_POSIX].n_cuts = 1;
        file = lm_finish(made, &length);
        lm_free(made);
        uint64_t second = get_u64(file + lm_map_at(41, LM_POSIX), false) + first;
        memset(file + second, 0x99, 8);
        opened o = opened_bytes(file, length);
        iol_records *records = records_of(&o, LM_POSIX);
        for (uint64_t record = 0; record < 3; record++) assert_int_equal(iol_record_id(next_of(records)), record);
        ends_with(records, IOL_DAMAGED);
        assert_int_equal(iol_log_error_count(o.log), 1);
        assert_int_equal(iol_log_error(o.log, 0)->slot, LM_POSIX);
        opened_close(&o);
    }
}

static void a_region_cut_off_by_the_end_of_the_file_is_read_up_to_there(void **state) {
    (void)state;
    size_t length;
    lm_log *made = lm_new(41, false, LM_NONE);
    add_numbered(made, 10);
    uint8_t *file = lm_finish(made, &length);
    lm_free(made);
    opened o = opened_bytes(file, length - 704 - 5);
    iol_records *records = records_of(&o, LM_POSIX);
    for (uint64_t record = 0; record < 8; record++) assert_int_equal(iol_record_id(next_of(records)), record);
    const iol_record *record;
    assert_int_not_equal(iol_records_next(records, &record), IOL_OK);
    iol_records_close(records);
    assert_true(iol_log_error_count(o.log) > 0);
    opened_close(&o);
}

static void modules_can_be_read_side_by_side(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    add_numbered(made, 50);
    for (int i = 0; i < 50; i++) lm_sample(made, LM_STDIO, 2, (uint64_t)i, 0, i);
    opened o = opened_from(made);
    iol_records *posix = records_of(&o, LM_POSIX), *stdio = records_of(&o, LM_STDIO), *again = records_of(&o, LM_POSIX);
    for (int i = 0; i < 50; i++) {
        const iol_record *one = next_of(posix), *two = next_of(stdio), *three = next_of(again);
        assert_int_equal(int_of(one, "POSIX_OPENS"), 1000 * i + 1);
        assert_int_equal(int_of(two, "STDIO_OPENS"), 1000 * i + 1);
        assert_int_equal(int_of(three, "POSIX_OPENS"), 1000 * i + 1);
    }
    ends_well(posix);
    ends_well(stdio);
    ends_well(again);
    opened_close(&o);
}

/* The second pass must not need the file: its bytes are gone by then. */
static void reading_ends_at_the_deadline(void **state) {
    (void)state;
    for (int i = 0; i < COMPRESSIONS; i++) {
        if (!lm_can(compressions[i])) continue;
        lm_log *made = lm_new(41, false, compressions[i]);
        const iol_record *record;
        add_numbered(made, 10);
        opened o = opened_from(made);
        o.log->deadline = 1; /* the computer was not even started */
        iol_records *records = records_of(&o, LM_POSIX);
        assert_int_equal(iol_records_next(records, &record), IOL_SYSTEM);
        iol_records_close(records);
        assert_int_equal(iol_log_error_count(o.log), 1);
        assert_non_null(strstr(iol_log_error(o.log, 0)->message, "took too long"));
        o.log->deadline = 0;
        opened_close(&o);
    }
}

static void what_is_kept_is_read_from_the_file_once(void **state) {
    (void)state;
    for (int i = 0; i < COMPRESSIONS; i++) {
        if (!lm_can(compressions[i])) continue;
        lm_log *made = lm_new(41, false, compressions[i]);
        add_numbered(made, 500);
        opened o = opened_from(made);
        iol__log_keep(o.log, 1 << 20);
        assert_numbered(&o, 500);
        memset(o.file, 0xff, o.length);
        for (int again = 0; again < 2; again++) assert_numbered(&o, 500);
        opened_close(&o);
    }
}

/* Neither what does not fit nor what was left in the middle is taken for the whole. */
static void what_is_not_whole_is_not_kept(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    add_numbered(made, 500);
    opened o = opened_from(made);
    iol__log_keep(o.log, 1 << 20);
    iol_records *records = records_of(&o, LM_POSIX);
    next_of(records);
    assert_numbered(&o, 500); /* while the first still reads */
    iol_records_close(records);
    for (int again = 0; again < 2; again++) assert_numbered(&o, 500);
    opened_close(&o);

    made = lm_new(41, false, LM_NONE);
    add_numbered(made, 5000); /* 3.6 MB in pieces */
    o = opened_from(made);
    iol__log_keep(o.log, 1 << 20);
    for (int again = 0; again < 3; again++) assert_numbered(&o, 5000);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_compression_is_read),
        cmocka_unit_test(reading_ends_at_the_deadline),
        cmocka_unit_test(what_is_kept_is_read_from_the_file_once),
        cmocka_unit_test(what_is_not_whole_is_not_kept),
        cmocka_unit_test(one_stream_a_rank_gives_one_sequence),
        cmocka_unit_test(a_stream_may_end_inside_a_record),
        cmocka_unit_test(regions_of_many_mebibytes_are_whole),
        cmocka_unit_test(a_large_region_of_large_streams_is_whole),
        cmocka_unit_test(regions_of_any_size_around_a_buffer_are_whole),
        cmocka_unit_test(records_before_damage_are_delivered),
        cmocka_unit_test(a_region_cut_off_by_the_end_of_the_file_is_read_up_to_there),
        cmocka_unit_test(modules_can_be_read_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
