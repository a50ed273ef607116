/* The layout is that of the FlatBuffers format: little-endian, every number at a multiple of its size, tables with a list of
   where their fields are in front of them. */
#include "text/flatbuffer.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *flat_room(iol__flat *flat, size_t bytes) {
    if (flat->room - flat->used < bytes && !flat->failed) {
        const size_t room = 2 * (flat->room + bytes) + 1024;
        uint8_t *grown = malloc(room);
        if (grown && flat->used) memcpy(grown + room - flat->used, flat->bytes + flat->room - flat->used, flat->used);
        free(grown ? flat->bytes : NULL);
        flat->failed = !grown;
        if (grown) {
            flat->bytes = grown;
            flat->room = room;
        }
    }
    if (flat->failed) return NULL;
    flat->used += bytes;
    return flat->bytes + flat->room - flat->used;
}

void iol__flat_align(iol__flat *flat, size_t align, size_t bytes) {
    const size_t over = (flat->used + bytes) % align, gap = over ? align - over : 0;
    uint8_t *at = gap ? flat_room(flat, gap) : NULL;
    if (at) memset(at, 0, gap);
}

static void put_flatbuffer_little(uint8_t *at, uint64_t value, size_t bytes) {
    for (size_t i = 0; at && i < bytes; i++) at[i] = (uint8_t)(value >> 8 * i);
}

void iol__flat_push(iol__flat *flat, uint64_t value, size_t bytes) {
    iol__flat_align(flat, bytes, bytes);
    put_flatbuffer_little(flat_room(flat, bytes), value, bytes);
}

size_t iol__flat_text(iol__flat *flat, const char *text) {
    const size_t length = strlen(text);
    iol__flat_align(flat, 4, length + 1);
    uint8_t *at = flat_room(flat, length + 1);
    if (at) memcpy(at, text, length + 1);
    iol__flat_push(flat, length, 4);
    return flat->used;
}

static void push_reference(iol__flat *flat, size_t object) {
    iol__flat_align(flat, 4, 4);
    iol__flat_push(flat, flat->used + 4 - object, 4);
}

size_t iol__flat_vector(iol__flat *flat, size_t count) {
    iol__flat_push(flat, count, 4);
    return flat->used;
}

size_t iol__flat_references(iol__flat *flat, const size_t *objects, size_t count) {
    iol__flat_align(flat, 4, 4 * count);
    for (size_t i = count; i-- > 0;) push_reference(flat, objects[i]);
    return iol__flat_vector(flat, count);
}

void iol__flat_table(iol__flat *flat) {
    flat->start = flat->used;
    memset(flat->fields, 0, sizeof flat->fields);
}

void iol__flat_number(iol__flat *flat, int field, uint64_t value, size_t bytes) {
    iol__flat_push(flat, value, bytes);
    flat->fields[field] = flat->used;
}

void iol__flat_reference(iol__flat *flat, int field, size_t object) {
    push_reference(flat, object);
    flat->fields[field] = flat->used;
}

size_t iol__flat_table_end(iol__flat *flat) {
    iol__flat_push(flat, 0, 4); /* where the list of fields is: known in a moment */
    const size_t table = flat->used;
    for (int i = IOL_FLAT_FIELDS; i-- > 0;) iol__flat_push(flat, flat->fields[i] ? table - flat->fields[i] : 0, 2);
    iol__flat_push(flat, table - flat->start, 2);
    iol__flat_push(flat, 2 * (IOL_FLAT_FIELDS + 2), 2);
    if (!flat->failed) put_flatbuffer_little(flat->bytes + flat->room - table, flat->used - table, 4);
    return table;
}

const uint8_t *iol__flat_finish(iol__flat *flat, size_t root) {
    iol__flat_align(flat, 8, 4);
    push_reference(flat, root);
    return flat->failed ? NULL : flat->bytes + flat->room - flat->used;
}
