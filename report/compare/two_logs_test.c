/* Comparing two logs: what counts as a difference, what is not known, files of one side, and the order of changes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/compare/two_logs.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

/* Two logs, summed up and compared. */
typedef struct compared {
    opened logs[2];
    iol__summary summaries[2];
    iol__two_logs c;
} compared;

static compared *compare(lm_log *a, lm_log *b) {
    compared *x = calloc(1, sizeof *x);
    x->logs[0] = opened_from(a);
    x->logs[1] = opened_from(b);
    for (int i = 0; i < 2; i++) assert_true(iol__summary_make(x->logs[i].log, SIZE_MAX, NULL, &x->summaries[i]));
    assert_true(iol__two_logs_compare(&x->summaries[0], &x->summaries[1], &x->c));
    return x;
}

static void done(compared *x) {
    iol__two_logs_free(&x->c);
    for (int i = 0; i < 2; i++) {
        iol__summary_free(&x->summaries[i]);
        opened_close(&x->logs[i]);
    }
    free(x);
}

/* A POSIX record of rank 0 that is all in its reads. */
static void posix(lm_log *log, const char *name, int64_t reads, double time) {
    lm_counts counts = {0};
    counts.ints[IOL_POSIX_READS] = reads;
    counts.ints[IOL_POSIX_BYTES_READ] = reads;
    counts.reals[IOL_POSIX_F_READ_TIME] = time;
    lm_fixed(lm_records(log, LM_POSIX, 4), LM_POSIX, 4, lm_id(name), 0, 0, &counts);
    lm_name(log, lm_id(name), name);
}

static lm_log *one_file(int64_t reads, double time) {
    lm_log *log = lm_new(41, false, LM_ZLIB);
    posix(log, "/a", reads, time);
    return log;
}

static const iol__counter_change *counter_of(const compared *x, const char *name) {
    for (size_t i = 0; i < x->c.n_counters; i++)
        if (strcmp(x->c.counters[i].counter->name, name) == 0) return &x->c.counters[i];
    fail_msg("%s is not compared", name);
    return NULL;
}

static void a_log_does_not_differ_from_itself(void **state) {
    (void)state;
    compared *x = compare(one_file(5, 1), one_file(5, 1));
    assert_false(x->c.differs);
    assert_int_equal(x->c.n_files, 1);
    assert_int_equal(x->c.n_files_differ, 0);
    assert_int_equal(x->c.n_counters_differ, 0);
    done(x);
}

static void a_counter_differs_in_layer_file_and_totals(void **state) {
    (void)state;
    compared *x = compare(one_file(5, 1), one_file(10, 3));
    assert_true(x->c.differs);
    assert_false(x->c.exe_differs);
    assert_int_equal(x->c.n_layers, 1);
    assert_true(x->c.layers[0].differs);
    iol__compared_pair time = x->c.layers[0].figures[IOL_FIGURE_TIME];
    assert_true(time.a == 1 && time.b == 3);
    assert_true(iol__pair_delta(time) == 2 && iol__pair_ratio(time) == 3);
    assert_int_equal(x->c.n_files_differ, 1);
    const iol__counter_change *reads = counter_of(x, "POSIX_READS");
    assert_true(reads->differs && reads->value.a == 5 && reads->value.b == 10);
    assert_false(counter_of(x, "POSIX_WRITES")->differs);
    /* Time tripled, reads and bytes doubled: the largest relative change is first. */
    assert_string_equal(x->c.counters[0].counter->name, "POSIX_F_READ_TIME");
    assert_int_equal(x->c.n_counters_differ, 7); /* and bytes and time of the fastest and of the slowest rank */
    done(x);
}

static void files_of_one_side_are_said_so(void **state) {
    (void)state;
    lm_log *a = one_file(5, 1), *b = one_file(5, 1);
    posix(a, "/gone", 1, 2);
    posix(b, "/new", 1, 4);
    compared *x = compare(a, b);
    assert_int_equal(x->c.n_files, 3);
    assert_int_equal(x->c.n_files_differ, 2);
    assert_null(x->c.files[0].a);
    assert_true(x->c.files[0].b->id == lm_id("/new"));
    assert_null(x->c.files[1].b);
    assert_true(x->c.files[1].a->id == lm_id("/gone"));
    assert_false(x->c.files[2].differs);
    assert_true(isnan(iol__pair_delta(iol__file_time(&x->c.files[0]))));
    done(x);
}

