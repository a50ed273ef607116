/* Which days are summed up while logs are still read. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "site/index/quiet.h"

enum { PATIENCE = 10, MOST = 4 };

static void note(iol__quiet *q, int64_t day, int times) {
    for (int i = 0; i < times; i++) iol__quiet_note(q, day);
}

static void a_day_is_quiet_after_enough_logs_of_others(void **state) {
    (void)state;
    iol__quiet q;
    int64_t days[MOST];
    iol__quiet_start(&q, PATIENCE);
    assert_int_equal(iol__quiet_take(&q, days, MOST), 0);
    note(&q, 20260302, 5);
    note(&q, 20260301, PATIENCE - 1);
    assert_int_equal(iol__quiet_take(&q, days, MOST), 0);
    note(&q, 20260301, 1);
    assert_int_equal(iol__quiet_take(&q, days, MOST), 1);
    assert_int_equal(days[0], 20260302);
    iol__quiet_free(&q);
}

static void a_day_is_taken_once(void **state) {
    (void)state;
    iol__quiet q;
    int64_t days[MOST];
    iol__quiet_start(&q, PATIENCE);
    note(&q, 20260301, 1);
    note(&q, 20260302, PATIENCE);
    assert_int_equal(iol__quiet_take(&q, days, MOST), 1);
    note(&q, 20260301, 1);
    note(&q, 20260303, 3);
    assert_int_equal(iol__quiet_take(&q, days, MOST), 0); /* so soon after the last time */
    note(&q, 20260303, PATIENCE - 3);
    assert_int_equal(iol__quiet_take(&q, days, MOST), 1);
    assert_int_equal(days[0], 20260302);
    iol__quiet_free(&q);
}

static void no_more_than_asked_for(void **state) {
    (void)state;
    iol__quiet q;
    int64_t days[MOST];
    iol__quiet_start(&q, PATIENCE);
    for (int64_t day = 20260331; day > 20260300; day--) note(&q, day, 3);
    assert_int_equal(iol__quiet_take(&q, days, MOST), MOST);
    for (int i = 0; i < MOST; i++) assert_true(days[i] > 20260304);
    note(&q, 20260304, PATIENCE);
    assert_int_equal(iol__quiet_take(&q, days, MOST), MOST);
    iol__quiet_free(&q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_day_is_quiet_after_enough_logs_of_others),
        cmocka_unit_test(a_day_is_taken_once),
        cmocka_unit_test(no_more_than_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
