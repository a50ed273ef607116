/* The list of processes and what was folded: printed and read back, and read from texts that nobody of us printed. */
#include "log/trailer/processes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "log/trailer/plain_json.h"
#include "record/mapped.h"
#include "tests/support/opened.h"
#include "tests/support/runmaker.h"

/* What came back, as one text that is easy to compare. */
typedef struct listing {
    char text[2000];
    int count;
} listing;

static bool tell(void *context, const iol__process *p) {
    listing *t = context;
    size_t at = strlen(t->text), room = sizeof t->text - at;
    int n = snprintf(t->text + at, room, "%d %d %d %.3f %.3f %u", (int)p->rank, (int)p->pid, (int)p->parent, p->start,
                     isnan(p->end) ? -1 : p->end, p->ended);
    for (size_t i = 0; i < p->n_images; i++) n += snprintf(t->text + at + n, room - (size_t)n, " [%s]", p->images[i]);
    for (int i = 0; i < 3; i++)
        if (p->targets[i]) n += snprintf(t->text + at + n, room - (size_t)n, " %d>%s", i, p->targets[i]);
    snprintf(t->text + at + n, room - (size_t)n, "\n");
    t->count++;
    return true;
}

static listing listed_by(const char *section, size_t *errors) {
    listing t = {.count = 0};
    lm_log *log = lm_new(41, false, LM_ZLIB);
    lm_trailer(log, IOL_TAG_PROCESSES, 0, section, strlen(section));
    opened o = opened_from(log);
    assert_true(iol__processes_any(o.log));
    iol__processes_each(o.log, tell, &t);
    *errors = iol_log_error_count(o.log);
    opened_close(&o);
    return t;
}

static char *printed(const iol__process *process) {
    char *text;
    size_t length, errors;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    iol__process_print(file, process);
    fclose(file);
    /* Always one line of ASCII or UTF-8. */
    assert_int_equal(text[length - 1], '\n');
    assert_ptr_equal(strchr(text, '\n'), text + length - 1);
    assert_true(iol__plain_utf8(text));
    listing t = listed_by(text, &errors), expected = {.count = 0};
    assert_int_equal(errors, 0);
    tell(&expected, process);
    assert_string_equal(t.text, expected.text);
    return text;
}

static void processes_come_back(void **state) {
    (void)state;
    static const char *const one[] = {"cp a b"}, *const two[] = {"sh -c 'exec \"x\\y\"\n\t\x01\x7f'",
                                                                 "\xc3\xa4 \xf0\x9f\x98\x80"};
    iol__process p = {.rank = 3, .pid = 12, .parent = 1, .start = 0.5, .end = NAN, .images = one, .n_images = 1};
    char *text = printed(&p);
    assert_string_equal(text, "{\"rank\":3,\"pid\":12,\"parent\":1,\"start\":0.500000000,\"end\":null,\"ended\":null,"
                              "\"command\":\"cp a b\"}\n");
    free(text);
    p = (iol__process){.start = -0.25, .end = 1e6 + 0.125, .ended = IOL_ENDED_EXEC, .images = two, .n_images = 2};
    p.targets[1] = "/tmp/o";
    p.targets[2] = "pipe:[77]";
    text = printed(&p);
    assert_non_null(strstr(text, "\"start\":-0.250000000,\"end\":1000000.125000000,\"ended\":\"exec\""));
    free(text);
}

static void broken_texts_keep_their_bytes(void **state) {
    (void)state;
    static const char *const images[] = {"good", "bad \xff\xc0\xaf\xed\xa0\x80 end"};
    iol__process p = {.images = images, .n_images = 2, .end = 1, .ended = IOL_ENDED_EXIT};
    p.targets[0] = "\x80";
    char *text = printed(&p);
    assert_non_null(strstr(text, "\"stdin_hex\":\"80\""));
    assert_non_null(strstr(text, "\"command\":\"bad \xef\xbf\xbd"));
    free(text);
}

