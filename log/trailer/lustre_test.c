/* The servers of Lustre file systems: printed and read back, from mapped files, from several logs that are merged, and
   from texts that nobody of us printed. */
#include "log/trailer/lustre.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "tests/support/merging.h"
#include "tests/support/opened.h"
#include "tests/support/runmaker.h"

static void read_text(iol__lustre_list *list, const char *text, size_t errors) {
    lm_log *log = lm_new(41, false, LM_ZLIB);
    lm_trailer(log, IOL_TAG_LUSTRE, 1, text, strlen(text));
    opened o = opened_from(log);
    iol__lustre_add(o.log, list);
    if (iol_log_error_count(o.log) != errors) fail_msg("%s: %zu errors", text, iol_log_error_count(o.log));
    opened_close(&o);
}

/* The list as it is printed. */
static void assert_list(const iol__lustre_list *list, const char *expected) {
    char *text;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    iol__lustre_print(file, list);
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

static void texts_come_back(void **state) {
    (void)state;
    static const char text[] =
        "{\"one\":{\"mount\":\"/scratch\",\"osts\":96,\"mdts\":4},\"two\":{\"mount\":\"/p \\\"q\\\"\"}}\n";
    iol__lustre_list list = {0};
    assert_list(&list, "{}\n");
    read_text(&list, text, 0);
    assert_int_equal(list.count, 2);
    assert_list(&list, text);
    /* The first one counts, but for what it did not know. */
    read_text(&list, "{\"one\":{\"osts\":97},\"two\":{\"mount\":\"/other\",\"mdts\":1}}", 0);
    assert_int_equal(list.of[0].osts, 96);
    assert_int_equal(list.of[1].mdts, 1);
    assert_string_equal(list.of[1].mount, "/p \"q\"");
}

static void texts_of_others(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t count, errors;
    } cases[] = {
        {"{}", 0, 0},
        {"", 0, 1},
        {"[]", 0, 1},
        {"{\"a\":7}", 0, 1},
        {"{\"a\":{\"osts\":-1}}", 0, 1},
        {"{\"a\":{\"osts\":9999999999}}", 0, 1},
        {"{\"a\":{\"mount\":null}}", 0, 1},
        {"{\"a\":{\"later\":[1,{}],\"osts\":3}}", 1, 0},
        {"{\"a\":{},\"\":{\"osts\":1},\"b\":{}", 2, 1},
        {"{\"a name that is far too long for a file system of Lustre, or any other\":{}}", 1, 0},
    };
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        iol__lustre_list list = {0};
        read_text(&list, cases[i].text, cases[i].errors);
        if (list.count != cases[i].count) fail_msg("%s: %zu file systems", cases[i].text, list.count);
    }
    iol__lustre_list full = {0};
    for (int i = 0; i < 40; i++) {
        char text[32];
        snprintf(text, sizeof text, "{\"fs%d\":{\"osts\":%d}}", i, i + 1);
        read_text(&full, text, 0);
    }
    assert_int_equal(full.count, IOL_LUSTRE_MOST);
}

/* Bytes of a mapped file may be anything. */
static void mapped_files_have_them(void **state) {
    (void)state;
    iol__mapped facts = {.pid = 7, .lustre = {{"testfs", "/scratch", 12, 2}, {"", "/none", 1, 1}}};
    memset(facts.lustre[2].name, 'x', sizeof facts.lustre[2].name);
    memset(facts.lustre[2].mount, '/', sizeof facts.lustre[2].mount);
    facts.lustre[2].osts = INT32_MIN;
    lm_log *log = lm_new(41, false, LM_NONE);
    rm_make(log, &facts);
    opened o = opened_from(log);
    iol__lustre_list list = {0};
    iol__lustre_add(o.log, &list);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.of[0].mount, "/scratch");
    assert_int_equal(list.of[0].osts, 12);
    assert_int_equal(strlen(list.of[1].name), sizeof list.of[1].name - 1);
    assert_int_equal(list.of[1].osts, 0);
    opened_close(&o);
}

static void merging_keeps_each_once(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{\"one\":{\"mount\":\"/a\",\"osts\":3}}",
        "{\"one\":{\"mount\":\"/a\",\"osts\":3,\"mdts\":1},\"two\":{\"mount\":\"/b\"}}"};
    merging *m = merging_new();
    for (int i = 0; i < 2; i++) {
        lm_log *log = process(2, false);
        lm_trailer(log, IOL_TAG_LUSTRE, 1, texts[i], strlen(texts[i]));
        add_log(m, log);
    }
    iol_log *log = merged(m);
    size_t sections = 0;
    for (size_t i = 0; i < iol_log_trailer_count(log); i++) {
        char tag[5];
        const void *bytes_of;
        size_t length;
        if (iol_log_trailer(log, i, tag, &bytes_of, &length) == IOL_OK) sections += strcmp(tag, IOL_TAG_LUSTRE) == 0;
    }
    assert_int_equal(sections, 1);
    iol__lustre_list list = {0};
    iol__lustre_add(log, &list);
    assert_list(&list, "{\"one\":{\"mount\":\"/a\",\"osts\":3,\"mdts\":1},\"two\":{\"mount\":\"/b\"}}\n");
    iol_log_close(log);
    merging_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_come_back),
        cmocka_unit_test(texts_of_others),
        cmocka_unit_test(mapped_files_have_them),
        cmocka_unit_test(merging_keeps_each_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
