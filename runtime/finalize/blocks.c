/* Small pieces are put together; a block goes out when it reaches the end of its stripe. */
#include "runtime/finalize/blocks.h"

#include <errno.h>
#include <string.h>

#include "runtime/core/sys.h"
#include "runtime/finalize/memory.h"

bool iol__blocks_start(iol__blocks *b, int fd) {
    *b = (iol__blocks){.fd = fd, .bytes = iol__memory_reserve(IOL_STRIPE)};
    return b->bytes != NULL;
}

bool iol__blocks_flush(iol__blocks *b) {
    if (!b->failed && b->have && iol__sys_write_all(b->fd, b->bytes, b->have, (long)b->at) != 0) b->failed = true;
    b->at += b->have;
    b->have = 0;
    return !b->failed;
}

void iol__blocks_seek(iol__blocks *b, uint64_t at) {
    if (at == b->at + b->have) return;
    iol__blocks_flush(b);
    b->at = at;
}

void iol__blocks_put(iol__blocks *b, const void *bytes, size_t length) {
    const uint8_t *from = bytes;
    while (length > 0) {
        const size_t left = IOL_STRIPE - (b->at + b->have) % IOL_STRIPE;
        const size_t part = length < left ? length : left;
        memcpy(b->bytes + b->have, from, part);
        b->have += part;
        from += part;
        length -= part;
        if (part == left) iol__blocks_flush(b);
    }
}

void iol__blocks_stop(iol__blocks *b) {
    const int saved = errno;
    iol__memory_back(b->bytes, IOL_STRIPE);
    b->bytes = NULL;
    errno = saved;
}
