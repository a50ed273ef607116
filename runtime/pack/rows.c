/* The search is by words of 8 bytes, because that is what records are made of. A row is written as what it has in common
   with the one of the last few that is most like it. Between long repetitions of that, where times and ids are, the
   cheapest way is looked for byte by byte: there, words are like their neighbours, and those that are not are looked up
   among those that stood in the same column, then among all. */
#include "runtime/pack/rows.h"

#include <stdbool.h>
#include <string.h>

#include "runtime/core/sys.h"
#include "runtime/pack/bits.h"
#include "runtime/pack/cheapest.h"
#include "runtime/pack/tokens.h"

enum {
    HASH_BITS = 13,
    LONG = 5,      /* words that are a repetition without further thought */
    ROWS_BACK = 8, /* rows that this one may be like */
    ALIKE = 14,    /* words that differ, at most, in a row that is like another */
    POINTS = 56, /* bytes from the first to the last of a record's points in time, which is near the next one's first */
    COMPARED = 16,        /* words of a row, at least, so that it is compared with others than the one before */
    LEARNED_FIRST = 1024, /* tokens from which the first prices are learned; then twice as many, and so on */
};

struct iol__pack_rows {
    size_t row;
    /* A repetition that may go on. */
    size_t match_end, match_distance;
    size_t learn_at; /* tokens of the block */
    iol__prices prices;
    iol__stretch stretch;
    uint32_t places[2][1 << HASH_BITS]; /* words by value and column, and by value; as number + 1 */
    iol__pack_tokens t;
};

/* Bytes, eight at a time ------------------------------------------------------------------------------------------- */

static inline bool same(const uint8_t *a, const uint8_t *b, size_t length) {
    if (length >= 8) return iol__difference(a, b) == 0 && memcmp(a, b, length) == 0;
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i]) return false;
    return true;
}

/* How many bytes from `at` on, up to `most`, are those that stand `distance` before; and how many before it. */
static inline size_t same_ahead(const uint8_t *at, size_t most, size_t distance) {
    size_t n = 0;
    for (; n + 8 <= most; n += 8) {
        const uint64_t differs = iol__difference(at + n, at + n - distance);
        if (differs) return n + (unsigned)__builtin_ctzll(differs) / 8;
    }
    while (n < most && at[n] == at[n - distance]) n++;
    return n;
}

static inline size_t same_back(const uint8_t *at, size_t most, size_t distance) {
    size_t n = 0;
    while (n < most && at[-1 - (ptrdiff_t)n] == at[-1 - (ptrdiff_t)n - (ptrdiff_t)distance]) n++;
    return n;
}

static inline uint64_t word_at(const iol__pack_rows *r, size_t i) {
    uint64_t word;
    memcpy(&word, r->t.from + 8 * i, sizeof word);
    return word;
}

/* Tokens ----------------------------------------------------------------------------------------------------------- */

static bool all_zero(const uint8_t *at, size_t length) { return at[0] == 0 && same(at, at + 1, length - 1); }

/* The repetition that is waiting, in parts that a token can have. Zeros repeat the byte before them, if that is one. */
static void settle(iol__pack_rows *r) {
    enum { ZEROS = 8 };
    while (r->t.done + 2 < r->match_end) {
        const size_t length = iol__tokens_part(r->match_end - r->t.done);
        const uint8_t *at = r->t.from + r->t.done;
        const bool zeros = length >= ZEROS && at[-1] == 0 && all_zero(at, length);
        iol__tokens_copy(&r->t, length, zeros ? 1 : r->match_distance);
    }
    if (r->match_end) iol__tokens_literals(&r->t, r->match_end);
    r->match_end = 0;
}

static void add_match(iol__pack_rows *r, size_t at, size_t end, size_t distance) {
    if (r->match_end != at || r->match_distance != distance) settle(r);
    iol__tokens_literals(&r->t, r->match_end ? r->t.done : at);
    r->match_end = end;
    r->match_distance = distance;
}

static void add_literal(iol__pack_rows *r, size_t at) {
    settle(r);
    iol__tokens_literals(&r->t, at + 1);
}

