/* Programs that a run started and could not record: counted, bounded, printed and read back, merged. */
#include "log/trailer/unseen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "tests/support/opened.h"

static void assert_printed(const iol__unseen *list, const char *expected) {
    char *text;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    iol__unseen_print(file, list);
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

static void read_text(iol__unseen *list, const char *text, size_t errors) {
    lm_log *log = lm_new(41, false, LM_ZLIB);
    lm_trailer(log, IOL_TAG_UNSEEN, 1, text, strlen(text));
    opened o = opened_from(log);
    iol__unseen_add(o.log, list);
    if (iol_log_error_count(o.log) != errors) fail_msg("%s: %zu errors", text, iol_log_error_count(o.log));
    opened_close(&o);
}

static void programs_are_counted_by_reason_and_name(void **state) {
    (void)state;
    iol__unseen list = {0};
    const uint64_t still = iol__unseen_how(IOL_UNSEEN_STATIC), outlived = iol__unseen_how(IOL_UNSEEN_OUTLIVED);
    assert_int_equal(iol__unseen_total(&list), 0);
    iol__unseen_note(&list, outlived, "sleep");
    iol__unseen_note(&list, still, "ldconfig");
    for (int i = 0; i < 3; i++) iol__unseen_note(&list, still, "busybox");
    iol__unseen_note(&list, still | IOL_STARTED_NOT_AFTER, "busybox");
    iol__unseen_note(&list, outlived | IOL_STARTED_NOT_AFTER, "never there");
    iol__unseen_note(&list, iol__unseen_how((iol__unseen_why)200), "no reason");
    iol__unseen_note(&list, iol__unseen_how(IOL_UNSEEN_NOT), "no reason");
    iol__unseen_sort(&list);
    assert_int_equal(iol__unseen_total(&list), 4);
    assert_printed(&list, "{\"why\":\"static\",\"program\":\"busybox\",\"count\":2}\n"
                          "{\"why\":\"static\",\"program\":\"ldconfig\",\"count\":1}\n"
                          "{\"why\":\"outlived\",\"program\":\"sleep\",\"count\":1}\n");
}

static void names_are_bounded(void **state) {
    (void)state;
    iol__unseen list = {0};
    char name[300];
    for (int why = 1; why < IOL_UNSEEN_REASONS; why++)
        for (int i = 0; i < 1000; i++) {
            snprintf(name, sizeof name, "%0*d", i % 2 ? 200 : 4, why * 1000 + i);
            iol__unseen_note(&list, iol__unseen_how((iol__unseen_why)why), name);
        }
    assert_int_equal(iol__unseen_total(&list), 1000 * (IOL_UNSEEN_REASONS - 1));
    assert_true(list.count <= IOL_UNSEEN_MOST + IOL_UNSEEN_REASONS);
    for (size_t i = 0; i < list.count; i++) assert_true(strlen(list.of[i].program) < IOL_UNSEEN_PROGRAM);
    iol__unseen_forget_names(&list);
    assert_int_equal(list.count, IOL_UNSEEN_REASONS - 1);
    assert_int_equal(iol__unseen_total(&list), 1000 * (IOL_UNSEEN_REASONS - 1));
}

static void texts_come_back(void **state) {
    (void)state;
    static const char text[] = "{\"why\":\"other_libc\",\"program\":\"a \\\"b\\\"\",\"count\":2}\n"
                               "{\"why\":\"go\",\"program\":\"\",\"count\":7}\n";
    iol__unseen list = {0};
    read_text(&list, text, 0);
    assert_printed(&list, text);
    read_text(&list, text, 0);
    assert_int_equal(list.of[0].count, 4);
    assert_int_equal(iol__unseen_total(&list), 18);
}

static void texts_of_others(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t total;
        size_t errors;
    } cases[] = {
        {"", 0, 0},
        {"\n\n", 0, 0},
        {"{\"why\":\"static\",\"program\":\"x\",\"count\":1,\"new\":[1,{}]}", 1, 0},
        {"{\"why\":\"of a later version\",\"program\":\"x\",\"count\":1}", 0, 0},
        {"{\"why\":\"static\",\"count\":2}", 2, 0},
        {"{\"why\":\"static\",\"program\":\"x\",\"count\":-1}", 0, 1},
        {"{\"program\":\"x\",\"count\":1}", 0, 1},
        {"[]\n{\"why\":\"static\",\"program\":\"x\",\"count\":3}\n{", 3, 1},
        {"{\"why\":7}", 0, 1},
    };
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        iol__unseen list = {0};
        read_text(&list, cases[i].text, cases[i].errors);
        if (iol__unseen_total(&list) != cases[i].total)
            fail_msg("%s: %llu", cases[i].text, (unsigned long long)iol__unseen_total(&list));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_counted_by_reason_and_name),
        cmocka_unit_test(names_are_bounded),
        cmocka_unit_test(texts_come_back),
        cmocka_unit_test(texts_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
