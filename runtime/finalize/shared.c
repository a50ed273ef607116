/* A record on its way has room behind it for sums and further common values. In messages it is a map of the words that
   are not zero, those words, and the common values that the record itself has no room for. */
#include "runtime/finalize/shared.h"

#include <string.h>

#include "runtime/finalize/memory.h"

enum {
    SUMS = 6,      /* words: of time, then of bytes: total, squares */
    IN_RECORD = 4, /* common values of a table that a record has room for */
    BEYOND = 12,   /* and further ones */
    VALUES = IN_RECORD + BEYOND,
    WIDEST = 11, /* words of such a value */
    TABLES = 2,
    MOST_WORDS = 160,
};

/* Common values. Until the end they are a set, in no order; only then the four most common ones are chosen. */
typedef struct set {
    size_t n;
    uint64_t counts[VALUES], values[VALUES * WIDEST];
} set;

typedef struct combined {
    uint64_t record[MOST_WORDS]; /* as in the log */
    uint64_t sums[SUMS];
    const uint64_t *beyond[TABLES]; /* of a message: count and value, one behind the other */
    uint8_t n_beyond[TABLES];
    set sets[TABLES];
} combined;

_Static_assert(1120 / 8 <= MOST_WORDS, "the longest record");

/* Sums ------------------------------------------------------------------------------------------------------------- */

void iol__spread_add(iol__spread *into, int64_t value) {
    const unsigned __int128 wide = (unsigned __int128)(__int128)value;
    into->total += (uint64_t)value;
    into->squares += wide * wide;
}

int64_t iol__spread_time(double seconds) {
    const double units = seconds * 0x1p28;
    if (!(units > -9e18) || !(units < 9e18)) return 0;
    return (int64_t)(units < 0 ? units - 0.5 : units + 0.5);
}

/* Around a whole number near the mean, so that the squares are those of small numbers. */
double iol__spread_variance(const iol__spread *spread, uint64_t n) {
    const int64_t total = (int64_t)spread->total, middle = total / (int64_t)n, rest = total % (int64_t)n;
    const unsigned __int128 m = (unsigned __int128)(__int128)middle, t = (unsigned __int128)(__int128)total;
    const __int128 squares = (__int128)(spread->squares - 2 * m * t + m * m * n);
    return ((double)squares - (double)rest * (double)rest / (double)n) / (double)n;
}

static iol__spread load(const uint64_t *from) {
    return (iol__spread){from[0], (unsigned __int128)from[2] << 64 | from[1]};
}

static void save(const iol__spread *spread, uint64_t *to) {
    to[0] = spread->total;
    to[1] = (uint64_t)spread->squares;
    to[2] = (uint64_t)(spread->squares >> 64);
}

static void add_sums(uint64_t *to, const uint64_t *from) {
    for (int i = 0; i < SUMS; i += SUMS / 2) {
        iol__spread a = load(to + i);
        const iol__spread b = load(from + i);
        a.total += b.total;
        a.squares += b.squares;
        save(&a, to + i);
    }
}

/* One rank's record ------------------------------------------------------------------------------------------------ */

static int64_t *ints_of(const iol__layout *layout, combined *c) {
    return (int64_t *)(void *)(c->record + layout->ints);
}

static double *reals_of(const iol__layout *layout, combined *c) {
    return (double *)(void *)(c->record + layout->reals);
}

static void put_sum(uint64_t *to, int64_t value) {
    iol__spread spread = {0};
    iol__spread_add(&spread, value);
    save(&spread, to);
}

/* Fastest and slowest rank is this one, and sums have its values alone. */
static void prepare(const iol__layout *layout, combined *c, int64_t rank) {
    const iol__roles *roles = iol__modules[layout->slot].roles;
    int64_t *ints = ints_of(layout, c);
    double *reals = reals_of(layout, c);
    memset(c->sums, 0, sizeof c->sums);
    memset(c->n_beyond, 0, sizeof c->n_beyond);
    for (int which = 0; which < TABLES; which++) c->sets[which].n = 0;
    if (!roles->traffic) return;
    const double time = reals[roles->read_time] + reals[roles->write_time] + reals[roles->meta_time];
    const int64_t bytes = (int64_t)((uint64_t)ints[roles->bytes_read] + (uint64_t)ints[roles->bytes_written]);
    ints[roles->fastest_rank] = ints[roles->slowest_rank] = rank;
    ints[roles->fastest_bytes] = ints[roles->slowest_bytes] = bytes;
    reals[roles->fastest_time] = reals[roles->slowest_time] = time;
    put_sum(c->sums, iol__spread_time(time));
    put_sum(c->sums + SUMS / 2, bytes);
}

