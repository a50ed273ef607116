/* Blocks of deflate with codes of their own, made from tokens that are kept until there are enough of them. */
#include "runtime/pack/tokens.h"

#include <string.h>

#include "runtime/pack/deflate.h"
#include "runtime/pack/huffman.h"

enum { END = 256, STORED_MOST = 65535, FIXED = 1, DYNAMIC = 2, FIXED_LITERALS = 288 };

/* Blocks ----------------------------------------------------------------------------------------------------------- */

typedef struct codes {
    uint8_t lengths[IOL_LITERALS + IOL_DISTANCES], distance_lengths[IOL_DISTANCES];
    uint16_t literals[FIXED_LITERALS], distances[IOL_DISTANCES];
    unsigned kind, n_literals, n_distances;
    /* The lengths themselves, run by run: symbol, and what stands behind it. */
    uint8_t runs[IOL_LITERALS + IOL_DISTANCES][2];
    unsigned n_runs;
    uint8_t run_lengths[19];
    uint16_t run_codes[19];
    unsigned n_run_lengths;
    uint64_t bits; /* of the whole block */
} codes;

static const uint8_t run_order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
static const uint8_t run_extra[19] = {[16] = 2, [17] = 3, [18] = 7};

static void add_run(codes *c, unsigned symbol, unsigned extra) {
    c->runs[c->n_runs][0] = (uint8_t)symbol;
    c->runs[c->n_runs++][1] = (uint8_t)extra;
}

static void find_runs(codes *c, uint32_t frequencies[19]) {
    const unsigned all = c->n_literals + c->n_distances;
    memcpy(c->lengths + c->n_literals, c->distance_lengths, c->n_distances);
    for (unsigned i = 0; i < all;) {
        const unsigned length = c->lengths[i];
        unsigned same = 1;
        while (i + same < all && c->lengths[i + same] == length && same < 138) same++;
        if (length == 0 && same >= 3) {
            add_run(c, same > 10 ? 18 : 17, same > 10 ? same - 11 : same - 3);
        } else if (length > 0 && same >= 4) {
            if (same > 7) same = 7;
            add_run(c, length, 0);
            frequencies[length]++;
            add_run(c, 16, same - 4);
        } else {
            same = 1;
            add_run(c, length, 0);
        }
        frequencies[c->runs[c->n_runs - 1][0]]++;
        i += same;
    }
}

static uint64_t token_bits(const iol__pack_tokens *t, const codes *c) {
    uint64_t bits = 0;
    for (unsigned i = 0; i <= END; i++) bits += (uint64_t)t->literal_counts[i] * c->lengths[i];
    for (unsigned i = END + 1; i < IOL_LITERALS; i++) {
        const unsigned extra = i >= 265 && i < 285 ? (i - 261) / 4 : 0;
        bits += (uint64_t)t->literal_counts[i] * (c->lengths[i] + extra);
    }
    for (unsigned i = 0; i < IOL_DISTANCES; i++)
        bits += (uint64_t)t->distance_counts[i] * (c->distance_lengths[i] + (i >= 4 ? i / 2 - 1 : 0));
    return bits;
}

static void make_codes(iol__pack_tokens *t, codes *c) {
    uint32_t frequencies[19] = {0};
    memset(c, 0, sizeof *c);
    c->kind = DYNAMIC;
    iol__huffman_lengths(t->literal_counts, IOL_LITERALS, 15, c->lengths);
    iol__huffman_lengths(t->distance_counts, IOL_DISTANCES, 15, c->distance_lengths);
    c->bits = token_bits(t, c);
    iol__huffman_codes(c->lengths, IOL_LITERALS, c->literals);
    iol__huffman_codes(c->distance_lengths, IOL_DISTANCES, c->distances);
    for (c->n_literals = IOL_LITERALS; c->lengths[c->n_literals - 1] == 0; c->n_literals--) {}
    for (c->n_distances = IOL_DISTANCES; c->n_distances > 1 && c->distance_lengths[c->n_distances - 1] == 0;)
        c->n_distances--;
    find_runs(c, frequencies);
    iol__huffman_lengths(frequencies, 19, 7, c->run_lengths);
    iol__huffman_codes(c->run_lengths, 19, c->run_codes);
    for (c->n_run_lengths = 19; c->run_lengths[run_order[c->n_run_lengths - 1]] == 0; c->n_run_lengths--) {}
    c->bits += 3 + 14 + 3 * (uint64_t)c->n_run_lengths;
    for (unsigned i = 0; i < 19; i++) c->bits += (uint64_t)frequencies[i] * (c->run_lengths[i] + run_extra[i]);
}

