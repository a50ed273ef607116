/* The cheapest way to write a stretch of bytes as literals and repetitions, of all that there are over a handful of
   distances. What a token costs is known from those before it: prices are the lengths of their codes. */
#ifndef IOL_RUNTIME_CHEAPEST_H
#define IOL_RUNTIME_CHEAPEST_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/pack/tokens.h"

enum { IOL_STRETCH = 1024, IOL_STRETCH_DISTANCES = 8 };

/* Bits of a token, with those that stand behind its codes. */
typedef struct iol__prices {
    uint8_t literals[256], lengths[IOL_MATCH_MOST + 1], distances[IOL_DISTANCES];
} iol__prices;

/* With the codes that need not be written; before there are any tokens to learn from; and from those of the block that is
   being made. */
void iol__prices_fixed(iol__prices *prices);
void iol__prices_guess(iol__prices *prices, size_t row);
void iol__prices_learn(iol__prices *prices, const iol__pack_tokens *tokens);

/* A word of the stretch that was elsewhere, too: how many bytes from its begin on, and before it. */
typedef struct iol__again {
    uint16_t distance_less_1, ahead, back;
} iol__again;

typedef struct iol__stretch {
    size_t at, end; /* at most IOL_STRETCH bytes, from a multiple of 8 on */
    /* Distances that are tried at every byte, none longer than the stretch is from the first byte of all. Those before
       and behind the stretch, or 0, are free as far as they go on into it. */
    unsigned n_distances;
    uint32_t distances[IOL_STRETCH_DISTANCES], before, behind;
    size_t behind_bytes;               /* how long what follows is */
    iol__again again[IOL_STRETCH / 8]; /* by word; `ahead` 0: none */
    /* The answer, from `begin` on, behind what is free: each token's length, 1 for a literal, and distance. The last one
       may go on through all that follows. */
    size_t begin;
    struct {
        uint16_t length, distance_less_1;
    } steps[IOL_STRETCH];
    uint32_t costs[IOL_STRETCH + 1];
    uint64_t same[IOL_STRETCH / 8];
} iol__stretch;

void iol__cheapest(iol__stretch *stretch, const uint8_t *from, const iol__prices *prices);

#endif
