/* Text in a fixed place, against the C library's own formatting. */
#include "runtime/core/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/runtime_stubs.h"

/* Text of 40 bytes into places of every size: what fits is there, the end is marked, nothing behind it is touched. */
static void what_does_not_fit_is_cut(void **state) {
    (void)state;
    static const char words[] = "the quick brown fox jumps over the lazy";
    for (size_t room = 1; room < 60; room++) {
        char to[64];
        memset(to, '#', sizeof to);
        iol__text text = {to, room, 0};
        iol__text_bytes(&text, words, 10);
        iol__text_add(&text, words + 10);
        char expected[64] = "";
        strncat(expected, words, room - 1);
        assert_string_equal(to, expected);
        assert_int_equal(text.length, strlen(expected));
        for (size_t i = room; i < sizeof to; i++) assert_int_equal(to[i], '#');
    }
}

static void assert_number(int64_t value) {
    char to[64], expected[64];
    iol__text text = {to, sizeof to, 0};
    iol__text_number(&text, value);
    iol__text_add(&text, "/");
    iol__text_hex(&text, (uint64_t)value);
    snprintf(expected, sizeof expected, "%lld/%016llx", (long long)value, (unsigned long long)value);
    assert_string_equal(to, expected);
}

static void numbers_are_as_printf_has_them(void **state) {
    (void)state;
    static const int64_t special[] = {0, 1, -1, 9, 10, -10, INT64_MAX, INT64_MIN, INT64_MIN + 1};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) assert_number(special[i]);
    for (int i = 0; i < 2000; i++) assert_number((int64_t)(runtime_random(UINT64_MAX) << runtime_random(64)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_fit_is_cut),
        cmocka_unit_test(numbers_are_as_printf_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
