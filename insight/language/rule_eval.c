/* The evaluator walks the tree. Logic has three values, as in SQL: an undefined part does not make a condition true,
   but "false and undefined" is still false and "true or undefined" still true. */
#include "insight/language/rule_eval.h"

#include "base/order.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most rules name others without a wildcard. */
static bool is_meant(const char *glob, const char *id) {
    return glob[strcspn(glob, "*?[\\")] ? fnmatch(glob, id, 0) == 0 : strcmp(glob, id) == 0;
}

static double fired(const iol__expr *expr, const iol__subject *subject) {
    const iol__rulebook *book = subject->job->book;
    const uint8_t *bits = expr->index ? subject->fired : subject->job->fired;
    if (!bits) return 0;
    for (size_t i = 0; i < book->n_rules; i++) {
        uint64_t next; /* few rules fire: most of the time there are eight zeros */
        memcpy(&next, bits + i, sizeof next);
        if (!next)
            i += sizeof next - 1;
        else if (bits[i] && is_meant(expr->text, book->rules[i]->id))
            return 1;
    }
    return 0;
}

/* Linear between neighbours; `values` is sorted here. */
static double rule_eval_quantile(double *values, size_t count, double q) {
    if (!count || isnan(q)) return NAN;
    qsort(values, count, sizeof *values, iol__by_value);
    double at = fmin(fmax(q, 0), 1) * (double)(count - 1);
    size_t low = (size_t)at, high = low + 1 < count ? low + 1 : low;
    return values[low] + (values[high] - values[low]) * (at - (double)low);
}

/* sum, mean, count and quantile over the files of the job. */
static double over_files(const iol__expr *expr, const iol__subject *subject) {
    const iol__case *job = subject->job;
    double *values = expr->op == IOL_OP_QUANTILE ? malloc((job->facts.n_files + 1) * sizeof *values) : NULL;
    double sum = 0;
    size_t count = 0;
    iol__subject file = {0};
    for (size_t i = 0; i < job->facts.n_files; i++) {
        iol__subject_fill(&file, job, &job->facts.file[i]);
        if (expr->b && !iol__holds(expr->b, &file)) continue;
        double value = expr->a ? iol__eval(expr->a, &file) : 1;
        if (isnan(value)) continue;
        if (values) values[count] = value;
        sum += value;
        count++;
    }
    double result = expr->op == IOL_OP_MEAN ? (count ? sum / (double)count : NAN) : sum;
    if (expr->op == IOL_OP_QUANTILE)
        result = values ? rule_eval_quantile(values, count, iol__eval(expr->c, subject)) : NAN;
    free(values);
    return result;
}

static double rule_eval_counter_value(const iol__expr *expr, const iol__subject *subject) {
    return subject->counters ? subject->counters[expr->index] : NAN;
}

static double has_rule_eval_module(const iol__subject *subject, int slot) {
    const iol__facts *facts = &subject->job->facts;
    if (!subject->file) return iol__truth(facts->modules[slot].listed && facts->modules[slot].module.length > 0);
    const iol__facts_file *file = subject->file;
    for (int layer = 0; layer < IOL_LAYERS; layer++)
        if (iol__facts_slots[layer] == slot) return iol__truth(file->layer[layer] != NULL);
    if (slot == IOL_SLOT_H5F || slot == IOL_SLOT_H5D) return iol__truth(file->hdf5 != NULL);
    if (slot == IOL_SLOT_PNETCDF_FILE || slot == IOL_SLOT_PNETCDF_VAR) return iol__truth(file->pnetcdf != NULL);
    if (slot == IOL_SLOT_LUSTRE) return iol__truth(file->lustre != NULL);
    return iol__truth(facts->modules[slot].listed && facts->modules[slot].module.length > 0);
}

/* Most operands are leaves: those are not worth a call. */
static inline double operand(const iol__expr *e, const iol__subject *subject) {
    if (e->op == IOL_OP_RAW) return subject->raw[e->index];
    if (e->op == IOL_OP_NUMBER) return e->number;
    return iol__eval(e, subject);
}

double iol__eval(const iol__expr *e, const iol__subject *subject) {
    double a;
    switch (e->op) {
    case IOL_OP_NUMBER: return e->number;
    case IOL_OP_THRESHOLD: return iol__subject_thresholds(subject)[e->index];
    case IOL_OP_RAW: return subject->raw[e->index];
    case IOL_OP_VARIABLE: return iol__variable_value(e->index, subject);
    case IOL_OP_COUNTER: return rule_eval_counter_value(e, subject);
    case IOL_OP_LET: return subject->lets[e->index];
    case IOL_OP_NEGATE: return -operand(e->a, subject);
    case IOL_OP_ABS: return fabs(operand(e->a, subject));
    case IOL_OP_KNOWN: return iol__truth(!isnan(operand(e->a, subject)));
    case IOL_OP_NOT: a = operand(e->a, subject); return isnan(a) ? NAN : iol__truth(a == 0);
    case IOL_OP_AND:
    case IOL_OP_OR:
        a = operand(e->a, subject);
        if (a == (e->op == IOL_OP_OR)) return a;
        return iol__eval_logical(e->op, a, operand(e->b, subject));
    case IOL_OP_LESS:
    case IOL_OP_LESS_EQUAL:
    case IOL_OP_GREATER:
    case IOL_OP_GREATER_EQUAL:
    case IOL_OP_EQUAL:
    case IOL_OP_UNEQUAL: return iol__eval_compare(e->op, operand(e->a, subject), operand(e->b, subject));
    case IOL_OP_CLAMP: return iol__eval_clamp(operand(e->a, subject), operand(e->b, subject), operand(e->c, subject));
    case IOL_OP_HAS: return has_rule_eval_module(subject, e->index);
    case IOL_OP_FIRED: return fired(e, subject);
    case IOL_OP_SUM:
    case IOL_OP_COUNT:
    case IOL_OP_MEAN:
    case IOL_OP_QUANTILE: return over_files(e, subject);
    default: return iol__eval_compute(e->op, operand(e->a, subject), operand(e->b, subject));
    }
}

bool iol__holds(const iol__expr *condition, const iol__subject *subject) {
    return !condition || iol__eval(condition, subject) == 1;
}

void iol__eval_lets(const iol__rule *rule, iol__subject *subject) {
    for (int i = 0; i < rule->n_lets; i++) subject->lets[i] = iol__eval(rule->lets[i].value, subject);
}
