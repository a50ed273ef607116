/* A chain of blocks, filled from the front and cleared as they are handed out, because most of a block may never be. Requests
   larger than a block get one of their own. */
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 32 * 1024, ALIGNMENT = 16 };

typedef struct iol__arena_block {
    struct iol__arena_block *next;
    size_t used, room;
} arena_block;

static size_t usual(const iol__arena *arena) { return arena->block ? arena->block : BLOCK; }

static arena_block *new_block(iol__arena *arena, size_t room) {
    const size_t around = sizeof(arena_block) + ALIGNMENT;
    const bool over =
        room > SIZE_MAX - around || (arena->limit && (arena->held > arena->limit || room > arena->limit - arena->held));
    arena_block *b = over ? NULL : room > usual(arena) ? calloc(1, around + room) : malloc(around + room);
    if (!b) longjmp(*arena->exhausted, 1);
    arena->held += room;
    *b = (arena_block){.room = room};
    return b;
}

static char *arena_place_in(arena_block *b) {
    uintptr_t start = (uintptr_t)(b + 1);
    return (char *)((start + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT) + b->used;
}

void *iol__arena_alloc(iol__arena *arena, size_t count, size_t size) {
    if (size && count > (SIZE_MAX - ALIGNMENT) / size) longjmp(*arena->exhausted, 1);
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!bytes) bytes = ALIGNMENT;
    arena_block *b = arena->blocks;
    if (b && b->room - b->used >= bytes) {
        char *at = arena_place_in(b);
        b->used += bytes;
        return memset(at, 0, bytes);
    }
    const bool large = bytes > usual(arena);
    arena_block *fresh = new_block(arena, large ? bytes : usual(arena));
    if (b && large) { /* the block in use stays in use */
        fresh->next = b->next;
        b->next = fresh;
    } else {
        fresh->next = b;
        arena->blocks = fresh;
    }
    char *at = arena_place_in(fresh);
    fresh->used = bytes;
    return large ? at : memset(at, 0, bytes);
}

void *iol__arena_grow(iol__arena *arena, void *items, size_t count, size_t size) {
    if (count && (count & (count - 1))) return items; /* room is always a power of two */
    size_t room = count ? 2 * count : 1;
    void *larger = iol__arena_alloc(arena, room, size);
    if (count) memcpy(larger, items, count * size);
    return larger;
}

char *iol__arena_text(iol__arena *arena, const char *text, size_t length) {
    char *copy = iol__arena_alloc(arena, length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

char *iol__arena_copy(iol__arena *arena, const char *text) { return iol__arena_text(arena, text, strlen(text)); }

char *iol__arena_vprint(iol__arena *arena, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = iol__arena_alloc(arena, (size_t)(length < 0 ? 0 : length) + 1, 1);
    if (length > 0) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *iol__arena_print(iol__arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = iol__arena_vprint(arena, format, args);
    va_end(args);
    return text;
}

void iol__arena_free(iol__arena *arena) {
    for (arena_block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    arena->blocks = NULL;
    arena->held = 0;
}
