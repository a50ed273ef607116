/* zlib streams of rows: records of one size that stand one after the other and differ in little. A general compressor
   looks for repetitions everywhere; here they are in a row before that is like this one, or a few words away. That is
   several times as fast, and smaller. What comes out is an ordinary stream that every reader knows. */
#ifndef IOL_RUNTIME_ROWS_H
#define IOL_RUNTIME_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Working memory, about 150 KB; NULL if there is none. One for all streams of a process. */
typedef struct iol__pack_rows iol__pack_rows;
iol__pack_rows *iol__rows_start(void);

size_t iol__rows_bound(size_t bytes);
/* One stream; its length, which is at most iol__rows_bound(bytes). `from` is aligned to 8 bytes, `row` is the length of
   one, a multiple of 8. */
size_t iol__rows_deflate(iol__pack_rows *rows, const void *from, size_t bytes, size_t row, uint8_t *to);

#endif
