/* One block with the codes that RFC 1951 fixes (3.2.6). A string is looked for at the one place where its first three bytes
   were last. */
#include "log/write/deflate_small.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

enum { LEAST = 3, MOST = 258, PLACES = 256, FIXED_LAST = 3 };

typedef struct deflate_small_output {
    uint8_t *at, *end;
    uint32_t bits;
    unsigned n_bits;
    bool full;
} deflate_small_output;

static void put_byte(deflate_small_output *o, uint8_t byte) {
    if (o->at == o->end)
        o->full = true;
    else
        *o->at++ = byte;
}

/* The lowest bit first. */
static void deflate_small_put(deflate_small_output *o, uint32_t value, unsigned bits) {
    o->bits |= value << o->n_bits;
    for (o->n_bits += bits; o->n_bits >= 8; o->n_bits -= 8) {
        put_byte(o, (uint8_t)o->bits);
        o->bits >>= 8;
    }
}

/* Codes have their highest bit first. */
static void put_code(deflate_small_output *o, uint32_t code, unsigned bits) {
    uint32_t turned = 0;
    for (unsigned i = 0; i < bits; i++) turned |= (code >> i & 1) << (bits - 1 - i);
    deflate_small_put(o, turned, bits);
}

static void put_symbol(deflate_small_output *o, unsigned symbol) {
    if (symbol < 144)
        put_code(o, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(o, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(o, symbol - 256, 7);
    else
        put_code(o, 0xc0 + symbol - 280, 8);
}

static unsigned log2_of(unsigned n) { return 31 - (unsigned)__builtin_clz(n); }

static void put_length(deflate_small_output *o, unsigned length) {
    const unsigned n = length - LEAST, extra = n < 4 ? 0 : log2_of(n) - 2;
    if (length == MOST) {
        put_symbol(o, 285);
    } else {
        put_symbol(o, 257 + (n < 4 ? n : 4 * (extra + 1) + (n >> extra & 3)));
        deflate_small_put(o, n & ((1U << extra) - 1), extra);
    }
}

static void put_distance(deflate_small_output *o, unsigned distance) {
    const unsigned n = distance - 1, extra = n < 2 ? 0 : log2_of(n) - 1;
    put_code(o, n < 2 ? n : 2 * (extra + 1) + (n >> extra & 1), 5);
    deflate_small_put(o, n & ((1U << extra) - 1), extra);
}

static unsigned common(const uint8_t *a, const uint8_t *b, size_t most) {
    unsigned n = 0;
    while (n < most && n < MOST && a[n] == b[n]) n++;
    return n;
}

static void put_block(deflate_small_output *o, const uint8_t *bytes, size_t length) {
    uint16_t last[PLACES] = {0}; /* each is one more than a place */
    unsigned step;
    deflate_small_put(o, FIXED_LAST, 3);
    for (size_t at = 0; at < length && !o->full; at += step) {
        step = 0;
        if (length - at >= LEAST) {
            const uint8_t hash = (uint8_t)(bytes[at] * 5 ^ bytes[at + 1] * 23 ^ bytes[at + 2] * 97);
            const size_t before = last[hash];
            if (before) step = common(bytes + before - 1, bytes + at, length - at);
            last[hash] = (uint16_t)(at + 1);
            if (step >= LEAST) {
                put_length(o, step);
                put_distance(o, (unsigned)(at + 1 - before));
                continue;
            }
        }
        put_symbol(o, bytes[at]);
        step = 1;
    }
    put_symbol(o, 256);
    deflate_small_put(o, 0, -o->n_bits & 7);
}

size_t iol__deflate_small(const void *bytes, size_t length, void *to, size_t room) {
    /* Deflated, distances of up to 2 KiB; no dictionary. */
    static const uint8_t head[] = {0x38, 0x11};
    deflate_small_output o = {.at = to, .end = (uint8_t *)to + room};
    if (length > IOL_DEFLATE_SMALL || room < sizeof head) return 0;
    memcpy(o.at, head, sizeof head);
    o.at += sizeof head;
    put_block(&o, bytes, length);
    const uLong sum = adler32(adler32(0, NULL, 0), bytes, (uInt)length);
    for (int shift = 24; shift >= 0; shift -= 8) put_byte(&o, (uint8_t)(sum >> shift));
    return o.full ? 0 : (size_t)(o.at - (uint8_t *)to);
}
