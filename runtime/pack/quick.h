/* zlib streams of rows in one pass: with codes that everybody knows, and matches one row before or near. A fourth of the
   instructions of the smaller way (rows.h), for streams that are some bytes per record larger. */
#ifndef IOL_RUNTIME_QUICK_H
#define IOL_RUNTIME_QUICK_H

#include <stddef.h>
#include <stdint.h>

static inline size_t iol__quick_bound(size_t bytes) { return bytes + bytes / 8 + 32; }
/* One stream; its length. `row` is at most IOL_MATCH_FARTHEST. */
size_t iol__quick_deflate(const void *from, size_t bytes, size_t row, uint8_t *to);

#endif
