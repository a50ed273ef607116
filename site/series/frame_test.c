/* Counters to amounts per step, and the order of names. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "site/series/frame.h"

static const double none = -1; /* stands for a value that is missing */

static void check(const double *counters, size_t rows, const double *amounts) {
    jmp_buf exhausted;
    iol__arena arena = {.exhausted = &exhausted};
    iol__frame from, to;
    if (setjmp(exhausted)) fail();
    iol__frame_make(&arena, rows, 1, &from);
    iol__frame_make(&arena, rows - 1, 1, &to);
    for (size_t i = 0; i < rows; i++) from.values[i] = counters[i] == none ? NAN : counters[i];
    iol__frame_deltas(&from, &to);
    for (size_t i = 0; i + 1 < rows; i++)
        if (amounts[i] == none)
            assert_true(isnan(to.values[i]));
        else
            assert_true(to.values[i] == amounts[i]);
    iol__arena_free(&arena);
}

static void a_gap_is_booked_in_its_last_step(void **state) {
    (void)state;
    check((const double[]){1, none, none, 4, 8}, 5, (const double[]){none, none, 3, 4});
}

static void nothing_is_known_before_the_first_value(void **state) {
    (void)state;
    check((const double[]){none, none, 5, 9}, 4, (const double[]){none, none, 4});
    check((const double[]){none, none, none}, 3, (const double[]){none, none});
}

static void a_reset_is_never_negative_and_costs_one_step(void **state) {
    (void)state;
    check((const double[]){100, 110, 3, 9, 20}, 5, (const double[]){10, none, 6, 11});
    check((const double[]){100, 0, 9, 20}, 4, (const double[]){none, 9, 11});
}

static void a_counter_that_stands_still_is_a_measured_zero(void **state) {
    (void)state;
    check((const double[]){10, 10, 10}, 3, (const double[]){0, 0});
}

static void digits_are_numbers(void **state) {
    (void)state;
    static const char *const decimal[] = {"bb3", "bb10:nvme0n1", "bb10:nvme1n1", "bb23", "bb231"};
    static const char *const hexadecimal[] = {"snx11025-OST0001", "snx11025-OST0009", "snx11025-OST000A",
                                              "snx11025-OST0010", "snx11025-OST00ff"};
    for (size_t i = 0; i + 1 < 5; i++) {
        assert_true(iol__natural_order(decimal[i], decimal[i + 1], false) < 0);
        assert_true(iol__natural_order(decimal[i + 1], decimal[i], false) > 0);
        assert_true(iol__natural_order(hexadecimal[i], hexadecimal[i + 1], true) < 0);
    }
    assert_int_equal(iol__natural_order("bb3", "bb3", false), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_is_booked_in_its_last_step),
        cmocka_unit_test(nothing_is_known_before_the_first_value),
        cmocka_unit_test(a_reset_is_never_negative_and_costs_one_step),
        cmocka_unit_test(a_counter_that_stands_still_is_a_measured_zero),
        cmocka_unit_test(digits_are_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
