/* The search is by words of 8 bytes, because that is what records are made of: as long as words are those of the row
   before, they are passed over. A word that is not is looked up among those that stood in the same column, then among
   all; zeros are their own repetition. Matches are then extended by bytes. */
#include "runtime/finalize/rows.h"

#include <stdbool.h>
#include <string.h>

#include "runtime/core/own.h"
#include "runtime/finalize/tokens.h"

enum {
    HASH_BITS = 13,
    WORTHWHILE = 4, /* bytes of a match one row before */
    LITTLE = 12,    /* bytes that are too few to be left of a match that comes behind another one */
};

struct iol__rows {
    size_t row;
    /* A match that may still be taken over by the next one. */
    size_t match_at, match_end, match_distance;
    uint32_t places[2][1 << HASH_BITS]; /* words by value and column, and by value; as number + 1 */
    iol__tokens t;
};

/* Tokens ----------------------------------------------------------------------------------------------------------- */

/* The nearer, the fewer bits: a few words before, where the neighbours of times are alike; one row before; or where it was
   found. */
static size_t best_distance(const iol__rows *r, size_t length, size_t distance) {
    enum { NEAR = 32, SHORT = 32 };
    const uint8_t *at = r->t.from + r->t.done;
    const size_t farthest = length > SHORT ? 8 : NEAR;
    for (size_t near = 8; near <= farthest && near < distance && near <= r->t.done; near += 8)
        if (memcmp(at, at - near, length) == 0) return near;
    if (distance > r->row && r->t.done >= r->row && memcmp(at, at - r->row, length) == 0) return r->row;
    return distance;
}

static bool all_zero(const uint8_t *at, size_t length) { return at[0] == 0 && memcmp(at, at + 1, length - 1) == 0; }

/* Zeros repeat the byte before them, if that is one already. */
static void add_match(iol__rows *r, size_t end, size_t far) {
    enum { ZEROS = 8 };
    while (r->t.done + 2 < end) {
        const size_t length = iol__tokens_part(end - r->t.done);
        const uint8_t *at = r->t.from + r->t.done;
        if (length >= ZEROS && all_zero(at, length)) {
            if (at[-1] != 0)
                iol__tokens_literals(&r->t, r->t.done + 1);
            else
                iol__tokens_copy(&r->t, length, 1);
            continue;
        }
        iol__tokens_copy(&r->t, length, best_distance(r, length, far));
    }
    iol__tokens_literals(&r->t, end);
}

/* The match that is waiting, and the literals before it. */
static void settle(iol__rows *r) {
    if (r->match_end == 0) return;
    iol__tokens_literals(&r->t, r->match_at);
    add_match(r, r->match_end, r->match_distance);
    r->match_end = 0;
}

/* A match of at least one word, that goes on in both directions as far as it does. */
static void found_match(iol__rows *r, size_t at, size_t end, size_t distance) {
    const uint8_t *from = r->t.from;
    const size_t behind = r->match_end;
    const size_t floor = behind ? r->match_at : r->t.done;
    size_t begin = at;
    while (begin > floor && begin > distance && from[begin - 1] == from[begin - 1 - distance]) begin--;
    while (end < r->t.bytes && from[end] == from[end - distance]) end++;
    if (behind && begin > r->match_at) { /* the one before stays, unless little would be left of this one */
        if (begin < behind && end < behind + LITTLE)
            r->match_end = begin;
        else if (begin < behind)
            begin = behind;
        settle(r);
    }
    r->match_at = begin;
    r->match_end = end;
    r->match_distance = distance;
}

/* The search ------------------------------------------------------------------------------------------------------- */

static inline uint64_t word_at(const iol__rows *r, size_t i) {
    uint64_t word;
    memcpy(&word, r->t.from + 8 * i, sizeof word);
    return word;
}

static unsigned used_bytes(uint64_t word) {
    unsigned n = 0;
    for (; word; word >>= 8) n += (word & 255) != 0;
    return n;
}

