/* Volumes by day, week and month. Series are read day by day; SSD tiers have dumps of counters, whose differences between
   one day and the next are what was moved. */
#include "site/analyze/weeks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct volumes {
    iol__arena *arena;
    const iol__places *site;
    const char *fs;
    iol__span span;
    iol__value *bins;
    double capacity;
} volumes;

const char *iol__span_label(iol__arena *arena, iol__span span, int64_t day) {
    static const char *const forms[] = {"%Y-%m-%d", "%G-W%V", "%Y-%m"};
    char text[32];
    time_t when = (time_t)day + 43200; /* noon */
    struct tm tm;
    if (!localtime_r(&when, &tm) || !strftime(text, sizeof text, forms[span], &tm)) return "?";
    return iol__arena_copy(arena, text);
}

static void weeks_add(volumes *on, iol__value *bin, const char *key, double amount) {
    double old = iol__map_number(bin, key);
    if (!isnan(amount)) iol__map_put_real(on->arena, bin, key, (isnan(old) ? 0 : old) + amount);
}

static iol__value *weeks_bin_of(volumes *on, int64_t day) {
    return iol__map_open(on->arena, on->bins, iol__span_label(on->arena, on->span, day), IOL__MAP);
}

/* Sum of a dataset over a day; NAN if nothing was measured. */
static double weeks_sum_of(iol__ranges *ranges, iol__arena *scratch, const char *fs, const char *dataset, int64_t day,
                           int64_t next) {
    iol__frame frame;
    char why[400];
    double sum = NAN;
    if (iol__range_read(ranges, scratch, fs, dataset, day, next, &frame, why) != IOL_OK) return NAN;
    for (size_t i = 0; i < frame.rows * frame.columns; i++)
        if (!isnan(frame.values[i])) sum = (isnan(sum) ? 0 : sum) + frame.values[i];
    return sum;
}

/* Bytes that are stored, at the first and at the last row that has all that the others have. */
static void put_weeks_stored(volumes *on, iol__ranges *ranges, iol__arena *scratch, int64_t day, int64_t next,
                             iol__value *bin) {
    iol__frame frame;
    char why[400];
    if (iol__range_read(ranges, scratch, on->fs, "fullness/bytes", day, next, &frame, why) != IOL_OK) return;
    double unit = strcmp(frame.units, "KiB") == 0 ? 1024 : 1;
    for (size_t row = 0; row < frame.rows; row++) {
        double sum = 0;
        bool whole = frame.columns > 0;
        for (size_t i = 0; i < frame.columns; i++) {
            double value = *iol__frame_at(&frame, row, i);
            if (*frame.names[i]) whole = whole && !isnan(value);
            sum += isnan(value) ? 0 : value * unit;
        }
        if (!whole) continue;
        if (!iol__map_get(bin, "stored_first_bytes")) iol__map_put_real(on->arena, bin, "stored_first_bytes", sum);
        iol__map_put_real(on->arena, bin, "stored_last_bytes", sum);
    }
}

static void add_weeks_series(volumes *on, int64_t start, int64_t end) {
    int64_t day = iol__midnight(start, 0);
    for (int i = 1; day < end; i++) {
        int64_t next = iol__midnight(start, i);
        iol__arena scratch = {.exhausted = on->arena->exhausted};
        iol__ranges ranges = {.arena = &scratch, .site = on->site};
        double read = weeks_sum_of(&ranges, &scratch, on->fs, "datatargets/readbytes", day, next),
               written = weeks_sum_of(&ranges, &scratch, on->fs, "datatargets/writebytes", day, next);
        if (!isnan(read) || !isnan(written)) {
            iol__value *bin = weeks_bin_of(on, day);
            weeks_add(on, bin, "read_bytes", read);
            weeks_add(on, bin, "written_bytes", written);
            weeks_add(on, bin, "days", 1);
            put_weeks_stored(on, &ranges, &scratch, day, next, bin);
        }
        iol__ranges_close(&ranges);
        iol__arena_free(&scratch);
        day = next;
    }
}

