/* Texts and numbers of JSON, and where what is none stops being one. */
#include "base/json_scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"

static void texts_are_unescaped_in_place(void **state) {
    (void)state;
    static const struct {
        const char *from, *text;
        size_t length;
    } good[] = {{"\"\"", "", 0},
                {"\"abc\" rest", "abc", 3},
                {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8},
                {"\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac", 6},
                {"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80", 4},
                {"\"\\ud83dx\"", "\xef\xbf\xbdx", 4},
                {"\"\\ud83d\\u0041\"",
                 "\xef\xbf\xbd"
                 "A",
                 4},
                {"\"\\ude00\"", "\xef\xbf\xbd", 3},
                {"\"a\\u0000b\"", "a\0b", 3},
                {"\"\xff\x7f\"", "\xff\x7f", 2}};
    for (size_t i = 0; i < IOL_COUNT(good); i++) {
        char bytes[64];
        size_t length = SIZE_MAX;
        strcpy(bytes, good[i].from);
        const char *at = bytes;
        assert_null(iol__json_scan_text(&at, bytes + strlen(bytes), bytes + 1, &length));
        assert_int_equal(length, good[i].length);
        assert_memory_equal(bytes + 1, good[i].text, length + 1);
        assert_string_equal(at, i == 1 ? " rest" : "");
    }
}

/* The bytes are on the heap and end where they end, so that a sanitizer sees a byte too far. */
static void wrong_texts_say_where(void **state) {
    (void)state;
    static const struct {
        const char *from;
        size_t where;
        const char *wrong;
    } bad[] = {{"", 0, "in double quotes"},   {"'a'", 0, "in double quotes"},     {"\"abc", 4, "no end"},
               {"\"abc\\", 5, "no end"},      {"\"a\\q\"", 3, "no such escape"},  {"\"\\u12g4\"", 5, "hexadecimal"},
               {"\"\\u12", 5, "hexadecimal"}, {"\"\\ud83d\\u", 9, "hexadecimal"}, {"\"a\nb\"", 2, "control character"},
               {"\"\\ud83d\\", 8, "no end"}};
    for (size_t i = 0; i < IOL_COUNT(bad); i++) {
        size_t length, size = strlen(bad[i].from);
        char *bytes = malloc(size + 1), to[64];
        assert_non_null(bytes);
        memcpy(bytes, bad[i].from, size);
        char *exact = realloc(bytes, size ? size : 1);
        assert_non_null(exact);
        const char *at = exact, *wrong = iol__json_scan_text(&at, exact + size, to, &length);
        if (!wrong || !strstr(wrong, bad[i].wrong) || at != exact + bad[i].where)
            fail_msg("%s: %s at %zu", bad[i].from, wrong ? wrong : "read", (size_t)(at - exact));
        free(exact);
    }
}

static void numbers_end_where_they_end(void **state) {
    (void)state;
    static const struct {
        const char *from;
        size_t where;
        bool good;
    } numbers[] = {{"0", 1, true},    {"-12.5", 5, true}, {"1e12,", 4, true}, {"2.5E-3]", 6, true},
                   {"1e+2", 4, true}, {"01", 1, true},    {"-0", 2, true},    {"", 0, false},
                   {"-", 1, false},   {"+1", 0, false},   {"1.", 2, false},   {"1.e5", 2, false},
                   {"1e", 2, false},  {"1e+", 3, false},  {"x", 0, false},    {".5", 0, false}};
    for (size_t i = 0; i < IOL_COUNT(numbers); i++) {
        const char *at = numbers[i].from, *wrong = iol__json_scan_number(&at, at + strlen(at));
        if (!wrong != numbers[i].good || at != numbers[i].from + numbers[i].where)
            fail_msg("%s: %s at %zu", numbers[i].from, wrong ? wrong : "read", (size_t)(at - numbers[i].from));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_unescaped_in_place),
        cmocka_unit_test(wrong_texts_say_where),
        cmocka_unit_test(numbers_end_where_they_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
