/* Numbers in messages between ranks: small ones need few bytes, because what costs time at the end of a job is memory
   that was not there before. The lowest bit that is set in the first byte tells how many bytes there are, one more for
   each zero below it; a first byte of zero stands before eight whole ones. Counters are small as they are; of times, which
   are rounded, the lowest bytes are zero, so these go the other way round. */
#ifndef IOL_RUNTIME_WORDS_H
#define IOL_RUNTIME_WORDS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

enum { IOL_WORD_MOST = 9 /* bytes of one; writing one touches all of them */ };

static inline uint8_t *iol__word_put(uint8_t *to, uint64_t word) {
    const unsigned bits = 64u - (unsigned)__builtin_clzll(word | 1), bytes = (bits + 6) / 7;
    if (bytes > 8) {
        const uint64_t whole = htole64(word);
        *to = 0;
        memcpy(to + 1, &whole, sizeof whole);
        return to + IOL_WORD_MOST;
    }
    const uint64_t code = htole64(word << bytes | UINT64_C(1) << (bytes - 1));
    memcpy(to, &code, sizeof code);
    return to + bytes;
}

static inline const uint8_t *iol__word_get(const uint8_t *at, uint64_t *word) {
    uint64_t code;
    memcpy(&code, at, sizeof code);
    code = le64toh(code);
    if ((code & 255) == 0) {
        memcpy(&code, at + 1, sizeof code);
        *word = le64toh(code);
        return at + IOL_WORD_MOST;
    }
    const unsigned bytes = (unsigned)__builtin_ctzll(code) + 1;
    *word = code << (64 - 8 * bytes) >> (64 - 7 * bytes);
    return at + bytes;
}

static inline uint64_t iol__word_turned(uint64_t word) { return __builtin_bswap64(word); }

#endif