/* Records are in the order in which files were opened, and asked for in that of ids. */
static void prefetch(const iol__shared *s, const iol__shared_module *m, size_t file) {
    enum { LINE = 8 /* words */ };
    const uint64_t *record = file < s->files ? m->own[file] : NULL;
    for (size_t i = 0; record && i < m->layout->words; i += LINE) __builtin_prefetch(record + i);
}

static void fetch(const iol__shared *s, const iol__shared_module *m, size_t file, combined *c) {
    const iol__layout *layout = m->layout;
    prefetch(s, m, file + 2);
    if (m->own[file])
        memcpy(c->record, m->own[file], layout->words * sizeof *c->record);
    else
        memset(c->record, 0, layout->words * sizeof *c->record);
    c->record[0] = s->ids[file];
    iol__layout_place(layout, c->record, -1, s->shift);
}

/* Which ------------------------------------------------------------------------------------------------------------ */

/* What only one rank can say is said by the lowest, which is never the one that sends. */
static void find_sent(iol__shared_module *m) {
    const iol__layout *layout = m->layout;
    const iol__module *module = &iol__modules[layout->slot];
    for (size_t bit = 0; bit + 2 < layout->words; bit++) {
        const size_t counter = bit + 2 - layout->ints; /* what is no counter is beyond all of them */
        const bool one_side = counter < module->ints && module->counters[counter].reduce == IOL_REDUCE_ONE_SIDE;
        if (!one_side && bit + 2 >= layout->ints) m->sent[bit / 64] |= UINT64_C(1) << (bit % 64);
    }
}

bool iol__shared_start(iol__shared *s, const uint64_t *ids, const uint32_t *masks, size_t files, int64_t rank,
                       double shift) {
    *s = (iol__shared){.ids = ids, .masks = masks, .files = files, .rank = rank, .shift = shift};
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        iol__shared_module *m = &s->modules[slot];
        size_t n = 0;
        for (size_t i = 0; i < files; i++) n += masks[i] >> slot & 1;
        const iol__layout *layout = iol__layout_of(slot);
        if (n == 0 || !layout || !layout->shareable) continue;
        m->layout = layout;
        m->count = n;
        iol__reduction_start(&m->how, slot, IOL_RULES_SHARED);
        find_sent(m);
        m->own = iol__memory_take(files * sizeof *m->own);
        if (!m->own) return false;
    }
    return true;
}

void iol__shared_take(iol__shared *s, int slot, size_t file, const uint64_t *record) {
    if (s->modules[slot].count) s->modules[slot].own[file] = record;
}

/* Common values ---------------------------------------------------------------------------------------------------- */

static const iol__common *table_of(const iol__layout *layout, int which) {
    const iol__roles *roles = iol__modules[layout->slot].roles;
    return roles->traffic && roles->common[which].values >= 0 ? &roles->common[which] : NULL;
}

static bool rarer(uint64_t count, uint64_t value, uint64_t than, uint64_t other) {
    if (count != than) return (int64_t)count < (int64_t)than;
    return (int64_t)value < (int64_t)other;
}

static size_t place_of(const set *s, const uint64_t *value, size_t width) {
    size_t at = 0;
    while (at < s->n && (s->values[at * width] != value[0] ||
                         (width > 1 && memcmp(s->values + at * width, value, width * sizeof *value) != 0)))
        at++;
    return at;
}

static size_t rarest(const set *s, size_t width) {
    size_t found = 0;
    for (size_t i = 1; i < s->n; i++)
        if (rarer(s->counts[i], s->values[i * width], s->counts[found], s->values[found * width])) found = i;
    return found;
}

