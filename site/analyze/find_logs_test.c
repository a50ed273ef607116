/* Names of logs: what is what in them, and what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "site/analyze/find_logs.h"

static void names_are_taken_apart(void **state) {
    (void)state;
    iol__dated_name parts;
    assert_true(iol__dated_name_parse("glock_vpicio_uni_id4478544_3-20-7667-18385393005962577517_1.darshan", &parts));
    assert_string_equal(parts.user, "glock");
    assert_string_equal(parts.exe, "vpicio_uni");
    assert_string_equal(parts.job, "4478544");
    assert_int_equal(parts.month, 3);
    assert_int_equal(parts.day, 20);
    assert_int_equal(parts.second, 7667);
}

static void process_numbers_and_partial_logs_are_known(void **state) {
    (void)state;
    iol__dated_name parts;
    assert_true(iol__dated_name_parse("ada_my_id7_prog_id12-345_11-5-1-2_3.darshan_partial", &parts));
    assert_string_equal(parts.exe, "my_id7_prog");
    assert_string_equal(parts.job, "12");
}

static void other_names_are_none(void **state) {
    (void)state;
    iol__dated_name parts;
    assert_false(iol__dated_name_parse("", &parts));
    assert_false(iol__dated_name_parse("notes.txt", &parts));
    assert_false(iol__dated_name_parse("a_b_idx_1-1-1-1_1.darshan", &parts));
    assert_false(iol__dated_name_parse("a_b_id1_1-1-1-1_1.darshan.gz", &parts));
    assert_false(iol__dated_name_parse("a_b_id1_1-1-1_1.darshan", &parts));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_taken_apart),
        cmocka_unit_test(process_numbers_and_partial_logs_are_known),
        cmocka_unit_test(other_names_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
