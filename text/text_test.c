/* Text for people: nothing in a name may act on the terminal, nothing is wider than its column, and numbers have the
   units that people expect, at every magnitude. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "text/text.h"

static void assert_shown(const char *text, const char *expected) {
    iol__out out;
    iol__out_open(&out, -1);
    iol__out_safe(&out, text);
    iol__out_char(&out, '\0');
    assert_string_equal(out.buffer, expected);
    iol__out_close(&out);
}

static void assert_fits(const char *text, size_t columns, iol__cut cut, const char *expected) {
    iol__out out;
    iol__out_open(&out, -1);
    size_t used = iol__out_fitted(&out, text, columns, cut);
    iol__out_char(&out, '\0');
    assert_string_equal(out.buffer, expected);
    assert_true(used <= columns);
    iol__out_close(&out);
}

static void utf8_is_told_from_what_is_not(void **state) {
    (void)state;
    assert_true(iol__utf8_valid(""));
    assert_true(iol__utf8_valid("a\u00e9\u20ac\U0001f600"));
    assert_false(iol__utf8_valid("\x80"));
    assert_false(iol__utf8_valid("\xc0\xaf")); /* overlong */
    assert_false(iol__utf8_valid("\xe0\x80\xaf"));
    assert_false(iol__utf8_valid("\xed\xa0\x80"));     /* half of a surrogate pair */
    assert_false(iol__utf8_valid("\xf4\x90\x80\x80")); /* above the last character */
    assert_false(iol__utf8_valid("\xe2\x82"));         /* cut */
    assert_false(iol__utf8_valid("\xff"));
}

static void control_characters_are_escaped(void **state) {
    (void)state;
    assert_shown("plain /path", "plain /path");
    assert_shown("a\x1b[31m\n\x7f", "a\\x1b[31m\\x0a\\x7f");
    assert_shown("back\\slash", "back\\\\slash");
    assert_shown("\xff\xfe", "\\xff\\xfe");
    assert_shown("\xc2\x9b", "\\u{9b}");
    assert_shown("\u202e", "\\u{202e}");
}

static void other_alphabets_need_a_utf8_locale(void **state) {
    (void)state;
    assert_shown("\u00e9", iol__text_utf8() ? "\u00e9" : "\\u{e9}");
}

static void long_text_is_cut_where_it_hurts_least(void **state) {
    (void)state;
    bool utf8 = iol__text_utf8();
    assert_fits("short", 5, IOL_CUT_END, "short");
    assert_fits("abcdefghij", 8, IOL_CUT_END, utf8 ? "abcdefg\u2026" : "abcdef..");
    assert_fits("/scratch/project/file.dat", 13, IOL_CUT_MIDDLE, utf8 ? "/scr\u2026file.dat" : "/sc..file.dat");
    assert_fits("abc", 0, IOL_CUT_END, "");
    /* An escape is never cut in half. */
    assert_fits("ab\x01\x01\x01", 8, IOL_CUT_END, utf8 ? "ab\\x01\u2026" : "ab\\x01..");
}

