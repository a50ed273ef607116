/* lookup8, byte by byte little-endian, so that a name has the same id on every machine. */
#include "record/hash.h"

static uint64_t take(const uint8_t *bytes, size_t count) {
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

static void mix(uint64_t *a, uint64_t *b, uint64_t *c) {
    static const uint8_t shifts[4][3] = {{43, 9, 8}, {38, 23, 5}, {35, 49, 11}, {12, 18, 22}};
    for (int round = 0; round < 4; round++) {
        *a = (*a - *b - *c) ^ *c >> shifts[round][0];
        *b = (*b - *c - *a) ^ *a << shifts[round][1];
        *c = (*c - *a - *b) ^ *b >> shifts[round][2];
    }
}

uint64_t iol__hash(const void *bytes, size_t length, uint64_t seed) {
    const uint8_t *at = bytes;
    uint64_t a = seed, b = seed, c = UINT64_C(0x9e3779b97f4a7c13);
    size_t left = length;
    for (; left >= 24; left -= 24, at += 24) {
        a += take(at, 8);
        b += take(at + 8, 8);
        c += take(at + 16, 8);
        mix(&a, &b, &c);
    }
    c += length; /* its low byte belongs to the length, so the last bytes go in above it */
    a += take(at, left < 8 ? left : 8);
    if (left > 8) b += take(at + 8, left < 16 ? left - 8 : 8);
    if (left > 16) c += take(at + 16, left - 16) << 8;
    mix(&a, &b, &c);
    return c;
}
