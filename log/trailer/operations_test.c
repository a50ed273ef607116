/* Totals of operations and sizes of files: printed and read back, from mapped files of both forms, and from texts that
   nobody of us printed. */
#include "log/trailer/operations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "log/trailer/id_pairs.h"
#include "record/removals.h"
#include "tests/support/opened.h"
#include "tests/support/runmaker.h"

static iol__operation_totals read_text(const char *text, size_t length, size_t errors) {
    iol__operation_totals totals = {0};
    lm_log *log = lm_new(41, false, LM_ZLIB);
    lm_trailer(log, IOL_TAG_OPERATIONS, 1, text, length);
    opened o = opened_from(log);
    iol__operations_add(o.log, &totals);
    if (iol_log_error_count(o.log) != errors) fail_msg("%s: %zu errors", text, iol_log_error_count(o.log));
    opened_close(&o);
    return totals;
}

static void totals_come_back(void **state) {
    (void)state;
    iol__operation_totals totals = {0};
    char *text;
    size_t length;
    assert_false(iol__operations_any(&totals));
    totals.of[IOL_OPERATION_UNLINK] = (iol__operation_total){.count = 12, .failed = 3, .time = 1.5, .slowest = 0.25};
    totals.of[IOL_OPERATION_OPEN].failed = 1;
    assert_true(iol__operations_any(&totals));
    FILE *file = open_memstream(&text, &length);
    iol__operations_print(file, &totals);
    fclose(file);
    assert_string_equal(text, "{\"open\":{\"count\":0,\"failed\":1,\"time\":0.000000000,\"slowest\":0.000000000},"
                              "\"unlink\":{\"count\":12,\"failed\":3,\"time\":1.500000000,\"slowest\":0.250000000}}\n");
    const iol__operation_totals back = read_text(text, length, 0);
    assert_memory_equal(&back, &totals, sizeof back);
    free(text);
}

static void texts_of_others(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t unlinks;
        size_t errors;
    } cases[] = {
        {"{}", 0, 0},
        {"{\"unlink\":{\"count\":4,\"later\":[1,{}]},\"fly\":{\"count\":9},\"unlink\":{\"count\":1}}", 5, 0},
        {"{\"unlink\":{\"count\":-1}}", 0, 1},
        {"{\"unlink\":{\"time\":null}}", 0, 1},
        {"{\"unlink\":{\"count\":2}", 2, 1},
        {"{\"unlink\":7}", 0, 1},
        {"", 0, 1},
        {"{\"unlink\":{\"count\":999999999999999999},\"unlink\":{\"count\":5}}", 999999999999999999, 0},
    };
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        const iol__operation_totals totals = read_text(cases[i].text, strlen(cases[i].text), cases[i].errors);
        if (totals.of[IOL_OPERATION_UNLINK].count != cases[i].unlinks)
            fail_msg("%s gives %llu", cases[i].text, (unsigned long long)totals.of[IOL_OPERATION_UNLINK].count);
    }
}

/* A frame of a spool has one group of totals before its names. */
static void mapped_files_have_their_own(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_NONE);
    rm_make(log, &(iol__mapped){.pid = 5});
    iol__operation group[IOL_OPERATIONS_ROOM] = {0};
    group[IOL_OPERATION_MKDIR] = (iol__operation){.count = 3, .failed = 1, .time = 1 << 27, .slowest = 1 << 26};
    size_t length;
    uint8_t *file = lm_finish(log, &length);
    lm_free(log);
    memcpy(file + IOL_MAPPED_OPERATIONS_AT, group, sizeof group);
    opened o = opened_bytes(file, length);
    iol__operation_totals totals = {0};
    iol__operations_add(o.log, &totals);
    iol__operations_add(o.log, &totals);
    const iol__operation_total *made = &totals.of[IOL_OPERATION_MKDIR];
    assert_int_equal(made->count, 6);
    assert_int_equal(made->failed, 2);
    assert_true(made->time == 1.0 && made->slowest == 0.25);
    totals.of[IOL_OPERATION_MKDIR] = (iol__operation_total){0};
    assert_false(iol__operations_any(&totals)); /* and nothing behind them was taken for totals */
    opened_close(&o);
}

