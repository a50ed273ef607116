/* The bits of a stream, from the lowest on, and bytes that are compared eight at a time. */
#ifndef IOL_RUNTIME_BITS_H
#define IOL_RUNTIME_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct iol__bits {
    uint8_t *to;
    uint64_t waiting;
    unsigned count;
} iol__bits;

static inline uint32_t iol__little32(uint32_t value) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap32(value);
#else
    return value;
#endif
}

/* Up to 32 of them. */
static inline void iol__bits_put(iol__bits *bits, uint64_t value, unsigned count) {
    bits->waiting |= value << bits->count;
    bits->count += count;
    if (bits->count >= 32) {
        const uint32_t word = iol__little32((uint32_t)bits->waiting);
        memcpy(bits->to, &word, sizeof word);
        bits->to += sizeof word;
        bits->waiting >>= 32;
        bits->count -= 32;
    }
}

/* Up to the end of a byte. */
static inline void iol__bits_flush(iol__bits *bits) {
    for (; bits->count > 0; bits->count = bits->count > 8 ? bits->count - 8 : 0) {
        *bits->to++ = (uint8_t)bits->waiting;
        bits->waiting >>= 8;
    }
    bits->waiting = 0;
}

/* Zero where eight bytes are alike; the lowest bits are those of the first byte. */
static inline uint64_t iol__difference(const uint8_t *a, const uint8_t *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    x ^= y;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

#endif