/* What the block is made of so far says what tokens will cost. */
static void learn(iol__pack_rows *r) {
    if (r->t.n_tokens < r->learn_at) return;
    iol__prices_learn(&r->prices, &r->t);
    r->learn_at *= 2;
}

/* Stretches -------------------------------------------------------------------------------------------------------- */

/* Where this word was before; it is remembered as being here. 0: nowhere near. */
static size_t look_up(uint32_t *place, const iol__pack_rows *r, size_t i, uint64_t word) {
    const size_t before = *place;
    *place = (uint32_t)i + 1;
    if (before == 0 || 8 * (i + 1 - before) > IOL_MATCH_FARTHEST) return 0;
    return word_at(r, before - 1) == word ? 8 * (i + 1 - before) : 0;
}

static uint32_t *place_of(iol__pack_rows *r, int table, uint64_t word, size_t column) {
    const uint64_t mixed = (word + column * UINT64_C(0x632be59bd9b4e019)) * UINT64_C(0x9e3779b97f4a7c15);
    return &r->places[table][mixed >> (64 - HASH_BITS)];
}

/* A word that stood in the same column of any row, or anywhere: the longer repetition, or the nearer one. */
static iol__again find_again(iol__pack_rows *r, size_t i, size_t end) {
    const uint64_t word = word_at(r, i);
    const uint8_t *at = r->t.from + 8 * i;
    size_t most = end - 8 * i;
    if (word == 0) return (iol__again){0};
    if (most > IOL_MATCH_MOST) most = IOL_MATCH_MOST;
    const size_t like = look_up(place_of(r, 0, word, i % (r->row / 8) + 1), r, i, word);
    const size_t any = look_up(place_of(r, 1, word, 0), r, i, word);
    const size_t like_ahead = like ? same_ahead(at, most, like) : 0;
    const size_t any_ahead = any && any != like ? same_ahead(at, most, any) : 0;
    const bool nearer = any_ahead > like_ahead || (any_ahead == like_ahead && any < like);
    const size_t distance = nearer ? any : like;
    if (!distance) return (iol__again){0};
    const size_t room = 8 * i - distance, back = same_back(at, room < 7 ? room : 7, distance);
    return (iol__again){(uint16_t)(distance - 1), (uint16_t)(nearer ? any_ahead : like_ahead), (uint16_t)back};
}

static void try_distance(iol__stretch *s, size_t distance) {
    if (distance == 0 || distance >= s->end || distance > IOL_MATCH_FARTHEST) return;
    if (s->n_distances == IOL_STRETCH_DISTANCES) return;
    for (unsigned d = 0; d < s->n_distances; d++)
        if (s->distances[d] == distance) return;
    s->distances[s->n_distances++] = (uint32_t)distance;
}

/* Whole words, at most IOL_STRETCH bytes; what follows is a repetition of so many bytes over the distance `base`. The nearer, the fewer bits: the
   neighbours of times are alike. */
static void add_stretch(iol__pack_rows *r, size_t at, size_t end, size_t base, size_t behind_bytes) {
    iol__stretch *s = &r->stretch;
    s->at = at;
    s->end = end;
    s->n_distances = 0;
    s->before = r->match_end == at ? (uint32_t)r->match_distance : 0;
    s->behind = behind_bytes ? (uint32_t)base : 0;
    s->behind_bytes = behind_bytes;
    try_distance(s, 1);
    for (size_t near = 8; near <= 32; near += 8) try_distance(s, near);
    try_distance(s, base);
    try_distance(s, r->row);
    if (r->row > POINTS) try_distance(s, r->row - POINTS);
    for (size_t i = at / 8; 8 * i + 8 <= end; i++) s->again[i - at / 8] = find_again(r, i, end + behind_bytes);
    iol__cheapest(s, r->t.from, &r->prices);
    if (s->begin) add_match(r, at, at + s->begin, s->before);
    for (size_t i = s->begin; at + i < end; i += s->steps[i].length)
        if (s->steps[i].length == 1)
            add_literal(r, at + i);
        else
            add_match(r, at + i, at + i + s->steps[i].length, s->steps[i].distance_less_1 + 1u);
    learn(r);
}

