/* Logs that keep to a version number and not to its records: segments with text or a thread behind them, and leftover memory
   between records of LUSTRE. What follows the format is read as before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "log/log_internal.h"
#include "record/record.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

enum { RECORDS = 5, SEGMENTS = 3 };

/* Segments of `size` bytes: 40 has a thread behind the 32, 96 and 112 a text and what was in memory behind that. */
static void put_segment(bytes *b, int k, int size, const char *text) {
    char behind[80];
    memset(behind, 0xa5, sizeof behind);
    if (text) strcpy(behind, text);
    bytes_i64(b, 4096 * k);
    bytes_i64(b, 4096);
    bytes_f64(b, 0.25 * k + 0.125);
    bytes_f64(b, 0.25 * k + 0.25);
    if (size == 40) bytes_u64(b, 4242);
    if (size > 40) bytes_raw(b, behind, (size_t)size - 32);
}

static void put_trace(bytes *b, uint64_t id, int size, const char *text) {
    bytes_u64(b, id);
    bytes_i64(b, 0);
    bytes_i64(b, 0);
    bytes_text(b, "nid00042", 64);
    bytes_i64(b, 1);
    bytes_i64(b, SEGMENTS - 1);
    for (int k = 0; k < SEGMENTS; k++) put_segment(b, k, size, text);
}

static lm_log *traced_log(int slot, unsigned version, bool big, int size, const char *text) {
    lm_log *made = lm_new(41, big, LM_ZLIB);
    for (uint64_t i = 1; i <= RECORDS; i++) {
        char name[32];
        snprintf(name, sizeof name, "/scratch/file.%d", (int)i);
        lm_name(made, i, name);
        put_trace(lm_records(made, slot, version), i, size, text);
    }
    return made;
}

static void check_trace(const opened *o, int slot, uint64_t thread) {
    iol_records *records = records_of(o, slot);
    for (uint64_t i = 1; i <= RECORDS; i++) {
        const iol_record *r = next_of(records);
        iol_segment segments[SEGMENTS + 1];
        size_t got;
        assert_int_equal(iol_record_id(r), i);
        assert_int_equal(r->trace.threads, thread != 0);
        assert_int_equal(iol_records_segments(records, segments, SEGMENTS + 1, &got), IOL_OK);
        assert_int_equal(got, SEGMENTS);
        for (int k = 0; k < SEGMENTS; k++) {
            assert_int_equal(segments[k].offset, 4096 * k);
            assert_true(segments[k].end == 0.25 * k + 0.25);
            assert_int_equal(segments[k].thread, thread);
        }
    }
    ends_well(records);
    assert_int_equal(iol_log_error_count(o->log), 0);
}

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
            for (size_t d = 0; d < sizeof dialects / sizeof *dialects; d++) {
                opened o =
                    opened_from(traced_log(slots[s].slot, slots[s].version, big, dialects[d].size, dialects[d].text));
                check_trace(&o, slots[s].slot, dialects[d].thread);
                assert_non_null(iol__log_note(o.log, 0));
                assert_null(iol__log_note(o.log, 1)); /* said once */
                opened_close(&o);
            }
}

static void standard_segments_have_no_note(void **state) {
    (void)state;
    opened o = opened_from(traced_log(LM_DXT_POSIX, 1, false, 32, NULL));
    check_trace(&o, LM_DXT_POSIX, 0);
    assert_null(iol__log_note(o.log, 0));
    opened_close(&o);
    o = opened_from(traced_log(LM_DXT_POSIX, 2, false, 40, NULL));
    check_trace(&o, LM_DXT_POSIX, 4242);
    assert_null(iol__log_note(o.log, 0));
    opened_close(&o);
}

static void a_conversion_has_the_standard_form_and_the_texts(void **state) {
    (void)state;
    opened o = opened_from(traced_log(LM_DXT_POSIX, 1, false, 96, "pthread_id=5"));
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

/* Damage is no dialect: what was written can be read up to there, and the error is noted. */
static void a_cut_trace_is_damaged(void **state) {
    (void)state;
    lm_log *made = traced_log(LM_DXT_POSIX, 1, false, 32, NULL);
    made->slots[LM_DXT_POSIX].payload.length -= 8;
    opened o = opened_from(made);
    iol_records *records = records_of(&o, LM_DXT_POSIX);
    for (int i = 0; i < RECORDS; i++) next_of(records);
    ends_with(records, IOL_DAMAGED);
    assert_null(iol__log_note(o.log, 0));
    opened_close(&o);
}

/* LUSTRE ---------------------------------------------------------------------------------------------------------------- */

enum { RANKS = 4, FILES = 3 };

static void put_leftovers(bytes *b, size_t length, int kind) {
    if (kind == 0) bytes_fill(b, 0, length);
    for (size_t i = 0; kind == 1 && i < length / 8; i++) bytes_u64(b, UINT64_C(0x100000001));
    for (size_t i = 0; kind == 2 && i < length / 8; i++) bytes_i64(b, (int64_t)(i % 3 ? 31034 + i : 36));
    for (size_t i = 0; kind == 3 && i < length / 8; i++) bytes_i64(b, i == 0 ? 2 : -1); /* begins with a known id */
}

static lm_log *lustre_log(bool big, uint8_t compression, size_t gap, int kind) {
    static const int64_t osts[] = {7, 8, 9};
    lm_log *made = lm_new(41, big, compression);
    made->processes = RANKS;
    bytes *b = lm_records(made, LM_LUSTRE, 1);
    for (uint64_t id = 1; id <= FILES; id++) lm_name(made, id, id == 1 ? "/a" : id == 2 ? "/b" : "/c");
    for (int rank = 0; rank < RANKS; rank++) {
        for (uint64_t id = 1; id <= FILES; id++) lm_lustre_1(b, id, rank, 1 << 20, osts, 3);
        put_leftovers(b, gap, kind);
    }
    return made;
}

static void check_lustre(const opened *o) {
    iol_records *records = records_of(o, LM_LUSTRE);
    for (int rank = 0; rank < RANKS; rank++)
        for (uint64_t id = 1; id <= FILES; id++) {
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
        for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
            for (int kind = 0; kind < 4; kind++) {
                opened o = opened_from(lustre_log(big, LM_ZLIB, gaps[g], kind));
                check_lustre(&o);
                assert_non_null(iol__log_note(o.log, 0));
                assert_null(iol__log_note(o.log, 1));
                opened_close(&o);
            }
}

static void layouts_without_gaps_have_no_note(void **state) {
    (void)state;
    opened o = opened_from(lustre_log(false, LM_ZLIB, 0, 0));
    check_lustre(&o);
    assert_null(iol__log_note(o.log, 0));
    opened_close(&o);
}

/* Without a checksum nobody knows what was written. */
static void what_is_not_compressed_has_no_gaps(void **state) {
    (void)state;
    opened o = opened_from(lustre_log(false, LM_NONE, 64, 1));
    iol_records *records = records_of(&o, LM_LUSTRE);
    for (int i = 0; i < FILES; i++) next_of(records);
    ends_with(records, IOL_DAMAGED);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dialects_are_recognised_by_what_fits),
        cmocka_unit_test(standard_segments_have_no_note),
        cmocka_unit_test(a_conversion_has_the_standard_form_and_the_texts),
        cmocka_unit_test(a_cut_trace_is_damaged),
        cmocka_unit_test(leftover_memory_between_layouts_is_passed_over),
        cmocka_unit_test(layouts_without_gaps_have_no_note),
        cmocka_unit_test(what_is_not_compressed_has_no_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
