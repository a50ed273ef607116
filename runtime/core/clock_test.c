/* The clock, driven by a counter and a system clock that the test turns by hand: what it says is compared with the true
   time at every step. The counter can be put in place of the processor's only where the compiler has a name for it. */
#include <stdint.h>
#include <time.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static int64_t true_ns;
static uint64_t true_ticks;

static int set_by_hand(clockid_t which, struct timespec *now) {
    (void)which;
    now->tv_sec = true_ns / 1000000000;
    now->tv_nsec = true_ns % 1000000000;
    return 0;
}

static uint64_t count_by_hand(void) { return true_ticks; }

#define clock_gettime set_by_hand
#define __builtin_ia32_rdtsc count_by_hand
#include "runtime/core/clock.c"

#include "tests/support/runtime_stubs.h"

enum { ZERO = 1234567890 };
static double pace; /* ticks a nanosecond */
static double fraction;

static void pass(int64_t ns) {
    const double ticks = (double)ns * pace + fraction;
    true_ns += ns;
    true_ticks += (uint64_t)ticks;
    fraction = ticks - (double)(uint64_t)ticks;
}

static void start_clock(double ticks_a_nanosecond, double seconds_of_trust) {
    pace = ticks_a_nanosecond;
    fraction = 0;
    true_ns = ZERO;
    true_ticks = 987654321;
    iol__clock = &anchors[0];
    turn = 0;
    iol__clock_start(ZERO);
    trust = seconds_of_trust;
}

static double true_time(void) { return (double)(true_ns - ZERO) / 1e9; }
static bool on_the_counter(void) { return iol__clock != &anchors[0]; }

static void assert_whole_grains(double time) { assert_true(time / IOL_GRAIN == (double)(int64_t)(time / IOL_GRAIN)); }

static void assert_system_time(void) {
    const double now = iol__now();
    assert_true(now <= true_time() && now > true_time() - 1.01 * IOL_GRAIN);
    assert_whole_grains(now);
}

static void nothing_happens_at_time_zero(void **state) {
    (void)state;
    start_clock(2.7, 1);
    assert_true(iol__now() == IOL_GRAIN);
    true_ns -= 500; /* the run's zero was taken a moment later than our clock */
    assert_true(iol__now() == IOL_GRAIN);
}

/* A zero that another machine, or another name space of clocks, has handed over may lie ahead of our clock. */
static void time_is_never_negative(void **state) {
    (void)state;
    start_clock(2.7, 1);
    iol__clock_start(ZERO + INT64_C(3600000000000));
    for (int i = 0; i < 100; i++) {
        assert_true(iol__now() > 0);
        pass(1000000);
    }
}

static void it_begins_on_the_systems_clock(void **state) {
    (void)state;
    start_clock(2.7, 1);
    for (pass(100); true_ns - ZERO <= 10000000; pass(99991)) {
        assert_system_time();
        assert_false(on_the_counter());
    }
    assert_system_time();
    assert_true(on_the_counter());
}

/* Random steps through many anchors. A counter that is read in whole ticks is off by one of them in ten milliseconds
   when its rate is first measured: that much of a second is allowed, and no drift. */
static void follow(double ticks_a_nanosecond, double seconds_of_trust, int64_t longest_step) {
    start_clock(ticks_a_nanosecond, seconds_of_trust);
    pass(10000001);
    iol__now();
    assert_true(on_the_counter());
    const double allowed = 1 / (ticks_a_nanosecond * 1e7) + 4 * IOL_GRAIN;
    double before = 0;
    for (int i = 0; i < 20000; i++) {
        pass((int64_t)runtime_random((uint64_t)longest_step));
        const double now = iol__now();
        assert_true(now > true_time() - allowed && now < true_time() + allowed);
        assert_true(now >= before - 2 * allowed);
        assert_whole_grains(now);
        before = now;
    }
    assert_true(on_the_counter());
}

static void it_follows_the_systems_clock(void **state) {
    (void)state;
    follow(2.7, 1, 1000000);
    follow(2.7, 1, 500000000);
    follow(0.024, 1, 1000000);
    follow(3.999, 0.01, 100000); /* a counter that nobody vouches for */
}

/* The counter alone tells the time between two anchors. */
static void the_system_is_asked_once_a_second(void **state) {
    (void)state;
    start_clock(1, 1);
    pass(20000000);
    iol__now();
    const double then = iol__now();
    true_ticks += 999000000; /* and the system's clock stands still */
    assert_true(iol__now() > then + 0.998 && iol__now() < then + 1);
}

static void assert_given_up(void) {
    iol__now();
    assert_false(on_the_counter());
    for (int i = 0; i < 100; i++) {
        pass(123456789);
        assert_system_time();
        assert_false(on_the_counter());
    }
}

static void a_counter_that_changes_its_pace_is_given_up(void **state) {
    (void)state;
    static const double factors[] = {0.5, 0.9, 1.1, 2};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        start_clock(2.7, 1);
        for (int n = 0; n < 50; n++) {
            pass(100000000);
            iol__now();
        }
        assert_true(on_the_counter());
        pace *= factors[i];
        pass(3000000000);
        assert_given_up();
    }
}

static void a_counter_that_falls_back_is_given_up(void **state) {
    (void)state;
    start_clock(2.7, 1);
    pass(20000000);
    iol__now();
    true_ticks = 5; /* as on another core */
    assert_given_up();
    start_clock(0, 1); /* or stands still from the start */
    pass(20000000);
    assert_given_up();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_happens_at_time_zero),
        cmocka_unit_test(time_is_never_negative),
        cmocka_unit_test(it_begins_on_the_systems_clock),
        cmocka_unit_test(it_follows_the_systems_clock),
        cmocka_unit_test(the_system_is_asked_once_a_second),
        cmocka_unit_test(a_counter_that_changes_its_pace_is_given_up),
        cmocka_unit_test(a_counter_that_falls_back_is_given_up),
    };
#if !defined(__x86_64__)
    return 77;
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
