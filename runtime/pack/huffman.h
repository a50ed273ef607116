/* Huffman codes as deflate wants them: lengths up to a limit, and the codes that follow from the lengths. */
#ifndef IOL_RUNTIME_HUFFMAN_H
#define IOL_RUNTIME_HUFFMAN_H

#include <stdint.h>

enum { IOL_HUFFMAN_MOST = 288, IOL_HUFFMAN_LONGEST = 15 };

/* Lengths of the best prefix code for these frequencies, none above `longest`, 0 for symbols that do not occur. A single
   symbol gets a length of 1. `count` is at most IOL_HUFFMAN_MOST. */
void iol__huffman_lengths(const uint32_t *frequencies, unsigned count, unsigned longest, uint8_t *lengths);
/* The codes that belong to the lengths, with their first bit lowest, as deflate's streams have them. */
void iol__huffman_codes(const uint8_t *lengths, unsigned count, uint16_t *codes);

/* The codes that every reader of deflate knows, and that need not be written: RFC 1951, 3.2.6. */
typedef struct iol__huffman_known {
    uint8_t lengths[IOL_HUFFMAN_MOST]; /* of literals and lengths; distances have 5 bits each */
    uint16_t codes[IOL_HUFFMAN_MOST];
} iol__huffman_known;
const iol__huffman_known *iol__huffman_fixed(void);

#endif
