/* For the tests of the page: the document of a synthetic log as one line of JSON, to look for pieces of it. */
#ifndef IOL_REPORT_PAGE_TESTING_H
#define IOL_REPORT_PAGE_TESTING_H

#include <stdio.h>
#include <string.h>

#include "report/page/page.h"

#include "insight/facts/facts_testing.h"

typedef struct made {
    opened o;
    iol__rulebook *book;
    iol__diagnosis *diagnosis;
    iol__page *page;
    char *text;
} made;

static inline made make_with(lm_log *log, const iol__page_options *options) {
    made m = {.o = opened_from(log)};
    assert_int_equal(iol__rulebook_new(&m.book, NULL), IOL_OK);
    iol__diagnose_options how = {.rulebook = m.book, .evidence = 10, .keep = true};
    assert_int_equal(iol__diagnose(m.o.log, &how, &m.diagnosis, NULL), IOL_OK);
    m.page = iol__page_make(m.o.log, m.diagnosis, options);
    assert_non_null(m.page);
    iol__out out;
    iol__json json;
    iol__out_open(&out, -1);
    iol__json_start(&json, &out, 0);
    iol__page_json(&json, m.page);
    iol__out_char(&out, 0);
    m.text = strdup(out.buffer);
    iol__out_close(&out);
    return m;
}

static inline made make(lm_log *log) {
    return make_with(log, &(iol__page_options){.files = IOL_PAGE_FILES, .requests = 1000, .version = "1"});
}

static inline void unmake(made *m) {
    free(m->text);
    iol__page_free(m->page);
    iol__diagnosis_free(m->diagnosis);
    iol__rulebook_free(m->book);
    opened_close(&m->o);
}

/* Where a member of the document begins, behind its key; the first of that name from `from` on. */
static inline const char *member(const char *from, const char *key) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(from, quoted);
    if (!at) fail_msg("there is no %s", quoted);
    return at + strlen(quoted);
}

/* The table of files; modules have a member of that name too, of objects. */
static inline const char *files_of(const made *m) {
    static const char begin[] = "\"files\":{";
    const char *at = m->text;
    while ((at = strstr(at, begin)) && strncmp(at + strlen(begin), "\"total\":{", 9) == 0) at++;
    if (!at) fail_msg("there is no table of files");
    return at;
}

/* The value of a member begins so. */
static inline void expect(const char *from, const char *key, const char *value) {
    const char *at = member(from, key);
    if (strncmp(at, value, strlen(value)) != 0) fail_msg("%s is %.120s, not %s", key, at, value);
}

/* A number of an array. */
static inline double number_at(const char *from, const char *key, int index) {
    const char *at = member(from, key);
    assert_int_equal(*at, '[');
    for (at++; index > 0; index--) {
        at = strchr(at, ',');
        assert_non_null(at);
        at++;
    }
    return strtod(at, NULL);
}

static inline double sum_of(const char *from, const char *key) {
    double sum = 0;
    char *end;
    const char *at = member(from, key);
    assert_int_equal(*at, '[');
    do {
        sum += strtod(at + 1, &end);
        at = end;
    } while (*at == ',');
    assert_int_equal(*at, ']');
    return sum;
}

#endif
