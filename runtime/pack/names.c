/* What a name begins and ends with is compared with the names before, of which the one that is most like it counts: a
   library may have files of its own beside each one of the program. In between, four letters are looked for among all
   names. Ids are passed over. */
#include "runtime/pack/names.h"

#include <string.h>

#include "runtime/core/sys.h"
#include "runtime/pack/tokens.h"

enum { ID = 8, HASH_BITS = 12, LEAST = 4, FAR_LEAST = 5, NAMES_BACK = 6, LITTLE = 8 };

struct iol__pack_names {
    bool used;                       /* else all of it is zero */
    uint32_t places[1 << HASH_BITS]; /* of four letters, as place + 1 */
    iol__pack_tokens t;
};

typedef struct span {
    size_t at, end; /* of a text, its NUL included */
} span;

/* Two letters or less are as they are. */
static void copy(iol__pack_tokens *t, size_t at, size_t end, size_t distance) {
    iol__tokens_literals(t, at);
    while (t->done + 2 < end) iol__tokens_copy(t, iol__tokens_part(end - t->done), distance);
    iol__tokens_literals(t, end);
}

/* Where these four letters were before; they are remembered as being here. 0: nowhere near. */
static size_t look_up(iol__pack_names *n, size_t at) {
    uint32_t letters, before_letters;
    memcpy(&letters, n->t.from + at, sizeof letters);
    uint32_t *place = &n->places[letters * UINT32_C(2654435761) >> (32 - HASH_BITS)];
    const size_t before = *place;
    *place = (uint32_t)at + 1;
    if (before == 0 || at + 1 - before > IOL_MATCH_FARTHEST) return 0;
    memcpy(&before_letters, n->t.from + before - 1, sizeof before_letters);
    return before_letters == letters ? at + 1 - before : 0;
}

static size_t same_bytes(const uint8_t *a, const uint8_t *b, size_t most) {
    size_t n = 0;
    while (n < most && a[n] == b[n]) n++;
    return n;
}

/* How much two texts have in common at their ends, behind what they have in common at the beginning. */
static size_t same_end(const uint8_t *from, span a, span b, size_t begin) {
    size_t n = 0, most = a.end - a.at - begin;
    if (b.end - b.at - begin < most) most = b.end - b.at - begin;
    while (n < most && from[a.end - 1 - n] == from[b.end - 1 - n]) n++;
    return n;
}

/* What two names have in common at both ends: parts that are worth a token. */
typedef struct names_common {
    size_t begin, tail;
} names_common;

static names_common compare(const uint8_t *from, span name, span before) {
    const size_t length = name.end - name.at, most = before.end - before.at;
    names_common c = {0, 0};
    if (before.end == before.at) return c;
    if (name.at - before.at <= IOL_MATCH_FARTHEST)
        c.begin = same_bytes(from + name.at, from + before.at, length < most ? length : most);
    if (c.begin < LEAST) c.begin = 0;
    if (name.end - before.end <= IOL_MATCH_FARTHEST) c.tail = same_end(from, name, before, c.begin);
    if (c.tail < LEAST) c.tail = 0;
    return c;
}

/* The name that this one is most like, the last one first: it is enough if little is left. */
static names_common most_alike(const uint8_t *from, span name, const span *last, size_t count, span *before) {
    names_common best = {0, 0};
    for (size_t back = 0; back < NAMES_BACK && back < count; back++) {
        const span other = last[(count - 1 - back) % NAMES_BACK];
        const names_common c = compare(from, name, other);
        if (c.begin + c.tail > best.begin + best.tail + (back > 0)) best = c, *before = other;
        if (best.begin + best.tail + LITTLE >= name.end - name.at) break;
    }
    return best;
}

static void add_name(iol__pack_names *n, span name, span before, names_common c) {
    const uint8_t *from = n->t.from;
    const size_t begin = c.begin, tail = c.tail, back = name.end - before.end;
    if (begin) copy(&n->t, name.at, name.at + begin, name.at - before.at);
    size_t stop = name.end - tail;
    for (size_t at = name.at + begin; at < stop;) {
        const size_t distance = name.end - at >= sizeof(uint32_t) ? look_up(n, at) : 0;
        const size_t run = distance ? same_bytes(from + at, from + at - distance, name.end - at) : 0;
        if (run >= FAR_LEAST) copy(&n->t, at, at + run, distance);
        at += run >= FAR_LEAST ? run : 1;
        if (at > stop) stop = at; /* it went on into the end */
    }
    copy(&n->t, stop, name.end, back);
}

iol__pack_names *iol__names_start(void) { return iol__sys_memory(sizeof(iol__pack_names)); }

static void forget_places(iol__pack_names *n) {
    if (n->used) memset(n->places, 0, sizeof n->places);
    n->used = true;
}

size_t iol__names_deflate(iol__pack_names *n, const void *from, size_t bytes, uint8_t *to) {
    span last[NAMES_BACK];
    size_t count = 0;
    forget_places(n);
    iol__tokens_start(&n->t, from, bytes, to);
    for (size_t at = 0; bytes - at > ID; count++) {
        span name = {at + ID, bytes}, before = {0, 0};
        const uint8_t *end = memchr(n->t.from + name.at, 0, bytes - name.at);
        if (end) name.end = (size_t)(end - n->t.from) + 1;
        const names_common c = most_alike(n->t.from, name, last, count, &before);
        add_name(n, name, before, c);
        last[count % NAMES_BACK] = name;
        at = name.end;
    }
    return iol__tokens_end(&n->t);
}

/* How many letters from here on, at most up to the end, were somewhere before; 0: too few. */
static size_t known_letters(iol__pack_names *n, size_t at, size_t *distance) {
    const uint8_t *here = n->t.from + at;
    *distance = n->t.bytes - at >= sizeof(uint32_t) ? look_up(n, at) : 0;
    return *distance ? same_bytes(here, here - *distance, n->t.bytes - at) : 0;
}

/* Letters that were somewhere before are remembered where they are now; in the middle of many of them nobody looks. */
static void remember_letters(iol__pack_names *n, size_t at, size_t end) {
    enum { EDGE = 32 };
    const size_t middle = at + EDGE, last = n->t.bytes - sizeof(uint32_t);
    for (; at < end && at <= last; at++) {
        if (at == middle && end - at > EDGE) at = end - EDGE;
        look_up(n, at);
    }
}

/* What stands behind the first `known` bytes, with what was somewhere before. */
static void add_texts(iol__pack_names *n, size_t known, size_t bytes) {
    for (size_t at = 0; at < known && bytes - at >= sizeof(uint32_t); at++) look_up(n, at);
    for (size_t at = known; at < bytes;) {
        size_t distance;
        const size_t run = known_letters(n, at, &distance);
        if (run) copy(&n->t, at, at + run, distance);
        if (run > 1 && bytes >= sizeof(uint32_t)) remember_letters(n, at + 1, at + run);
        at += run ? run : 1;
    }
}

size_t iol__text_deflate(iol__pack_names *n, const void *from, size_t bytes, uint8_t *to) {
    forget_places(n);
    iol__tokens_start(&n->t, from, bytes, to);
    add_texts(n, 0, bytes);
    return iol__tokens_end(&n->t);
}

size_t iol__texts_deflate(iol__pack_names *n, const void *from, size_t known, size_t bytes, uint8_t *to) {
    forget_places(n);
    iol__tokens_start_behind(&n->t, from, known, bytes, to);
    add_texts(n, known, bytes);
    return iol__tokens_end_raw(&n->t);
}
