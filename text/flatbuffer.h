/* A flat buffer, in which Arrow keeps its metadata: built from its end to its beginning, so that what is referred to exists
   already. An object is known by how far its beginning is from the end. Only what text/arrow.c needs is here. */
#ifndef IOL_TEXT_FLATBUFFER_H
#define IOL_TEXT_FLATBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IOL_FLAT_FIELDS = 8 };

typedef struct iol__flat {
    uint8_t *bytes; /* the used ones are at the end */
    size_t room, used;
    bool failed;
    size_t start, fields[IOL_FLAT_FIELDS]; /* of the table that is being made */
} iol__flat;

/* A number of 1, 2, 4 or 8 bytes, at a place that it may have; then it can be a member of a struct or vector. */
void iol__flat_push(iol__flat *flat, uint64_t value, size_t bytes);
/* `bytes` more are going to follow, and where they begin is to be a multiple of `align`. */
void iol__flat_align(iol__flat *flat, size_t align, size_t bytes);

size_t iol__flat_text(iol__flat *flat, const char *text);
/* References to objects. */
size_t iol__flat_references(iol__flat *flat, const size_t *objects, size_t count);
/* A vector whose elements were pushed, the last one first; before them, iol__flat_align(flat, 8, bytes of all). */
size_t iol__flat_vector(iol__flat *flat, size_t count);

void iol__flat_table(iol__flat *flat);
void iol__flat_number(iol__flat *flat, int field, uint64_t value, size_t bytes);
void iol__flat_reference(iol__flat *flat, int field, size_t object);
size_t iol__flat_table_end(iol__flat *flat);

/* The buffer is complete: its first byte. Free flat->bytes. */
const uint8_t *iol__flat_finish(iol__flat *flat, size_t root);

#endif
