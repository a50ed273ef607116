/* Logs that keep to a version number and not to its records: segments with text or a thread behind them, and leftover memory
   between records of LUSTRE. What follows the format is read as before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "log/read/dialect.h"
#include "log/read/log_internal.h"
#include "record/record.h"
#include "tests/support/dialectmaker.h"
#include "tests/support/opened.h"

enum { MANY = 1000 };

static void check_trace_of(const opened *o, int slot, int count, uint64_t thread) {
    iol_records *records = records_of(o, slot);
    for (uint64_t i = 1; i <= DM_RECORDS; i++) {
        const iol_record *r = next_of(records);
        iol_segment segments[MANY + 1];
        size_t got;
        assert_int_equal(iol_record_id(r), i);
        assert_int_equal(r->trace.threads, thread != 0);
        assert_int_equal(iol_records_segments(records, segments, MANY + 1, &got), IOL_OK);
        assert_int_equal(got, count);
        for (int k = 0; k < count; k++) {
            assert_int_equal(segments[k].offset, 4096 * k);
            assert_true(segments[k].end == 0.25 * k + 0.25);
            assert_int_equal(segments[k].thread, thread);
        }
    }
    ends_well(records);
    assert_int_equal(iol_log_error_count(o->log), 0);
}

static void check_trace(const opened *o, int slot, uint64_t thread) { check_trace_of(o, slot, DM_SEGMENTS, thread); }

static const struct {
    int size;
    const char *text;
    uint64_t thread;
} dialects[] = {
    {96, "pthread_id=23084618723328", UINT64_C(23084618723328)},
    {96, "something else", 0},
    {112, "pthread_id=77", 77},
    {40, NULL, 4242},
};

static void dialects_are_recognised_by_what_fits(void **state) {
    (void)state;
    static const struct {
        int slot;
        unsigned version;
    } slots[] = {{LM_DXT_POSIX, 1}, {LM_DXT_MPIIO, 2}};
    for (int s = 0; s < 2; s++)
        for (int big = 0; big < 2; big++)
            for (size_t d = 0; d < IOL_COUNT(dialects); d++) {
                opened o =
                    opened_from(dm_traced(slots[s].slot, slots[s].version, big, dialects[d].size, dialects[d].text));
                check_trace(&o, slots[s].slot, dialects[d].thread);
                assert_non_null(iol__log_note(o.log, 0));
                assert_null(iol__log_note(o.log, 1)); /* said once */
                opened_close(&o);
            }
}

/* Zeros and addresses behind segments look like times and sizes too, and a long record has more than is looked at first. */
static void what_looks_like_segments_is_not_taken_for_some(void **state) {
    (void)state;
    uint8_t zeros[DM_BEHIND] = {0}, addresses[DM_BEHIND] = {0}, text[DM_BEHIND] = "pthread_id=77";
    const uint64_t address[] = {0x7f1234567890, 0x401000, 0x7f1234567aaa};
    memcpy(addresses, address, sizeof address);
    const uint8_t *const behind[] = {zeros, addresses, text};
    static const struct {
        int slot;
        unsigned version;
    } slots[] = {{LM_DXT_POSIX, 1}, {LM_DXT_POSIX, 2}, {LM_DXT_MPIIO, 2}, {LM_DXT_MPIIO, 3}};
    static const int sizes[] = {96, 112}, counts[] = {1, 2, 3, 128, MANY};
    for (size_t s = 0; s < IOL_COUNT(slots); s++)
        for (size_t z = 0; z < IOL_COUNT(sizes); z++)
            for (size_t c = 0; c < IOL_COUNT(counts); c++)
                for (size_t b = 0; b < IOL_COUNT(behind); b++) {
                    opened o = opened_from(
                        dm_traced_bytes(slots[s].slot, slots[s].version, false, counts[c], sizes[z], behind[b]));
                    check_trace_of(&o, slots[s].slot, counts[c], behind[b] == text ? 77 : 0);
                    opened_close(&o);
                }
}