static void sizes_come_back(void **state) {
    (void)state;
    static const uint8_t pairs[] = {1, 0, 0, 0, 0, 0, 0, 0x80, 0, 1, 0, 0, 0, 0, 0, 0, /* id, 256 bytes */
                                    2, 0, 0, 0, 0, 0, 0, 0,    9, 0, 0, 0, 0, 0, 0, 0, /* */
                                    2, 0, 0, 0, 0, 0, 0, 0,    8, 0, 0, 0, 0, 0, 0, 0, /* known already */
                                    7};
    iol__id_pairs sizes = {0};
    lm_log *log = lm_new(41, false, LM_ZLIB);
    lm_trailer(log, IOL_TAG_SIZES, 1, pairs, sizeof pairs);
    opened o = opened_from(log);
    assert_true(iol__id_pairs_add(o.log, IOL_PAIRS_SIZES, 0, &sizes));
    assert_int_equal(iol_log_error_count(o.log), 1);
    assert_int_equal(sizes.ids.count, 2);
    assert_int_equal(sizes.values[iol__idmap_find(&sizes.ids, UINT64_C(0x8000000000000001))], 256);
    assert_int_equal(sizes.values[iol__idmap_find(&sizes.ids, 2)], 9);
    size_t length;
    void *packed = iol__id_pairs_pack(&sizes, NULL, &length);
    assert_int_equal(length, 32);
    assert_memory_equal(packed, pairs, length);
    free(packed);
    iol__id_pairs_free(&sizes);
    opened_close(&o);
}

/* Files that are removed again and again, and times that are none. */
static void the_latest_removal_counts(void **state) {
    (void)state;
    const struct {
        uint64_t id;
        double time;
    } pairs[] = {{5, 1.5}, {6, 2}, {5, 3.25}, {5, 2}, {7, NAN}, {8, INFINITY}};
    iol__id_pairs removed = {0};
    lm_log *log = lm_new(41, false, LM_ZLIB);
    lm_trailer(log, IOL_TAG_REMOVED, 1, pairs, sizeof pairs);
    opened o = opened_from(log);
    assert_true(iol__id_pairs_add(o.log, IOL_PAIRS_REMOVED, 10, &removed));
    assert_int_equal(removed.ids.count, 2);
    assert_true(iol__id_pairs_time(&removed, 5) == 13.25 && iol__id_pairs_time(&removed, 6) == 12);
    assert_true(isnan(iol__id_pairs_time(&removed, 7)));
    iol__idmap only = {0};
    size_t length;
    iol__idmap_add(&only, 6);
    void *packed = iol__id_pairs_pack(&removed, &only, &length);
    assert_int_equal(length, 16);
    assert_memory_equal(packed, &(uint64_t){6}, 8);
    free(packed);
    iol__idmap_free(&only);
    iol__id_pairs_free(&removed);
    opened_close(&o);
}

/* Sizes that a mapped file says are outside of it. */
static void impossible_places(void **state) {
    (void)state;
    static const uint64_t places[][2] = {{0, 16}, {UINT64_MAX, 16}, {IOL_MAPPED_HEAD, UINT64_MAX}, {1 << 30, 16}};
    for (size_t i = 0; i < IOL_COUNT(places); i++) {
        iol__id_pairs sizes = {0};
        lm_log *log = lm_new(41, false, LM_NONE);
        rm_make(log, &(iol__mapped){.pid = 5, .sizes_at = places[i][0], .sizes_bytes = places[i][1]});
        opened o = opened_from(log);
        assert_true(iol__id_pairs_add(o.log, IOL_PAIRS_SIZES, 0, &sizes));
        assert_int_equal(sizes.ids.count, 0);
        assert_int_equal(iol_log_error_count(o.log), 1);
        iol__id_pairs_free(&sizes);
        opened_close(&o);
    }
}

