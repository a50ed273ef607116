/* From a rule's `where` to the tests that files are put to. */
#ifndef IOL_INSIGHT_RULE_SPLIT_H
#define IOL_INSIGHT_RULE_SPLIT_H

#include "insight/language/rule.h"

/* Fill `tests` of a rule that is about files. */
void iol__rule_split(iol__rulebook *book, iol__rule *rule);

#endif
