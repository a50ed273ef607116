/* Number formatting against the C library: the same digits as printf, and doubles that read back unchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "text/out.h"

static uint64_t state = 42;

static uint64_t next_random(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double any_double(void) {
    uint64_t bits = next_random();
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Times and rates as logs have them: mostly between a microsecond and a day. */
static double usual_double(void) { return ldexp((double)next_random(), (int)(next_random() % 40) - 84); }

static void check_fixed(double value, int decimals) {
    char got[336] = {0}, expected[336];
    *iol__format_fixed(got, value, decimals) = 0;
    snprintf(expected, sizeof expected, "%.*f", decimals, value);
    assert_string_equal(got, expected);
}

static void fixed_point_equals_printf(void **unused) {
    (void)unused;
    static const double edges[] = {0,      -0.0,      0.5,        1.5,     2.5,   0.0000005, 0.00000050000000001,
                                   1e-300, 5e-324,    1e15,       1e17,    1e18,  1e19,      1e300,
                                   -1e-7,  0.9999995, 99.9999995, 0.125,   0.375, -1,        1e6,
                                   123456, 4.35,      NAN,        INFINITY};
    for (size_t i = 0; i < IOL_COUNT(edges); i++)
        for (int decimals = 0; decimals <= 6; decimals++) {
            check_fixed(edges[i], decimals);
            check_fixed(-edges[i], decimals);
        }
    for (int i = 0; i < 200000; i++) {
        check_fixed(usual_double(), 6);
        check_fixed(usual_double(), 4);
    }
    for (int i = 0; i < 20000; i++) check_fixed(any_double(), 6);
}

static void integers_equal_printf(void **unused) {
    (void)unused;
    for (int i = 0; i < 100000; i++) {
        int64_t value = (int64_t)(next_random() >> (next_random() % 64));
        if (i % 3 == 0) value = -value;
        char got[24] = {0}, expected[24];
        *iol__format_i64(got, value) = 0;
        snprintf(expected, sizeof expected, "%" PRId64, value);
        assert_string_equal(got, expected);
    }
    char got[24] = {0};
    *iol__format_i64(got, INT64_MIN) = 0;
    assert_string_equal(got, "-9223372036854775808");
    *iol__format_u64(got, UINT64_MAX) = 0;
    assert_string_equal(got, "18446744073709551615");
}

/* The fewest digits of 15, 16 or 17 that read back, as a number of significant digits. */
static int fewest_digits(double value) {
    char text[64];
    for (int digits = 15; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) return digits;
    }
    return 17;
}

static int significant_digits(const char *text) {
    int digits = 0, zeros = 0;
    for (const char *c = text; *c && *c != 'e'; c++) {
        if (*c < '0' || *c > '9' || (digits == 0 && *c == '0')) continue;
        zeros = *c == '0' ? zeros + 1 : 0;
        digits++;
    }
    return digits - (strchr(text, '.') ? 0 : zeros);
}

static void check_double(double value) {
    char got[IOL_DOUBLE_TEXT + 1] = {0};
    *iol__format_double(got, value) = 0;
    assert_true(strtod(got, NULL) == value);
    assert_true(significant_digits(got) <= fewest_digits(value));
}

static void doubles_read_back_and_are_short(void **unused) {
    (void)unused;
    static const double edges[] = {0,
                                   -1,
                                   0.1,
                                   0.2,
                                   0.3,
                                   1.0 / 3,
                                   1e-5,
                                   9.9999999999999e-6,
                                   0.00001,
                                   1e15,
                                   1e22,
                                   1e23,
                                   5e-324,
                                   123.456,
                                   1e14 + 0.5,
                                   999999999999999.9,
                                   0.30000000000000004,
                                   2.5,
                                   1e100,
                                   1.7976931348623157e308};
    for (size_t i = 0; i < IOL_COUNT(edges); i++) check_double(edges[i]);
    for (int i = 0; i < 200000; i++) check_double(usual_double());
    for (int i = 0; i < 50000; i++) {
        double value = any_double();
        if (isfinite(value)) check_double(value);
    }
    char got[IOL_DOUBLE_TEXT + 1] = {0};
    *iol__format_double(got, 0.1) = 0;
    assert_string_equal(got, "0.1");
}

static void what_json_cannot_say_is_null(void **unused) {
    (void)unused;
    iol__out out;
    iol__out_open(&out, -1);
    iol__out_double(&out, NAN);
    iol__out_char(&out, ' ');
    iol__out_double(&out, -INFINITY);
    assert_int_equal(out.length, 9);
    assert_memory_equal(out.buffer, "null null", 9);
    iol__out_close(&out);
}

static void output_grows_beyond_its_buffer(void **unused) {
    (void)unused;
    iol__out out;
    iol__out_open(&out, -1);
    for (int i = 0; i < 100000; i++) iol__out_text(&out, "0123456789");
    assert_int_equal(out.length, 1000000);
    assert_memory_equal(out.buffer + 999990, "0123456789", 10);
    iol__out_close(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_point_equals_printf),       cmocka_unit_test(integers_equal_printf),
        cmocka_unit_test(doubles_read_back_and_are_short), cmocka_unit_test(what_json_cannot_say_is_null),
        cmocka_unit_test(output_grows_beyond_its_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
