/* The key "where" of the page document: which chains of callers did the I/O, to which files, on which ranks, for a graph of them.
   Frames are listed once, chains are lists of their numbers, and what they did is a table. */
#include <stdlib.h>
#include <string.h>

#include "log/trailer/where.h"
#include "report/page/page_internal.h"

enum { ROWS_MOST = 20000 };

static int by_time_down(const void *a, const void *b) {
    const iol__where_row *const *x = a, *const *y = b;
    if ((*x)->values.time != (*y)->values.time) return (*x)->values.time < (*y)->values.time ? 1 : -1;
    return *x < *y ? -1 : *x > *y;
}

static void put_frame_place(iol__json *json, const iol__where_all *all, const iol__where_frame *f, size_t place) {
    const iol__where_place none = {0}, *p = place < f->n_places ? &f->places[place] : &none;
    iol__json_open(json, '{');
    iol__json_put_text(json, "function", p->function);
    iol__json_put_text(json, "file", p->file);
    if (p->line) iol__json_put_i64(json, "line", p->line);
    if (f->object != IOL_IDMAP_NONE && !p->file) iol__json_put_text(json, "object", all->objects[f->object].path);
    if (f->system) iol__json_put_bool(json, "system", true);
    iol__json_close(json, '}');
}

/* A frame has a number for each function that was inlined into it; `first` gets that of its innermost one. */
static void put_frames(iol__json *json, const iol__where_all *all, size_t *first) {
    size_t number = 0;
    iol__json_put_open(json, "frames", '[');
    for (size_t i = 0; i < all->n_frames; i++) {
        const size_t places = all->frames[i].n_places ? all->frames[i].n_places : 1;
        first[i] = number;
        for (size_t k = 0; k < places; k++) put_frame_place(json, all, &all->frames[i], k);
        number += places;
    }
    iol__json_close(json, ']');
}

/* From the beginning of the program to the call. */
static void put_chain_numbers(iol__json *json, const iol__where_all *all, const iol__where_chain *chain,
                              const size_t *first) {
    iol__json_open(json, '[');
    for (size_t i = chain->count; i-- > 0;) {
        const size_t frame = all->steps[chain->first + i];
        const size_t places = all->frames[frame].n_places ? all->frames[frame].n_places : 1;
        for (size_t k = places; k-- > 0;) iol__json_i64(json, (int64_t)(first[frame] + k));
    }
    iol__json_close(json, ']');
}

#define COLUMN(name, type, value)                                     \
    iol__page_column(json, name);                                     \
    for (size_t i = 0; i < count; i++) iol__json_##type(json, value); \
    iol__page_column_end(json)

static void put_rows(iol__json *json, iol_log *log, const iol__where_row **rows, size_t count) {
    iol__page_table(json, "rows", count);
    COLUMN("chain", i64, (int64_t)rows[i]->chain);
    COLUMN("kind", text, iol__where_kinds[rows[i]->kind]);
    COLUMN("name", text, rows[i]->file ? iol_log_name(log, rows[i]->file) : NULL);
    COLUMN("rank", i64, rows[i]->rank);
    COLUMN("calls", i64, rows[i]->values.calls);
    COLUMN("bytes", i64, rows[i]->values.bytes);
    COLUMN("time", real, iol__page_shortened((double)rows[i]->values.time * 1e-9, 6));
    iol__page_table_end(json);
}
#undef COLUMN

static void put_where(iol__json *json, iol_log *log, const iol__where_all *all, size_t *first,
                      const iol__where_row **rows) {
    size_t n_rows = 0;
    for (size_t i = 0; i < all->n_rows; i++)
        if (IOL_WHERE_EACH_ONCE >> all->rows[i].layer & 1) rows[n_rows++] = &all->rows[i];
    qsort(rows, n_rows, sizeof *rows, by_time_down);
    const size_t count = n_rows < ROWS_MOST ? n_rows : ROWS_MOST;
    iol__json_put_open(json, "where", '{');
    put_frames(json, all, first);
    iol__json_put_open(json, "chains", '[');
    for (size_t i = 0; i < all->n_chains; i++) put_chain_numbers(json, all, &all->chains[i], first);
    iol__json_close(json, ']');
    put_rows(json, log, rows, count);
    iol__json_put_u64(json, "folded", all->folded);
    iol__json_put_u64(json, "left_out", n_rows - count);
    iol__json_close(json, '}');
}

/* Nothing if the log has none of it, or there is no memory for it. */
void iol__page_where_write(iol__json *json, const iol__page *page) {
    iol__where_all all;
    if (iol__where_make(page->log, &all) && all.n_rows) {
        size_t *first = calloc(all.n_frames + 1, sizeof *first);
        const iol__where_row **rows = calloc(all.n_rows, sizeof *rows);
        if (first && rows) put_where(json, page->log, &all, first, rows);
        free(rows);
        free(first);
    }
    iol__where_free(&all);
}
