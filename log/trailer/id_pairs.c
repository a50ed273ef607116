/* The sections SIZE, GONE and WENT, and the same pairs in mapped files. */
#include "log/trailer/id_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "log/read/log_internal.h"
#include "log/read/names.h"
#include "record/mapped.h"
#include "record/removals.h"

enum { PAIR = 16, PAIRS_AT_ONCE = 256 };

static const struct {
    const char *tag, *what;
    size_t at, bytes; /* in the facts of a mapped file */
} kinds[] = {
    [IOL_PAIRS_SIZES] = {IOL_TAG_SIZES, "sizes of files", offsetof(iol__mapped, sizes_at),
                         offsetof(iol__mapped, sizes_bytes)},
    [IOL_PAIRS_REMOVED] = {IOL_TAG_REMOVED, "removed files", offsetof(iol__mapped, removed_at),
                           offsetof(iol__mapped, removed_bytes)},
};

static uint64_t id_pairs_little(const uint8_t *bytes) {
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--) value = value << 8 | bytes[i];
    return value;
}

static double id_pairs_time_of(int64_t bits) {
    double time;
    memcpy(&time, &bits, sizeof time);
    return time;
}

static int64_t id_pairs_bits_of(double time) {
    int64_t bits;
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

typedef struct id_pairs_adding {
    iol__id_pairs *pairs;
    iol__id_pairs_kind kind;
    double shift;
    bool good;
} id_pairs_adding;

static bool id_pairs_add(id_pairs_adding *a, uint64_t id, int64_t value) {
    iol__id_pairs *pairs = a->pairs;
    const bool times = a->kind == IOL_PAIRS_REMOVED;
    if (times && !isfinite(id_pairs_time_of(value))) return true;
    if (times) value = id_pairs_bits_of(id_pairs_time_of(value) + a->shift);
    const size_t known = pairs->ids.count, number = iol__idmap_add(&pairs->ids, id);
    if (number == IOL_IDMAP_NONE) return false;
    if (number < known) {
        if (times && id_pairs_time_of(value) > id_pairs_time_of(pairs->values[number])) pairs->values[number] = value;
        return true;
    }
    if (!IOL_GROW(pairs->values, pairs->room, number)) return false;
    pairs->values[number] = value;
    return true;
}

static bool add_id_pairs_section(iol_log *log, char *text, size_t length, void *context) {
    id_pairs_adding *a = context;
    const uint8_t *bytes = (const uint8_t *)text;
    if (length % PAIR)
        iol__fail(log, IOL_DAMAGED, -1, IOL_NO_OFFSET, "the %s take %zu bytes, which do not make pairs",
                  kinds[a->kind].what, length);
    for (size_t at = 0; a->good && at + PAIR <= length; at += PAIR)
        a->good = id_pairs_add(a, id_pairs_little(bytes + at), (int64_t)id_pairs_little(bytes + at + 8));
    return a->good;
}

/* A file that was removed, by the place of its name. */
typedef struct named_removal {
    int64_t place;
    double time;
} named_removal;

typedef struct named_removals {
    named_removal *of;
    size_t count, room;
} named_removals;

/* As far as there are whole numbers. */
static bool read_named_removals(iol_log *log, const uint8_t *at, const uint8_t *end, named_removals *all) {
    uint64_t place = 0, ticks = 0;
    while (at < end) {
        int64_t further, later;
        const uint8_t *next = iol__removal_number_take(at, end, &further);
        if (next) next = iol__removal_number_take(next, end, &later);
        if (!next) {
            iol__fail(log, IOL_DAMAGED, -1, IOL_NO_OFFSET, "the removed files end in the middle of one");
            return true;
        }
        if (!IOL_GROW(all->of, all->room, all->count)) return false;
        place += (uint64_t)further;
        ticks += (uint64_t)later;
        all->of[all->count++] = (named_removal){(int64_t)place, (double)(int64_t)ticks * IOL_REMOVAL_TICK};
        at = next;
    }
    return true;
}

static int by_place(const void *a, const void *b) {
    const named_removal *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

typedef struct removals_walk {
    id_pairs_adding *adding;
    const named_removals *all;
    size_t next;
    int64_t place; /* of the name that comes */
} removals_walk;

static bool match_removal(void *context, uint64_t id, const char *name, size_t length) {
    removals_walk *w = context;
    (void)name;
    const named_removal *of = w->all->of;
    for (; w->next < w->all->count && of[w->next].place <= w->place; w->next++)
        if (of[w->next].place == w->place && w->adding->good)
            w->adding->good = id_pairs_add(w->adding, id, id_pairs_bits_of(of[w->next].time));
    w->place += (int64_t)(sizeof id + length + 1);
    return w->adding->good && w->next < w->all->count;
}

static bool add_named_section(iol_log *log, char *text, size_t length, void *context) {
    id_pairs_adding *a = context;
    named_removals all = {0};
    a->good = read_named_removals(log, (const uint8_t *)text, (const uint8_t *)text + length, &all);
    if (a->good && all.count) {
        qsort(all.of, all.count, sizeof *all.of, by_place);
        iol__names_each(log, match_removal,
                        &(removals_walk){a, &all, 0, 0}); /* the log keeps what is wrong with them */
    }
    free(all.of);
    return a->good;
}

static uint64_t id_pairs_fact(const iol_log *log, size_t at) {
    uint64_t value;
    memcpy(&value, (const char *)log->facts + at, sizeof value);
    return value;
}

static bool add_mapped(iol_log *log, id_pairs_adding *a) {
    iol__file_pair pairs[PAIRS_AT_ONCE];
    const uint64_t from = id_pairs_fact(log, kinds[a->kind].at), end = log->info.file_bytes;
    uint64_t left = id_pairs_fact(log, kinds[a->kind].bytes);
    if (left == 0) return true;
    if (from < IOL_MAPPED_HEAD || from > end || left > end - from) {
        iol__fail(log, IOL_DAMAGED, -1, from, "%llu bytes of %s should be here, but the file ends at %llu",
                  (unsigned long long)left, kinds[a->kind].what, (unsigned long long)end);
        return true;
    }
    for (uint64_t at = from; left >= sizeof *pairs;) {
        const size_t take = left < sizeof pairs ? (size_t)left / sizeof *pairs * sizeof *pairs : sizeof pairs;
        if (iol__source_read(log->source, at, pairs, take) != (int64_t)take) return true;
        for (size_t i = 0; i < take / sizeof *pairs; i++)
            if (!id_pairs_add(a, pairs[i].id, pairs[i].value)) return false;
        at += take;
        left -= take;
    }
    return true;
}

bool iol__id_pairs_add(iol_log *log, iol__id_pairs_kind kind, double shift, iol__id_pairs *pairs) {
    id_pairs_adding a = {pairs, kind, shift, true};
    if (log->facts) return add_mapped(log, &a);
    iol__section_each(log, kinds[kind].tag, add_id_pairs_section, &a);
    if (a.good && kind == IOL_PAIRS_REMOVED) iol__section_each(log, IOL_TAG_REMOVED_NAMES, add_named_section, &a);
    return a.good;
}

static bool note_section(iol_log *log, char *text, size_t length, void *there) {
    (void)log;
    (void)text;
    *(bool *)there = length > 0;
    return false;
}

bool iol__id_pairs_by_name(iol_log *log) {
    bool there = false;
    iol__section_each(log, IOL_TAG_REMOVED_NAMES, note_section, &there);
    return there;
}

double iol__id_pairs_time(const iol__id_pairs *pairs, uint64_t id) {
    const size_t number = pairs->ids.count ? iol__idmap_find(&pairs->ids, id) : IOL_IDMAP_NONE;
    return number == IOL_IDMAP_NONE ? (double)NAN : id_pairs_time_of(pairs->values[number]);
}

void *iol__id_pairs_pack(const iol__id_pairs *pairs, const iol__idmap *only, size_t *length) {
    uint8_t *packed = malloc(pairs->ids.count * PAIR + 1), *to = packed;
    for (size_t i = 0; packed && i < pairs->ids.count; i++) {
        if (only && iol__idmap_find(only, pairs->ids.keys[i]) == IOL_IDMAP_NONE) continue;
        for (int byte = 0; byte < 8; byte++) {
            to[byte] = (uint8_t)(pairs->ids.keys[i] >> (8 * byte));
            to[8 + byte] = (uint8_t)((uint64_t)pairs->values[i] >> (8 * byte));
        }
        to += PAIR;
    }
    *length = packed ? (size_t)(to - packed) : 0;
    return packed;
}

void iol__id_pairs_free(iol__id_pairs *pairs) {
    iol__idmap_free(&pairs->ids);
    free(pairs->values);
}
