/* Signals with a rhythm and without one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/count.h"
#include "insight/facts/periodic.h"

enum { RUN = 1000 };

/* Bursts of `length` seconds, one every `period`, each late by up to `jitter`, in a run of 1000 s. */
static iol__signal bursts(double first, double period, double length, double jitter) {
    iol__signal signal = iol__signal_new(RUN, IOL_SIGNAL_POINTS);
    uint32_t random = 7;
    for (double at = first; at < RUN; at += period) {
        random = random * 1664525u + 1013904223u;
        double start = at + jitter * (double)(random >> 16) / 65536;
        iol__signal_add(&signal, start, start + length, 1e9);
    }
    iol__signal_finish(&signal);
    return signal;
}

static double sum(const iol__signal *signal) {
    double all = 0;
    for (size_t i = 0; i < signal->count; i++) all += signal->bytes[i];
    return all;
}

/* Whatever the length and the place of a request, none of its bytes is lost or made. */
static void bytes_are_spread_and_kept(void **state) {
    (void)state;
    static const double spans[][2] = {{0, RUN}, {10, 10}, {0.1, 0.2}, {3, 700.5}, {999.99, RUN}};
    for (size_t i = 0; i < IOL_COUNT(spans); i++) {
        iol__signal signal = iol__signal_new(RUN, 1000);
        assert_int_equal(signal.count, 1024);
        iol__signal_add(&signal, spans[i][0], spans[i][1], 5000);
        iol__signal_finish(&signal);
        assert_float_equal(sum(&signal), 5000, 1e-6);
        iol__signal_free(&signal);
    }
    iol__signal signal = iol__signal_new(RUN, 1000);
    iol__signal_add(&signal, 2 * RUN, 3 * RUN, 5000); /* outside */
    iol__signal_add(&signal, NAN, 5, 5000);
    iol__signal_finish(&signal);
    assert_float_equal(sum(&signal), 0, 0);
    iol__signal_free(&signal);
}

static void regular_bursts_are_found(void **state) {
    (void)state;
    static const struct {
        double first, period, length;
    } cases[] = {{5, 100, 4}, {0, 62.5, 20}, {17, 73.3, 2}, {3, 11.7, 1}, {0, 250, 10}, {1, 8, 4}};
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        iol__signal signal = bursts(cases[i].first, cases[i].period, cases[i].length, 0);
        iol__rhythm rhythm = iol__rhythm_find(&signal);
        if (!rhythm.found) fail_msg("a period of %g s is not found", cases[i].period);
        if (fabs(rhythm.period - cases[i].period) > 0.03 * cases[i].period)
            fail_msg("%g s instead of %g", rhythm.period, cases[i].period);
        assert_true(rhythm.confidence > 0.5 && rhythm.confidence <= 1);
        double duty = iol__rhythm_duty(&signal, cases[i].period), expected = 0.95 * cases[i].length / cases[i].period;
        if (fabs(duty - expected) > 0.02 + 0.1 * expected) fail_msg("duty %g instead of %g", duty, expected);
        iol__signal_free(&signal);
    }
}

static void a_little_jitter_is_forgiven(void **state) {
    (void)state;
    iol__signal signal = bursts(5, 50, 10, 2);
    iol__rhythm rhythm = iol__rhythm_find(&signal);
    assert_true(rhythm.found);
    assert_float_equal(rhythm.period, 50, 1.5);
    iol__signal_free(&signal);
}

static void no_rhythm_is_made_up(void **state) {
    (void)state;
    iol__signal once = bursts(400, 2 * RUN, 50, 0), twice = bursts(100, 600, 50, 0), steady = bursts(0, 1, 1, 0),
                scattered = bursts(0, 40, 2, 39), silent = iol__signal_new(RUN, 64), none = iol__signal_new(0, 64);
    iol__signal *all[] = {&once, &twice, &steady, &scattered, &silent, &none};
    for (size_t i = 0; i < IOL_COUNT(all); i++) {
        iol__rhythm rhythm = iol__rhythm_find(all[i]);
        if (rhythm.found) fail_msg("signal %zu: a period of %g s", i, rhythm.period);
        iol__signal_free(all[i]);
    }
    assert_true(isnan(iol__rhythm_duty(&none, 10)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_spread_and_kept),
        cmocka_unit_test(regular_bursts_are_found),
        cmocka_unit_test(a_little_jitter_is_forgiven),
        cmocka_unit_test(no_rhythm_is_made_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
