/* Totals and bins of one series file. */
#include "site/analyze/volumes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/connect.h"

typedef struct volumes_figures {
    double sum, least, most;
    size_t missing, cells;
} volumes_figures;

static volumes_figures volumes_figures_of(const iol__frame *frame, size_t first, size_t last) {
    volumes_figures is = {.least = INFINITY, .most = -INFINITY};
    for (size_t i = first * frame->columns; i < last * frame->columns; i++) {
        double value = frame->values[i];
        is.cells++;
        if (isnan(value)) {
            is.missing++;
            continue;
        }
        is.sum += value;
        is.least = fmin(is.least, value);
        is.most = fmax(is.most, value);
    }
    if (is.missing == is.cells) is.least = is.most = NAN;
    return is;
}

static iol_status volumes_read_all(iol__series *series, const char *dataset, int64_t start, int64_t end,
                                   iol__frame *frame, char why[400]) {
    iol_status status = iol__series_read(series, dataset, start, end, frame, why);
    if (status == IOL_OK && frame->negative)
        iol__site_say("%zu values of %s are below zero and count as missing", frame->negative, dataset);
    return status;
}

/* Totals --------------------------------------------------------------------------------------------------------- */

static void put_columns(iol__arena *arena, iol__value *result, const iol__frame *frames) {
    static const char *const keys[] = {"read_bytes", "write_bytes"};
    iol__value *columns = iol__map_open(arena, result, "columns", IOL__MAP);
    for (int direction = 0; direction < 2; direction++)
        for (size_t i = 0; i < frames[direction].columns; i++) {
            if (!*frames[direction].names[i]) continue;
            double sum = 0;
            for (size_t row = 0; row < frames[direction].rows; row++) {
                double value = *iol__frame_at(&frames[direction], row, i);
                if (!isnan(value)) sum += value;
            }
            iol__map_put_real(arena, iol__map_open(arena, columns, frames[direction].names[i], IOL__MAP),
                              keys[direction], sum);
        }
}

static void put_steps(iol__arena *arena, iol__value *result, const iol__frame *frames) {
    static const char *const keys[] = {"read_bytes", "write_bytes"};
    iol__value *steps = iol__map_open(arena, result, "timesteps", IOL__MAP);
    for (int direction = 0; direction < 2; direction++)
        for (size_t row = 0; row < frames[direction].rows; row++) {
            char *key = iol__arena_print(arena, "%lld", (long long)frames[direction].times[row]);
            iol__map_put_real(arena, iol__map_open(arena, steps, key, IOL__MAP), keys[direction],
                              volumes_figures_of(&frames[direction], row, row + 1).sum);
        }
}

iol_status iol__volume_totals(iol__arena *arena, iol__series *series, int64_t start, int64_t end, bool columns,
                              bool steps, iol__value **result, char why[400]) {
    iol__frame frames[2];
    iol_status status = volumes_read_all(series, "datatargets/readbytes", start, end, &frames[0], why);
    if (status == IOL_OK) status = volumes_read_all(series, "datatargets/writebytes", start, end, &frames[1], why);
    if (status != IOL_OK) return status;
    volumes_figures read = volumes_figures_of(&frames[0], 0, frames[0].rows);
    iol__value *total = iol__value_new(arena, IOL__MAP);
    *result = iol__value_new(arena, IOL__MAP);
    iol__map_put(arena, *result, "total", total);
    iol__map_put_real(arena, total, "read_bytes", read.sum);
    iol__map_put_real(arena, total, "write_bytes", volumes_figures_of(&frames[1], 0, frames[1].rows).sum);
    iol__map_put_integer(arena, total, "missing_pts", (int64_t)read.missing);
    iol__map_put_integer(arena, total, "total_pts", (int64_t)read.cells);
    iol__map_put_real(arena, total, "missing_pct", read.cells ? 100 * (double)read.missing / (double)read.cells : NAN);
    for (size_t row = 0; row < frames[0].rows; row++) {
        volumes_figures is = volumes_figures_of(&frames[0], row, row + 1);
        if (is.missing == is.cells) continue;
        if (!iol__map_get(total, "first_nonzero_idx"))
            iol__map_put_integer(arena, total, "first_nonzero_idx", (int64_t)row);
        iol__map_put_integer(arena, total, "last_nonzero_idx", (int64_t)row);
    }
    if (columns) put_columns(arena, *result, frames);
    if (steps) put_steps(arena, *result, frames);
    return IOL_OK;
}

/* Bins ----------------------------------------------------------------------------------------------------------- */

static const struct kind {
    const char *name, *dataset;
    bool bytes;
} kinds[] = {{"ost_read", "datatargets/readbytes", true},
             {"ost_write", "datatargets/writebytes", true},
             {"oss_cpu", "dataservers/cpuload", false},
             {"mds_cpu", "mdservers/cpuload", false}};
enum { KINDS = 4 };

static const struct unit {
    const char *name;
    double bytes;
} units[] = {{"bytes", 1}, {"kibs", 1024.0}, {"mibs", 1048576.0}, {"gibs", 1073741824.0}, {"tibs", 1099511627776.0}};

double iol__volume_unit(const char *name) {
    for (size_t i = 0; i < IOL_COUNT(units); i++)
        if (strcmp(units[i].name, name) == 0) return units[i].bytes;
    return NAN;
}