/* Those that every reader knows, and that need not be written: for a few tokens. */
static void take_fixed(const iol__pack_tokens *t, codes *c) {
    const iol__huffman_known *known = iol__huffman_fixed();
    if (c->kind != FIXED) {
        c->kind = FIXED;
        memcpy(c->lengths, known->lengths, sizeof known->lengths);
        memcpy(c->literals, known->codes, sizeof known->codes);
        memset(c->distance_lengths, 5, sizeof c->distance_lengths);
        iol__huffman_codes(c->distance_lengths, IOL_DISTANCES, c->distances);
    }
    c->bits = 3 + token_bits(t, c);
}

static void put_codes(iol__pack_tokens *t, const codes *c) {
    iol__bits_put(&t->out, c->n_literals - 257, 5);
    iol__bits_put(&t->out, c->n_distances - 1, 5);
    iol__bits_put(&t->out, c->n_run_lengths - 4, 4);
    for (unsigned i = 0; i < c->n_run_lengths; i++) iol__bits_put(&t->out, c->run_lengths[run_order[i]], 3);
    for (unsigned i = 0; i < c->n_runs; i++) {
        const unsigned symbol = c->runs[i][0];
        iol__bits_put(&t->out, c->run_codes[symbol], c->run_lengths[symbol]);
        iol__bits_put(&t->out, c->runs[i][1], run_extra[symbol]);
    }
}

/* A token is a byte, or a match: bit 31, length - 3, distance - 1. */
#define MATCH (UINT32_C(1) << 31)

/* What stands for a distance. */
typedef struct far_code {
    unsigned distance, count;
    uint64_t bits;
} far_code;

static far_code far_code_of(const codes *c, unsigned distance) {
    unsigned extra;
    const unsigned symbol = iol__distance_code(distance, &extra), count = c->distance_lengths[symbol];
    const uint64_t behind = (distance - 1) & ((1u << extra) - 1);
    return (far_code){distance, count + extra, c->distances[symbol] | behind << count};
}

/* Most distances are that of the match before, or of the one before that. */
static void put_tokens(iol__pack_tokens *t, const codes *c) {
    iol__bits out = t->out;
    far_code far = {0}, other = {0};
    for (uint32_t i = 0; i < t->n_tokens; i++) {
        const uint32_t token = t->tokens[i];
        if (!(token & MATCH)) {
            iol__bits_put(&out, c->literals[token], c->lengths[token]);
            continue;
        }
        unsigned extra;
        const unsigned length = (token >> 16 & 255) + 3, distance = (token & 32767) + 1;
        const unsigned symbol = 257 + iol__length_code(length, &extra), bits = c->lengths[symbol];
        iol__bits_put(&out, c->literals[symbol] | ((length - 3) & ((1u << extra) - 1)) << bits, bits + extra);
        if (distance != far.distance) {
            const far_code before = far;
            far = distance == other.distance ? other : far_code_of(c, distance);
            other = before;
        }
        iol__bits_put(&out, far.bits, far.count);
    }
    t->out = out;
}

static void put_block(iol__pack_tokens *t, const codes *c, bool last) {
    iol__bits_put(&t->out, last, 1);
    iol__bits_put(&t->out, c->kind, 2);
    if (c->kind == DYNAMIC) put_codes(t, c);
    put_tokens(t, c);
}

