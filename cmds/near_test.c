/* Slips of the fingers lead to the name that was meant; other words to none. */
#include "cmds/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/count.h"

static void slips_are_one_letter_each(void **state) {
    (void)state;
    assert_int_equal(letters_between("show", "show"), 0);
    assert_int_equal(letters_between("hsow", "show"), 1); /* swapped */
    assert_int_equal(letters_between("shw", "show"), 1);
    assert_int_equal(letters_between("showw", "show"), 1);
    assert_int_equal(letters_between("shew", "show"), 1);
    assert_int_equal(letters_between("", "show"), 4);
    assert_int_equal(letters_between("diagnsoe", "diagnose"), 1);
    assert_int_equal(letters_between("SHOW", "show"), 0);
}

static void only_near_names_are_meant(void **state) {
    (void)state;
    static const struct {
        const char *typed, *meant;
    } words[] = {{"diganose", "diagnose"},
                 {"repotr", "report"},
                 {"rnu", "run"},
                 {"frobnicate", NULL},
                 {"x", NULL},
                 {"", NULL},
                 {"diag", "diagnose"},
                 {"di", NULL},
                 {"rep", "report"},
                 {"RUN", "run"},
                 {"diagnoses", "diagnose"}};
    for (size_t i = 0; i < IOL_COUNT(words); i++) {
        near_name near = {.typed = words[i].typed};
        look_at_name(&near, "run");
        look_at_name(&near, "report");
        look_at_name(&near, "diagnose");
        if (words[i].meant)
            assert_string_equal(meant_name(&near), words[i].meant);
        else
            assert_null(meant_name(&near));
    }
}

static void long_words_are_near_nothing(void **state) {
    (void)state;
    char typed[5000];
    for (size_t i = 0; i + 1 < sizeof typed; i++) typed[i] = 'a';
    typed[sizeof typed - 1] = '\0';
    near_name near = {.typed = typed};
    look_at_name(&near, "run");
    assert_null(meant_name(&near));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_are_one_letter_each),
        cmocka_unit_test(only_near_names_are_meant),
        cmocka_unit_test(long_words_are_near_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