static void put_figure(iol__arena *arena, iol__value *bin, const char *figure, const struct kind *kind, double value) {
    iol__map_put_real(arena, bin, iol__arena_print(arena, "%s_%s", figure, kind->name), value);
    for (size_t i = 0; kind->bytes && i < IOL_COUNT(units); i++)
        iol__map_put_real(arena, bin, iol__arena_print(arena, "%s_%s_%s", figure, kind->name, units[i].name),
                          value / units[i].bytes);
}

static void put_volumes_count(iol__arena *arena, iol__value *into, const struct kind *kind, const volumes_figures *is) {
    iol__map_put_integer(arena, into, iol__arena_print(arena, "missing_%s", kind->name), (int64_t)is->missing);
    iol__map_put_integer(arena, into, iol__arena_print(arena, "num_%s", kind->name), (int64_t)is->cells);
    iol__map_put_real(arena, into, iol__arena_print(arena, "frac_missing_%s", kind->name),
                      is->cells ? (double)is->missing / (double)is->cells : NAN);
}

static iol__value *bin_of(iol__arena *arena, const iol__frame *frames, const bool *there, size_t first, size_t last) {
    iol__value *bin = iol__value_new(arena, IOL__MAP);
    iol__map_put_integer(arena, bin, "index0", (int64_t)first);
    iol__map_put_integer(arena, bin, "indexf", (int64_t)last);
    iol__map_put_integer(arena, bin, "tstart", frames[0].times[first]);
    iol__map_put_integer(arena, bin, "tend", frames[0].times[last - 1]);
    for (size_t i = 0; i < KINDS; i++) {
        if (!there[i]) continue;
        volumes_figures is = volumes_figures_of(&frames[i], first, last);
        put_volumes_count(arena, bin, &kinds[i], &is);
        put_figure(arena, bin, "sum", &kinds[i], is.sum);
        put_figure(arena, bin, "ave", &kinds[i], is.sum / (double)is.cells);
        put_figure(arena, bin, "min", &kinds[i], is.least);
        put_figure(arena, bin, "max", &kinds[i], is.most);
    }
    return bin;
}

static iol__value *summary_of(iol__arena *arena, const iol__frame *frames, const bool *there, size_t rows) {
    static const char *const directions[] = {"read", "write"}, *const servers[] = {"oss", "mds"};
    iol__value *summary = iol__value_new(arena, IOL__MAP);
    iol__map_put_integer(arena, summary, "n", (int64_t)rows);
    for (size_t i = 0; i < KINDS; i++) {
        if (!there[i]) continue;
        volumes_figures is = volumes_figures_of(&frames[i], 0, rows);
        put_volumes_count(arena, summary, &kinds[i], &is);
        for (size_t k = 0; kinds[i].bytes && k < IOL_COUNT(units); k++) {
            iol__map_put_real(arena, summary, iol__arena_print(arena, "sum_%s_%s", units[k].name, directions[i]),
                              is.sum / units[k].bytes);
            if (k == 0 || k >= 3)
                iol__map_put_real(arena, summary,
                                  iol__arena_print(arena, "ave_%s_%s_per_dt", units[k].name, directions[i]),
                                  is.sum / units[k].bytes / (double)rows);
        }
        if (kinds[i].bytes) continue;
        iol__map_put_real(arena, summary, iol__arena_print(arena, "%s_ave", servers[i - 2]), is.sum / (double)is.cells);
        iol__map_put_real(arena, summary, iol__arena_print(arena, "%s_max", servers[i - 2]), is.most);
    }
    return summary;
}

iol_status iol__volume_bins(iol__arena *arena, iol__series *series, int64_t start, int64_t end, size_t bins,
                            iol__value **result, char why[400]) {
    iol__frame frames[KINDS];
    bool there[KINDS] = {false};
    for (size_t i = 0; i < KINDS; i++) {
        iol_status status = volumes_read_all(series, kinds[i].dataset, start, end, &frames[i], why);
        there[i] = status == IOL_OK;
        if (i < 2 && status != IOL_OK) return status;
        if (status != IOL_OK) iol__site_say("%s", why);
    }
    size_t rows = frames[0].rows;
    for (size_t i = 1; i < KINDS; i++)
        if (there[i] && frames[i].rows < rows) rows = frames[i].rows;
    if (iol__series_legacy(series) && rows) rows--;
    size_t each = bins ? rows / bins : 0;
    if (each == 0) {
        snprintf(why, 400, "%zu rows make no %zu bins", rows, bins);
        return IOL_INVALID;
    }
    if (each * bins != rows)
        iol__site_say("%zu rows do not divide into %zu bins; the last %zu are left out", rows, bins,
                      rows - each * bins);
    *result = iol__value_new(arena, IOL__MAP);
    iol__value *list = iol__map_open(arena, *result, "bins", IOL__MAP);
    for (size_t i = 0; i < bins; i++)
        iol__map_put(arena, list, iol__arena_print(arena, "%lld", (long long)frames[0].times[i * each]),
                     bin_of(arena, frames, there, i * each, (i + 1) * each));
    iol__map_put(arena, *result, "summary", summary_of(arena, frames, there, rows));
    return IOL_OK;
}