static const iol__value *dump_of(volumes *on, iol__arena *scratch, int64_t day) {
    const iol__value *files = iol__places_files(scratch, on->site, "isdct_files", on->fs, day, day, true);
    if (!files->count) return NULL;
    const char *path = files->items[0]->text;
    iol__request request = {.arena = on->arena, .paths = &path, .n_paths = 1};
    iol__value *tree = NULL;
    if (iol__read_isdct(&request, &tree) == IOL_OK) return tree;
    iol__site_say("%s", request.why);
    return NULL;
}

/* Of devices that are in both dumps. Counters that went back belong to another device. */
static void add_difference(volumes *on, const iol__value *old, const iol__value *new, iol__value *bin) {
    static const char *const keys[][2] = {{"data_units_read_bytes", "read_bytes"},
                                          {"data_units_written_bytes", "written_bytes"}};
    for (size_t i = 0; i < new->count; i++)
        for (size_t k = 0; k < 2; k++) {
            double by = iol__map_number(new->items[i], keys[k][0]) -
                        iol__map_number(iol__map_get(old, new->keys[i]), keys[k][0]);
            if (by >= 0) weeks_add(on, bin, keys[k][1], by);
        }
    double devices = iol__map_number(bin, "devices");
    if (!(devices >= (double)new->count)) iol__map_put_integer(on->arena, bin, "devices", (int64_t) new->count);
    weeks_add(on, bin, "days", 1);
}

static void add_dumps(volumes *on, int64_t start, int64_t end) {
    const iol__value *old = NULL;
    int64_t day = iol__midnight(start, 0);
    for (int i = 1; day < end; day = iol__midnight(start, i++)) {
        iol__arena scratch = {.exhausted = on->arena->exhausted};
        const iol__value *new = dump_of(on, &scratch, day);
        if (old && new) add_difference(on, old, new, weeks_bin_of(on, day));
        if (new) old = new;
        iol__arena_free(&scratch);
    }
}

/* Totals ----------------------------------------------------------------------------------------------------------- */

static void put_capacities(volumes *on, iol__value *row) {
    static const char *const keys[][2] = {{"read_bytes", "read_capacities"}, {"written_bytes", "written_capacities"}};
    for (size_t i = 0; i < 2; i++)
        if (on->capacity > 0 && iol__map_get(row, keys[i][0]))
            iol__map_put_real(on->arena, row, keys[i][1], iol__map_number(row, keys[i][0]) / on->capacity);
}

static void put_growth(volumes *on, iol__value *row, double first, double last) {
    double written = iol__map_number(row, "written_bytes");
    if (isnan(first) || isnan(last)) return;
    iol__map_put_real(on->arena, row, "growth_bytes", last - first);
    if (written > 0) iol__map_put_real(on->arena, row, "growth_per_written", (last - first) / written);
}

static iol__value *weeks_total_of(volumes *on) {
    iol__value *total = iol__value_new(on->arena, IOL__MAP);
    double first = NAN, last = NAN;
    for (size_t i = 0; i < on->bins->count; i++) {
        iol__value *bin = on->bins->items[i];
        double from = iol__map_number(bin, "stored_first_bytes"), to = iol__map_number(bin, "stored_last_bytes");
        weeks_add(on, total, "read_bytes", iol__map_number(bin, "read_bytes"));
        weeks_add(on, total, "written_bytes", iol__map_number(bin, "written_bytes"));
        weeks_add(on, total, "days", iol__map_number(bin, "days"));
        if (isnan(first)) first = from;
        if (!isnan(to)) last = to;
        put_capacities(on, bin);
        put_growth(on, bin, from, to);
    }
    double read = iol__map_number(total, "read_bytes"), written = iol__map_number(total, "written_bytes"),
           days = iol__map_number(total, "days");
    if (written > 0) iol__map_put_real(on->arena, total, "read_write_ratio", read / written);
    if (on->capacity > 0 && days > 0) {
        iol__map_put_real(on->arena, total, "capacities_per_week", (read + written) / on->capacity / days * 7);
        iol__map_put_real(on->arena, total, "drive_writes_per_week", written / on->capacity / days * 7);
    }
    put_growth(on, total, first, last);
    return total;
}

