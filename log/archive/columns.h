/* Rows of equal width turned into columns, the heart of the archive form: pure work on blocks of memory.
   A block of records becomes a body in which equal, rising and dependent counters take almost nothing; zstd then
   compresses the body (log/archive/archive.c). docs/log-format.md describes the bytes. */
#ifndef IOL_LOG_COLUMNS_H
#define IOL_LOG_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"

enum {
    IOL_ROW_MOST = 4096,  /* widest row; the width is a multiple of 8 */
    IOL_LANES_MOST = 256, /* most different widths in a block */
};

/* Rows of one width that follow each other, and how many bytes they have together. */
typedef struct iol__column_run {
    uint32_t width, bytes;
} iol__column_run;

/* Bytes that grow. */
typedef struct iol__body {
    uint8_t *bytes;
    size_t length, room;
} iol__body;

bool iol__body_put(iol__body *body, const void *bytes, size_t length);
bool iol__body_varint(iol__body *body, uint64_t value);

/* Bytes being read; what is not there reads as zero and leaves `bad` set. */
typedef struct iol__cursor {
    const uint8_t *at, *end;
    bool bad;
} iol__cursor;

const uint8_t *iol__cursor_take(iol__cursor *cursor, size_t length);
uint64_t iol__cursor_varint(iol__cursor *cursor);

/* Make `raw`, which the runs cover exactly, into a body. False if that is not possible: no memory, or rows of odd
   widths. *uses_ids says whether reading it takes the ids by their numbers in the map; `ids` may be NULL. */
bool iol__columns_encode(const uint8_t *raw, const iol__column_run *runs, size_t n_runs, const iol__idmap *ids,
                         iol__body *body, bool *uses_ids);

/* What decoders say when it is not the bytes that are at fault. */
extern const char iol__no_memory[];

/* The way back, exactly `raw_length` bytes. NULL, or what is wrong with the body. `swap`: values go to `raw` in the
   other byte order. */
const char *iol__columns_decode(const uint8_t *body, size_t length, const iol__id_list *ids, bool swap, uint8_t *raw,
                                size_t raw_length);

#endif
