/* The search is by words of 8 bytes, because that is what records are made of: as long as words are those of the row
   before, they are passed over. A word that is not is looked up among those that stood in the same column, then among
   all; zeros are their own repetition. Matches are then extended by bytes. */
#include "runtime/finalize/rows.h"

#include <stdbool.h>
#include <string.h>

#include "runtime/core/sys.h"
#include "runtime/finalize/bits.h"
#include "runtime/finalize/tokens.h"

enum {
    HASH_BITS = 13,
    WORTHWHILE = 4,      /* bytes of a match one row before */
    NEAR_WORTHWHILE = 3, /* and of one inside a row */
    OVERLAP = 32,        /* bytes of a match that another one may take over */
    LITTLE = 12,         /* bytes that are too few to be left of a match that comes behind another one */
};

struct iol__rows {
    size_t row;
    /* A match that may still be taken over by the next one. */
    size_t match_at, match_end, match_distance;
    uint32_t places[2][1 << HASH_BITS]; /* words by value and column, and by value; as number + 1 */
    iol__tokens t;
};

/* Bytes, eight at a time ------------------------------------------------------------------------------------------- */

static inline bool same(const uint8_t *a, const uint8_t *b, size_t length) {
    if (length >= 8) return iol__difference(a, b) == 0 && memcmp(a, b, length) == 0;
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i]) return false;
    return true;
}

/* How far bytes from `at` on, up to `end`, are those that stand `distance` before; and how far back, down to `floor`. */
static inline size_t same_until(const uint8_t *from, size_t at, size_t end, size_t distance) {
    for (; at + 8 <= end; at += 8) {
        const uint64_t differs = iol__difference(from + at, from + at - distance);
        if (differs) return at + (unsigned)__builtin_ctzll(differs) / 8;
    }
    while (at < end && from[at] == from[at - distance]) at++;
    return at;
}

static inline size_t same_since(const uint8_t *from, size_t at, size_t floor, size_t distance) {
    if (floor < distance) floor = distance;
    while (at >= floor + 8) {
        const uint64_t differs = iol__difference(from + at - 8, from + at - 8 - distance);
        if (differs) return at - (unsigned)__builtin_clzll(differs) / 8;
        at -= 8;
    }
    while (at > floor && from[at - 1] == from[at - 1 - distance]) at--;
    return at;
}

/* Tokens ----------------------------------------------------------------------------------------------------------- */

/* The nearer, the fewer bits: a few words before, where the neighbours of times are alike; one row before; or where it was
   found. */
static size_t best_distance(const iol__rows *r, size_t length, size_t distance) {
    enum { NEAR = 32, SHORT = 32 };
    const uint8_t *at = r->t.from + r->t.done;
    const size_t farthest = length > SHORT ? 8 : NEAR;
    for (size_t near = 8; near <= farthest && near < distance && near <= r->t.done; near += 8)
        if (same(at, at - near, length)) return near;
    if (distance > r->row && r->t.done >= r->row && same(at, at - r->row, length)) return r->row;
    return distance;
}

static bool all_zero(const uint8_t *at, size_t length) { return at[0] == 0 && same(at, at + 1, length - 1); }

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

/* Of two matches that overlap, one is cut: whether it is the first, of which `first` bytes would be left, or else `second`
   of the second. Fewer than three bytes are no match. */
static bool gives_way(size_t first, size_t second) {
    enum { LEAST = 3 };
    const size_t lost_first = first < LEAST ? first : 0, lost_second = second < LEAST ? second : 0;
    return lost_first != lost_second ? lost_first < lost_second : second < LITTLE;
}

