/* From the end to the begin: what it costs from a byte on is the least of what a token there costs, and what it costs from
   its end on. Of a repetition only the whole is tried: what follows can begin anywhere in one of its own. */
#include "runtime/pack/cheapest.h"

#include <string.h>

#include "runtime/pack/huffman.h"

enum { LEAST = 3, UNUSED = 11, ZERO = 7 };

/* Prices ----------------------------------------------------------------------------------------------------------- */

static void price_lengths(iol__prices *p, const uint8_t codes[29]) {
    for (unsigned length = LEAST; length <= IOL_MATCH_MOST; length++) {
        unsigned extra;
        const unsigned code = iol__length_code(length, &extra);
        p->lengths[length] = (uint8_t)(codes[code] + extra);
    }
}

static unsigned distance_extra(unsigned code) { return code >= 4 ? code / 2 - 1 : 0; }

static void price_distances(iol__prices *p, unsigned bits) {
    for (unsigned code = 0; code < IOL_DISTANCES; code++) p->distances[code] = (uint8_t)(bits + distance_extra(code));
}

void iol__prices_fixed(iol__prices *p) {
    uint8_t codes[29];
    for (unsigned i = 0; i < 256; i++) p->literals[i] = i < 144 ? 8 : 9;
    for (unsigned i = 0; i < 29; i++) codes[i] = i < 23 ? 7 : 8;
    price_lengths(p, codes);
    price_distances(p, 5);
}

static void price_distance(iol__prices *p, size_t distance, unsigned bits) {
    unsigned extra;
    const unsigned code = iol__distance_code((unsigned)distance, &extra);
    p->distances[code] = (uint8_t)(bits + extra);
}

void iol__prices_guess(iol__prices *p, size_t row) {
    uint8_t codes[29];
    memset(p->literals, 9, sizeof p->literals);
    p->literals[0] = ZERO;
    memset(codes, 5, sizeof codes);
    price_lengths(p, codes);
    price_distances(p, 5);
    for (size_t near = 8; near <= 32; near += 8) price_distance(p, near, 3);
    if (row <= IOL_MATCH_FARTHEST) price_distance(p, row, 2);
    price_distance(p, 1, 2);
}

void iol__prices_learn(iol__prices *p, const iol__pack_tokens *t) {
    uint8_t lengths[IOL_LITERALS], distances[IOL_DISTANCES];
    iol__huffman_lengths(t->literal_counts, IOL_LITERALS, 15, lengths);
    iol__huffman_lengths(t->distance_counts, IOL_DISTANCES, 15, distances);
    for (unsigned i = 0; i < IOL_LITERALS; i++)
        if (lengths[i] == 0) lengths[i] = UNUSED;
    memcpy(p->literals, lengths, sizeof p->literals);
    if (p->literals[0] < ZERO) p->literals[0] = ZERO;
    price_lengths(p, lengths + 257);
    for (unsigned code = 0; code < IOL_DISTANCES; code++)
        p->distances[code] = (uint8_t)((distances[code] ? distances[code] : UNUSED) + distance_extra(code));
}

/* The way ---------------------------------------------------------------------------------------------------------- */

static unsigned distance_price(const iol__prices *p, unsigned distance) {
    unsigned extra;
    return p->distances[iol__distance_code(distance, &extra)];
}

typedef struct way {
    uint32_t cost, length, distance;
} way;

static inline void consider(way *best, const iol__stretch *s, size_t i, size_t length, uint32_t price,
                            uint32_t distance, const iol__prices *p) {
    if (length > IOL_MATCH_MOST) length = IOL_MATCH_MOST;
    const uint32_t cost = p->lengths[length] + price + s->costs[i + length];
    if (cost < best->cost) *best = (way){cost, (uint32_t)length, distance};
}

/* The word that begins at i, or behind it. Where it goes on through all that follows, that is not needed any more. */
static inline void consider_again(way *best, const iol__stretch *s, size_t i, const iol__prices *p) {
    const size_t word = (i + 7) / 8, ahead_of = 8 * word - i, bytes = s->end - s->at;
    if (8 * word >= bytes) return;
    const iol__again *again = &s->again[word];
    if (again->ahead == 0 || ahead_of > again->back) return;
    const uint32_t distance = again->distance_less_1 + 1u, price = distance_price(p, distance);
    const size_t length = ahead_of + again->ahead, whole = bytes - i + s->behind_bytes;
    if (s->behind_bytes == 0 || length < whole || whole > IOL_MATCH_MOST) {
        consider(best, s, i, length < bytes - i ? length : bytes - i, price, distance, p);
        return;
    }
    const uint32_t cost = p->lengths[whole] + price;
    if (cost < best->cost) *best = (way){cost, (uint32_t)whole, distance};
}

