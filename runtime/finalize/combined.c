/* Records are unpacked to be combined: straight loops over all words are faster than to look at each word that is there. */
#include "runtime/finalize/combined.h"

enum { TABLES = IOL_COMBINED_TABLES, SUMS = IOL_COMBINED_SUMS, MAPS = IOL_COMBINED_MAPS, GROUP = 8 };

_Static_assert(1120 / 8 + SUMS <= IOL_COMBINED_WORDS, "the longest record");
_Static_assert(IOL_COMBINED_WORDS < 64 * MAPS, "its map");

/* What is where ---------------------------------------------------------------------------------------------------- */

/* Bits of the map: the words of the record but for id and rank, the sums, and whether common values follow. */
static size_t sums_bit(const iol__layout *layout) { return layout->words - 2u; }
static size_t beyond_bit(const iol__layout *layout) { return layout->words - 2u + SUMS; }
static size_t map_bytes(const iol__layout *layout) { return beyond_bit(layout) / 8 + 1; }

static uint64_t *sums_of(const iol__layout *layout, iol__combined *c) { return c->record + layout->words; }

static int64_t *ints_of(const iol__layout *layout, iol__combined *c) {
    return (int64_t *)(void *)(c->record + layout->ints);
}

static double *reals_of(const iol__layout *layout, iol__combined *c) {
    return (double *)(void *)(c->record + layout->reals);
}

static const iol__common *table_of(const iol__layout *layout, int which) {
    const iol__roles *roles = iol__modules[layout->slot].roles;
    return roles->traffic && roles->common[which].values >= 0 ? &roles->common[which] : NULL;
}

static void set_bits(uint64_t *map, size_t from, size_t count) {
    for (size_t bit = from; bit < from + count; bit++) map[bit / 64] |= UINT64_C(1) << (bit % 64);
}

void iol__combining_start(iol__combining *how, int slot, bool lowest) {
    const iol__layout *layout = iol__layout_of(slot);
    const iol__module *module = &iol__modules[slot];
    const size_t ints = layout->ints - 2u;
    *how = (iol__combining){.layout = layout};
    iol__reduction_start(&how->how, slot, IOL_RULES_SHARED);
    if (lowest) set_bits(how->sent, 0, sums_bit(layout));
    for (size_t bit = ints; bit < sums_bit(layout); bit++) {
        const size_t counter = bit - ints;
        const unsigned reduce = counter < (size_t)module->ints + module->reals ? module->counters[counter].reduce : 0;
        if (reduce != IOL_REDUCE_ONE_SIDE) set_bits(how->sent, bit, 1);
    }
    memcpy(how->joined, how->sent, sizeof how->joined);
    set_bits(how->joined, sums_bit(layout), SUMS);
    set_bits(how->reals, layout->reals - 2u, module->reals);
    set_bits(how->words, 0, beyond_bit(layout));
    for (unsigned i = 0; i < layout->n_stamps; i++) set_bits(how->stamps, layout->stamps[i] - 2u, 1);
}

/* Messages --------------------------------------------------------------------------------------------------------- */

/* More than it needs, and then what follows. */
static uint8_t *put_map(const iol__layout *layout, uint8_t *to, const uint64_t *map) {
    const uint64_t words[MAPS] = {htole64(map[0]), htole64(map[1]), htole64(map[2])};
    memcpy(to, words, sizeof words);
    return to + map_bytes(layout);
}

/* Which of eight words are not zero; of most eights none is. */
static uint64_t not_zero(const uint64_t *w) {
    if (!(w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7])) return 0;
    const int low = (w[0] != 0) | (w[1] != 0) << 1 | (w[2] != 0) << 2 | (w[3] != 0) << 3;
    const int high = (w[4] != 0) | (w[5] != 0) << 1 | (w[6] != 0) << 2 | (w[7] != 0) << 3;
    return (uint64_t)(low | high << 4);
}

static void find_words(const uint64_t *record, const uint64_t *among, size_t count, uint64_t *map) {
    size_t at = 0;
    for (; at + GROUP <= count; at += GROUP) map[at / 64] |= not_zero(record + 2 + at) << (at % 64);
    for (; at < count; at++) map[at / 64] |= (uint64_t)(record[2 + at] != 0) << (at % 64);
    for (int i = 0; i < MAPS; i++) map[i] &= among[i];
}

static uint8_t *put_words(const iol__combining *how, const uint64_t *record, const uint64_t *map, double shift,
                          uint8_t *to) {
    for (int i = 0; i < MAPS; i++) {
        const uint64_t reals = how->reals[i], *words = record + 2 + 64 * i;
        for (uint64_t left = map[i]; left; left &= left - 1) {
            const int bit = __builtin_ctzll(left);
            uint64_t word = words[bit];
            if (reals >> bit & 1)
                word = iol__word_turned(how->stamps[i] >> bit & 1 ? iol__layout_moved(word, shift) : word);
            to = iol__word_put(to, word);
        }
    }
    return to;
}

