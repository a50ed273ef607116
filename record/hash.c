/* lookup8, with its bytes taken little-endian, so that a name has the same id on every machine. */
#include "record/hash.h"

#include <endian.h>
#include <string.h>

static inline uint64_t hash_take(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return le64toh(word);
}

/* Fewer than eight bytes. */
static inline uint64_t take_hash_some(const uint8_t *bytes, size_t count) {
    uint64_t word = 0;
    memcpy(&word, bytes, count);
    return le64toh(word);
}

#define STEP(word, other, third, shifted) word = (word - other - third) ^ (shifted)
#define ROUND(right, left, last)   \
    do {                           \
        STEP(a, b, c, c >> right); \
        STEP(b, c, a, a << left);  \
        STEP(c, a, b, b >> last);  \
    } while (0)
#define MIX()              \
    do {                   \
        ROUND(43, 9, 8);   \
        ROUND(38, 23, 5);  \
        ROUND(35, 49, 11); \
        ROUND(12, 18, 22); \
    } while (0)

uint64_t iol__hash(const void *bytes, size_t length, uint64_t seed) {
    const uint8_t *at = bytes;
    uint64_t a = seed, b = seed, c = UINT64_C(0x9e3779b97f4a7c13);
    size_t left = length;
    for (; left >= 24; left -= 24, at += 24) {
        a += hash_take(at);
        b += hash_take(at + 8);
        c += hash_take(at + 16);
        MIX();
    }
    c += length; /* its low byte belongs to the length, so the last bytes go in above it */
    if (left >= 8) {
        a += hash_take(at);
        if (left >= 16) {
            b += hash_take(at + 8);
            c += take_hash_some(at + 16, left - 16) << 8;
        } else {
            b += take_hash_some(at + 8, left - 8);
        }
    } else {
        a += take_hash_some(at, left);
    }
    MIX();
    return c;
}