/* Which bytes of each word are the same so far before: one bit for each distance. */
static void compare(iol__stretch *s, const uint8_t *from) {
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    for (size_t w = 0; 8 * w < s->end - s->at; w++) {
        uint64_t same = 0;
        for (unsigned d = 0; d < s->n_distances; d++) {
            const size_t at = s->at + 8 * w, distance = s->distances[d];
            if (at < distance) continue; /* nothing stands there */
            const uint64_t differs = iol__difference(from + at, from + at - distance);
            same |= (~(((differs & low) + low) | differs | low) >> 7) << d;
        }
        s->same[w] = same;
    }
}

/* How far the repetition before the stretch goes on into it. */
static size_t free_bytes(const iol__stretch *s, const uint8_t *from) {
    size_t at = s->at;
    while (s->before && at < s->end && from[at] == from[at - s->before]) at++;
    return at - s->at;
}

static inline unsigned same_at(const iol__stretch *s, size_t i) { return s->same[i / 8] >> (8 * (i % 8)) & 255; }

/* Repetitions that are worth a look as long as the same distances hold: of those that reach as far as a nearer one does,
   only the nearer one counts. */
typedef struct choice {
    unsigned which, count;
    unsigned behind; /* the number of the distance that comes behind the stretch */
    struct {
        uint16_t end;
        uint8_t price;
        uint32_t distance;
    } of[IOL_STRETCH_DISTANCES];
    size_t free_from; /* from here on, what comes behind the stretch goes on into it */
} choice;

static void choose(choice *c, const iol__stretch *s, unsigned which, const uint16_t *ends, const uint8_t *prices) {
    const size_t bytes = s->end - s->at;
    size_t farthest = 0;
    c->which = which;
    c->count = 0;
    c->free_from = SIZE_MAX;
    if (which >> c->behind & 1 && ends[c->behind] == bytes)
        c->free_from = bytes > IOL_MATCH_MOST ? bytes - IOL_MATCH_MOST : 0;
    for (; which; which &= which - 1) {
        const unsigned d = (unsigned)__builtin_ctz(which);
        if (ends[d] <= farthest) continue;
        farthest = ends[d];
        c->of[c->count].end = ends[d];
        c->of[c->count].price = prices[d];
        c->of[c->count++].distance = s->distances[d];
    }
}

static inline void consider_choice(way *best, const iol__stretch *s, size_t i, const choice *c, const iol__prices *p) {
    if (i >= c->free_from) {
        *best = (way){s->costs[s->end - s->at], (uint32_t)(s->end - s->at - i), s->behind};
        return;
    }
    for (unsigned k = 0; k < c->count; k++)
        consider(best, s, i, c->of[k].end - i, c->of[k].price, c->of[k].distance, p);
}

static uint32_t behind_price(const iol__stretch *s, const iol__prices *p) {
    const size_t length = s->behind_bytes < IOL_MATCH_MOST ? s->behind_bytes : IOL_MATCH_MOST;
    return length ? p->lengths[length] + distance_price(p, s->behind) : 0;
}

void iol__cheapest(iol__stretch *s, const uint8_t *from, const iol__prices *p) {
    const size_t bytes = s->end - s->at, free = free_bytes(s, from);
    uint16_t ends[IOL_STRETCH_DISTANCES] = {0};
    uint8_t prices[IOL_STRETCH_DISTANCES];
    unsigned before = 0, before_that = 0; /* what is the same at the next byte, and at the one behind it */
    choice c = {.free_from = SIZE_MAX, .behind = IOL_STRETCH_DISTANCES};
    for (unsigned d = 0; d < s->n_distances; d++) {
        prices[d] = (uint8_t)distance_price(p, s->distances[d]);
        if (s->distances[d] == s->behind) c.behind = d;
    }
    compare(s, from);
    s->costs[bytes] = behind_price(s, p);
    for (size_t i = bytes; i-- > 0;) {
        way best = {p->literals[from[s->at + i]] + s->costs[i + 1], 1, 1};
        const unsigned same = same_at(s, i), which = same & before & before_that;
        for (unsigned last = same & ~before; last; last &= last - 1) ends[__builtin_ctz(last)] = (uint16_t)(i + 1);
        if (which != c.which) choose(&c, s, which, ends, prices);
        consider_choice(&best, s, i, &c, p);
        consider_again(&best, s, i, p);
        s->costs[i] = best.cost;
        s->steps[i].length = (uint16_t)best.length;
        s->steps[i].distance_less_1 = (uint16_t)(best.distance - 1);
        before_that = before;
        before = same;
    }
    s->begin = 0;
    for (size_t i = 1; i <= free; i++)
        if (s->costs[i] < s->costs[s->begin]) s->begin = i;
}