/* Rows ------------------------------------------------------------------------------------------------------------- */

static size_t differing(const iol__pack_rows *r, size_t i, size_t words, size_t distance) {
    size_t n = 0;
    for (size_t end = i + words; i < end; i++) n += word_at(r, i) != word_at(r, i - distance);
    return n;
}

/* The distance, in words, to a row that has the same word where this one first differs from the row before, behind its id;
   0: there is none near. */
static size_t same_kind(iol__pack_rows *r, size_t i, size_t end, uint32_t **place) {
    const size_t row = r->row / 8;
    size_t at = i + 1;
    while (at < end && word_at(r, at) == word_at(r, at - row)) at++;
    if (at == end) return 0;
    *place = place_of(r, 0, word_at(r, at), at % row + 1);
    const size_t before = **place, distance = before ? at + 1 - before : 0;
    if (8 * distance > IOL_MATCH_FARTHEST || distance % row) return 0;
    return distance && word_at(r, before - 1) == word_at(r, at) ? distance : 0;
}

/* The distance, in words, to the row that this one is most like: the one before, one of the same kind, or one of the last
   few. 0: it is the first. */
static size_t most_alike(iol__pack_rows *r, size_t i, size_t words) {
    const size_t row = r->row / 8;
    uint32_t *place;
    if (i < row || 8 * row > IOL_MATCH_FARTHEST) return 0;
    if (row < COMPARED || words < row) return row;
    size_t best = row, least = differing(r, i, row, row);
    const size_t kind = least > 1 ? same_kind(r, i, i + row, &place) : 0;
    if (kind > row) {
        const size_t n = differing(r, i, row, kind);
        if (n + 1 < least) least = n, best = kind, *place += (uint32_t)kind; /* it is here now */
    }
    for (size_t back = 2; back <= ROWS_BACK && least > ALIKE; back++) {
        const size_t distance = back * row;
        if (distance > i || 8 * distance > IOL_MATCH_FARTHEST) break;
        const size_t n = differing(r, i, row, distance);
        if (n + 1 < least) least = n, best = distance;
    }
    return best;
}

/* How many words from i on are the same `distance` words before. */
static size_t run_of(const iol__pack_rows *r, size_t i, size_t end, size_t distance) {
    size_t at = i;
    while (distance && at < end && word_at(r, at) == word_at(r, at - distance)) at++;
    return at - i;
}

static void add_row(iol__pack_rows *r, size_t i, size_t end) {
    const size_t base = most_alike(r, i, end - i);
    size_t open = i; /* words from here on are in no repetition yet */
    while (i < end) {
        const size_t run = run_of(r, i, end, base);
        const bool full = 8 * (i + 1 - open) > IOL_STRETCH - 8 * LONG;
        if (run < LONG && !full) {
            i += run + 1;
            continue;
        }
        if (i > open) add_stretch(r, 8 * open, 8 * i, 8 * base, run >= LONG ? 8 * run : 0);
        if (run >= LONG && r->match_end < 8 * (i + run)) add_match(r, 8 * i, 8 * (i + run), 8 * base);
        i += run >= LONG ? run : 0;
        open = i;
    }
    if (end > open) add_stretch(r, 8 * open, 8 * end, 8 * base, 0);
}

iol__pack_rows *iol__rows_start(void) { return iol__sys_memory(sizeof(iol__pack_rows)); }

size_t iol__rows_bound(size_t bytes) { return iol__tokens_bound(bytes); }

size_t iol__rows_deflate(iol__pack_rows *r, const void *from, size_t bytes, size_t row, uint8_t *to) {
    const size_t words = bytes / 8;
    memset(r, 0, offsetof(iol__pack_rows, t));
    iol__tokens_start(&r->t, from, bytes, to);
    if (bytes <= 2 * row)
        iol__prices_fixed(&r->prices);
    else
        iol__prices_guess(&r->prices, row);
    r->row = row;
    r->learn_at = LEARNED_FIRST;
    for (size_t i = 0; i < words; i += row / 8) add_row(r, i, i + row / 8 < words ? i + row / 8 : words);
    settle(r);
    return iol__tokens_end(&r->t);
}
