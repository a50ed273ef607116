/* The built-in rules as text: the build turns every file of insight/rules into this table. */
#ifndef IOL_INSIGHT_RULEBOOK_H
#define IOL_INSIGHT_RULEBOOK_H

#include <stddef.h>

typedef struct iol__rule_text {
    const char *name; /* "posix.rules" */
    const char *text;
} iol__rule_text;

extern const iol__rule_text iol__builtin_rules[]; /* a NULL name ends it */

#endif