static uint8_t *put_removal(uint8_t *to, int64_t further, int64_t later) {
    return iol__removal_number_put(iol__removal_number_put(to, further), later);
}

/* Names stand one after the other, each behind its id and with a zero at its end. */
static void removals_are_found_by_the_place_of_names(void **state) {
    (void)state;
    enum { FIRST = 0, SECOND = FIRST + 8 + 3, THIRD = SECOND + 8 + 4 };
    uint8_t coded[64], *end = put_removal(coded, THIRD, 1 << 20); /* after one second */
    end = put_removal(end, FIRST - THIRD, 1 << 19);
    end = put_removal(end, SECOND + 1, 1); /* in the middle of a name */
    iol__id_pairs removed = {0};
    lm_log *log = lm_new(41, false, LM_ZLIB);
    lm_name(log, 5, "/a");
    lm_name(log, 6, "/bc");
    lm_name(log, 7, "/d");
    lm_trailer(log, IOL_TAG_REMOVED_NAMES, 1, coded, (size_t)(end - coded));
    opened o = opened_from(log);
    assert_true(iol__id_pairs_by_name(o.log));
    assert_true(iol__id_pairs_add(o.log, IOL_PAIRS_REMOVED, 10, &removed));
    assert_int_equal(removed.ids.count, 2);
    assert_true(iol__id_pairs_time(&removed, 7) == 11 && iol__id_pairs_time(&removed, 5) == 11.5);
    assert_int_equal(iol_log_error_count(o.log), 0);
    iol__id_pairs_free(&removed);
    opened_close(&o);
}

/* A number that does not end; what stands before it is taken. */
static void removals_may_be_damaged(void **state) {
    (void)state;
    uint8_t coded[64], *end = put_removal(coded, 0, 1 << 20);
    memset(end, 0xff, 12);
    iol__id_pairs removed = {0};
    lm_log *log = lm_new(41, false, LM_ZLIB);
    lm_name(log, 5, "/a");
    lm_trailer(log, IOL_TAG_REMOVED_NAMES, 1, coded, (size_t)(end - coded) + 12);
    opened o = opened_from(log);
    assert_true(iol__id_pairs_add(o.log, IOL_PAIRS_REMOVED, 0, &removed));
    assert_true(iol__id_pairs_time(&removed, 5) == 1);
    assert_int_equal(iol_log_error_count(o.log), 1);
    iol__id_pairs_free(&removed);
    opened_close(&o);
}

/* Of every size and sign. */
static void numbers_of_removals_come_back(void **state) {
    (void)state;
    for (int bit = 0; bit < 64; bit++)
        for (int64_t more = -1; more <= 1; more++) {
            const int64_t value = (int64_t)((UINT64_C(1) << bit) + (uint64_t)more);
            uint8_t coded[IOL_REMOVAL_NUMBER_MOST];
            int64_t back = 0;
            const uint8_t *end = iol__removal_number_put(coded, value);
            assert_true(end <= coded + sizeof coded);
            assert_ptr_equal(iol__removal_number_take(coded, end, &back), end);
            assert_true(back == value);
            assert_null(iol__removal_number_take(coded, end - 1, &back));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_come_back),
        cmocka_unit_test(texts_of_others),
        cmocka_unit_test(mapped_files_have_their_own),
        cmocka_unit_test(sizes_come_back),
        cmocka_unit_test(the_latest_removal_counts),
        cmocka_unit_test(removals_are_found_by_the_place_of_names),
        cmocka_unit_test(removals_may_be_damaged),
        cmocka_unit_test(numbers_of_removals_come_back),
        cmocka_unit_test(impossible_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