static void standard_segments_have_no_note(void **state) {
    (void)state;
    opened o = opened_from(dm_traced(LM_DXT_POSIX, 1, false, 32, NULL));
    check_trace(&o, LM_DXT_POSIX, 0);
    assert_null(iol__log_note(o.log, 0));
    opened_close(&o);
    o = opened_from(dm_traced(LM_DXT_POSIX, 2, false, 40, NULL));
    check_trace(&o, LM_DXT_POSIX, 4242);
    assert_null(iol__log_note(o.log, 0));
    opened_close(&o);
}

static void a_conversion_has_the_standard_form_and_the_texts(void **state) {
    (void)state;
    opened o = opened_from(dm_traced(LM_DXT_POSIX, 1, false, 96, "pthread_id=5"));
    iol_write_options options = {.size = sizeof options};
    iol__rewrite_versions(o.log, &options);
    assert_int_equal(options.dxt_posix, 2);
    opened again = {.log = rewritten(o.log, &(iol__rewrite){.keeps = NULL})};
    iol_module module;
    iol_log_module(again.log, LM_DXT_POSIX, &module);
    check_trace(&again, LM_DXT_POSIX, module.version == 2 ? 5 : 0);
    char tag[5];
    const void *texts;
    size_t length;
    assert_int_equal(iol_log_trailer_count(again.log), 1);
    assert_int_equal(iol_log_trailer(again.log, 0, tag, &texts, &length), IOL_OK);
    assert_string_equal(tag, "SEGT");
    static const char first[] =
        "{\"module\": \"DXT_POSIX\", \"id\": \"1\", \"rank\": 0, \"texts\": [[\"pthread_id=5\", 3]]}\n";
    assert_memory_equal(texts, first, sizeof first - 1);
    iol_log_close(again.log);
    opened_close(&o);
}

static void bytes_that_are_no_text_are_kept(void **state) {
    (void)state;
    static const uint8_t behind[DM_BEHIND] = {0x10, 0, 0xff, 'a'};
    opened o = opened_from(dm_traced_bytes(LM_DXT_POSIX, 1, false, 2, 112, behind));
    char *texts;
    size_t length;
    assert_true(iol__segment_texts(o.log, 0, &texts, &length));
    static const char first[] =
        "{\"module\": \"DXT_POSIX\", \"id\": \"1\", \"rank\": 0, \"texts\": [[{\"hex\": \"1000ff61\"}, 2]]}\n";
    assert_memory_equal(texts, first, sizeof first - 1);
    free(texts);
    opened_close(&o);
}

/* Damage is not taken for a dialect: what was written can be read up to there, and the error is noted. */
static void a_cut_trace_is_damaged(void **state) {
    (void)state;
    lm_log *made = dm_traced(LM_DXT_POSIX, 1, false, 32, NULL);
    made->slots[LM_DXT_POSIX].payload.length -= 8;
    opened o = opened_from(made);
    iol_records *records = records_of(&o, LM_DXT_POSIX);
    for (int i = 0; i < DM_RECORDS; i++) next_of(records);
    ends_with(records, IOL_DAMAGED);
    assert_null(iol__log_note(o.log, 0));
    opened_close(&o);
}

/* A dialect is recognised without the end of its region too. */
static void a_cut_dialect_is_read_to_its_end(void **state) {
    (void)state;
    for (size_t d = 0; d < IOL_COUNT(dialects); d++) {
        lm_log *made = dm_traced(LM_DXT_POSIX, 1, false, dialects[d].size, dialects[d].text);
        made->slots[LM_DXT_POSIX].payload.length -= 8;
        opened o = opened_from(made);
        iol_records *records = records_of(&o, LM_DXT_POSIX);
        iol_segment segments[DM_SEGMENTS];
        size_t got;
        for (int i = 0; i < DM_RECORDS; i++) {
            next_of(records);
            assert_int_equal(iol_records_segments(records, segments, DM_SEGMENTS, &got), IOL_OK);
            assert_int_equal(got, i < DM_RECORDS - 1 ? DM_SEGMENTS : DM_SEGMENTS - 1);
            assert_int_equal(segments[1].thread, dialects[d].thread);
        }
        ends_with(records, IOL_DAMAGED);
        assert_non_null(iol__log_note(o.log, 0));
        opened_close(&o);
    }
}