/* How many words from i on are the same `distance` words before. */
static size_t run_of(const iol__rows *r, size_t i, size_t words, size_t distance) {
    size_t end = i;
    while (end < words && word_at(r, end) == word_at(r, end - distance)) end++;
    return end - i;
}

/* Where this word was before; it is remembered as being here. 0: nowhere near. */
static size_t look_up(uint32_t *place, const iol__rows *r, size_t i, uint64_t word) {
    const size_t before = *place;
    *place = (uint32_t)i + 1;
    if (before == 0 || 8 * (i + 1 - before) > IOL_MATCH_FARTHEST) return 0;
    return word_at(r, before - 1) == word ? i + 1 - before : 0;
}

static uint32_t *place_of(iol__rows *r, int table, uint64_t word, size_t column) {
    const uint64_t mixed = (word + column * UINT64_C(0x632be59bd9b4e019)) * UINT64_C(0x9e3779b97f4a7c15);
    return &r->places[table][mixed >> (64 - HASH_BITS)];
}

/* The words from i on are new to this column. Returns how many are dealt with. */
static size_t other_word(iol__rows *r, size_t i, size_t words) {
    const size_t row = r->row / 8;
    const uint64_t word = word_at(r, i);
    if (word == 0 && i > 0) { /* as many as there are, behind a byte that is one already */
        size_t end = i + 1;
        while (end < words && word_at(r, end) == 0) end++;
        found_match(r, 8 * i + (r->t.from[8 * i - 1] != 0), 8 * end, 1);
        return end - i;
    }
    const size_t like = look_up(place_of(r, 0, word, row ? i % row + 1 : 1), r, i, word);
    const size_t same = look_up(place_of(r, 1, word, 0), r, i, word);
    const size_t run_like = like ? run_of(r, i, words, like) : 0, run_same = same ? run_of(r, i, words, same) : 0;
    const bool nearer = run_same > run_like || (run_same == run_like && same < like);
    const size_t distance = nearer ? same : like, run = nearer ? run_same : run_like;
    if (run > 1 || (run == 1 && 7 * used_bytes(word) > 4 + iol__log2((unsigned)distance * 8))) {
        found_match(r, 8 * i, 8 * (i + run), 8 * distance);
        return run;
    }
    if (i >= 2 && word > 255 && (word ^ word_at(r, i - 2)) < 256) { /* an offset beside a length */
        found_match(r, 8 * i + 1, 8 * (i + 1), 16);
        return 1;
    }
    if (i < row) return 1;
    /* Times differ from the row before in their middle: what is the same between two of them is worth a match. */
    const uint64_t differs = word ^ word_at(r, i - row);
    const uint64_t next = i + 1 < words ? word_at(r, i + 1) ^ word_at(r, i + 1 - row) : 0;
    const unsigned equal = (unsigned)__builtin_clzll(differs) / 8;
    if (next && equal + (unsigned)__builtin_ctzll(next) / 8 >= WORTHWHILE)
        found_match(r, 8 * (i + 1) - equal, 8 * (i + 1) + (unsigned)__builtin_ctzll(next) / 8, r->row);
    return 1;
}

static void search(iol__rows *r) {
    const size_t words = r->t.bytes / 8, row = r->row / 8;
    for (size_t i = 0; i < words;) {
        const size_t run = i >= row ? run_of(r, i, words, row) : 0;
        if (run) found_match(r, 8 * i, 8 * (i + run), r->row);
        i += run ? run : other_word(r, i, words);
    }
    settle(r);
}

iol__rows *iol__rows_start(void) { return iol__own_memory(sizeof(iol__rows)); }

size_t iol__rows_bound(size_t bytes) { return iol__tokens_bound(bytes); }

size_t iol__rows_deflate(iol__rows *r, const void *from, size_t bytes, size_t row, uint8_t *to) {
    memset(r, 0, offsetof(iol__rows, t));
    iol__tokens_start(&r->t, from, bytes, to);
    r->row = row;
    search(r);
    return iol__tokens_end(&r->t);
}