/* A match of at least one word, that goes on in both directions as far as it does. */
static void found_match(iol__rows *r, size_t at, size_t end, size_t distance) {
    const uint8_t *from = r->t.from;
    const size_t behind = r->match_end;
    const size_t reach = behind > r->match_at + OVERLAP ? behind - OVERLAP : r->match_at;
    const size_t floor = behind ? reach : r->t.done;
    size_t begin = same_since(from, at, floor, distance);
    end = same_until(from, end, r->t.bytes, distance);
    if (behind && begin > r->match_at) {
        if (end <= behind) return;
        if (begin < behind) {
            if (gives_way(begin - r->match_at, end - behind))
                r->match_end = begin;
            else
                begin = behind;
        }
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

/* Times differ from others in their middle: what is the same between two of them, the upper bytes of one and the lower
   ones of the next, is worth a match. Those of the same record are most alike, and near. */
static void similar_word(iol__rows *r, size_t i, size_t words) {
    const size_t row = r->row / 8;
    const size_t distances[] = {1, 2, 3, 4, 5, row};
    const uint64_t word = word_at(r, i);
    size_t best = 0, found = 0, found_equal = 0;
    for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
        const size_t distance = distances[d];
        if (distance > i) continue;
        const uint64_t differs = word ^ word_at(r, i - distance);
        const size_t equal = differs ? (size_t)__builtin_clzll(differs) / 8 : 8;
        if (equal == 0) continue;
        const uint64_t next = i + 1 < words ? word_at(r, i + 1) ^ word_at(r, i + 1 - distance) : 1;
        const size_t length = equal + (next ? (size_t)__builtin_ctzll(next) / 8 : 8);
        if (length > best + (distance == row)) {
            best = length;
            found = distance;
            found_equal = equal;
        }
    }
    if (best >= (found == row ? WORTHWHILE : NEAR_WORTHWHILE))
        found_match(r, 8 * (i + 1) - found_equal, 8 * (i + 1) + best - found_equal, 8 * found);
}

/* A match of words that stood in the same column of any row, or anywhere. How many; 0: none that is worth it. */
static size_t known_words(iol__rows *r, size_t i, size_t words) {
    const size_t row = r->row / 8;
    const uint64_t word = word_at(r, i);
    const size_t like = look_up(place_of(r, 0, word, row ? i % row + 1 : 1), r, i, word);
    const size_t same = look_up(place_of(r, 1, word, 0), r, i, word);
    const size_t run_like = like ? run_of(r, i, words, like) : 0, run_same = same ? run_of(r, i, words, same) : 0;
    const bool nearer = run_same > run_like || (run_same == run_like && same < like);
    const size_t distance = nearer ? same : like, run = nearer ? run_same : run_like;
    if (run > 1 || (run == 1 && 7 * used_bytes(word) > 4 + iol__log2((unsigned)distance * 8))) {
        found_match(r, 8 * i, 8 * (i + run), 8 * distance);
        return run;
    }
    return 0;
}

/* The words from i on are new to this column. Returns how many are dealt with. */
static size_t other_word(iol__rows *r, size_t i, size_t words) {
    const uint64_t word = word_at(r, i);
    if (word == 0 && i > 0) { /* as many as there are, behind a byte that is one already */
        size_t end = i + 1;
        while (end < words && word_at(r, end) == 0) end++;
        found_match(r, 8 * i + (r->t.from[8 * i - 1] != 0), 8 * end, 1);
        return end - i;
    }
    const size_t known = known_words(r, i, words);
    if (known) return known;
    if (i >= 2 && word > 255 && (word ^ word_at(r, i - 2)) < 256) { /* an offset beside a length */
        found_match(r, 8 * i + 1, 8 * (i + 1), 16);
        return 1;
    }
    similar_word(r, i, words);
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

iol__rows *iol__rows_start(void) { return iol__sys_memory(sizeof(iol__rows)); }

size_t iol__rows_bound(size_t bytes) { return iol__tokens_bound(bytes); }

size_t iol__rows_deflate(iol__rows *r, const void *from, size_t bytes, size_t row, uint8_t *to) {
    memset(r, 0, offsetof(iol__rows, t));
    iol__tokens_start(&r->t, from, bytes, to);
    r->row = row;
    search(r);
    return iol__tokens_end(&r->t);
}
