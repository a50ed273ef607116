/* The lines of darshan-diff: pairs by id and rank, records of one side, what is not compared, and logs that take several
   batches. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/darshan/darshan_diff.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

typedef struct text {
    iol__out out;
    size_t errors; /* of both logs */
} text;

/* The text of the comparison of two made logs, NUL-terminated. */
static text diff_of(lm_log *a, lm_log *b) {
    opened one = opened_from(a), two = opened_from(b);
    text t;
    iol__out_open(&t.out, -1);
    iol__diff_jobs(&t.out, one.log, two.log);
    assert_true(iol__diff_records(&t.out, one.log, two.log));
    iol__out_char(&t.out, '\0');
    t.errors = iol_log_error_count(one.log) + iol_log_error_count(two.log);
    opened_close(&one);
    opened_close(&two);
    return t;
}

static void prints(lm_log *a, lm_log *b, const char *expected) {
    text t = diff_of(a, b);
    assert_string_equal(t.out.buffer, expected);
    assert_int_equal(t.errors, 0);
    iol__out_close(&t.out);
}

static size_t count(const char *where, const char *what) {
    size_t n = 0;
    for (const char *at = where; (at = strstr(at, what)) != NULL; at++) n++;
    return n;
}

static lm_log *new_log(void) { return lm_new(41, false, LM_ZLIB); }

static void h5f(lm_log *log, uint64_t id, int64_t rank, int64_t opens) {
    lm_counts counts = {0};
    counts.ints[0] = opens;
    lm_fixed(lm_records(log, LM_H5F, 3), LM_H5F, 3, id, rank, 0, &counts);
}

static void equal_records_leave_an_empty_line_an_id(void **state) {
    (void)state;
    lm_log *logs[2] = {new_log(), new_log()};
    for (int i = 0; i < 2; i++) {
        h5f(logs[i], 7, 0, 1);
        h5f(logs[i], 7, 1, 1);
        h5f(logs[i], 8, -1, 1);
    }
    prints(logs[0], logs[1], "\n\n");
}

static void job_facts_come_first(void **state) {
    (void)state;
    lm_log *a = new_log(), *b = new_log();
    a->uid = 1;
    b->uid = 2;
    a->start = 100;
    b->start = 101;
    a->end = b->end = 109;
    a->processes = 4;
    b->processes = 5;
    prints(a, b,
           "- # uid: 1\n+ # uid: 2\n- # start_time: 100\n+ # start_time: 101\n"
           "- # nprocs: 4\n+ # nprocs: 5\n- # run time: 10\n+ # run time: 9\n");
}

static void changed_counters_are_pairs_of_lines(void **state) {
    (void)state;
    lm_log *a = new_log(), *b = new_log();
    h5f(a, 7, 1, 3); /* ranks meet in whatever order they were written */
    h5f(a, 7, 0, 1);
    h5f(b, 7, 0, 2);
    h5f(b, 7, 1, 4);
    lm_name(a, 7, "/old");
    lm_name(b, 7, "/new");
    prints(a, b,
           "\n- H5F\t0\t7\tH5F_OPENS\t1\t/old\t\t\n+ H5F\t0\t7\tH5F_OPENS\t2\t/new\t\t\n"
           "- H5F\t1\t7\tH5F_OPENS\t3\t/old\t\t\n+ H5F\t1\t7\tH5F_OPENS\t4\t/new\t\t\n");
}

static void records_of_one_side_are_printed_whole(void **state) {
    (void)state;
    lm_log *a = new_log(), *b = new_log();
    h5f(a, 7, 0, 1);
    h5f(b, 7, 0, 1);
    h5f(b, 7, 1, 5);
    h5f(b, 9, 0, 6); /* an id of the second log has no empty line */
    text t = diff_of(a, b);
    assert_int_equal(t.out.buffer[0], '\n');
    assert_int_equal(count(t.out.buffer, "\n\n"), 0);
    assert_int_equal(count(t.out.buffer, "+ H5F\t1\t7\t"), 8);
    assert_int_equal(count(t.out.buffer, "+ H5F\t0\t9\t"), 8);
    assert_int_equal(count(t.out.buffer, "- "), 0);
    assert_non_null(strstr(t.out.buffer, "+ H5F\t0\t9\tH5F_OPENS\t6\t(null)\t\t\n"));
    assert_true(strstr(t.out.buffer, "\t7\t") < strstr(t.out.buffer, "\t9\t"));
    iol__out_close(&t.out);
}

static void ids_come_in_the_order_of_the_first_log(void **state) {
    (void)state;
    lm_log *a = new_log(), *b = new_log();
    h5f(a, 9, 0, 1);
    h5f(a, 5, 0, 1);
    h5f(b, 5, 0, 2);
    h5f(b, 9, 0, 2);
    prints(a, b,
           "\n- H5F\t0\t9\tH5F_OPENS\t1\t(null)\t\t\n+ H5F\t0\t9\tH5F_OPENS\t2\t(null)\t\t\n"
           "\n- H5F\t0\t5\tH5F_OPENS\t1\t(null)\t\t\n+ H5F\t0\t5\tH5F_OPENS\t2\t(null)\t\t\n");
}

static void some_modules_are_not_compared(void **state) {
    (void)state;
    lm_log *a = new_log(), *b = new_log();
    lm_sample(a, LM_LUSTRE, 2, 7, 0, 1);
    lm_sample(b, LM_LUSTRE, 2, 7, 0, 2);
    lm_sample(a, LM_DXT_POSIX, 1, 7, 0, 1);
    lm_sample(a, LM_HEATMAP, 1, 8, 0, 1);
    lm_sample(b, LM_HEATMAP, 1, 8, 0, 2);
    lm_sample(b, LM_DXT_MPIIO, 2, 9, 0, 1);
    prints(a, b, "\n");
}

