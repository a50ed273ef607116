/* Conditions of alerts: what they mean, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "site/alert/expression.h"

static bool has(void *context, const char *pattern) { return strcmp(pattern, context) == 0; }

static int holds(const char *text) {
    iol__arena arena = {0};
    jmp_buf exhausted;
    char why[200];
    if (setjmp(exhausted) != 0) return -2;
    arena.exhausted = &exhausted;
    char found[] = "posix.small.*";
    iol__alert_subject s = {.texts = {"alice", "wrf.exe", NULL}, .finding = has, .context = found};
    for (int i = 0; i < IOL_ALERT_FIELDS; i++) s.numbers[i] = NAN;
    s.numbers[IOL_ALERT_match1] = 0;
    s.numbers[IOL_ALERT_match2] = 1;
    s.numbers[IOL_ALERT_node_hours] = 600;
    s.numbers[IOL_ALERT_bytes] = 2e12;
    const struct iol__expr *c = iol__condition_parse(&arena, text, why);
    const int result = c ? iol__condition_holds(c, &s) : -1;
    if (!c) assert_int_not_equal(strlen(why), 0);
    iol__arena_free(&arena);
    return result;
}

static void conditions_mean_what_they_say(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int holds;
    } cases[] = {
        {"match1 or (match2 and node_hours > 500)", 1},
        {"match1 or match2 and node_hours > 700", 0},
        {"not match1", 1},
        {"not match1 and not match2", 0},
        {"bytes >= 2T", 1},
        {"bytes > 2T", 0},
        {"bytes / node_hours > 3G", 1},
        {"bytes / match1 > 0", 0},
        {"slowdown > 3", 0},
        {"not slowdown > 3", 1},
        {"-node_hours < -599", 1},
        {"user == \"alice\" and program != \"cp2k\"", 1},
        {"account == \"x\"", 0},
        {"finding(\"posix.small.*\")", 1},
        {"finding(\"mpiio.*\")", 0},
        {"1 + 2 * 3 == 7", 1},
        {"bytes >= 2TB and bytes < 2TiB", 1},
        {"not known(slowdown) and known(bytes)", 1},
        {"max(node_hours, 700, 1) == 700 and min(match1, match2) == 0", 1},
        {"clamp(node_hours, 0, 10) == 10 and abs(-match2) == 1", 1},
        {"match1 or max(slowdown, 4) > 3", 0},
        {"not user == \"bob\"", 1},
    };
    for (size_t i = 0; i < IOL_COUNT(cases); i++)
        if (holds(cases[i].text) != cases[i].holds) fail_msg("%s", cases[i].text);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    static const char *const cases[] = {"",
                                        "match9",
                                        "match1 or",
                                        "(match1",
                                        "match1)",
                                        "user",
                                        "user > \"a\"",
                                        "finding(posix)",
                                        "1 2",
                                        "bytes > ",
                                        "nan",
                                        "inf > 1",
                                        "user == \"alice",
                                        "match1 && 1",
                                        ";",
                                        "has(posix)",
                                        "fired(\"posix.*\")",
                                        "sum(bytes over files)",
                                        "posix.opens > 1",
                                        "$posix.small.ratio > 1",
                                        "user == alice",
                                        "finding(\"a\", file)"};
    char deep[2000];
    for (size_t i = 0; i < IOL_COUNT(cases); i++)
        if (holds(cases[i]) != -1) fail_msg("%s", cases[i]);
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    assert_int_equal(holds(deep), -1);
    memset(deep, '-', sizeof deep - 1);
    assert_int_equal(holds(deep), -1);
}

/* What is said of a text that is no condition. */
static void refuses_because(const char *text, const char *wanted) {
    iol__arena arena = {0};
    jmp_buf exhausted;
    char why[200];
    if (setjmp(exhausted) != 0) fail();
    arena.exhausted = &exhausted;
    assert_null(iol__condition_parse(&arena, text, why));
    assert_string_equal(why, wanted);
    iol__arena_free(&arena);
}

static void messages_say_where(void **state) {
    (void)state;
    refuses_because("match1 or nonsense",
                    "at character 19: nothing is called 'nonsense' (`iolite alert --list-fields` prints the names)");
    refuses_because("bytes > 3 4", "at character 11: '4' is too much");
    refuses_because("user > \"a\"", "at character 6: 'user' can be compared by == and != with a text in quotes");
    refuses_because("(match1", "at character 8: expected ')' before the end");
    refuses_because("bytes ; 1", "at character 8: a character that has no place here");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_mean_what_they_say),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(messages_say_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
