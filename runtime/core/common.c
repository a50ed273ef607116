/* The less common values: those that were not seen last, or do not stand first. */
#include "runtime/core/common.h"

#include <string.h>

#include "runtime/core/files.h"

static iol__common_pair *pair(iol__common_table *table, uint32_t i) {
    return i < IOL_COMMON_FIRST ? &table->first[i] : &table->more[i - IOL_COMMON_FIRST];
}

iol__common_pair *iol__common_find(iol__common_table *table, int64_t value) {
    for (uint32_t i = 0; i < table->known; i++)
        if (pair(table, i)->value == value) return table->last = pair(table, i);
    if (table->known == IOL_COMMON_ALL) return NULL;
    if (table->known >= IOL_COMMON_FIRST && !table->more) {
        if (!iol__files_enter()) return NULL;
        table->more = iol__files_memory((IOL_COMMON_ALL - IOL_COMMON_FIRST) * sizeof *table->more);
        iol__files_leave();
        if (!table->more) return NULL;
    }
    table->last = pair(table, table->known++);
    *table->last = (iol__common_pair){value, 0};
    return table->last;
}

void iol__common_place(int64_t *values, int64_t *counts, int64_t value, int64_t count) {
    int64_t old_values[4], old_counts[4];
    memcpy(old_values, values, sizeof old_values);
    memcpy(old_counts, counts, sizeof old_counts);
    int at = 0;
    while (at < 4 && old_values[at] != value &&
           (old_counts[at] > count || (old_counts[at] == count && old_values[at] > value)))
        at++;
    if (at == 4) return;
    values[at] = value;
    counts[at] = count;
    for (int from = at, to = at + 1; to < 4 && from < 4; from++) {
        if (old_values[from] == value) continue;
        values[to] = old_values[from];
        counts[to++] = old_counts[from];
    }
}