/* Segments that no form fits are not guessed at: what cannot be ends the trace, with everything before it delivered. */
static void a_trace_of_no_known_form_ends_at_what_cannot_be(void **state) {
    (void)state;
    opened o = opened_from(dm_traced(LM_DXT_POSIX, 1, false, 48, NULL));
    iol_records *records = records_of(&o, LM_DXT_POSIX);
    iol_segment segments[DM_SEGMENTS];
    size_t got;
    next_of(records);
    assert_int_equal(iol_records_segments(records, segments, DM_SEGMENTS, &got), IOL_OK);
    assert_int_equal(got, 1);
    assert_int_equal(segments[0].length, 4096);
    assert_int_equal(iol_records_segments(records, segments, DM_SEGMENTS, &got), IOL_DAMAGED);
    assert_int_equal(got, 0);
    ends_with(records, IOL_DAMAGED);
    assert_non_null(strstr(iol_log_error(o.log, 0)->message, "cannot be decoded from here on"));
    /* Whoever passes over the operations is not led into what is no record. */
    records = records_of(&o, LM_DXT_POSIX);
    next_of(records);
    ends_with(records, IOL_DAMAGED);
    opened_close(&o);
}

/* LUSTRE ---------------------------------------------------------------------------------------------------------------- */

static void check_lustre(const opened *o) {
    iol_records *records = records_of(o, LM_LUSTRE);
    for (int rank = 0; rank < DM_RANKS; rank++)
        for (uint64_t id = 1; id <= DM_FILES; id++) {
            const iol_record *r = next_of(records);
            iol_stripes stripes;
            const int64_t *osts;
            assert_int_equal(iol_record_id(r), id);
            assert_int_equal(iol_record_rank(r), rank);
            assert_int_equal(iol_record_component(r, 0, &stripes, &osts), IOL_OK);
            assert_int_equal(stripes.count, 3);
            assert_int_equal(osts[2], 9);
        }
    ends_well(records);
    assert_int_equal(iol_log_error_count(o->log), 0);
}

static void leftover_memory_between_layouts_is_passed_over(void **state) {
    (void)state;
    static const size_t gaps[] = {8, 64, 312, 4096};
    for (int big = 0; big < 2; big++)
        for (size_t g = 0; g < IOL_COUNT(gaps); g++)
            for (int kind = 0; kind < 5; kind++) {
                opened o = opened_from(dm_lustre(big, LM_ZLIB, gaps[g], kind));
                check_lustre(&o);
                assert_non_null(iol__log_note(o.log, 0));
                assert_null(iol__log_note(o.log, 1));
                opened_close(&o);
            }
}

static void layouts_without_gaps_have_no_note(void **state) {
    (void)state;
    opened o = opened_from(dm_lustre(false, LM_ZLIB, 0, 0));
    check_lustre(&o);
    assert_null(iol__log_note(o.log, 0));
    opened_close(&o);
}

/* Without a checksum nobody knows what was written. */
static void what_is_not_compressed_has_no_gaps(void **state) {
    (void)state;
    opened o = opened_from(dm_lustre(false, LM_NONE, 64, 1));
    iol_records *records = records_of(&o, LM_LUSTRE);
    for (int i = 0; i < DM_FILES; i++) next_of(records);
    ends_with(records, IOL_DAMAGED);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dialects_are_recognised_by_what_fits),
        cmocka_unit_test(what_looks_like_segments_is_not_taken_for_some),
        cmocka_unit_test(standard_segments_have_no_note),
        cmocka_unit_test(a_conversion_has_the_standard_form_and_the_texts),
        cmocka_unit_test(bytes_that_are_no_text_are_kept),
        cmocka_unit_test(a_cut_trace_is_damaged),
        cmocka_unit_test(a_cut_dialect_is_read_to_its_end),
        cmocka_unit_test(a_trace_of_no_known_form_ends_at_what_cannot_be),
        cmocka_unit_test(leftover_memory_between_layouts_is_passed_over),
        cmocka_unit_test(layouts_without_gaps_have_no_note),
        cmocka_unit_test(what_is_not_compressed_has_no_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
