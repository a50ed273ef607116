/* The JSON of trailers. */
#include "log/trailer/plain_json.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"

static void numbers_have_every_form(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},
                {"-12.5", -12.5},
                {"1e12", 1e12},
                {"2.5E-3", 2.5e-3},
                {"1e+2", 100},
                {"0e999999", 0},
                {"1e-99999999", 0},
                {"12345678901234567890123", 1.2345678901234568e22},
                {"0.5000000000000000000000001", 0.5}};
    for (size_t i = 0; i < IOL_COUNT(good); i++) {
        char text[64];
        double value;
        strcpy(text, good[i].text);
        iol__plain_json json = {text, text + strlen(text)};
        if (!iol__plain_number(&json, &value) || json.at != json.end) fail_msg("%s is not read", good[i].text);
        if (fabs(value - good[i].value) > 1e-15 * fabs(good[i].value)) fail_msg("%s is %g", good[i].text, value);
    }
}

/* A value of another kind must not take what follows with it. */
static void other_kinds_are_passed_over(void **state) {
    (void)state;
    char text[] = "\"x\", {\"a\": [1, 2]}, true, null, 7, \"y\"", *word;
    iol__plain_json json = {text, text + strlen(text)};
    double value;
    for (int i = 0; i < 4; i++) {
        assert_true(iol__plain_number_if(&json, &value) && isnan(value));
        assert_true(iol__plain_take(&json, ','));
    }
    assert_true(iol__plain_text_if(&json, &word));
    assert_null(word);
    assert_true(iol__plain_take(&json, ','));
    assert_true(iol__plain_text_if(&json, &word));
    assert_string_equal(word, "y");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_every_form),
        cmocka_unit_test(other_kinds_are_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
