/* At each byte, the longest match among a few distances: words of the row before, words nearby, which is what times are
   like, and repetitions of one byte. */
#include "runtime/pack/quick.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#include <stdbool.h>
#include <string.h>

#include "runtime/pack/deflate.h"
#include "runtime/pack/bits.h"
#include "runtime/pack/huffman.h"
#include "runtime/pack/tokens.h"
#include "runtime/core/sys.h"

enum { ID = 8, MATCHES = 257, END = 256, NEAR = 16, FEW_ROWS = 64 };

/* What must be alike to be a match: three bytes, one row before four. */
static const uint64_t BYTES = 0xffffff, FAR_BYTES = 0xffffffff;

typedef struct distances {
    /* What stands for each in the stream. */
    struct {
        size_t distance;
        uint64_t bits;
        unsigned count;
    } all[4];
} distances;

/* Where it goes: to tokens, from which codes are learned, or straight into the stream, with codes that are known. */
typedef struct quick_stream {
    iol__pack_tokens *tokens;
    iol__pack_coder coder;
    iol__bits out;
    distances d;
} quick_stream;

static void set_distances(distances *d, size_t row) {
    const size_t all[] = {row, 8, 16, 1};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) d->all[i].distance = all[i];
}

static void use_codes(quick_stream *s, iol__pack_coder coder) {
    s->coder = coder;
    for (size_t i = 0; i < sizeof s->d.all / sizeof *s->d.all; i++) {
        unsigned extra;
        const size_t distance = s->d.all[i].distance;
        const unsigned symbol = iol__distance_code((unsigned)distance, &extra), count = coder.distance_lengths[symbol];
        s->d.all[i].bits = coder.distance_codes[symbol] | (uint64_t)((distance - 1) & ((1u << extra) - 1)) << count;
        s->d.all[i].count = count + extra;
    }
}

static inline void put_literal(quick_stream *s, uint8_t byte) {
    iol__bits_put(&s->out, s->coder.codes[byte], s->coder.lengths[byte]);
}

static void put_match(quick_stream *s, unsigned which, size_t length) {
    while (length > 0) {
        unsigned extra;
        const unsigned part = (unsigned)iol__tokens_part(length);
        const unsigned symbol = MATCHES + iol__length_code(part, &extra), count = s->coder.lengths[symbol];
        iol__bits_put(&s->out, s->coder.codes[symbol] | ((part - 3) & ((1u << extra) - 1)) << count, count + extra);
        iol__bits_put(&s->out, s->d.all[which].bits, s->d.all[which].count);
        length -= part;
    }
}

/* What stands before it comes first, as it is. */
static void note_match(const quick_stream *s, size_t at, unsigned which, size_t length) {
    iol__tokens_literals(s->tokens, at);
    while (length > 0) {
        const size_t part = iol__tokens_part(length);
        iol__tokens_copy(s->tokens, part, s->d.all[which].distance);
        length -= part;
    }
}

/* Most of a record is. */
#if defined(__SSE2__)
static inline bool alike_32(const uint8_t *a, const uint8_t *b) {
    const __m128i *x = (const void *)a, *y = (const void *)b;
    const __m128i first = _mm_cmpeq_epi8(_mm_loadu_si128(x), _mm_loadu_si128(y));
    const __m128i second = _mm_cmpeq_epi8(_mm_loadu_si128(x + 1), _mm_loadu_si128(y + 1));
    return _mm_movemask_epi8(_mm_and_si128(first, second)) == 0xffff;
}
#else
static inline bool alike_32(const uint8_t *a, const uint8_t *b) {
    return (iol__difference(a, b) | iol__difference(a + 8, b + 8) | iol__difference(a + 16, b + 16) |
            iol__difference(a + 24, b + 24)) == 0;
}
#endif

/* How many bytes are alike, from eight that are on. */
static size_t run_of(const uint8_t *from, size_t at, size_t bytes, size_t distance) {
    size_t end = at + 8;
    while (end + 32 <= bytes && alike_32(from + end, from + end - distance)) end += 32;
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

/* From one byte to another, to tokens if they are to be `noted`. Made once for each way, so that neither asks which one it is. */
__attribute__((always_inline)) static inline void put_rows(quick_stream *s, bool noted, const uint8_t *from, size_t at,
                                                           size_t bytes, size_t row) {
    const distances d = s->d;
    size_t id = at; /* where the next one begins: it is like nothing else */
    while (at < bytes) {
        unsigned which = 0;
        while (id + ID <= at) id += row;
        if (at >= id || at + 8 > bytes) {
            if (!noted) put_literal(s, from[at]);
            at++;
            continue;
        }
        const size_t length = at >= row && at >= NEAR ? find(from, at, bytes, &d, SIZE_MAX, &which)
                                                      : find(from, at, bytes, &d, at, &which);
        if (length && noted)
            note_match(s, at, which, length);
        else if (length)
            put_match(s, which, length);
        else if (!noted)
            put_literal(s, from[at]);
        at += length ? length : 1;
    }
    if (noted) iol__tokens_literals(s->tokens, bytes);
}

/* Those of RFC 1951, 3.2.6; the stream is one block. */
static void begin_with_known_codes(quick_stream *s, uint8_t *to) {
    static uint8_t lengths[IOL_DISTANCES];
    static uint16_t codes[IOL_DISTANCES];
    const iol__huffman_known *known = iol__huffman_fixed();
    memset(lengths, 5, sizeof lengths);
    iol__huffman_codes(lengths, IOL_DISTANCES, codes);
    use_codes(s, (iol__pack_coder){known->lengths, lengths, known->codes, codes});
    s->out.to = to;
    iol__bits_put(&s->out, 0x0178, 16);
    iol__bits_put(&s->out, 1 | 1 << 1, 3);
}

/* Codes that suit the first rows; those behind them are much the same. */
static void begin_with_own_codes(quick_stream *s, const uint8_t *from, size_t bytes, size_t row, uint8_t *to) {
    iol__tokens_start(s->tokens, from, bytes, to);
    put_rows(s, true, from, 0, FEW_ROWS * row, row);
    use_codes(s, iol__tokens_learn(s->tokens));
    s->out = s->tokens->out;
}

size_t iol__quick_deflate(const void *raw, size_t bytes, size_t row, uint8_t *to) {
    static iol__pack_tokens *tokens;
    const uint8_t *from = raw;
    quick_stream s = {0};
    const bool many = bytes > 2 * FEW_ROWS * row && FEW_ROWS * row <= IOL_TOKENS * sizeof(uint64_t);
    set_distances(&s.d, row);
    if (many && !tokens) tokens = iol__sys_memory(sizeof *tokens);
    if (many && (s.tokens = tokens) != NULL)
        begin_with_own_codes(&s, from, bytes, row, to);
    else
        begin_with_known_codes(&s, to);
    put_rows(&s, false, from, s.tokens ? FEW_ROWS * row : 0, bytes, row);
    iol__bits_put(&s.out, s.coder.codes[END], s.coder.lengths[END]);
    iol__bits_flush(&s.out);
    const uint32_t adler = iol__deflate_adler(1, from, bytes);
    for (int shift = 24; shift >= 0; shift -= 8) *s.out.to++ = (uint8_t)(adler >> shift);
    return (size_t)(s.out.to - to);
}
