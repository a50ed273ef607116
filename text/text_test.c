/* Text for people: nothing in a name may act on the terminal, and nothing is wider than its column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/count.h"
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

static void assert_cell(void (*put)(iol__out *, const char *, size_t, iol__cut), const char *text,
                        const char *expected) {
    iol__out out;
    iol__out_open(&out, -1);
    put(&out, text, 8, IOL_CUT_END);
    iol__out_char(&out, '\0');
    assert_string_equal(out.buffer, expected);
    iol__out_close(&out);
}

/* Columns of the terminal count, not bytes. */
static void cells_of_a_table_are_equally_wide(void **state) {
    (void)state;
    iol__text_utf8_begin();
    assert_cell(iol__out_left, "abc", "abc     ");
    assert_cell(iol__out_right, "abc", "     abc");
    assert_cell(iol__out_left, "\u00e9\u00e9\u00e9", "\u00e9\u00e9\u00e9     ");
    assert_cell(iol__out_right, "\u00e9\u00e9\u00e9", "     \u00e9\u00e9\u00e9");
    assert_cell(iol__out_left, "", "        ");
    assert_cell(iol__out_right, "", "        ");
    assert_cell(iol__out_right, "longer than that", "longer \u2026");
    assert_cell(iol__out_right, "\x1b[1m", " \\x1b[1m");
    iol__text_utf8_end();
}

static void utf8_is_distinguished_from_what_is_not(void **state) {
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
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        iol__out out;
        iol__out_open(&out, -1);
        iol__out_wrapped(&out, cases[i].columns, cases[i].indent, cases[i].used, cases[i].text);
        iol__out_char(&out, 0);
        assert_string_equal(out.buffer, cases[i].expected);
        iol__out_close(&out);
    }
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
        cmocka_unit_test(utf8_is_distinguished_from_what_is_not),
        cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(other_alphabets_need_a_utf8_locale),
        cmocka_unit_test(long_text_is_cut_where_it_hurts_least),
        cmocka_unit_test(cells_of_a_table_are_equally_wide),
        cmocka_unit_test(words_stand_in_lines_that_fit),
        cmocka_unit_test(code_keeps_its_backslashes),
        cmocka_unit_test(pages_have_a_locale_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
