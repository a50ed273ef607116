/* The table of file costs: dense entries and a hash index of entry numbers over them, as the name table has it, so that
   throwing out the cheap half is a sort of the entries and a new index. */
#include "report/file_totals.h"

#include <stdlib.h>
#include <string.h>

typedef struct file_totals_entry {
    iol__file_total now;    /* the module being read */
    iol__file_total before; /* sums over those that were read before; slot -1 for none */
    double longest;         /* time in one of those: the one whose slot, ranks and sharing `before` has */
} file_totals_entry;

struct iol__file_totals {
    file_totals_entry *entries;
    size_t count, capacity, most;
    uint32_t *index; /* entry number + 1; 0 is free */
    size_t index_size;
    bool lossy;
};

enum { FIRST_ENTRIES = 256, SMALLEST = 16 };

static size_t file_totals_place_of(const iol__file_totals *totals, uint64_t id) {
    return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (totals->index_size - 1);
}

static uint32_t *file_totals_find(const iol__file_totals *totals, uint64_t id) {
    size_t at = file_totals_place_of(totals, id);
    while (totals->index[at] && totals->entries[totals->index[at] - 1].now.id != id)
        at = (at + 1) & (totals->index_size - 1);
    return &totals->index[at];
}

static void file_totals_index_all(iol__file_totals *totals) {
    memset(totals->index, 0, totals->index_size * sizeof *totals->index);
    for (size_t i = 0; i < totals->count; i++) *file_totals_find(totals, totals->entries[i].now.id) = (uint32_t)i + 1;
}

static bool resize(iol__file_totals *totals, size_t capacity) {
    size_t index_size = 2 * FIRST_ENTRIES;
    while (index_size < 2 * capacity) index_size *= 2;
    file_totals_entry *entries = realloc(totals->entries, capacity * sizeof *entries);
    if (!entries) return false;
    totals->entries = entries;
    uint32_t *index = malloc(index_size * sizeof *index);
    if (!index) return false;
    free(totals->index);
    totals->index = index;
    totals->index_size = index_size;
    totals->capacity = capacity;
    file_totals_index_all(totals);
    return true;
}

iol__file_totals *iol__file_totals_new(size_t budget) {
    iol__file_totals *totals = calloc(1, sizeof *totals);
    if (!totals) return NULL;
    /* An entry may need up to four index cells, because the index is a power of two at least twice as large. */
    totals->most = budget / (sizeof(file_totals_entry) + 4 * sizeof(uint32_t));
    if (totals->most < SMALLEST) totals->most = SMALLEST;
    if (resize(totals, totals->most < FIRST_ENTRIES ? totals->most : FIRST_ENTRIES)) return totals;
    iol__file_totals_free(totals);
    return NULL;
}

void iol__file_totals_free(iol__file_totals *totals) {
    if (!totals) return;
    free(totals->entries);
    free(totals->index);
    free(totals);
}

static double add_known(double sum, double more) {
    if (more < 0) return sum;
    return sum < 0 ? more : sum + more;
}

static void add_position(iol__file_total *file, const iol__file_total *record) {
    file->seeks = add_known(file->seeks, record->seeks);
    if (record->size > file->size) file->size = record->size;
}

static void add_traffic(iol__file_total *file, const iol__file_total *record) {
    file->bytes_read += record->bytes_read;
    file->bytes_written += record->bytes_written;
    file->calls += record->calls;
    add_position(file, record);
}

/* All modules together, under the one in which the file took longest. */
static iol__file_total file_totals_whole(const file_totals_entry *e) {
    if (e->before.slot < 0) return e->now;
    const bool last = e->now.time > e->longest;
    iol__file_total all = last ? e->now : e->before;
    add_traffic(&all, last ? &e->before : &e->now);
    all.time = e->before.time + e->now.time;
    return all;
}

static double file_totals_time_of(const file_totals_entry *e) { return e->before.time + e->now.time; }

static double file_totals_bytes_of(const file_totals_entry *e) {
    return e->before.bytes_read + e->before.bytes_written + e->now.bytes_read + e->now.bytes_written;
}

static int costliest_first(const void *left, const void *right) {
    const file_totals_entry *a = left, *b = right;
    if (file_totals_time_of(a) != file_totals_time_of(b))
        return file_totals_time_of(a) > file_totals_time_of(b) ? -1 : 1;
    if (file_totals_bytes_of(a) != file_totals_bytes_of(b))
        return file_totals_bytes_of(a) > file_totals_bytes_of(b) ? -1 : 1;
    return (a->now.id > b->now.id) - (a->now.id < b->now.id);
}

static void file_totals_sort(iol__file_totals *totals) {
    qsort(totals->entries, totals->count, sizeof *totals->entries, costliest_first);
}

static void make_file_totals_room(iol__file_totals *totals) {
    size_t capacity = totals->capacity * 2 < totals->most ? totals->capacity * 2 : totals->most;
    if (totals->capacity < totals->most && resize(totals, capacity)) return;
    file_totals_sort(totals);
    totals->count /= 2;
    totals->lossy = true;
    file_totals_index_all(totals);
}

void iol__file_totals_below(iol__file_totals *totals, const iol__file_total *record) {
    const uint32_t *cell = file_totals_find(totals, record->id);
    if (*cell) add_position(&totals->entries[*cell - 1].now, record);
}

void iol__file_totals_add(iol__file_totals *totals, const iol__file_total *record) {
    uint32_t *cell = file_totals_find(totals, record->id);
    if (!*cell) {
        if (totals->count == totals->capacity) {
            make_file_totals_room(totals);
            cell = file_totals_find(totals, record->id);
        }
        totals->entries[totals->count++] = (file_totals_entry){.now = *record, .before = {.slot = -1}};
        *cell = (uint32_t)totals->count;
        return;
    }
    file_totals_entry *e = &totals->entries[*cell - 1];
    if (e->now.slot != record->slot) {
        e->before = file_totals_whole(e);
        if (e->now.time > e->longest) e->longest = e->now.time;
        e->now = *record;
        return;
    }
    e->now.shared |= record->shared;
    e->now.ranks += record->ranks;
    add_traffic(&e->now, record);
    if (record->time > e->now.time) e->now.time = record->time;
}

size_t iol__file_totals_top(iol__file_totals *totals, iol__file_total *top, size_t room) {
    file_totals_sort(totals);
    file_totals_index_all(totals);
    size_t n = room < totals->count ? room : totals->count;
    for (size_t i = 0; i < n; i++) top[i] = file_totals_whole(&totals->entries[i]);
    return n;
}

size_t iol__file_totals_files(const iol__file_totals *totals) { return totals->count; }

bool iol__file_totals_lossy(const iol__file_totals *totals) { return totals->lossy; }