static void texts_of_others(void **state) {
    (void)state;
    static const struct {
        const char *section, *listed;
        size_t errors;
    } cases[] = {
        {"", "", 0},
        {"\n\n", "", 0},
        {" { \"command\" : \"a\" , \"new\" : [ 1, {\"x\": \"]\" } , true ] , \"rank\" : 2 } \n",
         "2 0 0 nan -1.000 0 [a]\n", 0},
        {"{\"rank\":0,\"command\":\"\\u00e4\\ud83d\\ude00\\/\"}", "0 0 0 nan -1.000 0 [\xc3\xa4\xf0\x9f\x98\x80/]\n",
         0},
        {"{\"rank\":0,\"command\":\"a\",\"ended\":\"burnt\"}", "0 0 0 nan -1.000 0 [a]\n", 0},
        {"{\"rank\":0}\n{\"rank\":1,\"command\":\"b\"}", "1 0 0 nan -1.000 0 [b]\n", 1},
        {"{\"command\":\"a\"}", "", 1},
        {"{\"rank\":-1,\"command\":\"a\"}", "", 1},
        {"{\"rank\":1e3,\"command\":\"a\"}", "", 1},
        {"{\"rank\":99999999999999999999,\"command\":\"a\"}", "", 1},
        {"{\"rank\":0,\"command\":\"a", "", 1},
        {"{\"rank\":0,\"command\":\"\\u0000\"}", "", 1},
        {"{\"rank\":0,\"command\":\"\\ud800\"}", "0 0 0 nan -1.000 0 [\xef\xbf\xbd]\n", 0},
        {"{\"rank\":0,\"command\":\"a\",\"command_hex\":\"6\"}", "", 1},
        {"{\"rank\":0,\"command\":\"a\",\"command_hex\":\"00\"}", "", 1},
        {"{\"rank\":0,\"command\":\"a\",\"images\":[]}", "", 1},
        {"{\"rank\":0,\"command\":\"a\",\"x\":[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]}", "", 1},
        {"null", "", 1},
        {"{}", "", 1},
    };
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        size_t errors;
        listing t = listed_by(cases[i].section, &errors);
        if (strcmp(t.text, cases[i].listed) != 0) fail_msg("%s gives %s", cases[i].section, t.text);
        if (errors != cases[i].errors) fail_msg("%s: %zu errors", cases[i].section, errors);
    }
}

static void mapped_files_tell_of_themselves(void **state) {
    (void)state;
    listing t = {.count = 0};
    lm_log *log = lm_new(41, false, LM_NONE);
    iol__mapped facts = {.pid = 5, .parent = 4, .start = 1, .end = 2, .ended = IOL_ENDED_EXIT, .lost = 3};
    strcpy(facts.target[1], "/dev/pts/0");
    facts.folded[LM_POSIX] = 7;
    rm_make(log, &facts);
    opened o = opened_from(log);
    iol__processes_each(o.log, tell, &t);
    assert_string_equal(t.text, "0 5 4 1.000 2.000 1 [/opt/app/bin/solver -n 4 input.nml] 0> 1>/dev/pts/0 2>\n");
    iol__folded folded = {.lost = 1};
    iol__folded_add(o.log, &folded);
    assert_int_equal(folded.files[LM_POSIX], 7);
    assert_int_equal(folded.lost, 4);
    opened_close(&o);
}

static void folded_counts_come_back(void **state) {
    (void)state;
    char *text;
    size_t length;
    iol__folded folded = {.trace_lost = 8}, back = {0};
    assert_false(iol__folded_any(&back));
    folded.files[LM_MPIIO] = 5;
    FILE *file = open_memstream(&text, &length);
    iol__folded_print(file, &folded);
    fclose(file);
    assert_string_equal(text, "{\"MPI-IO\":5,\"trace_lost\":8}\n");
    lm_log *log = lm_new(41, false, LM_ZLIB);
    lm_trailer(log, IOL_TAG_FOLDED, 1, text, length);
    lm_trailer(log, IOL_TAG_FOLDED, 1, "{\"lost\":-5}", 11);
    free(text);
    opened o = opened_from(log);
    iol__folded_add(o.log, &back);
    assert_memory_equal(&back, &folded, sizeof back);
    assert_int_equal(iol_log_error_count(o.log), 1);
    opened_close(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_come_back),     cmocka_unit_test(broken_texts_keep_their_bytes),
        cmocka_unit_test(texts_of_others),         cmocka_unit_test(mapped_files_tell_of_themselves),
        cmocka_unit_test(folded_counts_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
