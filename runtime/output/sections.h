/* Sections of the trailer that are JSON, and small: what the format has no place for. */
#ifndef IOL_RUNTIME_SECTIONS_H
#define IOL_RUNTIME_SECTIONS_H

#include "record/mapped.h"
#include "runtime/core/text.h"

/* What the records leave out. */
typedef struct iol__left_out {
    uint64_t folded[IOL_SLOTS_KNOWN];
    uint64_t trace_lost, lost, ring_unseen, calls_unseen, spaces_unseen, stopped;
} iol__left_out;

/* The content of FOLD and OPER but for the last bracket; nothing if there is nothing to say. */
void iol__say_folded(iol__text *json, const iol__left_out *left_out);
void iol__say_operations(iol__text *json, const iol__operation total[IOL_OPERATIONS]);

/* Parts of such a text: a key with what comes before it, a number if it is not 0, a text in quotes. */
void iol__say_key(iol__text *json, const char *name);
void iol__say_count(iol__text *json, const char *name, uint64_t n);
void iol__say_text(iol__text *json, const char *name, const char *text);

#endif
