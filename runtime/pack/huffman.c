/* Lengths by the in-place method of Moffat and Katajainen, cut to the limit afterwards: lengths that are too long become
   the longest allowed, and others grow until the code is one again. */
#include "runtime/pack/huffman.h"

#include <string.h>

typedef struct leaf {
    uint32_t frequency;
    uint16_t symbol;
} leaf;

/* By Shell's method: a few hundred, and libc's function might ask for memory. */
static void sort(leaf *leaves, unsigned count) {
    static const unsigned gaps[] = {121, 40, 13, 4, 1};
    for (unsigned g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (unsigned i = gaps[g]; i < count; i++) {
            const leaf moved = leaves[i];
            unsigned at = i;
            for (; at >= gaps[g] && leaves[at - gaps[g]].frequency > moved.frequency; at -= gaps[g])
                leaves[at] = leaves[at - gaps[g]];
            leaves[at] = moved;
        }
}

/* Frequencies in ascending order become depths, the same way round: the rarest is the deepest. */
static void find_depths(uint32_t *a, unsigned n) {
    unsigned root = 0, leaf_at = 2;
    if (n == 1) {
        a[0] = 1;
        return;
    }
    a[0] += a[1];
    for (unsigned next = 1; next + 1 < n; next++) { /* inner nodes: weights, then their parents' places */
        for (int half = 0; half < 2; half++) {
            const uint32_t weight = half ? a[next] : 0;
            if (leaf_at >= n || (root < next && a[root] < a[leaf_at])) {
                a[next] = weight + a[root];
                a[root++] = next;
            } else {
                a[next] = weight + a[leaf_at++];
            }
        }
    }
    a[n - 2] = 0;
    for (unsigned i = n - 2; i-- > 0;) a[i] = a[a[i]] + 1;
    unsigned available = 1, depth = 0, at = n;
    int inner = (int)n - 2;
    while (available > 0) {
        unsigned used = 0;
        for (; inner >= 0 && a[inner] == depth; inner--) used++;
        for (; available > used; available--) a[--at] = depth;
        available = 2 * used;
        depth++;
    }
}

/* How many codes there are of each length, none above the limit. */
static void limit(const uint32_t *depths, unsigned n, unsigned longest, unsigned counts[IOL_HUFFMAN_LONGEST + 1]) {
    uint32_t room = 0;
    memset(counts, 0, (IOL_HUFFMAN_LONGEST + 1) * sizeof *counts);
    for (unsigned i = 0; i < n; i++) counts[depths[i] > longest ? longest : depths[i]]++;
    for (unsigned length = 1; length <= longest; length++) room += counts[length] << (longest - length);
    for (; room > 1u << longest;
         room--) { /* one code from above goes down by one, and takes one of the longest along */
        unsigned length = longest - 1;
        while (counts[length] == 0) length--;
        counts[length]--;
        counts[length + 1] += 2;
        counts[longest]--;
    }
}

void iol__huffman_lengths(const uint32_t *frequencies, unsigned count, unsigned longest, uint8_t *lengths) {
    static leaf leaves[IOL_HUFFMAN_MOST]; /* large, for the stack of a signal handler */
    static uint32_t depths[IOL_HUFFMAN_MOST];
    unsigned n = 0, counts[IOL_HUFFMAN_LONGEST + 1];
    memset(lengths, 0, count);
    for (unsigned i = 0; i < count; i++)
        if (frequencies[i]) leaves[n++] = (leaf){frequencies[i], (uint16_t)i};
    if (n == 0) return;
    sort(leaves, n);
    for (unsigned i = 0; i < n; i++) depths[i] = leaves[i].frequency;
    find_depths(depths, n);
    limit(depths, n, longest, counts);
    unsigned at = 0;
    for (unsigned length = longest; length > 0; length--)
        for (unsigned i = 0; i < counts[length]; i++) lengths[leaves[at++].symbol] = (uint8_t)length;
}

/* The bits of every byte the other way round: of four numbers that differ in two bits, the second has the higher one. */
#define TURN_2(n) n, n + 128, n + 64, n + 192
#define TURN_4(n) TURN_2(n), TURN_2(n + 32), TURN_2(n + 16), TURN_2(n + 48)
#define TURN_6(n) TURN_4(n), TURN_4(n + 8), TURN_4(n + 4), TURN_4(n + 12)
static const uint8_t turned_byte[256] = {TURN_6(0), TURN_6(2), TURN_6(1), TURN_6(3)};

/* The lowest bits, up to 16. */
static inline unsigned turned(unsigned value, unsigned count) {
    return ((unsigned)turned_byte[value & 255] << 8 | turned_byte[value >> 8 & 255]) >> (16 - count);
}

void iol__huffman_codes(const uint8_t *lengths, unsigned count, uint16_t *codes) {
    unsigned counts[IOL_HUFFMAN_LONGEST + 1] = {0}, next[IOL_HUFFMAN_LONGEST + 2] = {0};
    for (unsigned i = 0; i < count; i++) counts[lengths[i]]++;
    counts[0] = 0;
    for (unsigned length = 1; length <= IOL_HUFFMAN_LONGEST; length++)
        next[length + 1] = (next[length] + counts[length]) << 1;
    for (unsigned i = 0; i < count; i++) codes[i] = lengths[i] ? (uint16_t)turned(next[lengths[i]]++, lengths[i]) : 0;
}

const iol__huffman_known *iol__huffman_fixed(void) {
    static iol__huffman_known known;
    if (known.lengths[0]) return &known;
    memset(known.lengths, 8, sizeof known.lengths);
    memset(known.lengths + 144, 9, 256 - 144);
    memset(known.lengths + 256, 7, 280 - 256);
    iol__huffman_codes(known.lengths, IOL_HUFFMAN_MOST, known.codes);
    return &known;
}