/* A value that has no place takes that of the rarest, if it is more common. */
static void add_value(set *s, const uint64_t *value, uint64_t count, size_t width) {
    if (value[0] == 0) return;
    size_t at = place_of(s, value, width);
    if (at < s->n) {
        s->counts[at] += count;
        return;
    }
    if (at == VALUES) {
        at = rarest(s, width);
        if (!rarer(s->counts[at], s->values[at * width], count, value[0])) return;
    } else {
        s->n++;
    }
    s->counts[at] = count;
    memcpy(s->values + at * width, value, width * sizeof *value);
}

/* Those of a record, and those that came with it, into the set of another one, or its own. */
static void add_values(const iol__layout *layout, combined *to, const combined *from) {
    for (int which = 0; which < TABLES; which++) {
        const iol__common *t = table_of(layout, which);
        if (!t) continue;
        const size_t width = (size_t)t->width;
        const uint64_t *ints = from->record + layout->ints, *beyond = from->beyond[which];
        for (size_t i = 0; i < IN_RECORD; i++)
            add_value(&to->sets[which], ints + t->values + i * width, ints[(size_t)t->counts + i], width);
        for (size_t i = 0; i < from->n_beyond[which]; i++, beyond += 1 + width)
            add_value(&to->sets[which], beyond + 1, beyond[0], width);
    }
}

/* The first ones of a set are those of the record. */
static void put_values(const iol__layout *layout, combined *c) {
    for (int which = 0; which < TABLES; which++) {
        const iol__common *t = table_of(layout, which);
        if (!t) continue;
        const size_t width = (size_t)t->width, n = c->sets[which].n < IN_RECORD ? c->sets[which].n : IN_RECORD;
        uint64_t *ints = c->record + layout->ints;
        memcpy(ints + t->values, c->sets[which].values, n * width * sizeof *ints);
        memcpy(ints + t->counts, c->sets[which].counts, n * sizeof *ints);
    }
}

static void swap(set *s, size_t a, size_t b, size_t width) {
    uint64_t moved[WIDEST], count = s->counts[a];
    memcpy(moved, s->values + a * width, width * sizeof *moved);
    memcpy(s->values + a * width, s->values + b * width, width * sizeof *moved);
    memcpy(s->values + b * width, moved, width * sizeof *moved);
    s->counts[a] = s->counts[b];
    s->counts[b] = count;
}

/* The most common of all come first, as in the records of single ranks. */
static void choose(set *s, size_t width) {
    for (size_t i = 0; i < IN_RECORD && i < s->n; i++) {
        size_t best = i;
        for (size_t j = i + 1; j < s->n; j++)
            if (rarer(s->counts[best], s->values[best * width], s->counts[j], s->values[j * width])) best = j;
        if (best != i) swap(s, i, best, width);
    }
}

/* Two of them ------------------------------------------------------------------------------------------------------ */

/* Ours are the lower ranks, and win where both are equal. */
static void merge_extremes(const iol__roles *roles, int64_t *ints, double *reals, const int64_t *more_ints,
                           const double *more_reals) {
    if (more_reals[roles->fastest_time] < reals[roles->fastest_time]) {
        ints[roles->fastest_rank] = more_ints[roles->fastest_rank];
        ints[roles->fastest_bytes] = more_ints[roles->fastest_bytes];
        reals[roles->fastest_time] = more_reals[roles->fastest_time];
    }
    if (more_reals[roles->slowest_time] > reals[roles->slowest_time]) {
        ints[roles->slowest_rank] = more_ints[roles->slowest_rank];
        ints[roles->slowest_bytes] = more_ints[roles->slowest_bytes];
        reals[roles->slowest_time] = more_reals[roles->slowest_time];
    }
}

static void merge(const iol__shared_module *m, combined *ours, combined *theirs) {
    const iol__layout *layout = m->layout;
    const iol__roles *roles = iol__modules[layout->slot].roles;
    int64_t *ints = ints_of(layout, ours), *more_ints = ints_of(layout, theirs);
    double *reals = reals_of(layout, ours), *more_reals = reals_of(layout, theirs);
    iol__reduction_combine(&m->how, ints, reals, more_ints, more_reals, false);
    if (roles->traffic) merge_extremes(roles, ints, reals, more_ints, more_reals);
    add_sums(ours->sums, theirs->sums);
    add_values(layout, ours, theirs);
}

