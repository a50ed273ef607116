/* Evaluation of checked expressions. Nothing can fail: what has no value is NAN, and a condition that is NAN is
   false. */
#ifndef IOL_INSIGHT_RULE_EVAL_H
#define IOL_INSIGHT_RULE_EVAL_H

#include "insight/findings/case.h"
#include "text/number.h"

double iol__eval(const iol__expr *expr, const iol__subject *subject);
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
