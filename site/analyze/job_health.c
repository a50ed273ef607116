/* Health of the file system of a job when it began. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site/analyze/health.h"
#include "site/analyze/job.h"

/* Listings of the days around a time, where the site file says they are. */
static const iol__value *listings_at(iol__job_sources *from, const char *key, const char *fs, int64_t when,
                                     iol_status (*read)(iol__request *, iol__value **)) {
    iol__value *files = iol__places_files(from->scratch, from->site, key, fs, when - 86400, when + 3600, true);
    if (files->count == 0) return NULL;
    const char **paths = iol__arena_alloc(from->scratch, files->count, sizeof *paths);
    for (size_t i = 0; i < files->count; i++) paths[i] = files->items[i]->text;
    iol__request request = {.arena = from->scratch, .paths = paths, .n_paths = files->count};
    iol__value *listing;
    if (read(&request, &listing) == IOL_OK) return listing;
    iol__site_say("%s", request.why);
    return NULL;
}

static void put_all(iol__arena *arena, iol__value *row, const iol__value *summary) {
    for (size_t i = 0; i < summary->count; i++)
        iol__map_put(arena, row, iol__arena_print(arena, "fshealth_%s", summary->keys[i]),
                     iol__value_copy(arena, summary->items[i]));
}

static void put_times(iol__arena *arena, iol__value *row, const char *kind, const iol__sample *sample, int64_t start) {
    if (sample->when) {
        iol__map_put_integer(arena, row, iol__arena_print(arena, "fshealth_ost_%s_timestamp", kind), sample->when);
        iol__map_put_real(arena, row, iol__arena_print(arena, "fshealth_ost_%s_lead_secs", kind),
                          (double)(start - sample->when));
    }
    if (sample->next)
        iol__map_put_integer(arena, row, iol__arena_print(arena, "fshealth_ost_%s_next_timestamp", kind), sample->next);
}

/* A row of a series of fullness, as a block of a listing. */
static iol__value *block_of(iol__arena *arena, const iol__frame *used, const iol__frame *total, size_t row) {
    double unit = strcmp(used->units, "KiB") == 0 ? 1 : 1.0 / 1024;
    iol__value *block = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; i < used->columns && i < total->columns; i++) {
        double here = NAN, all = NAN;
        for (size_t r = 0; r <= row; r++) {
            double value = *iol__frame_at(used, r, i), size = *iol__frame_at(total, r, i);
            if (!isnan(value)) here = value;
            if (!isnan(size)) all = size;
        }
        /* Without an earlier one the next will do. */
        for (size_t r = row + 1; r < used->rows && isnan(here); r++) here = *iol__frame_at(used, r, i);
        for (size_t r = row + 1; r < total->rows && isnan(all); r++) all = *iol__frame_at(total, r, i);
        const char *name = strstr(used->names[i], "OST");
        if (!name || isnan(here) || isnan(all)) continue;
        iol__value *target = iol__map_open(arena, block, name, IOL__MAP);
        iol__map_put_integer(arena, target, "used_kib", iol__whole(here * unit));
        iol__map_put_integer(arena, target, "total_kib", iol__whole(all * unit));
        iol__map_put_integer(arena, target, "target_index", strtol(name + 3, NULL, 16));
    }
    return block;
}

/* Fullness from the series of the file system: the row that is nearest. */
static iol__sample fullness_in_series(iol__job_sources *from, const char *fs, int64_t when) {
    iol__frame used, total;
    iol__sample sample = {0};
    char why[400];
    if (iol__range_read(from->ranges, from->scratch, fs, "fullness/bytes", when - 3600, when + 3600, &used, why) !=
            IOL_OK ||
        iol__range_read(from->ranges, from->scratch, fs, "fullness/bytestotal", when - 3600, when + 3600, &total,
                        why) != IOL_OK)
        return sample;
    if (used.rows == 0 || total.rows != used.rows) return sample;
    size_t nearest = 0;
    for (size_t i = 1; i < used.rows; i++)
        if (llabs(used.times[i] - when) < llabs(used.times[nearest] - when)) nearest = i;
    iol__value *block = block_of(from->scratch, &used, &total, nearest);
    if (block->count) sample = (iol__sample){.block = block, .when = used.times[nearest]};
    if (block->count && nearest + 1 < used.rows) sample.next = used.times[nearest + 1];
    return sample;
}

void iol__job_put_health(iol__job_sources *from, const char *fs, int64_t start, iol__value *row) {
    const char *backend = iol__places_backend(from->site, fs);
    iol__arena *arena = from->arena;
    if (!backend) return;
    iol__sample full = {0}, held = {0};
    const iol__value *fullness = from->fullness, *map = from->map;
    if (!fullness && from->health) full = fullness_in_series(from, fs, start);
    if (!fullness && from->health && !full.block)
        fullness = listings_at(from, "lfsstatus_fullness_files", fs, start, iol__read_lfs_df);
    if (!map && from->health) map = listings_at(from, "lfsstatus_map_files", fs, start, iol__read_lctl);
    if (fullness) full = iol__sample_at(from->scratch, fullness, backend, start);
    if (map) held = iol__sample_at(from->scratch, map, backend, start);
    if (full.block) put_all(arena, row, iol__fullness_of(from->scratch, &full, start));
    if (held.block) put_all(arena, row, iol__failures_of(from->scratch, &held, start));
    if (full.block) put_times(arena, row, "fullness", &full, start);
    if (held.block) put_times(arena, row, "failures", &held, start);
    double count = iol__map_number(row, "fshealth_ost_count"),
           overloaded = iol__map_number(row, "fshealth_ost_overloaded_ost_count");
    if (count > 0 && !isnan(overloaded))
        iol__map_put_real(arena, row, "fshealth_ost_overloaded_pct", 100 * overloaded / count);
}
