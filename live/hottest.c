/* The busiest files over all processes: a table that grows, because the busiest file may come last. */
#include <stdlib.h>
#include <string.h>

#include "live/watch.h"

static int more_first(double a, double b) { return (a < b) - (a > b); }

static double heat_of(const iol__live_figures *figures) { return figures->time + 1e-9 * iol__live_activity(figures); }

static int compare_hot(const void *a, const void *b) {
    const iol__live_hot *x = a, *y = b;
    int order = more_first(heat_of(&x->rate), heat_of(&y->rate));
    if (order == 0) order = more_first(heat_of(&x->total), heat_of(&y->total));
    return order ? order : (x->id > y->id) - (x->id < y->id);
}

typedef struct hot_table {
    iol__idmap ids;
    iol__live_hot *files;
    size_t room;
} hot_table;

static void add_hot(hot_table *table, const iol__live_file *file) {
    size_t number = iol__idmap_add(&table->ids, file->id ^ (uint64_t)file->slot << 56);
    if (number == IOL_IDMAP_NONE) return;
    if (number >= table->room) {
        size_t room = table->room ? 2 * table->room : 64;
        iol__live_hot *grown = realloc(table->files, room * sizeof *grown);
        if (!grown) return;
        memset(grown + table->room, 0, (room - table->room) * sizeof *grown);
        table->files = grown;
        table->room = room;
    }
    iol__live_hot *hot = &table->files[number];
    hot->id = file->id;
    hot->slot = file->slot;
    hot->open = hot->open || file->open;
    if (!hot->name) hot->name = file->name;
    hot->processes++;
    iol__live_add(&hot->total, &file->total);
    iol__live_add(&hot->rate, &file->rate);
}

size_t iol__live_hottest(const iol__live_watch *w, bool (*keep)(const iol__live_process *, const void *),
                         const void *context, bool resting, iol__live_hot hot[IOL_LIVE_HOT]) {
    hot_table table = {0};
    for (size_t i = 0; i < w->count; i++) {
        const iol__live_process *p = w->processes[i];
        if (keep && !keep(p, context)) continue;
        for (size_t f = 0; f < p->ids.count && f < p->room; f++)
            if (resting || iol__live_used(&p->files[f].rate)) add_hot(&table, &p->files[f]);
    }
    size_t all = table.ids.count < table.room ? table.ids.count : table.room, count = 0;
    if (all) qsort(table.files, all, sizeof *table.files, compare_hot);
    for (size_t i = 0; i < all && count < IOL_LIVE_HOT; i++)
        if (table.files[i].name) hot[count++] = table.files[i];
    free(table.files);
    iol__idmap_free(&table.ids);
    return count;
}