uint8_t *iol__combined_pack(const iol__combining *how, const uint64_t *record, double shift, uint8_t *to) {
    uint64_t map[MAPS] = {0};
    find_words(record, how->sent, sums_bit(how->layout), map);
    return put_words(how, record, map, shift, put_map(how->layout, to, map));
}

static uint8_t *put_beyond(const iol__layout *layout, const iol__combined *c, uint8_t *to) {
    uint8_t *numbers = to++;
    *numbers = 0;
    for (int which = 0; which < TABLES; which++) {
        const iol__values *set = &c->sets[which];
        const size_t width = table_of(layout, which) ? (size_t)table_of(layout, which)->width : 0;
        for (size_t i = IOL_VALUES_RECORD; i < set->n; i++) {
            to = iol__word_put(to, set->counts[i]);
            for (size_t k = 0; k < width; k++) to = iol__word_put(to, set->values[i * width + k]);
            *numbers = (uint8_t)(*numbers + (1 << (4 * which)));
        }
    }
    return to;
}

/* The first ones of a set are those of the record. */
static void put_values(const iol__layout *layout, iol__combined *c) {
    for (int which = 0; which < TABLES; which++) {
        const iol__common *t = table_of(layout, which);
        if (!t || c->sets[which].n == 0) continue;
        const size_t width = (size_t)t->width,
                     n = c->sets[which].n < IOL_VALUES_RECORD ? c->sets[which].n : IOL_VALUES_RECORD;
        uint64_t *ints = c->record + layout->ints;
        memcpy(ints + t->values, c->sets[which].values, n * width * sizeof *ints);
        memcpy(ints + t->counts, c->sets[which].counts, n * sizeof *ints);
    }
}

uint8_t *iol__combined_write(const iol__combining *how, iol__combined *c, uint8_t *to) {
    const iol__layout *layout = how->layout;
    const bool beyond = c->sets[0].n > IOL_VALUES_RECORD || c->sets[1].n > IOL_VALUES_RECORD;
    uint64_t map[MAPS] = {0};
    put_values(layout, c);
    find_words(c->record, how->joined, beyond_bit(layout), map);
    map[beyond_bit(layout) / 64] |= (uint64_t)beyond << (beyond_bit(layout) % 64);
    to = put_map(layout, to, map);
    map[beyond_bit(layout) / 64] &= how->words[beyond_bit(layout) / 64];
    to = put_words(how, c->record, map, 0, to);
    return beyond ? put_beyond(layout, c, to) : to;
}

static const uint8_t *get_beyond(const iol__layout *layout, iol__combined *c, const uint8_t *at) {
    const uint8_t numbers = *at++;
    for (int which = 0; which < TABLES; which++) {
        const iol__common *t = table_of(layout, which);
        const unsigned count = numbers >> (4 * which) & 15;
        if (count > IOL_VALUES_BEYOND || (count && !t)) return NULL;
        for (size_t i = 0, n = t ? count * (1 + (size_t)t->width) : 0; i < n; i++)
            at = iol__word_get(at, &c->beyond[which][i]);
        c->n_beyond[which] = (uint8_t)count;
    }
    return at;
}

/* IOL_COMBINED_MOST bytes can be read there, whether they belong to it or not. */
static const uint8_t *get(const iol__combining *how, iol__combined *c, const uint8_t *at) {
    const iol__layout *layout = how->layout;
    const size_t last = beyond_bit(layout);
    uint64_t map[MAPS];
    memcpy(map, at, sizeof map);
    at += map_bytes(layout);
    const bool beyond = le64toh(map[last / 64]) >> (last % 64) & 1;
    memset(c->record, 0, (layout->words + (size_t)SUMS) * sizeof *c->record);
    memset(c->n_beyond, 0, sizeof c->n_beyond);
    for (int i = 0; i < MAPS; i++) {
        const uint64_t reals = how->reals[i];
        uint64_t *words = c->record + 2 + 64 * i;
        for (uint64_t left = le64toh(map[i]) & how->words[i]; left; left &= left - 1) {
            uint64_t word;
            at = iol__word_get(at, &word);
            words[__builtin_ctzll(left)] = reals & left & -left ? iol__word_turned(word) : word;
        }
    }
    return beyond ? get_beyond(layout, c, at) : at;
}

static void put_sum(uint64_t *to, int64_t value) {
    iol__pack_spread spread = {0};
    iol__spread_add(&spread, value);
    iol__spread_save(&spread, to);
}

