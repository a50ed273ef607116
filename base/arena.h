/* Memory that is given back all at once: a rulebook and a diagnosis are many small texts and arrays that live and die
   together. Without memory an allocation does not return but jumps to where the owner waits for that, so that code
   which builds need not ask after every step. */
#ifndef IOL_INSIGHT_ARENA_H
#define IOL_INSIGHT_ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

typedef struct iol__arena {
    struct iol__arena_block *blocks;
    jmp_buf *exhausted; /* must be set while anything is allocated */
    size_t held, limit; /* bytes of its blocks, and how many there may be; 0: as many as there are */
    size_t block;       /* bytes that are taken at a time, little where many arenas live at once; 0: 32 KiB */
} iol__arena;

/* Zeroed and aligned for anything. */
void *iol__arena_alloc(iol__arena *arena, size_t count, size_t size);
/* Room for one more behind `count` items: the same array, or a larger copy. Arrays must begin as NULL with count 0. */
void *iol__arena_grow(iol__arena *arena, void *items, size_t count, size_t size);
char *iol__arena_text(iol__arena *arena, const char *text, size_t length);
char *iol__arena_copy(iol__arena *arena, const char *text);
char *iol__arena_print(iol__arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *iol__arena_vprint(iol__arena *arena, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
void iol__arena_free(iol__arena *arena);

#endif
