/* /compare: two groups of runs, by the same comparison as `iolite compare`. */
#include <string.h>

#include "report/compare/compare.h"
#include "serve/reading.h"
#include "serve/serve.h"

enum { MOST_RUNS = 20 };

/* The logs of one side. False: the answer is made. */
static bool add_side(iol__exchange *x, iol__contrast *contrast, const char *name, int side) {
    char *rest = iol__arena_copy(&x->arena, iol__param(x, name));
    size_t n = 0;
    for (char *id; (id = strsep(&rest, ","));) {
        iol_log *log;
        iol_error error;
        const size_t before = x->n_ends;
        if (++n > MOST_RUNS) return iol__answer_param(x, name, "at most 20 logs"), false;
        if (!iol__open_log_number(x, id, &log)) return false;
        iol_status status = iol__contrast_add(contrast, side, log, x->serve->rulebook, &error);
        iol__end_to(x, before);
        if (iol__too_late(x)) return false;
        if (status != IOL_OK) return iol__answer_error(x, 503, "these logs cannot be compared at the moment"), false;
    }
    return true;
}

static void compare_compare(iol__exchange *x, iol__contrast *contrast) {
    iol_error error;
    if (!add_side(x, contrast, "a", 0) || !add_side(x, contrast, "b", 1)) return;
    if (iol__contrast_finish(contrast, &error) != IOL_OK) {
        iol__answer_error(x, 503, "these logs cannot be compared at the moment");
        return;
    }
    iol__json_start(&x->json, &x->body, 2);
    iol__compare_json(&x->json, contrast);
    iol__json_finish(&x->json);
}

static void free_contrast(void *contrast) { iol__contrast_free(contrast); }

void iol__serve_compare(iol__exchange *x) {
    iol__contrast *contrast;
    iol_error error;
    for (int i = 0; i < 2; i++)
        if (!iol__param(x, i ? "b" : "a")) {
            iol__answer_param(x, i ? "b" : "a", "is needed");
            return;
        }
    if (!iol__reading_begin(x)) return;
    if (iol__contrast_new(&contrast, &error) != IOL_OK) {
        iol__answer_error(x, 503, "out of memory");
        return;
    }
    iol__at_end(x, free_contrast, contrast);
    compare_compare(x, contrast);
}
