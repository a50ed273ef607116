/* The evaluator for several files at once: the tree is walked once for all of them, which is most of the work where expressions
   are small. Every value is what iol__eval gives for that file alone. */
#include "insight/language/rule_eval.h"

#include <math.h>

static void many_values(const iol__expr *e, const iol__subject *const *files, size_t count, double *out) {
    switch (e->op) {
    case IOL_OP_NUMBER:
        for (size_t i = 0; i < count; i++) out[i] = e->number;
        return;
    case IOL_OP_RAW:
        for (size_t i = 0; i < count; i++) out[i] = files[i]->raw[e->index];
        return;
    case IOL_OP_THRESHOLD:
        for (size_t i = 0; i < count; i++) out[i] = iol__subject_thresholds(files[i])[e->index];
        return;
    default:
        for (size_t i = 0; i < count; i++) out[i] = iol__eval(e, files[i]);
    }
}

/* The second operand is asked only of files for which the first does not decide: it may take a search for a mount. */
static void many_logical(const iol__expr *e, const iol__subject *const *files, size_t count, double *out) {
    const iol__subject *open[IOL_EVAL_MANY];
    size_t at[IOL_EVAL_MANY], n = 0;
    double second[IOL_EVAL_MANY];
    iol__eval_many(e->a, files, count, out);
    for (size_t i = 0; i < count; i++) {
        if (out[i] == (e->op == IOL_OP_OR)) continue;
        open[n] = files[i];
        at[n++] = i;
    }
    if (!n) return;
    iol__eval_many(e->b, open, n, second);
    for (size_t i = 0; i < n; i++) out[at[i]] = iol__eval_logical(e->op, out[at[i]], second[i]);
}

static bool is_comparison(iol__op op) { return op >= IOL_OP_LESS && op <= IOL_OP_UNEQUAL; }

static bool is_computation(iol__op op) {
    return (op >= IOL_OP_ADD && op <= IOL_OP_DIVIDE) || op == IOL_OP_MIN || op == IOL_OP_MAX;
}

void iol__eval_many(const iol__expr *e, const iol__subject *const *files, size_t count, double *out) {
    double second[IOL_EVAL_MANY];
    if (e->op == IOL_OP_AND || e->op == IOL_OP_OR) {
        many_logical(e, files, count, out);
    } else if (is_comparison(e->op)) {
        iol__eval_many(e->a, files, count, out);
        iol__eval_many(e->b, files, count, second);
        for (size_t i = 0; i < count; i++) out[i] = iol__eval_compare(e->op, out[i], second[i]);
    } else if (is_computation(e->op)) {
        iol__eval_many(e->a, files, count, out);
        iol__eval_many(e->b, files, count, second);
        for (size_t i = 0; i < count; i++) out[i] = iol__eval_compute(e->op, out[i], second[i]);
    } else if (e->op == IOL_OP_NOT) {
        iol__eval_many(e->a, files, count, out);
        for (size_t i = 0; i < count; i++) out[i] = isnan(out[i]) ? NAN : out[i] == 0;
    } else {
        many_values(e, files, count, out);
    }
}
