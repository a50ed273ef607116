/* What a rank has of one region of the log, on its way to the file: pieces in order of rank, each either raw or zlib
   streams already. Raw pieces that meet become one; where that has grown large enough it is compressed, and not again. So
   ranks with much compress it themselves, all at the same time, and ranks with little share streams. */
#ifndef IOL_RUNTIME_PILE_H
#define IOL_RUNTIME_PILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/pack/pack.h"

enum { IOL_PILE_BLOCK = 896 << 10 /* raw bytes of one stream, at most: less than half a large page */ };

typedef struct iol__rt_pile {
    uint8_t *bytes; /* pieces, each behind a head */
    size_t used, room;
    size_t last; /* where the head of the last piece is */
    iol__pack_shape shape;
    bool packed; /* some of it is compressed */
    bool failed; /* no memory: some is missing */
} iol__rt_pile;

typedef struct iol__rt_piece {
    uint64_t length; /* of the bytes behind this, which are filled up to a multiple of 8 */
    uint64_t packed; /* 1: zlib streams */
} iol__rt_piece;

/* After the last pile: all memory is given back. */
void iol__pile_stop(void);

/* Raw bytes at the end. False without memory; the pile is then marked. */
bool iol__pile_add(iol__rt_pile *pile, const void *bytes, size_t length);
/* The same, to be filled in by the caller, at once: room for one record, NULL without memory. */
void *iol__pile_room(iol__rt_pile *pile, size_t length);
/* The pieces of another pile, that come behind; false if they make no sense. */
bool iol__pile_append(iol__rt_pile *pile, const uint8_t *pieces, size_t length);
/* Before it is read: compresses what is large enough, or all of it. */
void iol__pile_pack(iol__rt_pile *pile, bool all);
/* The pieces one after the other: NULL at the end. Start with *at = 0. */
const uint8_t *iol__pile_next(const iol__rt_pile *pile, size_t *at, size_t *length);
/* Bytes of all pieces, without heads. */
uint64_t iol__pile_bytes(const iol__rt_pile *pile);
void iol__pile_free(iol__rt_pile *pile);

#endif
