/* Numbers for people: the examples of text/numbers.def, and that no number breaks a column. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "text/number.h"

static const char *written(char buffer[IOL_HUMAN], const char *how, double value) {
    if (strcmp(how, "bytes") == 0) return iol__human_bytes(buffer, value);
    if (strcmp(how, "rate") == 0) return iol__human_rate(buffer, value);
    if (strcmp(how, "seconds") == 0) return iol__human_seconds(buffer, value);
    if (strcmp(how, "share") == 0) return iol__human_share(buffer, value);
    if (strcmp(how, "count") == 0) return iol__human_count(buffer, value);
    if (strcmp(how, "exact") == 0) return iol__human_exact(buffer, value);
    if (strcmp(how, "id") == 0) return iol__human_id(buffer, value);
    if (strcmp(how, "coefficient") == 0) return iol__human_coefficient(buffer, value);
    assert_string_equal(how, "number");
    return iol__human_number(buffer, value);
}

static void numbers_are_written_as_the_examples_say(void **state) {
    (void)state;
    char buffer[IOL_HUMAN];
#define NUMBER(how, value, text) assert_string_equal(written(buffer, #how, value), text);
#define CHANGE(from, to, text) assert_string_equal(iol__human_change(buffer, from, to), text);
#include "text/numbers.def"
#undef NUMBER
#undef CHANGE
}

/* Over all magnitudes, and what a damaged log may hold. */
static void numbers_fit_their_columns(void **state) {
    (void)state;
    char buffer[IOL_HUMAN];
    static const double odd[] = {INFINITY, -INFINITY, NAN, -0.0, 5e-324, 1.7976931348623157e308};
    for (int i = -3200; i < 3200 + (int)(IOL_COUNT(odd)); i++) {
        const double value = i < 3200 ? 1.0371 * pow(10, i / 10.0) : odd[i - 3200];
        assert_true(strlen(iol__human_bytes(buffer, value)) <= 9);
        assert_true(strlen(iol__human_rate(buffer, value)) <= 11);
        assert_true(strlen(iol__human_seconds(buffer, value)) <= 9);
        assert_true(strlen(iol__human_share(buffer, value)) <= 7);
        assert_true(strlen(iol__human_count(buffer, value)) <= 7);
        assert_true(strlen(iol__human_number(buffer, value)) <= 19);
        assert_true(strlen(iol__human_exact(buffer, value)) <= 30);
        assert_true(strlen(iol__human_change(buffer, 1, value)) <= 9);
        assert_null(strchr(buffer, 'e') && strcmp(buffer, "new") && strcmp(buffer, "gone") ? buffer : NULL);
    }
}

/* Digits are those of printf, for as many decimals as numbers are ever written with. */
static void digits_are_those_of_printf(void **state) {
    (void)state;
    char buffer[IOL_HUMAN], expected[64];
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        random = random * UINT64_C(6364136223846793005) + 1;
        const double value = (double)(random >> 33 >> (i % 31)) / (i % 2 ? 1000 : 1);
        snprintf(expected, sizeof expected, "%.3f", value);
        for (size_t n = strlen(expected); expected[n - 1] == '0' || expected[n - 1] == '.'; n--) {
            const bool point = expected[n - 1] == '.';
            expected[n - 1] = 0;
            if (point) break;
        }
        iol__human_exact(buffer, value);
        size_t kept = 0;
        for (const char *at = buffer; *at; at++)
            if (*at != ',') buffer[kept++] = *at;
        buffer[kept] = 0;
        assert_string_equal(buffer, expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_written_as_the_examples_say),
        cmocka_unit_test(numbers_fit_their_columns),
        cmocka_unit_test(digits_are_those_of_printf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
