/* A record on its way has room behind it for sums and further common values. In messages it is a map of the words that
   are not zero, those words, and the common values that the record itself has no room for. */
#include "runtime/finalize/shared.h"

#include <string.h>

#include "runtime/finalize/memory.h"
#include "runtime/finalize/values.h"

enum {
    SUMS = 2 * IOL_SPREAD_WORDS, /* of time, then of bytes */
    TABLES = 2,
    MOST_WORDS = 160,
    MAP_MOST = 3,     /* words of the map */
    OWN_BLOCK = 8192, /* words of own records at a time */
};

typedef struct combined {
    uint64_t record[MOST_WORDS]; /* as in the log */
    uint64_t map[MAP_MOST];      /* words of it, but for id and rank, that may not be zero */
    uint64_t sums[SUMS];
    const uint64_t *beyond[TABLES]; /* of a message: count and value, one behind the other */
    uint8_t n_beyond[TABLES];
    iol__values sets[TABLES];
} combined;

_Static_assert(1120 / 8 <= MOST_WORDS, "the longest record");

static void add_sums(uint64_t *to, const uint64_t *from) {
    for (int i = 0; i < SUMS; i += IOL_SPREAD_WORDS) {
        iol__spread sum = iol__spread_load(to + i);
        const iol__spread more = iol__spread_load(from + i);
        iol__spread_join(&sum, &more);
        iol__spread_save(&sum, to + i);
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
    iol__spread_save(&spread, to);
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
    put_sum(c->sums + IOL_SPREAD_WORDS, bytes);
}

/* Which ------------------------------------------------------------------------------------------------------------ */

/* What only one rank can say is said by the lowest, which is never the one that sends. */
static void find_sent(iol__shared_module *m) {
    const iol__layout *layout = m->layout;
    const iol__module *module = &iol__modules[layout->slot];
    for (size_t bit = (size_t)layout->ints - 2; bit + 2 < layout->words; bit++) {
        const size_t counter = bit + 2 - layout->ints;
        const unsigned reduce = counter < (size_t)module->ints + module->reals ? module->counters[counter].reduce : 0;
        const uint64_t mask = UINT64_C(1) << (bit % 64);
        if (reduce != IOL_REDUCE_ONE_SIDE) m->sent[bit / 64] |= mask;
        if (reduce == IOL_REDUCE_FASTEST || reduce == IOL_REDUCE_SLOWEST || reduce == IOL_REDUCE_COMMON4)
            m->made[bit / 64] |= mask;
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

/* Common values ---------------------------------------------------------------------------------------------------- */

static const iol__common *table_of(const iol__layout *layout, int which) {
    const iol__roles *roles = iol__modules[layout->slot].roles;
    return roles->traffic && roles->common[which].values >= 0 ? &roles->common[which] : NULL;
}

/* Those of a record, and those that came with it, into the set of another one, or its own. */
static void add_values(const iol__layout *layout, combined *to, const combined *from) {
    for (int which = 0; which < TABLES; which++) {
        const iol__common *t = table_of(layout, which);
        if (!t) continue;
        const size_t width = (size_t)t->width;
        const uint64_t *ints = from->record + layout->ints, *beyond = from->beyond[which];
        for (size_t i = 0; i < IOL_VALUES_RECORD; i++)
            iol__values_add(&to->sets[which], ints + t->values + i * width, ints[(size_t)t->counts + i], width);
        for (size_t i = 0; i < from->n_beyond[which]; i++, beyond += 1 + width)
            iol__values_add(&to->sets[which], beyond + 1, beyond[0], width);
    }
}

/* The first ones of a set are those of the record. */
static void put_values(const iol__layout *layout, combined *c) {
    for (int which = 0; which < TABLES; which++) {
        const iol__common *t = table_of(layout, which);
        if (!t) continue;
        const size_t width = (size_t)t->width,
                     n = c->sets[which].n < IOL_VALUES_RECORD ? c->sets[which].n : IOL_VALUES_RECORD;
        uint64_t *ints = c->record + layout->ints;
        memcpy(ints + t->values, c->sets[which].values, n * width * sizeof *ints);
        memcpy(ints + t->counts, c->sets[which].counts, n * sizeof *ints);
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

/* Two messages together, and what is not in them: extremes, sums, tables of single ranks. */
size_t iol__shared_bound(const iol__shared *s) {
    size_t words = 1 + s->own_words;
    if (s->n_messages == 0) return words * sizeof(uint64_t);
    words = 1;
    for (int i = 0; i < s->n_messages; i++) words += (size_t)(s->messages[i].end - s->messages[i].at);
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__shared_module *m = &s->modules[slot];
        size_t more = SUMS + 1;
        for (int which = 0; m->count && which < TABLES; which++)
            if (table_of(m->layout, which)) more += IOL_VALUES_BEYOND * (1 + (size_t)table_of(m->layout, which)->width);
        for (int i = 0; i < MAP_MOST; i++) more += (size_t)__builtin_popcountll(m->made[i]);
        words += m->count * more;
    }
    return words * sizeof(uint64_t);
}

static void scan(const iol__shared_module *m, combined *c) {
    const size_t count = sums_bit(m->layout);
    for (size_t from = 0; from < count; from += 64) {
        const size_t end = count - from < 64 ? count - from : 64;
        uint64_t bits = 0;
        for (size_t i = 0; i < end; i++) bits |= (uint64_t)(c->record[2 + from + i] != 0) << i;
        c->map[from / 64] = bits & m->sent[from / 64];
    }
}

static uint64_t *write_words(const iol__shared_module *m, const combined *c, uint64_t *restrict map,
                             uint64_t *restrict to) {
    for (size_t i = 0; 64 * i < sums_bit(m->layout); i++) {
        uint64_t written = 0;
        for (uint64_t bits = c->map[i]; bits; bits &= bits - 1) {
            const uint64_t word = c->record[2 + 64 * i + (size_t)__builtin_ctzll(bits)];
            *to = word;
            to += word != 0;
            written |= word ? bits & -bits : 0;
        }
        map[i] = written;
    }
    return to;
}

static uint64_t *write_one(const iol__shared_module *m, combined *c, bool single, uint64_t *to) {
    const iol__layout *layout = m->layout;
    uint64_t *map = to, *at = to + map_words(layout);
    memset(map, 0, map_words(layout) * sizeof *map);
    at = write_words(m, c, map, at);
    if (single) return at;
    for (size_t i = 0, bit = sums_bit(layout); i < SUMS; i++, bit++) {
        *at = c->sums[i];
        map[bit / 64] |= (uint64_t)(c->sums[i] != 0) << (bit % 64);
        at += c->sums[i] != 0;
    }
    if (c->sets[0].n <= IOL_VALUES_RECORD && c->sets[1].n <= IOL_VALUES_RECORD) return at;
    map[beyond_bit(layout) / 64] |= UINT64_C(1) << (beyond_bit(layout) % 64);
    uint64_t *numbers = at++;
    *numbers = 0;
    for (int which = 0; which < TABLES; which++) {
        const iol__values *s = &c->sets[which];
        const size_t width = table_of(layout, which) ? (size_t)table_of(layout, which)->width : 0;
        for (size_t i = IOL_VALUES_RECORD; i < s->n; i++) {
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
        if (count > IOL_VALUES_BEYOND || (count && !t) || (size_t)(end - *at) < words) return false;
        c->beyond[which] = *at;
        c->n_beyond[which] = (uint8_t)count;
        *at += words;
    }
    return true;
}

static bool read_one(const iol__shared_module *m, combined *c, const uint64_t **at, const uint64_t *end) {
    const iol__layout *layout = m->layout;
    const size_t maps = map_words(layout), last = beyond_bit(layout);
    if ((size_t)(end - *at) < maps) return false;
    const uint64_t *map = *at, *from = map + maps;
    memset(c->record, 0, layout->words * sizeof *c->record);
    memset(c->sums, 0, sizeof c->sums);
    memset(c->n_beyond, 0, sizeof c->n_beyond);
    memset(c->map, 0, sizeof c->map);
    for (size_t i = 0; i < maps; i++) {
        uint64_t left = map[i];
        if (i == last / 64) left &= (UINT64_C(1) << (last % 64)) - 1;
        c->map[i] = left & m->sent[i];
        if ((size_t)(end - from) < (size_t)__builtin_popcountll(left)) return false;
        for (; left; left &= left - 1) {
            const size_t bit = 64 * i + (size_t)__builtin_ctzll(left);
            *(bit < sums_bit(layout) ? &c->record[2 + bit] : &c->sums[bit - sums_bit(layout)]) = *from++;
        }
    }
    *at = from;
    return !(map[last / 64] >> (last % 64) & 1) || read_beyond(layout, c, at, end);
}

/* The record of one rank as it is sent: without what follows from it, and without what others do not need. Done when the
   store is gone through from its beginning to its end, because that is what processors are good at. */
void iol__shared_take(iol__shared *s, int slot, size_t file, const uint64_t *record) {
    static combined c;
    iol__shared_module *m = &s->modules[slot];
    if (m->count == 0 || !(s->masks[file] >> slot & 1)) return;
    m->own[file] = record;
    if (s->rank == 0) return;
    if (s->own_left < MAP_MOST + MOST_WORDS) {
        s->own_at = iol__memory_take(OWN_BLOCK * sizeof *s->own_at);
        s->own_left = s->own_at ? OWN_BLOCK : 0;
        s->damaged |= !s->own_at;
    }
    if (s->damaged) return;
    memcpy(c.record, record, m->layout->words * sizeof *record);
    iol__layout_place(m->layout, c.record, -1, s->shift);
    scan(m, &c);
    const size_t words = (size_t)(write_one(m, &c, true, s->own_at) - s->own_at);
    m->own[file] = s->own_at;
    s->own_at += words;
    s->own_left -= words;
    s->own_words += words;
}

static size_t words_of_own(const iol__layout *layout, const uint64_t *own) {
    size_t words = map_words(layout);
    for (size_t i = 0; i < map_words(layout); i++) words += (size_t)__builtin_popcountll(own[i]);
    return words;
}

/* A message begins with the rank that it is of, or -1 if it is of several: of one alone the record says it all. */
static void own_message(const iol__shared *s, uint64_t *at, iol__shared_message *message) {
    *message = (iol__shared_message){at + 1, NULL, s->rank};
    *at++ = (uint64_t)s->rank;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__shared_module *m = &s->modules[slot];
        for (size_t file = 0; m->count && file < s->files; file++) {
            const size_t words = m->own[file] ? words_of_own(m->layout, m->own[file]) : 0;
            if (words) memcpy(at, m->own[file], words * sizeof *at);
            at += words;
        }
    }
    message->end = at;
}

static bool read_message(const iol__shared_module *m, iol__shared_message *message, combined *c) {
    if (!read_one(m, c, &message->at, message->end)) return false;
    if (message->rank >= 0) prepare(m->layout, c, message->rank);
    return true;
}

/* Two messages become one. NULL if they make no sense. */
static uint64_t *fold_into(iol__shared *s, uint64_t *to) {
    static combined lower, higher; /* large */
    iol__shared_message *a = &s->messages[0], *b = &s->messages[1];
    *to++ = (uint64_t)-1;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__shared_module *m = &s->modules[slot];
        for (size_t file = 0; m->count && file < s->files; file++) {
            if (!(s->masks[file] >> slot & 1)) continue;
            if (!read_message(m, a, &lower) || !read_message(m, b, &higher)) return NULL;
            lower.sets[0].n = lower.sets[1].n = 0;
            add_values(m->layout, &lower, &lower);
            merge(m, &lower, &higher);
            put_values(m->layout, &lower);
            for (int i = 0; i < MAP_MOST; i++) lower.map[i] |= higher.map[i] | m->made[i];
            to = write_one(m, &lower, false, to);
        }
    }
    return a->at == a->end && b->at == b->end ? to : NULL;
}

bool iol__shared_fold(iol__shared *s) {
    if (s->damaged || s->n_messages < 2) return false;
    const size_t bytes = iol__shared_bound(s);
    uint64_t *to = iol__memory_take(bytes), *end = to ? fold_into(s, to) : NULL;
    iol__memory_back(s->folded, s->folded_bytes);
    s->folded = to;
    s->folded_bytes = bytes;
    s->damaged = !end;
    s->messages[0] = (iol__shared_message){to + 1, end, -1};
    s->messages[1] = s->messages[2];
    s->n_messages--;
    s->first_is_ours = true;
    return true;
}

void iol__shared_hear(iol__shared *s, const uint8_t *bytes, size_t length) {
    const uint64_t *at = (const uint64_t *)(const void *)bytes;
    if (s->rank > 0 && s->n_messages == 0) { /* our own comes before all others */
        uint64_t *own = iol__memory_take((s->own_words + 1) * sizeof *own);
        if (own) own_message(s, own, &s->messages[s->n_messages++]);
        s->first_is_ours = true;
        s->damaged |= !own;
    }
    if (s->n_messages == 3) iol__shared_fold(s);
    s->damaged |= length < sizeof *at;
    if (!s->damaged) s->messages[s->n_messages++] = (iol__shared_message){at + 1, at + length / 8, (int64_t)at[0]};
}

size_t iol__shared_write(iol__shared *s, uint8_t *to) {
    uint64_t *begin = (uint64_t *)(void *)to;
    if (s->n_messages == 3) iol__shared_fold(s);
    if (s->damaged) return SIZE_MAX;
    if (s->n_messages == 0) {
        iol__shared_message own;
        own_message(s, begin, &own);
        return (size_t)(own.end - begin) * sizeof *begin;
    }
    const uint64_t *end = fold_into(s, begin);
    return end ? (size_t)(end - begin) * sizeof *begin : SIZE_MAX;
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
        if (c->sets[which].n) iol__values_choose(&c->sets[which], (size_t)table_of(layout, which)->width);
    put_values(layout, c);
    if (!roles->traffic || roles->variance_time < 0) return;
    const iol__spread time = iol__spread_load(c->sums), bytes = iol__spread_load(c->sums + IOL_SPREAD_WORDS);
    reals_of(layout, c)[roles->variance_time] = iol__spread_variance(&time, ranks) * 0x1p-56;
    reals_of(layout, c)[roles->variance_bytes] = iol__spread_variance(&bytes, ranks);
}

/* The record of rank 0 itself with all that was heard of it. */
static bool combine(iol__shared *s, const iol__shared_module *m, size_t file, combined *ours) {
    static combined theirs; /* large */
    if (!m->own[file]) return false;
    memcpy(ours->record, m->own[file], m->layout->words * sizeof *ours->record);
    iol__layout_place(m->layout, ours->record, -1, s->shift);
    prepare(m->layout, ours, s->rank);
    if (s->n_messages) add_values(m->layout, ours, ours);
    for (int i = 0; i < s->n_messages; i++) {
        if (!read_message(m, &s->messages[i], &theirs)) return false;
        merge(m, ours, &theirs);
    }
    return true;
}

bool iol__shared_each(iol__shared *s, uint64_t ranks, void (*use)(int slot, const uint64_t *record, void *context),
                      void *context) {
    static combined c;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN && !s->damaged; slot++) {
        const iol__shared_module *m = &s->modules[slot];
        for (size_t file = 0; m->count && file < s->files; file++) {
            if (!(s->masks[file] >> slot & 1)) continue;
            if (!combine(s, m, file, &c)) return false;
            finish(m->layout, &c, ranks);
            use(slot, c.record, context);
        }
    }
    for (int i = 0; i < s->n_messages; i++) s->damaged |= s->messages[i].at != s->messages[i].end;
    return !s->damaged;
}
