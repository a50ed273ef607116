/* SipHash-2-4 and hashlittle, both byte by byte, so that every machine gets the same. */
#include "log/write/keyed.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

static uint64_t rotate(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static void sip_round(uint64_t v[4]) {
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

static uint64_t keyed_little(const uint8_t *bytes, size_t count) {
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

uint64_t iol__keyed_hash(const iol__key *key, const void *bytes, size_t length) {
    const uint8_t *at = bytes;
    uint64_t v[4] = {key->words[0] ^ UINT64_C(0x736f6d6570736575), key->words[1] ^ UINT64_C(0x646f72616e646f6d),
                     key->words[0] ^ UINT64_C(0x6c7967656e657261), key->words[1] ^ UINT64_C(0x7465646279746573)};
    size_t left = length;
    for (; left >= 8; left -= 8, at += 8) {
        uint64_t word = keyed_little(at, 8);
        v[3] ^= word;
        sip_round(v);
        sip_round(v);
        v[0] ^= word;
    }
    uint64_t last = (uint64_t)length << 56 | keyed_little(at, left);
    v[3] ^= last;
    sip_round(v);
    sip_round(v);
    v[0] ^= last;
    v[2] ^= 0xff;
    for (int i = 0; i < 4; i++) sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

iol__key iol__key_from(const char *text) {
    iol__key key = {{0, 0}};
    if (text) {
        key.words[0] = iol__keyed_hash(&(iol__key){{1, 0}}, text, strlen(text));
        key.words[1] = iol__keyed_hash(&(iol__key){{2, 0}}, text, strlen(text));
    } else if (getrandom(key.words, sizeof key.words, 0) != sizeof key.words) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        key.words[0] = (uint64_t)now.tv_nsec ^ (uintptr_t)&key;
        key.words[1] = (uint64_t)now.tv_sec;
    }
    return key;
}

static uint32_t rotate32(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

/* a, b and c take turns: each step's three words are named by the table. */
static void mix32(uint32_t w[3]) {
    static const uint8_t shifts[6] = {4, 6, 8, 16, 19, 4};
    for (int i = 0; i < 6; i++) {
        uint32_t *x = &w[i % 3], *y = &w[(i + 1) % 3], *z = &w[(i + 2) % 3];
        *x -= *z;
        *x ^= rotate32(*z, shifts[i]);
        *z += *y;
    }
}

static void final32(uint32_t w[3]) {
    static const uint8_t steps[7][3] = {{2, 1, 14}, {0, 2, 11}, {1, 0, 25}, {2, 1, 16},
                                        {0, 2, 4},  {1, 0, 14}, {2, 1, 24}};
    for (int i = 0; i < 7; i++) {
        w[steps[i][0]] ^= w[steps[i][1]];
        w[steps[i][0]] -= rotate32(w[steps[i][1]], steps[i][2]);
    }
}

static void add_words(uint32_t w[3], const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) w[i / 4] += (uint32_t)bytes[i] << (8 * (i % 4));
}

uint32_t iol__hash_little(const void *bytes, size_t length, uint32_t seed) {
    const uint8_t *at = bytes;
    uint32_t w[3];
    w[0] = w[1] = w[2] = UINT32_C(0xdeadbeef) + (uint32_t)length + seed;
    for (; length > 12; length -= 12, at += 12) {
        add_words(w, at, 12);
        mix32(w);
    }
    if (length == 0) return w[2];
    add_words(w, at, length);
    final32(w);
    return w[2];
}