static void what_is_not_known_is_no_difference(void **state) {
    (void)state;
    lm_log *a = lm_new(41, false, LM_ZLIB), *b = lm_new(41, false, LM_ZLIB);
    lm_counts counts = {0};
    counts.ints[IOL_POSIX_MMAPS] = -1;
    lm_fixed(lm_records(a, LM_POSIX, 4), LM_POSIX, 4, 7, 0, 0, &counts);
    counts.ints[IOL_POSIX_MMAPS] = 3;
    lm_fixed(lm_records(b, LM_POSIX, 4), LM_POSIX, 4, 7, 0, 0, &counts);
    a->end = a->end_ns = 0; /* a run that has not ended has no run time to compare */
    a->processes = -5;
    compared *x = compare(a, b);
    const iol__counter_change *mmaps = counter_of(x, "POSIX_MMAPS");
    assert_true(isnan(mmaps->value.a) && mmaps->value.b == 3);
    assert_false(mmaps->differs);
    assert_true(isnan(x->c.facts[IOL_FACT_RUN_TIME].a) && isnan(x->c.facts[IOL_FACT_PROCESSES].a));
    assert_false(x->c.differs);
    done(x);
}

static void sums_of_unknown_values_are_not_known(void **state) {
    (void)state;
    lm_log *a = lm_new(10, false, LM_ZLIB), *b = lm_new(10, false, LM_ZLIB);
    for (int64_t rank = 0; rank < 3; rank++) lm_sample(a, LM_STDIO, 1, 7, rank, 1);
    for (int64_t rank = 0; rank < 3; rank++) lm_sample(b, LM_STDIO, 1, 7, rank, 1);
    compared *x = compare(a, b);
    assert_true(isnan(counter_of(x, "STDIO_FDOPENS")->value.a)); /* -3 */
    assert_false(x->c.differs);
    done(x);
}

static void modules_of_one_side_differ(void **state) {
    (void)state;
    lm_log *a = one_file(5, 1), *b = one_file(5, 1);
    lm_sample(b, LM_HEATMAP, 1, 9, 0, 1);
    compared *x = compare(a, b);
    assert_true(x->c.differs);
    assert_int_equal(x->c.n_layers, 2);
    assert_false(x->c.layers[0].differs);
    assert_null(x->c.layers[1].a);
    done(x);
}

static void nonsense_does_no_harm(void **state) {
    (void)state;
    lm_log *a = one_file(INT64_MIN, (double)NAN), *b = one_file(INT64_MAX, 1e308);
    posix(b, "/inf", 1, (double)INFINITY);
    posix(b, "/much", 1, 1.7e308);
    a->processes = INT64_MIN;
    b->processes = INT64_MAX;
    compared *x = compare(a, b);
    assert_true(x->c.differs);
    for (size_t i = 0; i < x->c.n_counters; i++) assert_false(iol__pair_size(x->c.counters[i].value) > 1);
    done(x);
}

static void integers_are_compared_to_the_last_digit(void **state) {
    (void)state;
    int64_t large = INT64_C(1) << 54; /* doubles are even up here */
    lm_log *logs[2];
    for (int i = 0; i < 2; i++) {
        lm_counts counts = {0};
        counts.ints[IOL_POSIX_SEEKS] = large + i;
        logs[i] = lm_new(41, false, LM_ZLIB);
        lm_fixed(lm_records(logs[i], LM_POSIX, 4), LM_POSIX, 4, 7, 0, 0, &counts);
    }
    compared *x = compare(logs[0], logs[1]);
    assert_true(counter_of(x, "POSIX_SEEKS")->differs);
    assert_true(x->c.differs);
    done(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_does_not_differ_from_itself),
        cmocka_unit_test(a_counter_differs_in_layer_file_and_totals),
        cmocka_unit_test(files_of_one_side_are_said_so),
        cmocka_unit_test(what_is_not_known_is_no_difference),
        cmocka_unit_test(sums_of_unknown_values_are_not_known),
        cmocka_unit_test(modules_of_one_side_differ),
        cmocka_unit_test(nonsense_does_no_harm),
        cmocka_unit_test(integers_are_compared_to_the_last_digit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
