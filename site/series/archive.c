/* Grids, and the table of producers. */
#include "site/series/archive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"

static const iol__producer producers[] = {
    {"lmt", "lmt", 5, iol__archive_lmt},
    {"collectd", "collectd_disk", 10, iol__archive_collectd},
    {"mmperfmon", "mmperfmon", 60, iol__archive_mmperfmon},
    {"esnet", "esnet_snmp", 30, iol__archive_esnet},
    {"prometheus", "prometheus", 15, iol__archive_prometheus},
    {"ldms", "ldms", 10, iol__archive_ldms},
    {"influx", "influx", 10, iol__archive_influx},
};

const iol__producer *iol__producer_find(const char *name) {
    for (size_t i = 0; i < IOL_COUNT(producers); i++)
        if (strcmp(producers[i].name, name) == 0) return &producers[i];
    return NULL;
}

static size_t archiving_rows(const iol__archiving *to) { return (size_t)((to->end - to->start) / to->step); }

iol__grid *iol__grid_open(iol__archiving *to, const char *dataset, const char *units) {
    for (size_t i = 0; i < to->n_grids; i++)
        if (strcmp(to->grids[i].dataset, dataset) == 0) return &to->grids[i];
    to->grids = iol__arena_grow(to->arena, to->grids, to->n_grids, sizeof *to->grids);
    iol__grid *grid = &to->grids[to->n_grids++];
    *grid = (iol__grid){.dataset = iol__arena_copy(to->arena, dataset), .units = units};
    grid->columns = iol__value_new(to->arena, IOL__MAP);
    return grid;
}

size_t iol__grid_column(iol__archiving *to, iol__grid *grid, const char *name) {
    const iol__value *there = iol__map_get(grid->columns, name);
    if (there) return (size_t)there->integer;
    size_t number = grid->columns->count, rows = archiving_rows(to) + 1;
    iol__map_put_integer(to->arena, grid->columns, name, (int64_t)number);
    grid->cells = iol__arena_grow(to->arena, grid->cells, number, sizeof *grid->cells);
    grid->counts = iol__arena_grow(to->arena, grid->counts, number, sizeof *grid->counts);
    grid->cells[number] = iol__arena_alloc(to->arena, rows, sizeof **grid->cells);
    grid->counts[number] = grid->averages ? iol__arena_alloc(to->arena, rows, sizeof **grid->counts) : NULL;
    for (size_t i = 0; i < rows; i++) grid->cells[number][i] = NAN;
    return number;
}

void iol__grid_put(iol__archiving *to, iol__grid *grid, size_t column, double when, double value) {
    double row = floor((when - (double)to->start) / (double)to->step);
    size_t rows = archiving_rows(to) + (grid->counter ? 1 : 0);
    /* No source measures less than nothing, nor do counters go beyond 64 bits. */
    if (value < 0 || (grid->counter && value >= 0x1p64)) value = NAN;
    if (!(row >= 0) || row >= (double)rows || isnan(value)) {
        if (!isnan(value)) to->outside++;
        return;
    }
    double *cell = &grid->cells[column][(size_t)row];
    *cell = grid->averages && !isnan(*cell) ? *cell + value : value;
    if (grid->averages) grid->counts[column][(size_t)row]++;
}

/* Parts ---------------------------------------------------------------------------------------------------------- */

static int archive_by_name(const void *a, const void *b, void *columns) {
    const char *x = ((const iol__value *)columns)->keys[*(const size_t *)a],
               *y = ((const iol__value *)columns)->keys[*(const size_t *)b];
    bool targets = (strstr(x, "-OST") || strstr(x, "-MDT")) && (strstr(y, "-OST") || strstr(y, "-MDT"));
    return iol__natural_order(x, y, targets);
}

static void fill_frame(const iol__archiving *to, const iol__grid *grid, const size_t *order, iol__frame *frame) {
    for (size_t i = 0; i < frame->columns; i++) {
        frame->names[i] = grid->columns->keys[order[i]];
        for (size_t row = 0; row < frame->rows; row++) {
            double value = grid->cells[order[i]][row];
            if (grid->averages && grid->counts[order[i]][row]) value /= grid->counts[order[i]][row];
            *iol__frame_at(frame, row, i) = value;
        }
    }
    for (size_t row = 0; row < frame->rows; row++) frame->times[row] = to->start + (int64_t)row * to->step;
    frame->named = frame->columns;
    frame->step = to->step;
}

static const iol__frame *frame_of(iol__archiving *to, const iol__grid *grid) {
    size_t columns = grid->columns->count, rows = archiving_rows(to);
    size_t *order = iol__arena_alloc(to->arena, columns + 1, sizeof *order);
    for (size_t i = 0; i < columns; i++) order[i] = i;
    if (!grid->in_order) qsort_r(order, columns, sizeof *order, archive_by_name, grid->columns);
    iol__frame *frame = iol__arena_alloc(to->arena, 2, sizeof *frame);
    iol__frame_make(to->arena, rows + (grid->counter ? 1 : 0), columns, &frame[0]);
    fill_frame(to, grid, order, &frame[0]);
    if (!grid->counter) return frame;
    iol__frame_make(to->arena, rows, columns, &frame[1]);
    iol__frame_deltas(&frame[0], &frame[1]);
    memcpy(frame[1].times, frame[0].times, rows * sizeof *frame->times);
    memcpy(frame[1].names, frame[0].names, columns * sizeof *frame->names);
    frame[1].named = columns;
    frame[1].step = to->step;
    return &frame[1];
}

static bool column_lacks(const double *cells, size_t kept, size_t rows) {
    size_t first = 0;
    while (first < rows && isnan(cells[first])) first++;
    return first > kept && first < rows;
}

bool iol__archiving_lacks(const iol__archiving *to) {
    size_t kept = (size_t)(to->before / to->step), rows = archiving_rows(to) + 1;
    for (size_t i = 0; i < to->n_grids; i++) {
        const iol__grid *grid = &to->grids[i];
        bool stays = grid->counter && strncmp(grid->dataset, "jobs/", 5) != 0; /* jobs begin all the time */
        for (size_t k = 0; stays && k < grid->columns->count; k++)
            if (column_lacks(grid->cells[k], kept, rows)) return true;
    }
    return false;
}

/* The frame without what was read for differences only. */
static const iol__frame *kept_of(iol__archiving *to, const iol__grid *grid) {
    iol__frame *frame = iol__arena_alloc(to->arena, 1, sizeof *frame);
    size_t rows = (size_t)(to->before / to->step);
    *frame = *frame_of(to, grid);
    frame->rows -= rows;
    frame->times += rows;
    frame->values += rows * frame->columns;
    return frame;
}

size_t iol__archiving_parts(iol__archiving *to, iol__series_part **parts) {
    size_t count = 0;
    *parts = iol__arena_alloc(to->arena, to->n_grids + 1, sizeof **parts);
    for (size_t i = 0; i < to->n_grids; i++) {
        const iol__grid *grid = &to->grids[i];
        if (!grid->columns->count && !grid->always) continue;
        (*parts)[count++] = (iol__series_part){.dataset = grid->dataset,
                                               .units = grid->units,
                                               .source = to->source,
                                               .frame = kept_of(to, grid),
                                               .width = grid->width,
                                               .averages = grid->averages};
    }
    if (to->outside) iol__site_say("%zu samples are outside of the range", to->outside);
    return count;
}
