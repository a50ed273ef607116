/* The JSON writer: commas and lines in the right places, strings that any reader accepts, numbers that JSON can say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "text/json.h"

static iol__out out;
static iol__json json;

static void begin(int lines) {
    iol__out_open(&out, -1);
    iol__json_start(&json, &out, lines);
}

static void assert_written(const char *expected) {
    iol__out_char(&out, '\0');
    assert_string_equal(out.buffer, expected);
    iol__out_close(&out);
}

static void containers_nest_with_commas(void **state) {
    (void)state;
    begin(0);
    iol__json_open(&json, '{');
    iol__json_put_open(&json, "list", '[');
    iol__json_i64(&json, -1);
    iol__json_open(&json, '[');
    iol__json_close(&json, ']');
    iol__json_u64(&json, UINT64_MAX);
    iol__json_close(&json, ']');
    iol__json_put_bool(&json, "yes", true);
    iol__json_put_id(&json, "id", UINT64_MAX);
    iol__json_close(&json, '}');
    iol__json_finish(&json);
    assert_written("{\"list\":[-1,[],18446744073709551615],\"yes\":true,\"id\":\"18446744073709551615\"}\n");
}

static void lines_go_to_the_chosen_depth(void **state) {
    (void)state;
    begin(1);
    iol__json_open(&json, '{');
    iol__json_put_i64(&json, "a", 1);
    iol__json_put_open(&json, "b", '[');
    iol__json_i64(&json, 2);
    iol__json_i64(&json, 3);
    iol__json_close(&json, ']');
    iol__json_close(&json, '}');
    assert_written("{\n  \"a\": 1,\n  \"b\": [2,3]\n}");
}

static void an_empty_document_is_no_line(void **state) {
    (void)state;
    begin(0);
    iol__json_finish(&json);
    assert_written("");
}

static void documents_follow_each_other_without_comma(void **state) {
    (void)state;
    begin(0);
    for (int i = 0; i < 2; i++) {
        iol__json_open(&json, '{');
        iol__json_close(&json, '}');
        iol__json_finish(&json);
    }
    assert_written("{}\n{}\n");
}

static void strings_are_escaped(void **state) {
    (void)state;
    begin(0);
    iol__json_text(&json, "a\"\\\n\x01\x1b\x7f\xc2\x9b\u00e9");
    assert_written("\"a\\\"\\\\\\n\\u0001\\u001b\\u007f\\u009b\u00e9\"");
}

static void invalid_bytes_are_replaced_and_kept_as_hex(void **state) {
    (void)state;
    begin(0);
    iol__json_open(&json, '{');
    iol__json_put_text(&json, "name", "a\xff\xe2\x82");
    iol__json_put_text(&json, "good", "\u20ac");
    iol__json_put_text(&json, "none", NULL);
    iol__json_close(&json, '}');
    assert_written("{\"name\":\"a\ufffd\ufffd\ufffd\",\"name_hex\":\"61ffe282\",\"good\":\"\u20ac\",\"none\":null}");
}

static void what_is_no_number_is_null(void **state) {
    (void)state;
    begin(0);
    iol__json_open(&json, '[');
    iol__json_real(&json, (double)NAN);
    iol__json_real(&json, (double)-INFINITY);
    iol__json_real(&json, 0.1);
    iol__json_real(&json, 1e300);
    iol__json_close(&json, ']');
    assert_written("[null,null,0.1,1e+300]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(containers_nest_with_commas),  cmocka_unit_test(lines_go_to_the_chosen_depth),
        cmocka_unit_test(an_empty_document_is_no_line), cmocka_unit_test(documents_follow_each_other_without_comma),
        cmocka_unit_test(strings_are_escaped),          cmocka_unit_test(invalid_bytes_are_replaced_and_kept_as_hex),
        cmocka_unit_test(what_is_no_number_is_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
