/* What a program is told of `iolite run`, and lines of the kernel about processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/runner.h"

static void reads_what_was_written(void **state) {
    (void)state;
    char text[] = "12.6.345.7.0000000000:/dir";
    const char *at = text;
    iol__runner runner;
    iol__runner_number(text + 11, 4194304);
    assert_true(iol__runner_read(&at, &runner));
    assert_string_equal(at, ":/dir");
    assert_int_equal(runner.pid, 12);
    assert_int_equal(runner.born, 345);
    assert_int_equal(runner.outermost, 6);
    assert_int_equal(runner.caller, 7);
    assert_int_equal(runner.program, 4194304);
}

static void leaves_other_text_alone(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "", "/dir", "1", "1.2.3.4", "1.2.3.4.", "1..3.4.5", "1.2.3.4.4294967296", "-1.2.3.4.5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *at = wrong[i];
        iol__runner runner = {.pid = 99};
        assert_false(iol__runner_read(&at, &runner));
        assert_ptr_equal(at, wrong[i]);
        assert_int_equal(runner.pid, 99);
    }
}

static void names_of_programs_do_not_mislead(void **state) {
    (void)state;
    int32_t parent;
    uint64_t ticks;
    assert_true(iol__stat_line_read("12 (a) R 9 (b c) S 34 12 12 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 777 1 1",
                                    &parent, &ticks));
    assert_int_equal(parent, 34);
    assert_int_equal(ticks, 777);
    assert_false(iol__stat_line_read("12 (cut) S 34 12", &parent, &ticks));
    assert_false(iol__stat_line_read("", &parent, &ticks));
    assert_int_equal(iol__name_space_read("pid:[4026531836]"), 4026531836);
    assert_int_equal(iol__name_space_read("pid"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_was_written),
        cmocka_unit_test(leaves_other_text_alone),
        cmocka_unit_test(names_of_programs_do_not_mislead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
