/* An expression of the rule language by itself, over names of whoever asks: conditions of alerts. Numbers stand for truths
   in it, and beside min, max, abs, clamp and known there is finding("posix.small.*"). */
#ifndef IOL_INSIGHT_EXPRESSION_H
#define IOL_INSIGHT_EXPRESSION_H

#include "base/arena.h"

struct iol__expr;

typedef struct iol__expression_names {
    const char *const *numbers; /* up to NULL; IOL_OP_VARIABLE has their index */
    const char *const *texts;   /* up to NULL; compared by == and !=; IOL_OP_TEXT has their index */
    const char *listed;         /* where a person finds them, for messages */
} iol__expression_names;

/* NULL with the reason; everything is the arena's. Depth and size are bounded, so that it can be evaluated by recursion. */
const struct iol__expr *iol__expression_parse(iol__arena *arena, const char *text, const iol__expression_names *names,
                                              char why[200]);

#endif
