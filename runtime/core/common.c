/* The common values of a file: keeping the four of its record in order, and counting the others. */
#include "runtime/core/common.h"

#include "runtime/core/files.h"

enum { OTHERS = IOL_COMMON_ALL - IOL_COMMON_PLACES };

static bool ahead(int64_t value, int64_t count, int64_t other, int64_t others) {
    return count > others || (count == others && value > other);
}

/* Moves what stands at `at` up as far as it belongs: by count, then by size. */
static void move_up(int64_t *values, int64_t *counts, int at) {
    const int64_t value = values[at], count = counts[at];
    for (; at > 0 && ahead(value, count, values[at - 1], counts[at - 1]); at--) {
        values[at] = values[at - 1];
        counts[at] = counts[at - 1];
    }
    values[at] = value;
    counts[at] = count;
}

static bool make_room(iol__common_table *table) {
    if (table->more) return true;
    if (!iol__files_enter()) return false;
    table->more = iol__files_charged(OTHERS * sizeof *table->more);
    iol__files_leave();
    return table->more;
}

/* The place of one of the others, known or new; NULL if there are 32 already. */
static iol__common_pair *other(iol__common_table *table, int64_t value) {
    for (int i = 0; i < table->others; i++)
        if (table->more[i].value == value) return &table->more[i];
    if (table->others + table->zero == OTHERS || !make_room(table)) return NULL;
    iol__common_pair *pair = &table->more[table->others++];
    *pair = (iol__common_pair){value, 0};
    return pair;
}

/* 0 is counted as seen while there is room for it, and nothing else. */
static void note_zero(iol__common_table *table) {
    if (table->others < OTHERS) table->zero = true;
}

void iol__common_more(iol__common_table *table, int64_t value, int64_t more, int64_t *values, int64_t *counts) {
    const int last = IOL_COMMON_PLACES - 1;
    int at = 0;
    if (value == 0) {
        note_zero(table);
        return;
    }
    while (at <= last && counts[at] > 0 && values[at] != value) at++;
    if (at <= last) {
        values[at] = value;
        counts[at] += more;
        move_up(values, counts, at);
        return;
    }
    iol__common_pair *pair = other(table, value);
    if (!pair || !ahead(value, pair->count += more, values[last], counts[last])) return;
    const iol__common_pair now = *pair;
    *pair = (iol__common_pair){values[last], counts[last]};
    values[last] = now.value;
    counts[last] = now.count;
    move_up(values, counts, last);
}

void iol__common_merge(iol__common_table *table, int64_t *values, int64_t *counts, const iol__common_table *from,
                       const int64_t *from_values, const int64_t *from_counts) {
    for (int i = 0; i < IOL_COMMON_PLACES; i++)
        if (from_counts[i] > 0) iol__common_more(table, from_values[i], from_counts[i], values, counts);
    for (int i = 0; i < from->others; i++)
        iol__common_more(table, from->more[i].value, from->more[i].count, values, counts);
}

/* A signal handler may fork in the middle: the child begins again. */
const iol__reduction *iol__common_sums_of(iol__common_sums *sums, int slot) {
    if (!sums->found) {
        iol__reduction_start(&sums->how, slot, IOL_RULES_TOTALS);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        sums->found = true;
    }
    return &sums->how;
}