static void add_system(iol__value *all, volumes on, int64_t start, int64_t end, bool dumps) {
    on.bins = iol__value_new(on.arena, IOL__MAP);
    on.capacity = on.fs ? iol__map_number(iol__places_get(on.site, "fs_capacity_bytes"), on.fs) : NAN;
    if (dumps)
        add_dumps(&on, start, end);
    else
        add_weeks_series(&on, start, end);
    iol__value *system = iol__value_new(on.arena, IOL__MAP);
    iol__map_put(on.arena, system, "bins", on.bins);
    iol__map_put(on.arena, system, "total", weeks_total_of(&on));
    double missing = round((double)(end - start) / 86400) - iol__map_number(iol__map_get(system, "total"), "days");
    iol__map_put_real(on.arena, system, "days_missing",
                      isnan(missing) ? round((double)(end - start) / 86400) : missing);
    iol__map_put(on.arena, all, on.fs ? on.fs : "all", system);
}

iol__value *iol__weeks(iol__arena *arena, const iol__places *site, const char *fs, int64_t start, int64_t end,
                       iol__span span) {
    static const char *const keys[] = {"hdf5_files", "isdct_files"};
    iol__value *all = iol__value_new(arena, IOL__MAP);
    for (size_t k = 0; k < 2; k++) {
        const iol__value *files = iol__places_get(site, keys[k]);
        bool named = files && files->kind == IOL__MAP;
        for (size_t i = 0; named && i < files->count; i++)
            if (!fs || strcmp(fs, files->keys[i]) == 0)
                add_system(all, (volumes){.arena = arena, .site = site, .fs = files->keys[i], .span = span}, start, end,
                           k == 1);
        if (files && !named && (k == 0 || !fs))
            add_system(all,
                       (volumes){.arena = arena,
                                 .site = site,
                                 .fs = fs  ? fs
                                       : k ? "ssd"
                                           : NULL,
                                 .span = span},
                       start, end, k == 1);
    }
    return all;
}

/* Words and pictures ----------------------------------------------------------------------------------------------- */

void iol__weeks_text(iol__out *out, const iol__value *weeks) {
    for (size_t i = 0; i < weeks->count; i++) {
        const iol__value *bins = iol__map_get(weeks->items[i], "bins"), *total = iol__map_get(weeks->items[i], "total");
        iol__out_printf(out, "%s%s, %.0f days without data\n%-12s %12s %12s %9s %12s\n", i ? "\n" : "", weeks->keys[i],
                        iol__map_number(weeks->items[i], "days_missing"), "", "read TiB", "written TiB", "capacity",
                        "growth TiB");
        for (size_t k = 0; bins->count && k <= bins->count; k++) {
            const iol__value *row = k < bins->count ? bins->items[k] : total;
            double growth = iol__map_number(row, "growth_bytes"), part = iol__map_number(row, "written_capacities");
            iol__out_printf(out, "%-12s %12.3f %12.3f ", k < bins->count ? bins->keys[k] : "all",
                            iol__map_number(row, "read_bytes") / 0x1p40,
                            iol__map_number(row, "written_bytes") / 0x1p40);
            if (isnan(part))
                iol__out_printf(out, "%9s ", "");
            else
                iol__out_printf(out, "%9.3f ", part);
            if (isnan(growth))
                iol__out_printf(out, "%12s\n", "");
            else
                iol__out_printf(out, "%12.3f\n", growth / 0x1p40);
        }
    }
}
