/* Reading the parts of a mapped file that only Iolite knows. The bytes may come from a damaged file: nothing is believed. */
#include "record/mapped.h"

#include <string.h>

bool iol__mapped_is(const uint8_t *bytes, size_t length) {
    return length >= IOL_MAPPED_HEAD && iol__mapped_has_facts(bytes + IOL_MAPPED_AT);
}

bool iol__mapped_has_facts(const void *facts) {
    uint32_t size;
    memcpy(&size, (const uint8_t *)facts + offsetof(iol__mapped, bytes), sizeof size);
    return memcmp(facts, IOL_MAPPED_MAGIC, 8) == 0 && size == sizeof(iol__mapped);
}

const uint8_t *iol__trace_next(const uint8_t *area, size_t length, size_t *at, iol__trace_chunk *chunk) {
    enum { SEGMENT = 40 };
    if (*at > length || length - *at < sizeof *chunk) return NULL;
    memcpy(chunk, area + *at, sizeof *chunk);
    const size_t left = length - *at - sizeof *chunk;
    if (chunk->room == 0 || chunk->room > left / SEGMENT) return NULL;
    if (chunk->used > chunk->room) chunk->used = chunk->room;
    const uint8_t *segments = area + *at + sizeof *chunk;
    *at += sizeof *chunk + (size_t)chunk->room * SEGMENT;
    return segments;
}
