/* Writing a file in blocks that do not cross the boundaries of stripes, with few and large calls. */
#ifndef IOL_RUNTIME_BLOCKS_H
#define IOL_RUNTIME_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IOL_STRIPE = 1 << 20 };

typedef struct iol__blocks {
    int fd;
    bool failed; /* with errno, when it happened */
    uint8_t *bytes;
    uint64_t at; /* where in the file the bytes belong */
    size_t have;
} iol__blocks;

bool iol__blocks_start(iol__blocks *blocks, int fd);
/* What comes next belongs there. */
void iol__blocks_seek(iol__blocks *blocks, uint64_t at);
void iol__blocks_put(iol__blocks *blocks, const void *bytes, size_t length);
/* False, with errno, if anything went wrong so far. */
bool iol__blocks_flush(iol__blocks *blocks);
void iol__blocks_stop(iol__blocks *blocks);

#endif
