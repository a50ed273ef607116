/* The table of file costs: sums over records and modules, the longest module of a file, and a full table that keeps the
   worst. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report/file_totals.h"

static void add(iol__file_totals *totals, uint64_t id, int slot, double time) {
    iol__file_total record = {.id = id, .slot = slot, .ranks = 1, .bytes_read = 1, .bytes_written = 2, .time = time};
    iol__file_totals_add(totals, &record);
}

static void records_of_a_file_are_one_row(void **state) {
    (void)state;
    iol__file_total top[3];
    iol__file_totals *totals = iol__file_totals_new(1 << 20);
    add(totals, 7, 1, 1.5);
    add(totals, 7, 1, 2.5);
    add(totals, 8, 1, 2.0);
    assert_int_equal(iol__file_totals_top(totals, top, 3), 2);
    assert_int_equal(top[0].id, 7);
    assert_int_equal(top[0].ranks, 2);
    assert_true(top[0].time == 2.5 && top[0].bytes_read == 2 && top[0].bytes_written == 4);
    assert_int_equal(top[1].id, 8);
    iol__file_totals_free(totals);
}

/* MPI-IO knows no offsets; the POSIX record of the same file does. */
static void the_layer_below_tells_size_and_seeks(void **state) {
    (void)state;
    iol__file_total top[2], mpiio = {.id = 7, .slot = 2, .ranks = 1, .calls = 3, .seeks = -1, .size = -1, .time = 2};
    iol__file_totals *totals = iol__file_totals_new(1 << 20);
    iol__file_totals_add(totals, &mpiio);
    iol__file_totals_below(totals,
                           &(iol__file_total){.id = 7, .slot = 1, .calls = 100, .seeks = 5, .size = 4096, .time = 9});
    iol__file_totals_below(totals,
                           &(iol__file_total){.id = 7, .slot = 1, .calls = 100, .seeks = 1, .size = 1024, .time = 9});
    iol__file_totals_below(totals,
                           &(iol__file_total){.id = 8, .slot = 1, .calls = 100, .seeks = 1, .size = 1024, .time = 9});
    iol__file_totals_add(totals, &mpiio);
    assert_int_equal(iol__file_totals_top(totals, top, 2), 1);
    assert_true(top[0].calls == 6 && top[0].seeks == 6 && top[0].size == 4096 && top[0].time == 2);
    iol__file_totals_free(totals);
}

/* As a stream and by descriptor: both moved its bytes, and both took time. */
static void a_file_has_the_sums_of_its_modules(void **state) {
    (void)state;
    iol__file_total top;
    iol__file_totals *totals = iol__file_totals_new(1 << 20);
    add(totals, 7, 1, 3);
    add(totals, 7, 2, 5);
    add(totals, 7, 9, 4);
    assert_int_equal(iol__file_totals_top(totals, &top, 1), 1);
    assert_int_equal(top.slot, 2); /* in which it took longest */
    assert_true(top.time == 12 && top.bytes_read == 3 && top.bytes_written == 6);
    assert_int_equal(top.ranks, 1);
    iol__file_totals_free(totals);
}

static void a_full_table_keeps_the_costliest(void **state) {
    (void)state;
    enum { FILES = 100000 };
    iol__file_total top[5];
    iol__file_totals *totals = iol__file_totals_new(64 << 10);
    /* An order that meets large and small ones early and late. */
    for (uint64_t i = 0; i < FILES; i++) add(totals, i * 7919 % FILES, 1, (double)(i * 7919 % FILES));
    assert_true(iol__file_totals_lossy(totals));
    assert_true(iol__file_totals_files(totals) < 1000);
    assert_int_equal(iol__file_totals_top(totals, top, 5), 5);
    for (uint64_t i = 0; i < 5; i++) assert_int_equal(top[i].id, FILES - 1 - i);
    iol__file_totals_free(totals);
}

static void ties_have_an_order(void **state) {
    (void)state;
    iol__file_total top[2];
    iol__file_totals *totals = iol__file_totals_new(1 << 20);
    add(totals, 9, 1, 1);
    add(totals, 4, 1, 1);
    assert_int_equal(iol__file_totals_top(totals, top, 2), 2);
    assert_int_equal(top[0].id, 4);
    iol__file_totals_free(totals);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_of_a_file_are_one_row),
        cmocka_unit_test(the_layer_below_tells_size_and_seeks),
        cmocka_unit_test(a_file_has_the_sums_of_its_modules),
        cmocka_unit_test(a_full_table_keeps_the_costliest),
        cmocka_unit_test(ties_have_an_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