static void other_versions_are_not_compared(void **state) {
    (void)state;
    lm_log *a = new_log(), *b = new_log();
    lm_counts counts = {0};
    counts.ints[0] = 2;
    h5f(a, 7, 0, 1);
    lm_fixed(lm_records(b, LM_H5F, 2), LM_H5F, 2, 7, 0, 0, &counts);
    prints(a, b, "\n");
}

static void owners_are_not_compared(void **state) {
    (void)state;
    lm_log *logs[2] = {new_log(), new_log()};
    lm_counts counts = {0};
    for (unsigned i = 0; i < 2; i++) lm_fixed(lm_records(logs[i], LM_H5D, 2), LM_H5D, 2, 7, 0, 100 + i, &counts);
    prints(logs[0], logs[1], "\n");
}

static void objects_go_by_their_id(void **state) {
    (void)state;
    lm_log *logs[2] = {new_log(), new_log()};
    lm_counts counts = {0};
    for (unsigned i = 0; i < 2; i++) {
        counts.ints[0] = i;
        lm_fixed(lm_records(logs[i], LM_DAOS, 1), LM_DAOS, 1, 7, 0, 5, &counts);
    }
    text t = diff_of(logs[0], logs[1]);
    assert_int_equal(count(t.out.buffer, "\n"), 3);
    assert_int_equal(count(t.out.buffer, ".5\t\t\n") + count(t.out.buffer, "\t5."), 2);
    iol__out_close(&t.out);
}

static void texts_and_lists_are_compared(void **state) {
    (void)state;
    lm_log *logs[2] = {new_log(), new_log()};
    lm_counts counts = {0};
    counts.ints[4] = 2; /* servers */
    for (int64_t i = 0; i < 2; i++) {
        const int64_t servers[] = {10, 20 + i};
        lm_mdhim(lm_records(logs[i], LM_MDHIM, 1), 7, 0, &counts, servers);
        lm_apmpi_header(lm_records(logs[i], LM_APMPI, 1), 1, 0.5, 0.25);
        lm_apmpi(lm_records(logs[i], LM_APMPI, 1), 8, 0, &counts, i ? "node2" : "node1");
    }
    prints(logs[0], logs[1],
           "\n- MDHIM\t0\t7\tMDHIM_SERVER_1\t20\t(null)\t\t\n+ MDHIM\t0\t7\tMDHIM_SERVER_1\t21\t(null)\t\t\n"
           "\n\n- APMPI\t0\t8\tMPI_PROCESSOR_NAME\tnode1\t\t\t\n+ APMPI\t0\t8\tMPI_PROCESSOR_NAME\tnode2\t\t\t\n");
}

static void not_a_number_equals_itself(void **state) {
    (void)state;
    lm_log *logs[2] = {new_log(), new_log()};
    lm_counts counts = {0};
    counts.reals[0] = (double)NAN;
    for (int i = 0; i < 2; i++) lm_fixed(lm_records(logs[i], LM_H5F, 3), LM_H5F, 3, 7, 0, 0, &counts);
    prints(logs[0], logs[1], "\n");
}

/* These do not fit into memory together, by the size of their files. */
static void large_logs_take_several_batches(void **state) {
    (void)state;
    enum { FILES = 40000 };
    lm_log *logs[2] = {new_log(), new_log()};
    lm_counts counts = {0};
    for (int i = 0; i < 2; i++)
        for (uint64_t id = 1; id <= FILES; id++) {
            counts.ints[0] = id % 10000 == 0 ? i : 5;
            lm_fixed(lm_records(logs[i], LM_POSIX, 4), LM_POSIX, 4, id, 0, 0, &counts);
        }
    text t = diff_of(logs[0], logs[1]);
    assert_int_equal(t.errors, 0);
    assert_int_equal(count(t.out.buffer, "\n"), FILES + 8);
    assert_non_null(strstr(t.out.buffer, "\n+ POSIX\t0\t40000\tPOSIX_OPENS\t1\t(null)\t\t\n"));
    iol__out_close(&t.out);
}

static void a_file_with_too_many_records_is_cut_and_said_so(void **state) {
    (void)state;
    lm_log *a = new_log(), *b = new_log();
    for (int64_t i = 0; i < 60000; i++) lm_fixed(lm_records(a, LM_POSIX, 4), LM_POSIX, 4, 1, 0, 0, &(lm_counts){0});
    text t = diff_of(a, b);
    assert_int_equal(t.errors, 1);
    iol__out_close(&t.out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_records_leave_an_empty_line_an_id),
        cmocka_unit_test(job_facts_come_first),
        cmocka_unit_test(changed_counters_are_pairs_of_lines),
        cmocka_unit_test(records_of_one_side_are_printed_whole),
        cmocka_unit_test(ids_come_in_the_order_of_the_first_log),
        cmocka_unit_test(some_modules_are_not_compared),
        cmocka_unit_test(other_versions_are_not_compared),
        cmocka_unit_test(owners_are_not_compared),
        cmocka_unit_test(objects_go_by_their_id),
        cmocka_unit_test(texts_and_lists_are_compared),
        cmocka_unit_test(not_a_number_equals_itself),
        cmocka_unit_test(large_logs_take_several_batches),
        cmocka_unit_test(a_file_with_too_many_records_is_cut_and_said_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
