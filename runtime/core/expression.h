/* Extended regular expressions for names of files. libc's allocate and lock when they are matched, which a wrapper must
   not: an allocator may have called it, or a child whose other threads are gone. These are matched in memory that is
   there from the beginning, one state after the other, so that no expression takes longer than its length for each
   byte. */
#ifndef IOL_RUNTIME_EXPRESSION_H
#define IOL_RUNTIME_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

/* A compiled expression: where its steps are. */
typedef struct iol__expression {
    uint16_t at, steps;
} iol__expression;

/* False if it is none, or one that is too large, or that refers to what it matched before. At the start only: it asks
   libc first. */
bool iol__expression_new(iol__expression *e, const char *text);
/* Whether it is found somewhere in the text. One thread at a time. */
bool iol__expression_found(const iol__expression *e, const char *text);
/* Drops all that were made. */
void iol__expressions_reset(void);

#endif
