/* Numbers and sentences of a comparison: short, but never so short that a difference disappears, and never a claim
   that no test carries. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/compare/compare.h"

static void value_is(iol__compare_unit unit, double value, const char *text) {
    char buffer[IOL_HUMAN];
    assert_string_equal(iol__value_text(buffer, unit, value), text);
}

static void values_have_their_unit(void **state) {
    (void)state;
    value_is(IOL_UNIT_SECONDS, 10.236, "10.2 s");
    value_is(IOL_UNIT_COUNT, 262144, "262,144");
    value_is(IOL_UNIT_BYTES, 1024, "1 KiB");
    value_is(IOL_UNIT_RATE, 1.5 * 1048576, "1.5 MiB/s");
    value_is(IOL_UNIT_SHARE, 0.6049, "60%");
    value_is(IOL_UNIT_NUMBER, NAN, "-");
}

static void small_differences_stay_visible(void **state) {
    (void)state;
    char a[IOL_HUMAN], b[IOL_HUMAN];
    iol__change c = {.differs = true, .side = {{.n = 1, .mean = 1073741824}, {.n = 1, .mean = 1073741825}}};
    iol__change_texts(a, b, IOL_METRIC_bytes_written, &c);
    assert_string_equal(a, "1,073,741,824 B");
    assert_string_equal(b, "1,073,741,825 B");
    c.side[0].mean = 699.84015984;
    c.side[1].mean = 699.521435693;
    iol__change_texts(a, b, IOL_METRIC_mean_read, &c);
    assert_string_equal(a, "699.8 B");
    assert_string_equal(b, "699.5 B");
}

/* Whatever else is known: without a test no word on which is better, and of two changes none is the cause. */
static void untested_sentences_claim_nothing(void **state) {
    (void)state;
    static const iol__claim untested[] = {IOL_CLAIM_TOO_FEW, IOL_CLAIM_UNTESTED, IOL_CLAIM_NO_DIFFERENCE};
    char answer[IOL_ANSWERS][IOL_SENTENCE], text[IOL_SENTENCE];
    for (size_t i = 0; i < 3; i++) {
        iol__contrast c = {.claim = untested[i], .group = {{.n = 1, .used = 1}, {.n = 1, .used = 1}}};
        c.changes[IOL_METRIC_run_time] =
            (iol__change){.differs = true, .side = {{.n = 1, .mean = 9}, {.n = 1, .mean = 1}}};
        c.usual = (iol__usual){true, 9, 0.1, 2, true};
        c.advice_came = true;
        c.aspects[IOL_ASPECT_SYNCS] = true;
        c.n_aspects = 1;
        iol__answer_text(answer, &c);
        for (int s = 0; s < IOL_ANSWERS; s++) assert_true(!strstr(answer[s], "faster") && !strstr(answer[s], "slower"));
        assert_true(iol__explanation_text(text, &c) && !strstr(text, "explains"));
        c.claim = IOL_CLAIM_FASTER;
        assert_true(iol__explanation_text(text, &c) && strstr(text, "explains"));
        c.n_aspects = 2;
        assert_false(iol__explanation_text(text, &c));
    }
}

/* Twice the data in the same time: the sentence that people read first speaks of the rate. With equal amounts it does not. */
static void other_amounts_are_compared_by_rate(void **state) {
    (void)state;
    const double gib = 1073741824;
    char answer[IOL_ANSWERS][IOL_SENTENCE];
    iol__contrast c = {.claim = IOL_CLAIM_TOO_FEW, .group = {{.n = 1, .used = 1}, {.n = 1, .used = 1}}};
    c.changes[IOL_METRIC_run_time] = (iol__change){.side = {{.n = 1, .mean = 10}, {.n = 1, .mean = 10}}};
    c.changes[IOL_METRIC_bytes_read] = (iol__change){.side = {{.n = 1, .mean = gib}, {.n = 1, .mean = gib}}};
    c.changes[IOL_METRIC_rate] =
        (iol__change){.differs = true, .side = {{.n = 1, .mean = gib / 8}, {.n = 1, .mean = gib / 2}}};
    iol__answer_text(answer, &c);
    assert_null(strstr(answer[0], "rate"));
    c.changes[IOL_METRIC_bytes_written] = (iol__change){.side = {{.n = 1, .mean = 0}, {.n = 1, .mean = 3 * gib}}};
    iol__answer_text(answer, &c);
    assert_non_null(
        strstr(answer[0], "The amounts differ, 1 GiB -> 4 GiB: by the rate of I/O it is 128 MiB/s -> 512 MiB/s (x4)."));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_have_their_unit),
        cmocka_unit_test(small_differences_stay_visible),
        cmocka_unit_test(untested_sentences_claim_nothing),
        cmocka_unit_test(other_amounts_are_compared_by_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
