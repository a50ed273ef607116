/* Heat maps: bytes over time and ranks, from the module that records them and from traces. Ranks share rows and bins
   are merged where there are too many to draw; empty cells are not written. */
#include <string.h>

#include "record/record.h"
#include "report/page/page_internal.h"

enum { MOST_ROWS = 512, MOST_BINS = 1024 };

/* In the order of the facts' heat maps. */
static const struct {
    const char *record, *module;
} maps[IOL_HEAT_MAPS] = {{"heatmap:POSIX", "POSIX"},
                         {"heatmap:STDIO", "STDIO"},
                         {"heatmap:MPIIO", "MPI-IO"},
                         {"heatmap:DFS", "DFS"},
                         {"heatmap:DAOS", "DAOS"}};
/* What comes first on the page: the layer that the program called. */
static const int page_order[IOL_HEAT_MAPS] = {2, 0, 3, 4, 1};

void iol__page_heat_start(iol__page *page) {
    for (int i = 0; i < IOL_HEAT_MAPS; i++) {
        const iol__heat *from = &page->diagnosis->tracing->heat[i];
        iol__page_heat *heat = &page->heat[i];
        if (!from->bins) continue;
        heat->merged = (from->bins + MOST_BINS - 1) / MOST_BINS;
        heat->bins = (from->bins + heat->merged - 1) / heat->merged;
        heat->width = from->width * (double)heat->merged;
        heat->rows = iol__page_rows_of(page->ranks.count, MOST_ROWS);
        for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
            heat->sum[direction] = iol__page_alloc(page, heat->rows.count * heat->bins, sizeof(double));
            if (heat->rows.per_row > 1)
                heat->most[direction] = iol__page_alloc(page, heat->rows.count * heat->bins, sizeof(double));
        }
    }
}

static int page_heat_map_of(uint64_t id) {
    for (int i = 0; i < IOL_HEAT_MAPS; i++)
        if (iol_name_id(maps[i].record, strlen(maps[i].record)) == id) return i;
    return -1;
}

static void page_heat_add(const iol__page_heat *heat, int direction, size_t row, const int64_t *bytes, size_t count) {
    double *sum = heat->sum[direction] + row * heat->bins;
    double *most = heat->most[direction] ? heat->most[direction] + row * heat->bins : NULL;
    for (size_t bin = 0; bin < heat->bins; bin++) {
        double mine = 0;
        for (size_t i = bin * heat->merged; i < (bin + 1) * heat->merged && i < count; i++)
            mine += iol__sane((double)bytes[i]);
        sum[bin] += mine;
        if (most && mine > most[bin]) most[bin] = mine;
    }
}

void iol__page_heat_visit(iol__page *page, const iol_record *record) {
    int which = page_heat_map_of(record->id);
    if (which < 0 || record->rank < 0) return;
    const iol__heat *from = &page->diagnosis->tracing->heat[which];
    const iol__page_heat *heat = &page->heat[which];
    const iol_heatmap *map = &record->heatmap;
    if (!heat->bins || map->bins != from->bins || map->bin_width != from->width) return;
    size_t row = (size_t)(record->rank / heat->rows.per_row);
    if (row >= heat->rows.count) return;
    page_heat_add(heat, IOL_READ, row, map->read, map->bins);
    page_heat_add(heat, IOL_WRITE, row, map->written, map->bins);
}

/* Writing ------------------------------------------------------------------------------------------------------ */

static void write_cells(iol__json *json, const char *key, size_t cells, size_t bins, const double *sum,
                        const double *most) {
    iol__json_put_open(json, key, '{');
    iol__page_column(json, "row");
    for (size_t i = 0; i < cells; i++)
        if (sum[i] > 0) iol__json_u64(json, i / bins);
    iol__page_column_end(json);
    iol__page_column(json, "bin");
    for (size_t i = 0; i < cells; i++)
        if (sum[i] > 0) iol__json_u64(json, i % bins);
    iol__page_column_end(json);
    iol__page_column(json, "sum");
    for (size_t i = 0; i < cells; i++)
        if (sum[i] > 0) iol__json_real(json, iol__page_five_digits(sum[i]));
    iol__page_column_end(json);
    if (most) {
        iol__page_column(json, "max");
        for (size_t i = 0; i < cells; i++)
            if (sum[i] > 0) iol__json_real(json, iol__page_five_digits(most[i]));
        iol__page_column_end(json);
    }
    iol__json_close(json, '}');
}

static void write_map(iol__json *json, const iol__page *page, const char *source, const char *module,
                      const iol__page_heat *heat) {
    iol__json_open(json, '{');
    iol__json_put_text(json, "source", source);
    iol__json_put_text(json, "module", module);
    iol__json_put_real(json, "bin_width", heat->width);
    iol__json_put_u64(json, "bins", heat->bins);
    iol__json_put_i64(json, "ranks", page->ranks.count);
    iol__json_put_i64(json, "per_row", heat->rows.per_row);
    iol__json_put_u64(json, "rows", heat->rows.count);
    size_t cells = heat->rows.count * heat->bins;
    write_cells(json, "read", cells, heat->bins, heat->sum[IOL_READ], heat->most[IOL_READ]);
    write_cells(json, "write", cells, heat->bins, heat->sum[IOL_WRITE], heat->most[IOL_WRITE]);
    iol__json_close(json, '}');
}

/* The grid of a trace is a heat map too. */
static void write_page_heat_trace(iol__json *json, const iol__page *page, int which, const char *module) {
    const iol__page_tracing *trace = &page->trace;
    const iol__page_grid *grid = &trace->grid[which];
    if (!grid->requests) return;
    iol__page_heat heat = {.rows = trace->rows, .bins = trace->bins, .width = trace->width};
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++) heat.sum[direction] = grid->bytes[direction];
    write_map(json, page, "DXT", module, &heat);
}

void iol__page_heat_write(iol__json *json, const iol__page *page) {
    iol__json_put_open(json, "heatmaps", '[');
    for (int k = 0; k < IOL_HEAT_MAPS; k++) {
        int i = page_order[k];
        if (page->heat[i].bins) write_map(json, page, "HEATMAP", maps[i].module, &page->heat[i]);
        if (i == 2) write_page_heat_trace(json, page, 1, "MPI-IO");
        if (i == 0) write_page_heat_trace(json, page, 0, "POSIX");
    }
    iol__json_close(json, ']');
}
