/* Rounded times: near what they were, in the same order, and never 0 where there was something. */
#include "record/times.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static double any_time(void) { return ldexp((double)(random() + 1), (int)(random() % 60) - 60); }

static void points_are_near(void **state) {
    (void)state;
    for (int i = 0; i < 100000; i++) {
        const double time = any_time(), rounded = iol__time_point(time);
        assert_true(rounded > 0);
        assert_true(fabs(rounded - time) <= (time < 0x1p-4 ? 0x1p-20 : 0x1p-18));
        assert_true(iol__time_point(rounded) == rounded);
    }
}

static void spans_are_near(void **state) {
    (void)state;
    for (int i = 0; i < 100000; i++) {
        const double time = any_time(), rounded = iol__time_span(time), square = iol__time_square(time);
        assert_true(rounded > 0);
        assert_true(fabs(rounded - time) <= fmax(time * 0x1p-11, time < 0x1p-23 ? 0x1p-22 : 0x1p-23));
        assert_true(iol__time_span(rounded) == rounded);
        assert_true(fabs(square - time) <= time * 0x1p-9);
        assert_true(iol__time_square(square) == square);
    }
    assert_true(iol__time_span(0x1p-1074) > 0 && iol__time_square(0x1p-1074) >= 0);
}

/* At the borders between two units, which random times hardly meet. */
static void order_stays_at_borders(void **state) {
    (void)state;
    static const double borders[] = {0x1p-12, 0x1p-4};
    for (size_t i = 0; i < sizeof borders / sizeof *borders; i++)
        for (double before = 0, time = borders[i] * (1 - 0x1p-12); time < borders[i] * (1 + 0x1p-12);
             time += borders[i] * 0x1p-20) {
            const double rounded = iol__time_point(time) + iol__time_span(time);
            assert_true(rounded >= before);
            before = rounded;
        }
}

static void order_stays(void **state) {
    (void)state;
    for (int i = 0; i < 100000; i++) {
        const double a = any_time(), b = i % 2 ? any_time() : a * (1 + ldexp((double)random(), -50));
        assert_true((a <= b) <= (iol__time_point(a) <= iol__time_point(b)));
        assert_true((a <= b) <= (iol__time_span(a) <= iol__time_span(b)));
        assert_true((a <= b) <= (iol__time_square(a) <= iol__time_square(b)));
    }
}

static void marks_stay(void **state) {
    (void)state;
    static const double marks[] = {0, -1, -0.5, INFINITY, -INFINITY, 0x1p1020};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        assert_true(iol__time_point(marks[i]) == marks[i]);
        assert_true(iol__time_span(marks[i]) == marks[i]);
        assert_true(iol__time_square(marks[i]) == marks[i]);
    }
    assert_true(isnan(iol__time_point(NAN)) && isnan(iol__time_span(NAN)));
}

/* What a record says in seconds is rounded, what it says in bytes is not. */
static void records_keep_bytes(void **state) {
    (void)state;
    double reals[IOL_POSIX_REALS];
    iol__times times;
    for (int i = 0; i < IOL_POSIX_REALS; i++) reals[i] = 1.0 / 3;
    iol__times_find(&times, IOL_SLOT_POSIX);
    iol__times_round(&times, reals);
    assert_true(reals[IOL_POSIX_F_OPEN_START_TIMESTAMP] == iol__time_point(1.0 / 3));
    assert_true(reals[IOL_POSIX_F_CLOSE_END_TIMESTAMP] == iol__time_point(1.0 / 3));
    assert_true(reals[IOL_POSIX_F_META_TIME] == iol__time_span(1.0 / 3));
    assert_true(reals[IOL_POSIX_F_VARIANCE_RANK_TIME] == iol__time_square(1.0 / 3));
    assert_true(reals[IOL_POSIX_F_VARIANCE_RANK_BYTES] == 1.0 / 3);
    assert_true(iol__time_point(1.0 / 3) != iol__time_span(1.0 / 3));
}

/* Every time of every module has room in the list. */
static void no_time_is_left_out(void **state) {
    (void)state;
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__module *module = &iol__modules[slot];
        unsigned in_seconds = 0;
        iol__times times;
        if (module->form != IOL_FORM_FIXED) continue;
        for (unsigned i = 0; i < module->reals; i++) in_seconds += module->counters[module->ints + i].unit[0] == 's';
        iol__times_find(&times, slot);
        assert_int_equal(times.n_points + times.n_spans + times.n_squares, in_seconds);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_near),     cmocka_unit_test(spans_are_near),
        cmocka_unit_test(order_stays),         cmocka_unit_test(order_stays_at_borders),
        cmocka_unit_test(marks_stay),          cmocka_unit_test(records_keep_bytes),
        cmocka_unit_test(no_time_is_left_out),
    };
    return cmocka_run_group_tests_name("times", tests, NULL, NULL);
}
