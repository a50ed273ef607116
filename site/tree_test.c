/* JSON trees: what comes out of documents, what is refused and where, and that limits hold. */
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/count.h"
#include "site/tree.h"

static iol_status parse(const char *text, const iol__tree_limits *limits, iol__tree_document *document,
                        iol_error *error) {
    return iol__tree_parse(text, strlen(text), "test", limits, document, error);
}

static void a_document_comes_out_as_it_was_written(void **state) {
    (void)state;
    iol__tree_document document;
    assert_int_equal(
        parse("{\"a\": [1, -2.5e3, true, null], \"b\": {\"c\": \"x\"}, \"a\": \"last\"}", NULL, &document, NULL),
        IOL_OK);
    assert_int_equal(document.top->kind, IOL_TREE_OBJECT);
    assert_int_equal(document.top->count, 3);
    const iol__tree *list = document.top->first;
    assert_int_equal(list->count, 4);
    double real;
    int64_t whole;
    bool truth;
    assert_true(iol__tree_i64(iol__tree_item(list, 0), &whole) && whole == 1);
    assert_true(iol__tree_real(iol__tree_item(list, 1), &real) && real == -2500);
    assert_true(iol__tree_i64(iol__tree_item(list, 1), &whole) && whole == -2500);
    assert_string_equal(iol__tree_item(list, 1)->text, "-2.5e3");
    assert_true(iol__tree_bool(iol__tree_item(list, 2), &truth) && truth);
    assert_int_equal(iol__tree_item(list, 3)->kind, IOL_TREE_NULL);
    assert_null(iol__tree_item(list, 4));
    assert_string_equal(iol__tree_text(iol__tree_path(document.top, "b.c")), "x");
    assert_string_equal(iol__tree_text(iol__tree_member(document.top, "a")), "last");
    assert_string_equal(iol__tree_text(iol__tree_member_any_case(document.top, "A")), "last");
    assert_null(iol__tree_path(document.top, "b.d.e"));
    iol__tree_free(&document);
}

static void numbers_keep_what_a_double_cannot_hold(void **state) {
    (void)state;
    iol__tree_document document;
    int64_t whole;
    assert_int_equal(parse("[9223372036854775807, 9223372036854775808, 0.5, 1e400]", NULL, &document, NULL), IOL_OK);
    assert_true(iol__tree_i64(iol__tree_item(document.top, 0), &whole) && whole == INT64_MAX);
    for (size_t i = 1; i < 4; i++) assert_false(iol__tree_i64(iol__tree_item(document.top, i), &whole));
    assert_string_equal(iol__tree_scalar(iol__tree_item(document.top, 1)), "9223372036854775808");
    iol__tree_free(&document);
}

static void escapes_become_characters(void **state) {
    (void)state;
    iol__tree_document document;
    assert_int_equal(parse("\"\\u00e9\\ud83d\\ude00\\n\\\"\\ud800x\\u0000y\"", NULL, &document, NULL), IOL_OK);
    static const char expected[] = "\xc3\xa9\xf0\x9f\x98\x80\n\"\xef\xbf\xbdx\0y";
    assert_int_equal(document.top->length, sizeof expected - 1);
    assert_memory_equal(document.top->text, expected, sizeof expected);
    iol__tree_free(&document);
}

static void what_is_wrong_is_reported_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "test:1:1: the document ends where a value was expected"},
        {"{\"a\": 1,\n  \"b\" 2}", "test:2:7: ':' was expected"},
        {"[1 2]", "test:1:4: ',' or ']' was expected"},
        {"{\"a\":1 \"b\":2}", "test:1:8: ',' or '}' was expected"},
        {"[1,]", "test:1:4: a value was expected behind the comma"},
        {"{1:2}", "test:1:2: a text in double quotes was expected"},
        {"[01]", "test:1:3: ',' or ']' was expected"},
        {"[1.]", "test:1:4: digits were expected behind the decimal point"},
        {"[nul]", "test:1:2: a value was expected"},
        {"\"abc", "test:1:5: a text has no end"},
        {"\"a\\qb\"", "test:1:4: there is no such escape"},
        {"\"\\u12g4\"", "test:1:6: four hexadecimal digits were expected"},
        {"\"a\nb\"", "test:1:3: a control character stands in a text; write it as an escape"},
        {"{} x", "test:1:4: the end of the document was expected"},
        {"// no\n{}", "test:1:1: a value was expected"},
    };
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        iol__tree_document document;
        iol_error error;
        assert_int_equal(parse(cases[i].text, NULL, &document, &error), IOL_INVALID);
        assert_string_equal(error.message, cases[i].message);
        assert_null(document.top);
    }
}

static void people_may_write_comments_and_a_last_comma(void **state) {
    (void)state;
    iol__tree_document document;
    iol_error error;
    const iol__tree_limits lenient = {.lenient = true};
    assert_int_equal(
        parse("# site\n{ // of us\n \"a\": [1, 2,], /* two\nlines */ \"b\": 3,\n}", &lenient, &document, NULL), IOL_OK);
    assert_int_equal(iol__tree_member(document.top, "a")->count, 2);
    assert_int_equal(iol__tree_member(document.top, "b")->line, 4);
    iol__tree_free(&document);
    assert_int_equal(parse("[1,,2]", &lenient, &document, &error), IOL_INVALID);
    assert_int_equal(parse("[1] /* ", &lenient, &document, &error), IOL_INVALID);
    assert_string_equal(error.message, "test:1:7: a comment has no end");
}

static void limits_hold(void **state) {
    (void)state;
    iol__tree_document document;
    iol_error error;
    char deep[201];
    memset(deep, '[', 200);
    deep[200] = 0;
    assert_int_equal(parse(deep, NULL, &document, &error), IOL_LIMIT);
    assert_string_equal(error.message, "test:1:66: arrays and objects are nested too deeply");
    assert_int_equal(parse("[1,2,3]", &(iol__tree_limits){.values = 3}, &document, &error), IOL_LIMIT);
    assert_int_equal(parse("[1,2,3]", &(iol__tree_limits){.bytes = 6}, &document, &error), IOL_LIMIT);
    assert_int_equal(parse("[1,2]", &(iol__tree_limits){.values = 3, .bytes = 5}, &document, &error), IOL_OK);
    iol__tree_free(&document);
}

static void a_file_that_is_not_there_is_reported(void **state) {
    (void)state;
    iol__tree_document document;
    iol_error error;
    assert_int_equal(iol__tree_read("/nonexistent/site.json", NULL, &document, &error), IOL_SYSTEM);
    assert_string_equal(error.message, "/nonexistent/site.json: No such file or directory");
    assert_int_equal(iol__tree_read("/dev/zero", &(iol__tree_limits){.bytes = 10000}, &document, &error), IOL_LIMIT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_comes_out_as_it_was_written),
        cmocka_unit_test(numbers_keep_what_a_double_cannot_hold),
        cmocka_unit_test(escapes_become_characters),
        cmocka_unit_test(what_is_wrong_is_reported_with_its_place),
        cmocka_unit_test(people_may_write_comments_and_a_last_comma),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(a_file_that_is_not_there_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
