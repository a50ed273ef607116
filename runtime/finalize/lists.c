/* Every kind of list has its own way of becoming one. */
#include "runtime/finalize/lists.h"

#include <string.h>

#include "iolite/module.h"
#include "record/custom.h"
#include "record/hash.h"
#include "record/mapped.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"
#include "runtime/finalize/platform.h"
#include "runtime/finalize/survey.h"
#include "runtime/mpiio/mpiio.h"
#include "runtime/finalize/memory.h"

enum { MOST = 16 << 20, FIRST = 4096, LINES = 1 << 14 };

/* Room ------------------------------------------------------------------------------------------------------------- */

static uint8_t *make_room(iol__list *list, size_t more) {
    if (list->used + more > MOST) return NULL;
    if (list->used + more > list->room) {
        size_t room = list->room ? list->room : FIRST;
        while (room < list->used + more) room *= 2;
        uint8_t *bytes = iol__memory_grow(list->bytes, list->room, room);
        if (!bytes) return NULL;
        list->bytes = bytes;
        list->room = room;
    }
    return list->bytes + list->used;
}

static void append(iol__list *list, const void *bytes, size_t length) {
    uint8_t *to = length ? make_room(list, length) : NULL;
    if (!to) {
        list->dropped += length;
        return;
    }
    memcpy(to, bytes, length);
    list->used += length;
}

/* What a list was is put together with another one in new memory. */
static iol__list begin_again(iol__list *list) {
    const iol__list before = *list;
    *list = (iol__list){.dropped = before.dropped};
    return before;
}

static void forget(iol__list *list) { iol__memory_back(list->bytes, list->room); }

/* Pairs: of two sizes of the same file that of the lower rank, of two times at which it was removed the later --------- */

static void merge_pairs(iol__list *list, bool times, const uint8_t *bytes, size_t length) {
    iol__list ours = begin_again(list);
    iol__file_pair a, b;
    size_t i = 0, j = 0;
    while (i + sizeof a <= ours.used || j + sizeof b <= length) {
        const bool have_a = i + sizeof a <= ours.used, have_b = j + sizeof b <= length;
        if (have_a) memcpy(&a, ours.bytes + i, sizeof a);
        if (have_b) memcpy(&b, bytes + j, sizeof b);
        const bool take_a = have_a && (!have_b || a.id <= b.id), both = take_a && have_b && a.id == b.id;
        append(list, take_a && !(both && times && b.time > a.time) ? &a : &b, sizeof a);
        if (have_b && (!take_a || both)) j += sizeof b;
        if (take_a) i += sizeof a;
    }
    forget(&ours);
}

/* The store has them in the order of opening, or of removing. Sorted one into the other, they are in the order of ids. */
static void own_pairs(iol__list *list, const iol__area *area, bool times, double shift) {
    const size_t count = area->used / sizeof(iol__file_pair);
    if (count == 0) return;
    const iol__file_pair *pairs = (const iol__file_pair *)(const void *)(iol__store_state.base + area->at);
    const size_t bytes = count * (3 * sizeof(uint64_t) + sizeof(uint32_t));
    uint64_t *ids = iol__memory_take(bytes);
    if (!ids) {
        list->dropped += area->used;
        return;
    }
    uint64_t *scratch = ids + count;
    uint32_t *places = (uint32_t *)(void *)(scratch + 2 * count);
    for (size_t i = 0; i < count; i++) {
        ids[i] = pairs[i].id;
        places[i] = (uint32_t)i;
    }
    iol__sort_ids(ids, places, scratch, count);
    for (size_t i = 0, next; i < count; i = next) {
        iol__file_pair one = pairs[places[i]];
        for (next = i + 1; next < count && ids[next] == ids[i]; next++)
            if (times && pairs[places[next]].time > one.time) one = pairs[places[next]];
        if (times) one.time += shift;
        append(list, &one, sizeof one);
    }
    iol__memory_back(ids, bytes);
}

/* Custom modules: lists one after the other are one ---------------------------------------------------------------- */

static void move_time(uint8_t *at, double shift) {
    double time;
    memcpy(&time, at, sizeof time);
    if (time != 0) time += shift;
    memcpy(at, &time, sizeof time);
}

/* The kinds of a module's counters, by its number. */
typedef struct kinds {
    const uint8_t *of;
    uint32_t count;
} kinds;

static void move_block(const iol__custom_head *head, uint8_t *block, kinds modules[IOL_CUSTOM_MODULES], double shift) {
    const iol__custom_schema *schema = (const iol__custom_schema *)(const void *)block;
    const uint32_t number = schema->module;
    if (number >= IOL_CUSTOM_MODULES || head->kind == IOL_CUSTOM_RANK) return;
    if (head->kind == IOL_CUSTOM_SCHEMA) modules[number] = (kinds){(const uint8_t *)(schema + 1), schema->counters};
    if (head->kind == IOL_CUSTOM_SPAN) {
        iol__custom_span *span = (iol__custom_span *)(void *)block;
        if (span->end >= span->begin) span->end += shift;
        span->begin += shift;
    }
    if (head->kind != IOL_CUSTOM_RECORD) return;
    for (uint32_t i = 0; i < modules[number].count; i++)
        if (modules[number].of[i] == IOLITE_INSTANT) move_time(block + sizeof(iol__custom_record) + 8 * i, shift);
}

