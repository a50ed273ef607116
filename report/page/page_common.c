/* Common sizes and strides: the slots of all records pooled, equal values together, most frequent first. */
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "report/page/page_internal.h"

/* Every record has four values, so a job with very many files could have millions of them; what is common is there
   early. */
enum { SLOTS = 4, MOST_VALUES = 1 << 18, MOST_SHOWN = 16 };

static void pool_add(iol__page *page, iol__page_pool *pool, int64_t value, int64_t count) {
    if (value == 0 || count <= 0) return;
    size_t place = pool->values.count < MOST_VALUES ? iol__idmap_add(&pool->values, (uint64_t)value)
                                                    : iol__idmap_find(&pool->values, (uint64_t)value);
    if (place == IOL_IDMAP_NONE) return;
    if (place >= pool->room) {
        size_t room = pool->room ? 2 * pool->room : 64;
        double *counts = realloc(pool->counts, room * sizeof *counts);
        if (!counts) longjmp(page->exhausted, 1);
        memset(counts + pool->room, 0, (room - pool->room) * sizeof *counts);
        pool->counts = counts;
        pool->room = room;
    }
    pool->counts[place] += (double)count;
}

/* Modules with two tables have strides in the first. */
void iol__page_common_visit(iol__page *page, const iol_record *record) {
    const iol__common *tables = iol__modules[record->slot].roles->common;
    bool strides = tables[1].values >= 0;
    for (int t = 0; t < 2; t++) {
        if (tables[t].values < 0) continue;
        iol__page_pool *pool = &page->common[record->slot][strides && t == 0];
        for (int i = 0; i < SLOTS; i++)
            pool_add(page, pool, record->ints[tables[t].values + i * tables[t].width],
                     record->ints[tables[t].counts + i]);
    }
}

void iol__page_common_free(iol__page *page) {
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        for (int t = 0; t < 2; t++) {
            iol__idmap_free(&page->common[slot][t].values);
            free(page->common[slot][t].counts);
        }
}

typedef struct page_common {
    int64_t value;
    double count;
} page_common;

static int by_count(const void *a, const void *b) {
    const page_common *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static void write_pool(iol__json *json, const char *key, const iol__page_pool *pool) {
    size_t n = pool->values.count;
    page_common *list = malloc((n + 1) * sizeof *list);
    iol__json_put_open(json, key, '[');
    if (list) {
        for (size_t i = 0; i < n; i++) list[i] = (page_common){(int64_t)pool->values.keys[i], pool->counts[i]};
        qsort(list, n, sizeof *list, by_count);
        for (size_t i = 0; i < n && i < MOST_SHOWN; i++) {
            iol__json_open(json, '{');
            iol__json_put_i64(json, "value", list[i].value);
            iol__json_put_real(json, "count", list[i].count);
            iol__json_close(json, '}');
        }
    }
    iol__json_close(json, ']');
    free(list);
}

void iol__page_common_write(iol__json *json, const iol__page *page) {
    iol__json_put_open(json, "common", '[');
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__page_pool *pools = page->common[slot];
        if (!pools[0].values.count && !pools[1].values.count) continue;
        iol__json_open(json, '{');
        iol__json_put_text(json, "module", iol__modules[slot].name);
        write_pool(json, "sizes", &pools[0]);
        write_pool(json, "strides", &pools[1]);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}
