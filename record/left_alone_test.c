/* Which programs APP_EXCLUDE and APP_INCLUDE leave alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "record/left_alone.h"

static iol__config config;
static char complaint[200];

static void complain(const char *text) { snprintf(complaint, sizeof complaint, "%s", text); }

static long no_file(const char *path, char *to, size_t room) {
    (void)path, (void)to, (void)room;
    return -1;
}

static void begin(const char *const *environment) {
    complaint[0] = 0;
    config = (iol__config){.complain = complain};
    iol__resolve(&config, (char **)(uintptr_t)environment, no_file);
}

static void expressions_are_found_in_paths_and_in_their_last_parts(void **state) {
    (void)state;
    begin((const char *const[]){"IOLITE_APP_EXCLUDE=^git,/ls$,^/opt/tools/", "IOLITE_APP_INCLUDE=git-annex", NULL});
    assert_true(iol__program_left_alone(&config, "/usr/bin/git", false));
    assert_true(iol__program_left_alone(&config, "/usr/bin/ls", false));
    assert_true(iol__program_left_alone(&config, "/opt/tools/bin/solver", false));
    assert_false(iol__program_left_alone(&config, "/usr/bin/git-annex", false));
    assert_false(iol__program_left_alone(&config, "/home/ada/git/solver", false));
    assert_false(iol__program_left_alone(&config, "/home/ada/lsof", false));
}

static void starters_come_back_only_by_name(void **state) {
    (void)state;
    begin(NULL);
    assert_true(iol__program_left_alone(&config, "/usr/bin/mpirun", true));
    assert_false(iol__program_left_alone(&config, "/usr/bin/mpirun", false));
    begin((const char *const[]){"IOLITE_APP_INCLUDE=^mpirun$", NULL});
    assert_false(iol__program_left_alone(&config, "/usr/bin/mpirun", true));
}

static void what_is_no_expression_is_passed_over(void **state) {
    (void)state;
    begin((const char *const[]){"IOLITE_APP_EXCLUDE=[,^cp$", NULL});
    assert_true(iol__program_left_alone(&config, "/usr/bin/cp", false));
    assert_string_equal(complaint, "an item of APP_EXCLUDE or APP_INCLUDE is not a regular expression and is left out");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_are_found_in_paths_and_in_their_last_parts),
        cmocka_unit_test(starters_come_back_only_by_name),
        cmocka_unit_test(what_is_no_expression_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
