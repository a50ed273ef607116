/* Marks of a time axis: at round local times, few enough to be read, also where clocks are changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "site/analyze/svg.h"

static void marked(int64_t first, int64_t last, const char *expected) {
    iol__svg_tick ticks[IOL__SVG_TICKS];
    size_t count = iol__svg_ticks(first, last, ticks);
    char all[512] = "";
    for (size_t i = 0; i < count; i++) {
        assert_in_range(ticks[i].time, first, last);
        if (i) strcat(all, " ");
        strcat(all, ticks[i].text);
    }
    assert_string_equal(all, expected);
}

static void times_are_round(void **state) {
    (void)state;
    marked(1490000400, 1490000400 + 900, "02:00 02:02 02:04 02:06 02:08 02:10 02:12 02:14");
    marked(1490000867, 1490000867 + 20, "02:07:50 02:07:55 02:08:00 02:08:05");
    marked(1489993200, 1489993200 + 86400, "00:00 06:00 12:00 18:00 00:00");
    marked(1490000867, 1490000867 + 9 * 86400, "Mar 22 Mar 24 Mar 26 Mar 28");
    marked(1490000867, 1490000867, "02:07:47");
    marked(5, 4, "");
}

static void clocks_that_change_leave_them_round(void **state) {
    (void)state;
    marked(1509865200, 1509865200 + 25 * 3600, "00:00 06:00 12:00 18:00 00:00");
    marked(1489305600, 1489305600 + 23 * 3600, "00:00 03:00 06:00 09:00 12:00 15:00 18:00 21:00 00:00");
}

static void days_are_told(void **state) {
    (void)state;
    char text[64];
    iol__svg_days(1490000400, 1490001300, text);
    assert_string_equal(text, "2017-03-20");
    iol__svg_days(1490000400, 1490086800, text);
    assert_string_equal(text, "2017-03-20 to 2017-03-21");
}

int main(void) {
    setenv("TZ", "America/Los_Angeles", 1);
    tzset();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_round),
        cmocka_unit_test(clocks_that_change_leave_them_round),
        cmocka_unit_test(days_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