/* What would only grow is stored as it is. */
static void put_stored(iol__pack_tokens *t, bool last) {
    for (size_t at = t->block_at; at < t->done || at == t->block_at;) {
        const size_t part = t->done - at < STORED_MOST ? t->done - at : STORED_MOST;
        const uint32_t sizes = iol__little32((uint32_t)part | (uint32_t)~part << 16);
        iol__bits_put(&t->out, last && at + part == t->done, 3);
        iol__bits_flush(&t->out);
        memcpy(t->out.to, &sizes, sizeof sizes);
        memcpy(t->out.to + sizeof sizes, t->from + at, part);
        t->out.to += sizeof sizes + part;
        at += part;
        if (part == 0) return;
    }
}

static codes made; /* large, and the stack may be that of a signal handler */

/* Codes of their own take some fifty bytes to write, which a few tokens cannot save. */
static const codes *choose_codes(iol__pack_tokens *t) {
    enum { TOO_FEW = 128, FEW = 1000 };
    static codes fixed;
    t->literal_counts[END] = 1;
    if (t->n_tokens < FEW) take_fixed(t, &fixed);
    if (t->n_tokens < TOO_FEW) return &fixed;
    make_codes(t, &made);
    return t->n_tokens < FEW && fixed.bits < made.bits ? &fixed : &made;
}

static void end_block(iol__pack_tokens *t, bool last) {
    const codes *c = choose_codes(t);
    if (c->bits / 8 >= t->done - t->block_at + 4) {
        put_stored(t, last);
    } else {
        put_block(t, c, last);
        iol__bits_put(&t->out, c->literals[END], c->lengths[END]);
    }
    t->block_at = t->done;
    t->n_tokens = 0;
    memset(t->literal_counts, 0, sizeof t->literal_counts);
    memset(t->distance_counts, 0, sizeof t->distance_counts);
}

/* Tokens ----------------------------------------------------------------------------------------------------------- */

static void add_token(iol__pack_tokens *t, uint32_t token, size_t stands_for) {
    if (t->n_tokens == IOL_TOKENS) end_block(t, false);
    t->tokens[t->n_tokens++] = token;
    t->done += stands_for;
}

void iol__tokens_literals(iol__pack_tokens *t, size_t end) {
    while (t->done < end) {
        const uint8_t byte = t->from[t->done];
        add_token(t, byte, 1);
        t->literal_counts[byte]++;
    }
}

void iol__tokens_copy(iol__pack_tokens *t, size_t length, size_t distance) {
    unsigned extra;
    add_token(t, MATCH | (uint32_t)(length - 3) << 16 | (uint32_t)(distance - 1), length);
    t->literal_counts[257 + iol__length_code((unsigned)length, &extra)]++;
    t->distance_counts[iol__distance_code((unsigned)distance, &extra)]++;
}

void iol__tokens_start_behind(iol__pack_tokens *t, const void *from, size_t known, size_t bytes, uint8_t *to) {
    memset(t, 0, offsetof(iol__pack_tokens, tokens));
    t->from = from;
    t->bytes = bytes;
    t->done = t->block_at = known;
    t->begin = t->out.to = to;
}

void iol__tokens_start(iol__pack_tokens *t, const void *from, size_t bytes, uint8_t *to) {
    iol__tokens_start_behind(t, from, 0, bytes, to);
    *t->out.to++ = 0x78;
    *t->out.to++ = 0x01;
}

iol__pack_coder iol__tokens_learn(iol__pack_tokens *t) {
    for (unsigned i = 0; i < IOL_LITERALS; i++) t->literal_counts[i]++;
    for (unsigned i = 0; i < IOL_DISTANCES; i++) t->distance_counts[i]++;
    make_codes(t, &made);
    put_block(t, &made, true);
    return (iol__pack_coder){made.lengths, made.distance_lengths, made.literals, made.distances};
}

size_t iol__tokens_end_raw(iol__pack_tokens *t) {
    iol__tokens_literals(t, t->bytes);
    end_block(t, true);
    iol__bits_flush(&t->out);
    return (size_t)(t->out.to - t->begin);
}

size_t iol__tokens_end(iol__pack_tokens *t) {
    iol__tokens_end_raw(t);
    const uint32_t adler = iol__deflate_adler(1, t->from, t->bytes);
    for (int shift = 24; shift >= 0; shift -= 8) *t->out.to++ = (uint8_t)(adler >> shift);
    return (size_t)(t->out.to - t->begin);
}