static void own_custom(iol__list *list, int rank, double shift) {
    const iol__area *area = &iol__store_state.custom;
    kinds modules[IOL_CUSTOM_MODULES] = {0};
    if (area->used == 0) return;
    append(list, &(iol__custom_rank){{IOL_CUSTOM_RANK, sizeof(iol__custom_rank)}, rank}, sizeof(iol__custom_rank));
    const size_t from = list->used;
    append(list, iol__store_state.base + area->at, area->used);
    for (size_t at = from; at + sizeof(iol__custom_head) <= list->used;) {
        iol__custom_head head;
        memcpy(&head, list->bytes + at, sizeof head);
        if (head.bytes < sizeof head || head.bytes > list->used - at) return;
        move_block(&head, list->bytes + at, modules, shift);
        at += head.bytes;
    }
}

/* Hints: most ranks say the same ----------------------------------------------------------------------------------- */

static void merge_hints(iol__list *list, const char *text, size_t length) {
    static uint64_t seen[LINES];
    static size_t n_seen;
    if (list->used == 0) {
        memset(seen, 0, sizeof seen);
        n_seen = 0;
    }
    for (const char *end; length > 0; length -= (size_t)(end - text), text = end) {
        const char *stop = memchr(text, '\n', length);
        end = stop ? stop + 1 : text + length;
        const uint64_t hash = iol__hash(text, (size_t)(end - text), 0) | 1;
        size_t at = hash >> 1 & (LINES - 1);
        while (seen[at] && seen[at] != hash) at = (at + 1) & (LINES - 1);
        if (seen[at]) continue;
        if (n_seen < LINES / 2) seen[at] = hash, n_seen++;
        append(list, text, (size_t)(end - text));
    }
}

/* Hosts ------------------------------------------------------------------------------------------------------------ */

static void add_host(iol__list *list, const char *name, uint32_t ranks) {
    const size_t length = strnlen(name, 255);
    const uint32_t bytes = (uint32_t)((sizeof(iol__host) + length + 8) & ~(size_t)7);
    uint8_t *to = make_room(list, bytes);
    if (!to) {
        list->dropped += bytes;
        return;
    }
    memset(to, 0, bytes);
    iol__host *host = (iol__host *)(void *)to;
    *host = (iol__host){.ranks = ranks, .bytes = bytes};
    memcpy(host->name, name, length);
    list->used += bytes;
}

static const iol__host *host_at(const uint8_t *bytes, size_t length, size_t at) {
    const iol__host *host = (const iol__host *)(const void *)(bytes + at);
    if (at + sizeof *host > length || host->bytes < sizeof *host + 8 || host->bytes > length - at) return NULL;
    return bytes[at + host->bytes - 1] == 0 ? host : NULL;
}

static void merge_hosts(iol__list *list, const uint8_t *bytes, size_t length) {
    iol__list ours = begin_again(list);
    size_t i = 0, j = 0;
    for (;;) {
        const iol__host *a = host_at(ours.bytes, ours.used, i), *b = host_at(bytes, length, j);
        if (!a && !b) break;
        const int order = !a ? 1 : !b ? -1 : iol__host_order(a->name, b->name);
        const iol__host *first = order <= 0 ? a : b;
        add_host(list, first->name, first->ranks + (order == 0 ? b->ranks : 0));
        if (order <= 0) i += a->bytes;
        if (order >= 0) j += b->bytes;
    }
    forget(&ours);
}

/* Ranks ------------------------------------------------------------------------------------------------------------ */

static void merge_ranks(iol__list *list, const uint8_t *bytes, size_t length) {
    for (size_t at = 0; at + sizeof(iol__rt_ranks) <= length; at += sizeof(iol__rt_ranks)) {
        iol__rt_ranks more;
        memcpy(&more, bytes + at, sizeof more);
        iol__rt_ranks *last = list->used ? (iol__rt_ranks *)(void *)(list->bytes + list->used - sizeof more) : NULL;
        if (last && last->last + 1 == more.first)
            last->last = more.last;
        else
            append(list, &more, sizeof more);
    }
}

/* All of them ------------------------------------------------------------------------------------------------------ */

void iol__lists_own(iol__lists *lists, int rank, double shift, const char *host, bool absent) {
    const char *hints;
    const size_t hint_bytes = iol__mpiio_hints(&hints);
    if (iol__store_state.made) {
        own_pairs(&lists->of[IOL_LIST_SIZES], &iol__store_state.sizes, false, 0);
        own_pairs(&lists->of[IOL_LIST_REMOVED], &iol__store_state.removed, true, shift);
        own_custom(&lists->of[IOL_LIST_CUSTOM], rank, shift);
    }
    if (hint_bytes) merge_hints(&lists->of[IOL_LIST_HINTS], hints, hint_bytes);
    add_host(&lists->of[IOL_LIST_HOSTS], host, 1);
    if (absent) append(&lists->of[IOL_LIST_ABSENT], &(iol__rt_ranks){rank, rank}, sizeof(iol__rt_ranks));
}

void iol__lists_merge(iol__lists *lists, int which, const uint8_t *bytes, size_t length, uint64_t dropped) {
    iol__list *list = &lists->of[which];
    list->dropped += dropped;
    if (length == 0) return;
    switch (which) {
    case IOL_LIST_SIZES: merge_pairs(list, false, bytes, length); break;
    case IOL_LIST_REMOVED: merge_pairs(list, true, bytes, length); break;
    case IOL_LIST_CUSTOM: append(list, bytes, length); break;
    case IOL_LIST_HINTS: merge_hints(list, (const char *)bytes, length); break;
    case IOL_LIST_HOSTS: merge_hosts(list, bytes, length); break;
    default: merge_ranks(list, bytes, length); break;
    }
}
