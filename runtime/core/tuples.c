/* Accesses by how often they occur. The order of the four, and that a size of zero uses a place in the table but never
   shows, is what logs have always had. */
#include "runtime/core/tuples.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "runtime/core/files.h"

static iol__tuple_count *entry(iol__tuples *table, uint32_t i) {
    return i < IOL_TUPLES_FIRST ? &table->first[i] : &table->more[i - IOL_TUPLES_FIRST];
}

static bool same(const void *a, const void *b) { return memcmp(a, b, sizeof(iol__tuple)) == 0; }

static bool make_room(iol__tuples *table) {
    if (table->known == IOL_TUPLES_ALL) return false;
    if (table->known < IOL_TUPLES_FIRST || table->more) return true;
    if (!iol__files_enter()) return false;
    table->more = iol__files_memory((IOL_TUPLES_ALL - IOL_TUPLES_FIRST) * sizeof *table->more);
    iol__files_leave();
    return table->more != NULL;
}

/* NULL if the access is a new one and there are 32 already. */
static iol__tuple_count *find(iol__tuples *table, const iol__tuple *access) {
    if (table->known && same(&entry(table, table->last)->value, access)) return entry(table, table->last);
    for (uint32_t i = 0; i < table->known; i++) {
        if (!same(&entry(table, i)->value, access)) continue;
        table->last = i;
        return entry(table, i);
    }
    if (!make_room(table)) return NULL;
    table->last = table->known++;
    iol__tuple_count *new = entry(table, table->last);
    *new = (iol__tuple_count){*access, 0};
    return new;
}

/* By count, then by size; the place that the access had before closes up. */
static void place(int64_t *values, int64_t *counts, const iol__tuple *access, int64_t count) {
    iol__tuple old[4];
    int64_t old_counts[4];
    memcpy(old, values, sizeof old);
    memcpy(old_counts, counts, sizeof old_counts);
    int at = 0;
    while (at < 4 && (old_counts[at] > count || (old_counts[at] == count && old[at].size > access->size))) at++;
    if (at == 4) return;
    memcpy(values + at * IOL_TUPLE_NUMBERS, access, sizeof *access);
    counts[at] = count;
    for (int from = at, to = at + 1; to < 4; from++) {
        if (same(&old[from], access)) continue;
        memcpy(values + to * IOL_TUPLE_NUMBERS, &old[from], sizeof *old);
        counts[to++] = old_counts[from];
    }
}

void iol__tuples_add(iol__tuples *table, const iol__tuple *access, int64_t *values, int64_t *counts) {
    iol__tuple_count *known = find(table, access);
    if (!known) return;
    const int64_t count = ++known->count;
    if (access->size == 0) return;
    if (same(values, access))
        counts[0] = count;
    else
        place(values, counts, access, count);
}

void iol__tuples_clear(iol__tuples *table) { table->known = table->last = 0; }