/* Messages --------------------------------------------------------------------------------------------------------- */

/* Bits of the map: the words of the record but for id and rank, the sums, and whether common values follow. */
static size_t sums_bit(const iol__layout *layout) { return layout->words - 2u; }
static size_t beyond_bit(const iol__layout *layout) { return layout->words - 2u + SUMS; }
static size_t map_words(const iol__layout *layout) { return beyond_bit(layout) / 64 + 1; }

/* A message begins with the rank that it is of, or -1 if it is of several: of one alone the record says it all. */
void iol__shared_hear(iol__shared *s, const uint8_t *bytes, size_t length) {
    const uint64_t *at = (const uint64_t *)(const void *)bytes;
    s->messages[s->n_messages].at = at + 1;
    s->messages[s->n_messages].end = at + length / sizeof *at;
    s->messages[s->n_messages++].rank = (int64_t)at[0];
}

size_t iol__shared_bound(const iol__shared *s) {
    size_t words = 1;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__shared_module *m = &s->modules[slot];
        const size_t more = s->n_messages ? 1 + TABLES * BEYOND * (1 + WIDEST) : 0;
        if (m->count) words += m->count * (map_words(m->layout) + m->layout->words + SUMS + more);
    }
    return words * sizeof(uint64_t);
}

/* Most of them are zero, eight at a time. */
static uint64_t *write_words(uint64_t *map, const uint64_t *words, const uint64_t *sent, size_t count, uint64_t *to) {
    for (size_t i = 0; i < count; i += 8) {
        const size_t end = count - i < 8 ? count : i + 8;
        uint64_t any = 0;
        for (size_t j = i; j < end; j++) any |= words[j];
        for (size_t j = i; any && j < end; j++) {
            const bool needed = words[j] != 0 && sent[j / 64] >> (j % 64) & 1;
            *to = words[j];
            map[j / 64] |= (uint64_t)needed << (j % 64);
            to += needed;
        }
    }
    return to;
}

static uint64_t *write_one(const iol__shared_module *m, combined *c, bool single, uint64_t *to) {
    const iol__layout *layout = m->layout;
    uint64_t *map = to, *at = to + map_words(layout);
    memset(map, 0, map_words(layout) * sizeof *map);
    at = write_words(map, c->record + 2, m->sent, sums_bit(layout), at);
    if (single) return at;
    for (size_t i = 0, bit = sums_bit(layout); i < SUMS; i++, bit++) {
        *at = c->sums[i];
        map[bit / 64] |= (uint64_t)(c->sums[i] != 0) << (bit % 64);
        at += c->sums[i] != 0;
    }
    if (c->sets[0].n <= IN_RECORD && c->sets[1].n <= IN_RECORD) return at;
    map[beyond_bit(layout) / 64] |= UINT64_C(1) << (beyond_bit(layout) % 64);
    uint64_t *numbers = at++;
    *numbers = 0;
    for (int which = 0; which < TABLES; which++) {
        const set *s = &c->sets[which];
        const size_t width = table_of(layout, which) ? (size_t)table_of(layout, which)->width : 0;
        for (size_t i = IN_RECORD; i < s->n; i++) {
            *at = s->counts[i];
            memcpy(at + 1, s->values + i * width, width * sizeof *at);
            at += 1 + width;
            *numbers += UINT64_C(1) << (8 * which);
        }
    }
    return at;
}

static bool read_beyond(const iol__layout *layout, combined *c, const uint64_t **at, const uint64_t *end) {
    if (*at == end) return false;
    const uint64_t numbers = *(*at)++;
    for (int which = 0; which < TABLES; which++) {
        const iol__common *t = table_of(layout, which);
        const size_t count = numbers >> (8 * which) & 255, words = t ? count * (1 + (size_t)t->width) : 0;
        if (count > BEYOND || (count && !t) || (size_t)(end - *at) < words) return false;
        c->beyond[which] = *at;
        c->n_beyond[which] = (uint8_t)count;
        *at += words;
    }
    return true;
}

