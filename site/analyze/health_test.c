/* Fullness and fail-overs of a file system, from listings of which every figure can be worked out by hand. */
#include "site/analyze/analyze_testing.h"
#include "site/analyze/health.h"

static const char full[] =
    "{\"scratch\": {\"OST0000\": {\"used_kib\": 100, \"total_kib\": 1000, \"target_index\": 0},"
    "               \"OST0001\": {\"used_kib\": 700, \"total_kib\": 1000, \"target_index\": 1},"
    "               \"OST0002\": {\"used_kib\": 401, \"total_kib\": 1000, \"target_index\": 2},"
    "               \"MDT0000\": {\"used_kib\": 999, \"total_kib\": 1000, \"target_index\": 0}}}";

static void fullness_is_that_of_osts_alone(void **state) {
    (void)state;
    const iol__sample sample = iol__sample_at(&arena, tree_of(full), "scratch", 50);
    const iol__value *is = iol__fullness_of(&arena, &sample, 50);
    number_is(is, "ost_count", 3);
    number_is(is, "ost_avg_full_kib", 400);
    number_is(is, "ost_avg_full_pct", 40);
    number_is(is, "ost_least_full_kib", 100);
    text_is(is, "ost_least_full_name", "OST0000");
    number_is(is, "ost_most_full_pct", 70);
    number_is(is, "ost_most_full_id", 1);
    number_is(is, "ost_requested_timestamp", 50);
}

static void the_latest_sample_before_a_time_counts(void **state) {
    (void)state;
    const iol__value *day = tree_of("{\"100\": {\"a\": {\"OST0000\": {\"used_kib\": 1, \"total_kib\": 10}}},"
                                    " \"200\": {\"a\": {\"OST0000\": {\"used_kib\": 2, \"total_kib\": 10}}},"
                                    " \"300\": {\"b\": {\"OST0000\": {\"used_kib\": 3, \"total_kib\": 10}}},"
                                    " \"400\": {\"a\": {\"OST0000\": {\"used_kib\": 4, \"total_kib\": 10}}}}");
    const iol__sample at = iol__sample_at(&arena, day, "a", 350), early = iol__sample_at(&arena, day, "a", 10);
    assert_int_equal(at.when, 200);
    assert_int_equal(at.next, 400);
    assert_int_equal(early.when, 100); /* the first one, if there is none before */
    assert_null(iol__sample_at(&arena, day, "c", 350).block);
}

/* Four servers with two targets each, but that .4 has given one to .1. */
static void a_server_with_more_targets_has_taken_some_over(void **state) {
    (void)state;
    iol__value *listing = iol__value_new(&arena, IOL__MAP);
    static const int servers[] = {1, 1, 2, 2, 3, 3, 1, 4};
    for (size_t i = 0; i < IOL_COUNT(servers); i++) {
        const char *name = iol__arena_print(&arena, "OST%04zu", i);
        iol__value *target = iol__map_open(&arena, iol__map_open(&arena, listing, "fs", IOL__MAP), name, IOL__MAP);
        iol__map_put_text(&arena, target, "role", "osc");
        iol__map_put_text(&arena, target, "target_ip", iol__arena_print(&arena, "10.0.0.%d", servers[i]));
    }
    const iol__sample sample = iol__sample_at(&arena, listing, "fs", 0);
    const iol__value *is = iol__failures_of(&arena, &sample, INT64_MAX);
    number_is(is, "ost_overloaded_oss_count", 2);
    number_is(is, "ost_overloaded_ost_count", 4);
    number_is(is, "ost_avg_overloaded_ost_per_oss", 2);
    number_is(is, "ost_avg_overloaded_overload_factor", 1);
    text_is(is, "ost_overloaded_osts", "OST0000, OST0001, OST0006");
    text_is(is, "ost_overloaded_servers", "10.0.0.1");
    text_is(is, "ost_giving_servers", "10.0.0.4");
    text_is(iol__servers_of(&arena, sample.block), "6", "10.0.0.1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fullness_is_that_of_osts_alone),
        cmocka_unit_test(the_latest_sample_before_a_time_counts),
        cmocka_unit_test(a_server_with_more_targets_has_taken_some_over),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
