/* A zlib stream as a list of literals and repetitions that somebody else has found: what is common to the compressors of
   rows and of names. */
#ifndef IOL_RUNTIME_TOKENS_H
#define IOL_RUNTIME_TOKENS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/pack/bits.h"

enum {
    IOL_TOKENS = 16384, /* of one block */
    IOL_LITERALS = 286, /* and lengths */
    IOL_DISTANCES = 30,
    IOL_MATCH_MOST = 258,
    IOL_MATCH_FARTHEST = 32768,
};

typedef struct iol__pack_tokens {
    const uint8_t *from;
    size_t bytes;
    size_t done;     /* bytes that tokens stand for, or that are known before */
    size_t block_at; /* first byte of the block that is being made */
    uint32_t n_tokens;
    uint32_t literal_counts[IOL_LITERALS], distance_counts[IOL_DISTANCES];
    uint8_t *begin; /* of the stream */
    iol__bits out;
    uint32_t tokens[IOL_TOKENS];
} iol__pack_tokens;

static inline unsigned iol__log2(unsigned value) { return 31 - (unsigned)__builtin_clz(value); }

/* 3..258 to one of 29 codes with some bits behind it: the first eight are single, then four codes for each power. */
static inline unsigned iol__length_code(unsigned length, unsigned *extra) {
    const unsigned value = length - 3;
    *extra = 0;
    if (length == IOL_MATCH_MOST) return 28;
    if (value < 8) return value;
    const unsigned power = iol__log2(value) - 2;
    *extra = power;
    return 4 * power + (value >> power);
}

static inline unsigned iol__distance_code(unsigned distance, unsigned *extra) {
    const unsigned value = distance - 1;
    *extra = 0;
    if (value < 4) return value;
    const unsigned power = iol__log2(value) - 1;
    *extra = power;
    return 2 * power + (value >> power);
}

/* `to` has room for iol__tokens_bound(bytes). */
void iol__tokens_start(iol__pack_tokens *tokens, const void *from, size_t bytes, uint8_t *to);
static inline size_t iol__tokens_bound(size_t bytes) { return bytes + 16 * (bytes / IOL_TOKENS + 4) + 64; }
/* A raw stream, without what zlib puts around it, behind a dictionary that stands before the bytes; `bytes` are those of
   both. */
void iol__tokens_start_behind(iol__pack_tokens *tokens, const void *from, size_t known, size_t bytes, uint8_t *to);
/* The bytes up to there as they are. */
void iol__tokens_literals(iol__pack_tokens *tokens, size_t end);
/* The next bytes, 3 to 258 of them, are those that stand so far before. */
void iol__tokens_copy(iol__pack_tokens *tokens, size_t length, size_t distance);
/* How many bytes of a longer repetition come next, so that what is left is never too short. */
static inline size_t iol__tokens_part(size_t length) {
    if (length <= IOL_MATCH_MOST) return length;
    return length < IOL_MATCH_MOST + 3 ? IOL_MATCH_MOST - 3 : IOL_MATCH_MOST;
}
/* Codes for everything that may come, short for what came so far. */
typedef struct iol__pack_coder {
    const uint8_t *lengths, *distance_lengths;
    const uint16_t *codes, *distance_codes;
} iol__pack_coder;
/* The last block begins with the tokens so far; its rest, and its end, are put into the stream with these codes, which last
   until other tokens are made. */
iol__pack_coder iol__tokens_learn(iol__pack_tokens *tokens);
/* The rest as it is, and the end; the length of the stream. */
size_t iol__tokens_end(iol__pack_tokens *tokens);
size_t iol__tokens_end_raw(iol__pack_tokens *tokens);

#endif