static bool read_one(const iol__layout *layout, combined *c, const uint64_t **at, const uint64_t *end) {
    const size_t maps = map_words(layout), last = beyond_bit(layout);
    if ((size_t)(end - *at) < maps) return false;
    const uint64_t *map = *at, *from = map + maps;
    memset(c->record, 0, layout->words * sizeof *c->record);
    memset(c->sums, 0, sizeof c->sums);
    memset(c->n_beyond, 0, sizeof c->n_beyond);
    for (size_t i = 0; i < maps; i++) {
        uint64_t left = map[i];
        if (i == last / 64) left &= (UINT64_C(1) << (last % 64)) - 1;
        if ((size_t)(end - from) < (size_t)__builtin_popcountll(left)) return false;
        for (; left; left &= left - 1) {
            const size_t bit = 64 * i + (size_t)__builtin_ctzll(left);
            *(bit < sums_bit(layout) ? &c->record[2 + bit] : &c->sums[bit - sums_bit(layout)]) = *from++;
        }
    }
    *at = from;
    return !(map[last / 64] >> (last % 64) & 1) || read_beyond(layout, c, at, end);
}

/* Our own record with all that was heard of it. */
static bool combine(iol__shared *s, const iol__shared_module *m, size_t file, combined *ours) {
    static combined theirs; /* large */
    fetch(s, m, file, ours);
    prepare(m->layout, ours, s->rank);
    if (s->n_messages == 0) return true;
    add_values(m->layout, ours, ours);
    for (int i = 0; i < s->n_messages; i++) {
        if (!read_one(m->layout, &theirs, &s->messages[i].at, s->messages[i].end)) return false;
        if (s->messages[i].rank >= 0) prepare(m->layout, &theirs, s->messages[i].rank);
        merge(m, ours, &theirs);
    }
    put_values(m->layout, ours);
    return true;
}

static bool all_heard(const iol__shared *s) {
    for (int i = 0; i < s->n_messages; i++)
        if (s->messages[i].at != s->messages[i].end) return false;
    return true;
}

size_t iol__shared_write(iol__shared *s, uint8_t *to) {
    static combined c;
    const bool single = s->n_messages == 0;
    uint64_t *at = (uint64_t *)(void *)to;
    *at++ = single ? (uint64_t)s->rank : (uint64_t)-1;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__shared_module *m = &s->modules[slot];
        for (size_t file = 0; m->count && file < s->files; file++) {
            if (!(s->masks[file] >> slot & 1)) continue;
            if (single)
                fetch(s, m, file, &c);
            else if (!combine(s, m, file, &c))
                return SIZE_MAX;
            at = write_one(m, &c, single, at);
        }
    }
    return all_heard(s) ? (size_t)((uint8_t *)at - to) : SIZE_MAX;
}

/* What no rank knew, and each said with -1, is not known. */
static void clamp(const iol__layout *layout, combined *c) {
    const iol__module *module = &iol__modules[layout->slot];
    int64_t *ints = ints_of(layout, c);
    for (unsigned i = 0; i < module->ints; i++)
        if (module->counters[i].reduce == IOL_REDUCE_SUM && ints[i] < 0) ints[i] = -1;
}

static void finish(const iol__layout *layout, combined *c, uint64_t ranks) {
    const iol__roles *roles = iol__modules[layout->slot].roles;
    clamp(layout, c);
    for (int which = 0; which < TABLES; which++)
        if (c->sets[which].n) choose(&c->sets[which], (size_t)table_of(layout, which)->width);
    put_values(layout, c);
    if (!roles->traffic || roles->variance_time < 0) return;
    const iol__spread time = load(c->sums), bytes = load(c->sums + SUMS / 2);
    reals_of(layout, c)[roles->variance_time] = iol__spread_variance(&time, ranks) * 0x1p-56;
    reals_of(layout, c)[roles->variance_bytes] = iol__spread_variance(&bytes, ranks);
}

bool iol__shared_each(iol__shared *s, uint64_t ranks, void (*use)(int slot, const uint64_t *record, void *context),
                      void *context) {
    static combined c;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__shared_module *m = &s->modules[slot];
        for (size_t file = 0; m->count && file < s->files; file++) {
            if (!(s->masks[file] >> slot & 1)) continue;
            if (!combine(s, m, file, &c)) return false;
            finish(m->layout, &c, ranks);
            use(slot, c.record, context);
        }
    }
    return all_heard(s);
}
