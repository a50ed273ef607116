/* Analyses over series of jobs (UMAMI, contributors, correlations), against values that were worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "site/analyze/contributors.h"
#include "site/analyze/correlate.h"
#include "site/analyze/umami.h"

typedef struct fixture {
    iol__arena arena;
    jmp_buf exhausted;
} fixture;

static fixture here;

static int start_arena(void **state) {
    here.arena = (iol__arena){.exhausted = &here.exhausted};
    *state = &here.arena;
    return 0;
}

static int free_arena(void **state) {
    iol__arena_free(*state);
    return 0;
}

static void close_to(double got, double wanted) { assert_true(fabs(got - wanted) <= 1e-9 * fabs(wanted)); }

/* Runs of one program, a day apart, with two figures each. */
static iol__value *rows_of(iol__arena *arena, const char *first, const double *a, const char *second, const double *b,
                           size_t count) {
    iol__value *rows = iol__value_new(arena, IOL__LIST);
    for (size_t i = 0; i < count; i++) {
        iol__value *row = iol__value_new(arena, IOL__MAP);
        iol__map_put_text(arena, row, "_jobid", iol__arena_print(arena, "%zu", i + 1));
        iol__map_put_integer(arena, row, "_datetime_start", 86400 * (int64_t)(i + 1));
        iol__map_put_text(arena, row, "darshan_app", "/opt/ior");
        iol__map_put_integer(arena, row, "darshan_nprocs", 4);
        iol__map_put_integer(arena, row, "darshan_biggest_write_api_bytes", 100);
        iol__map_put_integer(arena, row, "darshan_biggest_read_api_bytes", 10);
        iol__map_put_integer(arena, row, "darshan_biggest_write_api_files", 8);
        iol__map_put_real(arena, row, first, a[i]);
        iol__map_put_real(arena, row, second, b[i]);
        iol__list_add(arena, rows, row);
    }
    return rows;
}

static const double mibs[] = {1024, 2048, 3072, 4096, 2048}, load[] = {10, 20, 30, 40, 25};

static void umami_compares_a_run_with_the_others(void **state) {
    iol__arena *arena = *state;
    const iol__value *rows = rows_of(arena, "darshan_agg_perf_by_slowest_posix", mibs, "fs_max_oss_cpu", load, 5);
    const iol__umami umami = iol__umami_make(arena, rows, 4, NULL);
    assert_int_equal(umami.count, 5);
    assert_int_equal(umami.n_metrics, 2);
    assert_string_equal(umami.job_ids[4], "5");
    const iol__umami_metric *performance = &umami.metrics[0], *servers = &umami.metrics[1];
    assert_string_equal(performance->key, "performance");
    close_to(performance->values[4], 2); /* GiB per second */
    close_to(performance->quarters[0], 1.75);
    close_to(performance->quarters[1], 2.5);
    close_to(performance->quarters[3], 4);
    assert_int_equal(performance->quarter, 1);
    close_to(performance->median, 2.5);
    assert_string_equal(servers->key, "max_oss_cpu");
    close_to(servers->quarters[0], 17.5);
    assert_int_equal(servers->quarter, 1);
    assert_false(servers->big_is_good);
    /* Second worst for what should be large is second best for what should be small. */
    assert_string_equal(performance->colour, "#FD6A07");
    assert_string_equal(servers->colour, "#40A43A");
}

static void metrics_that_never_change_are_left_out(void **state) {
    static const double same[] = {7, 7, 7, 7, 7};
    iol__arena *arena = *state;
    const iol__value *rows = rows_of(arena, "darshan_agg_perf_by_slowest_posix", mibs, "fs_max_oss_cpu", same, 5);
    const iol__umami umami = iol__umami_make(arena, rows, 4, NULL);
    assert_int_equal(umami.n_metrics, 1);
    assert_string_equal(umami.metrics[0].key, "performance");
}

static void contributors_are_beyond_a_quarter_of_the_region(void **state) {
    iol__arena *arena = *state;
    double times[8], speeds[8], loads[8];
    for (int i = 0; i < 8; i++) {
        times[i] = 86400 * i;
        speeds[i] = 8 - i;
        loads[i] = i ? i + 1.0 : NAN;
    }
    iol__umami_metric metrics[] = {{.key = "performance", .big_is_good = true, .values = speeds},
                                   {.key = "max_oss_cpu", .values = loads}};
    const iol__umami umami = {
        .times = times, .count = 8, .highlighted = 7, .metrics = metrics, .n_metrics = IOL_COUNT(metrics)};
    const iol__contributors bad = iol__contributors_of(arena, &umami, false, false);
    assert_int_equal(bad.first, 0);
    assert_int_equal(bad.last, 8);
    assert_int_equal(bad.count, 2);
    close_to(bad.list[0].cutoff, 2.75);
    assert_true(bad.list[0].matches);
    assert_int_equal(bad.list[0].observed, 8);
    assert_int_equal(bad.list[0].matching, 2);
    close_to(bad.list[1].cutoff, 6.5);
    assert_true(bad.list[1].matches);
    assert_int_equal(bad.list[1].observed, 7);
    assert_int_equal(bad.list[1].matching, 2);
    const iol__contributors best = iol__contributors_of(arena, &umami, true, true);
    close_to(best.list[0].cutoff, 8);
    assert_false(best.list[0].matches);
    assert_int_equal(best.list[0].matching, 1);
}

static void correlations_are_by_program_and_direction(void **state) {
    static const double a[] = {1, 2, 3, 4}, b[] = {2, 1, 4, 3};
    iol__arena *arena = *state;
    const iol__correlating how = {.against = "speed", .metrics = "traffic"};
    const iol__value *table = iol__correlate(arena, rows_of(arena, "speed", a, "traffic", b, 4), &how);
    assert_int_equal(table->count, 1);
    assert_string_equal(table->keys[0], "ior_fpp_write");
    const iol__value *is = iol__map_get(table->items[0], "traffic");
    assert_non_null(is);
    close_to(iol__map_number(is, "coefficient"), 0.6);
    close_to(iol__map_number(is, "p_value"), 0.4);
    close_to(iol__map_number(is, "n"), 4);
    assert_false(iol__map_get(is, "significant")->flag);
}

int main(void) {
#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, start_arena, free_arena)
    const struct CMUnitTest tests[] = {
        WITH_ARENA(umami_compares_a_run_with_the_others),
        WITH_ARENA(metrics_that_never_change_are_left_out),
        WITH_ARENA(contributors_are_beyond_a_quarter_of_the_region),
        WITH_ARENA(correlations_are_by_program_and_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
