/* What is known of a job beside its log: earlier runs, and what the servers did. Callers that know it pass the struct; the
   JSON form (docs/context.md) is for programs of others. */
#ifndef IOL_INSIGHT_CONTEXT_H
#define IOL_INSIGHT_CONTEXT_H

#include "base/arena.h"

typedef struct iol__context {
#define CONTEXT(group, key, variable) double variable; /* NAN: not known */
#include "insight/findings/context.def"
#undef CONTEXT
    const char *system; /* name of the machine; NULL: not known */
} iol__context;

/* Nothing is known. */
iol__context iol__context_unknown(void);
/* The document's text; what is no such document changes nothing. Texts are in the arena. */
void iol__context_parse(iol__arena *arena, const char *text, iol__context *context);

#endif
