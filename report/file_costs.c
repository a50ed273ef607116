/* The table of file costs: dense entries and a hash index of entry numbers over them, as the name table has it, so that
   throwing out the cheap half is a sort of the entries and a new index. */
#include "report/file_costs.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    iol__file_cost now;  /* the module being read */
    iol__file_cost best; /* the module with the longest time so far; slot -1 for none */
} entry;

struct iol__file_costs {
    entry *entries;
    size_t count, capacity, most;
    uint32_t *index; /* entry number + 1; 0 is free */
    size_t index_size;
    bool lossy;
};

enum { FIRST_ENTRIES = 256, SMALLEST = 16 };

static size_t place_of(const iol__file_costs *costs, uint64_t id) {
    return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (costs->index_size - 1);
}

static uint32_t *find(const iol__file_costs *costs, uint64_t id) {
    size_t at = place_of(costs, id);
    while (costs->index[at] && costs->entries[costs->index[at] - 1].now.id != id)
        at = (at + 1) & (costs->index_size - 1);
    return &costs->index[at];
}

static void index_all(iol__file_costs *costs) {
    memset(costs->index, 0, costs->index_size * sizeof *costs->index);
    for (size_t i = 0; i < costs->count; i++) *find(costs, costs->entries[i].now.id) = (uint32_t)i + 1;
}

static bool resize(iol__file_costs *costs, size_t capacity) {
    size_t index_size = 2 * FIRST_ENTRIES;
    while (index_size < 2 * capacity) index_size *= 2;
    entry *entries = realloc(costs->entries, capacity * sizeof *entries);
    if (!entries) return false;
    costs->entries = entries;
    uint32_t *index = malloc(index_size * sizeof *index);
    if (!index) return false;
    free(costs->index);
    costs->index = index;
    costs->index_size = index_size;
    costs->capacity = capacity;
    index_all(costs);
    return true;
}

iol__file_costs *iol__file_costs_new(size_t budget) {
    iol__file_costs *costs = calloc(1, sizeof *costs);
    if (!costs) return NULL;
    /* An entry may need up to four index cells, because the index is a power of two at least twice as large. */
    costs->most = budget / (sizeof(entry) + 4 * sizeof(uint32_t));
    if (costs->most < SMALLEST) costs->most = SMALLEST;
    if (resize(costs, costs->most < FIRST_ENTRIES ? costs->most : FIRST_ENTRIES)) return costs;
    iol__file_costs_free(costs);
    return NULL;
}

void iol__file_costs_free(iol__file_costs *costs) {
    if (!costs) return;
    free(costs->entries);
    free(costs->index);
    free(costs);
}

static void settle(entry *e) {
    bool newer = e->best.slot == e->now.slot; /* settled before, and counted on since */
    if (e->best.slot < 0 || newer || e->now.time > e->best.time) e->best = e->now;
}

static double bytes(const iol__file_cost *cost) { return cost->bytes_read + cost->bytes_written; }

static int costliest_first(const void *left, const void *right) {
    const iol__file_cost *a = &((const entry *)left)->best, *b = &((const entry *)right)->best;
    if (a->time != b->time) return a->time > b->time ? -1 : 1;
    if (bytes(a) != bytes(b)) return bytes(a) > bytes(b) ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

static void sort(iol__file_costs *costs) {
    for (size_t i = 0; i < costs->count; i++) settle(&costs->entries[i]);
    qsort(costs->entries, costs->count, sizeof *costs->entries, costliest_first);
}

static void make_room(iol__file_costs *costs) {
    size_t capacity = costs->capacity * 2 < costs->most ? costs->capacity * 2 : costs->most;
    if (costs->capacity < costs->most && resize(costs, capacity)) return;
    sort(costs);
    costs->count /= 2;
    costs->lossy = true;
    index_all(costs);
}

static double add_known(double sum, double more) {
    if (more < 0) return sum;
    return sum < 0 ? more : sum + more;
}

static void add_position(iol__file_cost *file, const iol__file_cost *record) {
    file->seeks = add_known(file->seeks, record->seeks);
    if (record->size > file->size) file->size = record->size;
}

void iol__file_costs_below(iol__file_costs *costs, const iol__file_cost *record) {
    const uint32_t *cell = find(costs, record->id);
    if (*cell) add_position(&costs->entries[*cell - 1].now, record);
}

void iol__file_costs_add(iol__file_costs *costs, const iol__file_cost *record) {
    uint32_t *cell = find(costs, record->id);
    if (!*cell) {
        if (costs->count == costs->capacity) {
            make_room(costs);
            cell = find(costs, record->id);
        }
        costs->entries[costs->count++] = (entry){.now = *record, .best = {.slot = -1}};
        *cell = (uint32_t)costs->count;
        return;
    }
    entry *e = &costs->entries[*cell - 1];
    if (e->now.slot != record->slot) {
        settle(e);
        e->now = *record;
        return;
    }
    e->now.shared |= record->shared;
    e->now.ranks += record->ranks;
    e->now.bytes_read += record->bytes_read;
    e->now.bytes_written += record->bytes_written;
    e->now.calls += record->calls;
    add_position(&e->now, record);
    if (record->time > e->now.time) e->now.time = record->time;
}

size_t iol__file_costs_top(iol__file_costs *costs, iol__file_cost *top, size_t room) {
    sort(costs);
    index_all(costs);
    size_t n = room < costs->count ? room : costs->count;
    for (size_t i = 0; i < n; i++) top[i] = costs->entries[i].best;
    return n;
}

size_t iol__file_costs_files(const iol__file_costs *costs) { return costs->count; }

bool iol__file_costs_lossy(const iol__file_costs *costs) { return costs->lossy; }
