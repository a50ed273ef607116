/* Marks of traced requests: they come back as they were put, also after times are counted from elsewhere, and times stay in
   order and as exact as clocks are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "record/where.h"

static const double times[] = {0x1p-30, 1e-6, 0.0105, 1, 3600.000000123, 86400.5};

static void marks_come_back(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        for (uint32_t mark = 0; mark < 0x10000; mark += 251)
            for (int instant = 0; instant < 2; instant++) {
                double start = times[i], end = instant ? start : start * 1.5;
                iol__where_put_mark(&start, &end, mark);
                assert_true(start <= end);
                assert_true(fabs(start - times[i]) < 1e-8 && fabs(end - (instant ? 1 : 1.5) * times[i]) < 1e-8);
                iol__where_shift(&start, &end, 12.25);
                assert_int_equal(iol__where_take_mark(&start, &end), mark);
                assert_true(start <= end && fabs(start - 12.25 - times[i]) < 2e-8);
            }
}

static void nothing_is_shifted_by_nothing(void **state) {
    (void)state;
    double start = 0.1, end = 0.3;
    iol__where_shift(&start, &end, 0);
    assert_true(start == 0.1 && end == 0.3);
}

static void no_chain_has_the_mark_of_none(void **state) {
    (void)state;
    assert_int_equal(iol__where_mark_of_chain(UINT64_C(0x12340000)), 1);
    assert_int_equal(iol__where_mark_of_chain(UINT64_C(0x1234beef)), 0xbeef);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_come_back),
        cmocka_unit_test(nothing_is_shifted_by_nothing),
        cmocka_unit_test(no_chain_has_the_mark_of_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