/* Fastest and slowest rank is this one, and sums have its values alone. */
static void prepare(const iol__layout *layout, iol__combined *c, int64_t rank) {
    const iol__roles *roles = iol__modules[layout->slot].roles;
    int64_t *ints = ints_of(layout, c);
    double *reals = reals_of(layout, c);
    if (!roles->traffic) return;
    const double time = reals[roles->read_time] + reals[roles->write_time] + reals[roles->meta_time];
    const int64_t bytes = (int64_t)((uint64_t)ints[roles->bytes_read] + (uint64_t)ints[roles->bytes_written]);
    ints[roles->fastest_rank] = ints[roles->slowest_rank] = rank;
    ints[roles->fastest_bytes] = ints[roles->slowest_bytes] = bytes;
    reals[roles->fastest_time] = reals[roles->slowest_time] = time;
    put_sum(sums_of(layout, c), iol__spread_time(time));
    put_sum(sums_of(layout, c) + IOL_SPREAD_WORDS, bytes);
}

/* The end of a message is read from a copy with zeros behind it. */
bool iol__combined_read(const iol__combining *how, iol__combined *c, const uint8_t **at, const uint8_t *end,
                        int64_t rank) {
    static uint8_t tail[2 * IOL_COMBINED_MOST];
    const size_t left = (size_t)(end - *at);
    const uint8_t *from = *at;
    if (left < IOL_COMBINED_MOST) {
        memcpy(tail, *at, left);
        memset(tail + left, 0, sizeof tail - left);
        from = tail;
    }
    const uint8_t *behind = get(how, c, from);
    if (!behind || (size_t)(behind - from) > left) return false;
    *at += behind - from;
    if (rank >= 0) prepare(how->layout, c, rank);
    return true;
}

/* Several of them -------------------------------------------------------------------------------------------------- */

static void add_value(iol__values *set, const uint64_t *value, uint64_t count, size_t width) {
    if (value[0]) iol__values_add(set, value, count, width);
}

static void add_values(const iol__layout *layout, iol__combined *to, const iol__combined *from) {
    for (int which = 0; which < TABLES; which++) {
        const iol__common *t = table_of(layout, which);
        if (!t) continue;
        const size_t width = (size_t)t->width;
        const uint64_t *values = from->record + layout->ints + t->values,
                       *counts = from->record + layout->ints + t->counts;
        for (size_t i = 0; i < IOL_VALUES_RECORD; i++)
            add_value(&to->sets[which], values + i * width, counts[i], width);
        const uint64_t *beyond = from->beyond[which];
        for (size_t i = 0; i < from->n_beyond[which]; i++, beyond += 1 + width)
            add_value(&to->sets[which], beyond + 1, beyond[0], width);
    }
}

void iol__combined_open(const iol__combining *how, iol__combined *c) {
    c->sets[0].n = c->sets[1].n = 0;
    add_values(how->layout, c, c);
}

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

void iol__combined_merge(const iol__combining *how, iol__combined *ours, const iol__combined *theirs) {
    const iol__layout *layout = how->layout;
    const iol__roles *roles = iol__modules[layout->slot].roles;
    int64_t *ints = ints_of(layout, ours);
    double *reals = reals_of(layout, ours);
    const int64_t *more_ints = (const int64_t *)(const void *)(theirs->record + layout->ints);
    const double *more_reals = (const double *)(const void *)(theirs->record + layout->reals);
    iol__reduction_combine(&how->how, ints, reals, more_ints, more_reals, false);
    if (roles->traffic) merge_extremes(roles, ints, reals, more_ints, more_reals);
    for (int i = 0; i < SUMS; i += IOL_SPREAD_WORDS)
        iol__spread_join_words(sums_of(layout, ours) + i, theirs->record + layout->words + i);
    add_values(layout, ours, theirs);
}

/* What no rank knew, and each said with -1, is not known. */
static void clamp(const iol__layout *layout, iol__combined *c) {
    const iol__module *module = &iol__modules[layout->slot];
    int64_t *ints = ints_of(layout, c);
    for (unsigned i = 0; i < module->ints; i++)
        if (module->counters[i].reduce == IOL_REDUCE_SUM && ints[i] < 0) ints[i] = -1;
}

void iol__combined_finish(const iol__combining *how, iol__combined *c, uint64_t ranks) {
    const iol__layout *layout = how->layout;
    const iol__roles *roles = iol__modules[layout->slot].roles;
    clamp(layout, c);
    for (int which = 0; which < TABLES; which++)
        if (c->sets[which].n) iol__values_choose(&c->sets[which], (size_t)table_of(layout, which)->width);
    put_values(layout, c);
    if (!roles->traffic || roles->variance_time < 0) return;
    const uint64_t *sums = sums_of(layout, c);
    const iol__pack_spread time = iol__spread_load(sums), bytes = iol__spread_load(sums + IOL_SPREAD_WORDS);
    reals_of(layout, c)[roles->variance_time] = iol__spread_variance(&time, ranks) * 0x1p-56;
    reals_of(layout, c)[roles->variance_bytes] = iol__spread_variance(&bytes, ranks);
}
