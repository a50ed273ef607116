/* zlib streams of rows in one pass: matches one row before or near, and codes that everybody knows for few rows, for many
   those that suit the first of them. A fraction of the instructions of the smaller way (rows.h), for streams that are some
   bytes per record larger. */
#ifndef IOL_RUNTIME_QUICK_H
#define IOL_RUNTIME_QUICK_H

#include <stddef.h>
#include <stdint.h>

/* No code is longer than 15 bits, and no match shorter than its bytes, twice. */
static inline size_t iol__quick_bound(size_t bytes) { return 2 * bytes + 1024; }
/* One stream; its length. `row` is at most IOL_MATCH_FARTHEST. */
size_t iol__quick_deflate(const void *from, size_t bytes, size_t row, uint8_t *to);

#endif
