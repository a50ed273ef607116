/* At each byte, the longest match among a few distances: words of the row before, words nearby, which is what times are
   like, and repetitions of one byte. */
#include "runtime/pack/quick.h"

#include <stdbool.h>

#include "runtime/pack/deflate.h"
#include "runtime/pack/bits.h"
#include "runtime/pack/tokens.h"

enum { ID = 8, CODES = 288, MATCHES = 257, END = 256, LONG_LITERALS = 144, NEAR = 16 };

/* What must be alike to be a match: three bytes, one row before four. */
static const uint64_t BYTES = 0xffffff, FAR_BYTES = 0xffffffff;

/* Code and length of a literal, or of the code of a length: RFC 1951, 3.2.6. */
typedef struct code {
    uint16_t bits;
    uint8_t count;
} code;

static code fixed[CODES];

static unsigned turned(unsigned value, unsigned count) {
    unsigned result = 0;
    for (; count > 0; count--, value >>= 1) result = result << 1 | (value & 1);
    return result;
}

static void make_codes(void) {
    for (unsigned i = 0; i < CODES; i++) {
        const unsigned count = i < LONG_LITERALS ? 8 : i < END ? 9 : i < 280 ? 7 : 8;
        const unsigned value = i < LONG_LITERALS ? 0x30 + i
                               : i < END         ? 0x190 + i - LONG_LITERALS
                               : i < 280         ? i - END
                                                 : 0xc0 + i - 280;
        fixed[i] = (code){(uint16_t)turned(value, count), (uint8_t)count};
    }
}

typedef struct distances {
    /* What stands for each in the stream. */
    struct {
        size_t distance;
        uint32_t bits;
        unsigned count;
    } all[4];
} distances;

static void set_distances(distances *d, size_t row) {
    const size_t all[] = {row, 8, 16, 1};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        unsigned extra;
        const unsigned symbol = iol__distance_code((unsigned)all[i], &extra);
        d->all[i].distance = all[i];
        d->all[i].bits = turned(symbol, 5) | ((uint32_t)(all[i] - 1) & ((1u << extra) - 1)) << 5;
        d->all[i].count = 5 + extra;
    }
}

static inline void put_literal(iol__bits *out, uint8_t byte) {
    iol__bits_put(out, fixed[byte].bits, fixed[byte].count);
}

static void put_match(iol__bits *out, const distances *d, unsigned which, size_t length) {
    while (length > 0) {
        unsigned extra;
        const unsigned part = (unsigned)iol__tokens_part(length);
        const code c = fixed[MATCHES + iol__length_code(part, &extra)];
        iol__bits_put(out, c.bits | ((part - 3) & ((1u << extra) - 1)) << c.count, c.count + extra);
        iol__bits_put(out, d->all[which].bits, d->all[which].count);
        length -= part;
    }
}

/* How many bytes are alike, from eight that are on. */
static size_t run_of(const uint8_t *from, size_t at, size_t bytes, size_t distance) {
    size_t end = at + 8;
    for (; end + 8 <= bytes; end += 8) {
        const uint64_t differs = iol__difference(from + end, from + end - distance);
        if (differs) return end - at + (unsigned)__builtin_ctzll(differs) / 8;
    }
    return end - at;
}

/* Whether the bytes at this distance are alike, at least those that must be, and more of them than at another one. */
__attribute__((always_inline)) static inline bool longer(const uint8_t *from, size_t at, size_t distance, uint64_t must,
                                                         size_t *best) {
    const uint64_t differs = iol__difference(from + at, from + at - distance);
    if (differs & must) return false;
    const size_t length = differs ? (unsigned)__builtin_ctzll(differs) / 8 : 8;
    if (length <= *best) return false;
    *best = length;
    return true;
}

/* The length of the best match, 0: none. `reach`: how far back there is something. One after the other, without a loop:
   this is where most of the time goes. */
__attribute__((always_inline)) static inline size_t find(const uint8_t *from, size_t at, size_t bytes,
                                                         const distances *d, size_t reach, unsigned *which) {
    enum { ENOUGH = 5 };
    const size_t row = d->all[0].distance;
    size_t best = 0;
    if (row <= reach && longer(from, at, row, FAR_BYTES, &best)) *which = 0;
    if (best < ENOUGH && 8 <= reach && longer(from, at, 8, BYTES, &best)) *which = 1;
    if (best < ENOUGH && 16 <= reach && longer(from, at, 16, BYTES, &best)) *which = 2;
    if (best < ENOUGH && 1 <= reach && longer(from, at, 1, BYTES, &best)) *which = 3;
    return best == 8 ? run_of(from, at, bytes, d->all[*which].distance) : best;
}

size_t iol__quick_deflate(const void *raw, size_t bytes, size_t row, uint8_t *to) {
    const uint8_t *from = raw;
    iol__bits out = {.to = to};
    distances d;
    if (!fixed[0].count) make_codes();
    set_distances(&d, row);
    iol__bits_put(&out, 0x0178, 16);
    iol__bits_put(&out, 1 | 1 << 1, 3); /* the last block, with fixed codes */
    size_t id = 0;                      /* where the next one begins: it is like nothing else */
    for (size_t at = 0; at < bytes;) {
        unsigned which = 0;
        while (id + ID <= at) id += row;
        if (at >= id || at + 8 > bytes) {
            put_literal(&out, from[at++]);
            continue;
        }
        const size_t length = at >= row && at >= NEAR ? find(from, at, bytes, &d, SIZE_MAX, &which)
                                                      : find(from, at, bytes, &d, at, &which);
        if (length)
            put_match(&out, &d, which, length);
        else
            put_literal(&out, from[at]);
        at += length ? length : 1;
    }
    iol__bits_put(&out, fixed[END].bits, fixed[END].count);
    iol__bits_flush(&out);
    const uint32_t adler = iol__deflate_adler(1, from, bytes);
    for (int shift = 24; shift >= 0; shift -= 8) *out.to++ = (uint8_t)(adler >> shift);
    return (size_t)(out.to - to);
}