static void words_stand_in_lines_that_fit(void **state) {
    (void)state;
    static const struct {
        size_t columns, indent, used;
        const char *text, *expected;
    } cases[] = {
        {12, 2, 2, "one two three", "one two\n  three\n"},
        {12, 2, 9, "one two three", "one\n  two three\n"}, /* the first word stays where it is */
        {12, 0, 0, "one two", "one two\n"},
        {8, 4, 4, "a b c d e", "a b\n    c d\n    e\n"},
        {9, 0, 0, "x\x01 y", "x\\x01 y\n"},
        {9, 0, 0, "", "\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        iol__out out;
        iol__out_open(&out, -1);
        iol__out_wrapped(&out, cases[i].columns, cases[i].indent, cases[i].used, cases[i].text);
        iol__out_char(&out, 0);
        assert_string_equal(out.buffer, cases[i].expected);
        iol__out_close(&out);
    }
}

#define ASSERT_HUMAN(function, value, expected)                 \
    do {                                                        \
        char buffer[IOL_HUMAN];                                 \
        assert_string_equal(function(buffer, value), expected); \
    } while (0)

static void bytes_have_binary_units(void **state) {
    (void)state;
    ASSERT_HUMAN(iol__human_bytes, 0, "0 B");
    ASSERT_HUMAN(iol__human_bytes, 999, "999 B");
    ASSERT_HUMAN(iol__human_bytes, 1000, "1.0 KiB");
    ASSERT_HUMAN(iol__human_bytes, 1536, "1.5 KiB");
    ASSERT_HUMAN(iol__human_bytes, 123.0 * 1048576, "123 MiB");
    ASSERT_HUMAN(iol__human_bytes, 9.3e18, "8.1 EiB");
    ASSERT_HUMAN(iol__human_bytes, 1e300, ">999 EiB");
    ASSERT_HUMAN(iol__human_bytes, -1, "-");
    ASSERT_HUMAN(iol__human_bytes, (double)NAN, "-");
    ASSERT_HUMAN(iol__human_bytes, (double)INFINITY, "-");
}

static void counts_have_decimal_units(void **state) {
    (void)state;
    ASSERT_HUMAN(iol__human_count, 0, "0");
    ASSERT_HUMAN(iol__human_count, 999, "999");
    ASSERT_HUMAN(iol__human_count, 1000, "1.0 k");
    ASSERT_HUMAN(iol__human_count, 123456, "123 k");
    ASSERT_HUMAN(iol__human_count, 1e6, "1.0 M");
    ASSERT_HUMAN(iol__human_count, 1e25, ">999 E");
}

static void times_read_like_times(void **state) {
    (void)state;
    ASSERT_HUMAN(iol__human_seconds, 0, "0 s");
    ASSERT_HUMAN(iol__human_seconds, 0.00012, "0.12 ms");
    ASSERT_HUMAN(iol__human_seconds, 0.012, "12.0 ms");
    ASSERT_HUMAN(iol__human_seconds, 0.5, "500 ms");
    ASSERT_HUMAN(iol__human_seconds, 0.9999, "1.00 s");
    ASSERT_HUMAN(iol__human_seconds, 59.94, "59.9 s");
    ASSERT_HUMAN(iol__human_seconds, 59.96, "1 m 00 s");
    ASSERT_HUMAN(iol__human_seconds, 200, "3 m 20 s");
    ASSERT_HUMAN(iol__human_seconds, 3599.6, "1 h 00 m");
    ASSERT_HUMAN(iol__human_seconds, 86399, "1 d 00 h");
    ASSERT_HUMAN(iol__human_seconds, 100 * 86400 - 1, "100 d");
    ASSERT_HUMAN(iol__human_seconds, 1e15, ">9999 d");
    ASSERT_HUMAN(iol__human_seconds, -0.5, "-");
}

static void shares_are_whole_percents(void **state) {
    (void)state;
    ASSERT_HUMAN(iol__human_share, 0, "0%");
    ASSERT_HUMAN(iol__human_share, 0.001, "<1%");
    ASSERT_HUMAN(iol__human_share, 0.5, "50%");
    ASSERT_HUMAN(iol__human_share, 100, ">999%");
    ASSERT_HUMAN(iol__human_share, -1, "-");
}

/* Program text is shown as it is, but for what a terminal would obey. */
static void code_keeps_its_backslashes(void **state) {
    (void)state;
    iol__out out;
    iol__out_open(&out, -1);
    iol__out_code(&out, "printf 'a\\n\033[2J\302\233'\377");
    iol__out_char(&out, 0);
    assert_string_equal(out.buffer, "printf 'a\\n\\x1b[2J\\u{9b}'\\xff");
    iol__out_close(&out);
    assert_int_equal(iol__text_columns("a\\\033"), 1 + 2 + 4);
}

/* Pages are UTF-8 in every locale, and the locale is as it was afterwards. */
static void pages_have_a_locale_of_their_own(void **state) {
    (void)state;
    bool before = iol__text_utf8();
    size_t columns = iol__text_columns("\303\251");
    iol__text_utf8_begin();
    if (iol__text_utf8()) assert_int_equal(iol__text_columns("\303\251"), 1);
    iol__text_utf8_end();
    assert_int_equal(iol__text_utf8(), before);
    assert_int_equal(iol__text_columns("\303\251"), columns);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_is_told_from_what_is_not),      cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(other_alphabets_need_a_utf8_locale), cmocka_unit_test(long_text_is_cut_where_it_hurts_least),
        cmocka_unit_test(words_stand_in_lines_that_fit),      cmocka_unit_test(bytes_have_binary_units),
        cmocka_unit_test(counts_have_decimal_units),          cmocka_unit_test(times_read_like_times),
        cmocka_unit_test(shares_are_whole_percents),          cmocka_unit_test(code_keeps_its_backslashes),
        cmocka_unit_test(pages_have_a_locale_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
