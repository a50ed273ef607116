/* Evaluation of checked expressions. Nothing can fail: what has no value is NAN, and a condition that is NAN is
   false. */
#ifndef IOL_INSIGHT_RULE_EVAL_H
#define IOL_INSIGHT_RULE_EVAL_H

#include "insight/findings/case.h"
#include "text/number.h"

/* Operators on values that may be undefined. */
static inline double iol__truth(bool value) { return value ? 1 : 0; }

static inline double iol__eval_logical(iol__op op, double a, double b) {
    if (op == IOL_OP_AND) return a == 0 || b == 0 ? 0 : isnan(a) || isnan(b) ? NAN : 1;
    return a == 1 || b == 1 ? 1 : isnan(a) || isnan(b) ? NAN : 0;
}

static inline double iol__eval_compare(iol__op op, double a, double b) {
    if (isnan(a) || isnan(b)) return NAN;
    switch (op) {
    case IOL_OP_LESS: return iol__truth(a < b);
    case IOL_OP_LESS_EQUAL: return iol__truth(a <= b);
    case IOL_OP_GREATER: return iol__truth(a > b);
    case IOL_OP_GREATER_EQUAL: return iol__truth(a >= b);
    case IOL_OP_EQUAL: return iol__truth(a == b);
    default: return iol__truth(a != b);
    }
}

static inline double iol__eval_compute(iol__op op, double a, double b) {
    if (isnan(a) || isnan(b)) return NAN;
    switch (op) {
    case IOL_OP_ADD: return a + b;
    case IOL_OP_SUBTRACT: return a - b;
    case IOL_OP_MULTIPLY: return a * b;
    case IOL_OP_DIVIDE: return b == 0 ? NAN : a / b;
    case IOL_OP_MIN: return a < b ? a : b;
    default: return a > b ? a : b;
    }
}

static inline double iol__eval_clamp(double value, double low, double high) {
    if (isnan(value) || isnan(low) || isnan(high)) return NAN;
    return value < low ? low : value > high ? high : value;
}

double iol__eval(const iol__expr *expr, const iol__subject *subject);
/* The same for up to IOL_EVAL_MANY files at once. */
enum { IOL_EVAL_MANY = 16 };
void iol__eval_many(const iol__expr *expr, const iol__subject *const *files, size_t count, double *values);
bool iol__holds(const iol__expr *condition, const iol__subject *subject);
/* Compute the rule's lets, in order; the other expressions of the rule may refer to them. */
void iol__eval_lets(const iol__rule *rule, iol__subject *subject);
/* The sentence with its values, in the arena of the case. */
const char *iol__eval_sentence(const iol__sentence *sentence, const iol__subject *subject, iol__arena *arena);
/* The first whose condition holds, or NULL. */
const char *iol__eval_first(const iol__sentence *list, int count, const iol__subject *subject, iol__arena *arena);

/* Numbers for sentences: 12,345; 1.5; 40.6 GiB; 12%; 3.2 s. */
const char *iol__words(char buffer[IOL_HUMAN], double value, iol__number_shape form);

#endif
