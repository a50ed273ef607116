/* CSV fields: quoted only where they must be, and safe to look at where that is asked for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "text/csv.h"

static void assert_written(void (*write)(iol__out *out, const char *text), const char *text, const char *expected) {
    iol__out out;
    iol__out_open(&out, -1);
    write(&out, text);
    iol__out_char(&out, '\0');
    assert_string_equal(out.buffer, expected);
    iol__out_close(&out);
}

static void assert_field(const char *text, const char *expected) { assert_written(iol__csv_text, text, expected); }

static void plain_fields_stay_as_they_are(void **state) {
    (void)state;
    assert_field("/scratch/a b", "/scratch/a b");
    assert_field("", "");
    assert_field(NULL, "");
}

static void assert_in_sheet(const char *text, const char *expected) {
    assert_written(iol__csv_sheet_text, text, expected);
}

static void formulas_are_texts_in_a_spreadsheet(void **state) {
    (void)state;
    assert_in_sheet("=HYPERLINK(1)", "'=HYPERLINK(1)");
    assert_in_sheet("+1+1,2", "\"'+1+1,2\"");
    assert_in_sheet("@SUM", "'@SUM");
    assert_in_sheet("-2+3", "'-2+3");
    assert_in_sheet("-", "-");
    assert_in_sheet("a=b", "a=b");
    assert_in_sheet(NULL, "");
    assert_field("@timestamp", "@timestamp"); /* programs get what is there */
}

static void special_characters_are_quoted(void **state) {
    (void)state;
    assert_field("a,b", "\"a,b\"");
    assert_field("\"", "\"\"\"\"");
    assert_field("say \"hi\" now", "\"say \"\"hi\"\" now\"");
}

static void a_record_is_one_line_without_control_characters(void **state) {
    (void)state;
    assert_field("a\nb", "a\\x0ab");
    assert_field("\x1b]0;x\x07,\x7f\xff", "\"\\x1b]0;x\\x07,\\x7f\\xff\"");
    assert_field("\xc2\x9b"
                 "31m \xe2\x80\xae ä",
                 "\\u{9b}31m \\u{202e} ä");
}

static void words_are_safe_to_look_at(void **state) {
    (void)state;
    assert_written(iol__csv_words, NULL, "");
    assert_written(iol__csv_words, "/scratch/ä €", "/scratch/ä €");
    assert_written(iol__csv_words, "a\xff\x1b[31m\nb\x7f", "a\ufffd\\x1b[31m\\x0ab\\x7f");
    assert_written(iol__csv_words, "\xc2\x9b\xe2\x80\xae,\"\xe2\x82", "\"\\u{9b}\\u{202e},\"\"\ufffd\ufffd\"");
}

static void what_is_no_number_is_empty(void **state) {
    (void)state;
    iol__out out;
    iol__out_open(&out, -1);
    iol__csv_real(&out, (double)NAN);
    iol__csv_real(&out, (double)INFINITY);
    assert_int_equal(out.length, 0);
    iol__csv_real(&out, 0.25);
    iol__out_char(&out, '\0');
    assert_string_equal(out.buffer, "0.25");
    iol__out_close(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_fields_stay_as_they_are),
        cmocka_unit_test(formulas_are_texts_in_a_spreadsheet),
        cmocka_unit_test(special_characters_are_quoted),
        cmocka_unit_test(a_record_is_one_line_without_control_characters),
        cmocka_unit_test(words_are_safe_to_look_at),
        cmocka_unit_test(what_is_no_number_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
