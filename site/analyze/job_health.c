/* Health of the file system of a job when it began. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site/analyze/job.h"

/* Listings that may hold the sample of a time: of the day before it to that of an hour later. */
static const iol__value *listings_at(iol__job_sources *from, const char *key, const char *fs, int64_t when,
                                     iol_status (*read)(iol__request *, iol__value **)) {
    return iol__job_listing(from, key, fs, when - 86400, when + 3600, true, read);
}

/* The name that listings have. */
static const char *job_health_listed_as(const iol__job_sources *from, const char *fs) {
    const char *backend = iol__places_backend(from->site, fs);
    return backend ? backend : fs;
}

static void job_health_put_all(iol__arena *arena, iol__value *row, const iol__value *summary) {
    for (size_t i = 0; i < summary->count; i++)
        iol__map_put(arena, row, iol__arena_print(arena, "fshealth_%s", summary->keys[i]),
                     iol__value_copy(arena, summary->items[i]));
}

static void put_job_health_times(iol__arena *arena, iol__value *row, const char *kind, const iol__sample *sample,
                                 int64_t start) {
    if (sample->when) {
        iol__map_put_integer(arena, row, iol__arena_print(arena, "fshealth_ost_%s_timestamp", kind), sample->when);
        iol__map_put_real(arena, row, iol__arena_print(arena, "fshealth_ost_%s_lead_secs", kind),
                          (double)(start - sample->when));
    }
    if (sample->next)
        iol__map_put_integer(arena, row, iol__arena_print(arena, "fshealth_ost_%s_next_timestamp", kind), sample->next);
}

/* What a column held at a row: the last value until then, without one the next. In KiB. */
static double held_at(const iol__frame *frame, size_t column, size_t row) {
    double unit = strcmp(frame->units, "KiB") == 0 ? 1 : 1.0 / 1024, held = NAN;
    for (size_t r = 0; r < frame->rows && (r <= row || isnan(held)); r++) {
        double value = *iol__frame_at(frame, r, column);
        if (!isnan(value)) held = value;
    }
    return held * unit;
}

static size_t job_health_column_of(const iol__frame *frame, const char *name) {
    size_t i = 0;
    while (i < frame->columns && strcmp(frame->names[i], name) != 0) i++;
    return i;
}

/* A row of a series of fullness, as a block of a listing. */
static iol__value *block_of(iol__arena *arena, const iol__frame *used, const iol__frame *total, size_t row) {
    iol__value *block = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; i < used->columns; i++) {
        const char *name = strstr(used->names[i], "OST");
        size_t other = job_health_column_of(total, used->names[i]);
        double here = held_at(used, i, row), all = other < total->columns ? held_at(total, other, row) : NAN;
        if (!name || isnan(here) || isnan(all)) continue;
        iol__value *target = iol__map_open(arena, block, name, IOL__MAP);
        iol__map_put_integer(arena, target, "used_kib", iol__whole(here));
        iol__map_put_integer(arena, target, "total_kib", iol__whole(all));
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

static iol__sample fullness_in_listings(iol__job_sources *from, const char *fs, int64_t when) {
    const iol__value *listing = listings_at(from, "lfsstatus_fullness_files", fs, when, iol__read_lfs_df);
    return listing ? iol__sample_at(from->scratch, listing, job_health_listed_as(from, fs), when) : (iol__sample){0};
}

iol__sample iol__job_fullness(iol__job_sources *from, const char *fs, int64_t when) {
    const iol__value *order = iol__places_get(from->site, "lfsstatus_fullness_providers");
    bool listed = order && order->kind == IOL__LIST;
    iol__sample sample = {0};
    for (size_t i = 0; !sample.block && i < (listed ? order->count : 2); i++) {
        const iol__value *name = listed ? order->items[i] : NULL;
        bool series = name ? name->kind == IOL__TEXT && strcmp(name->text, "hdf5") == 0 : i == 0;
        sample = series ? fullness_in_series(from, fs, when) : fullness_in_listings(from, fs, when);
    }
    return sample;
}

iol__sample iol__job_map(iol__job_sources *from, const char *fs, int64_t when) {
    const iol__value *map = from->map;
    if (!map) map = listings_at(from, "lfsstatus_map_files", fs, when, iol__read_lctl);
    return map ? iol__sample_at(from->scratch, map, job_health_listed_as(from, fs), when) : (iol__sample){0};
}

void iol__job_put_health(iol__job_sources *from, const char *fs, int64_t start, iol__value *row) {
    const char *backend = iol__places_backend(from->site, fs);
    iol__arena *arena = from->arena;
    if (!backend) return;
    iol__sample full = {0}, held = {0};
    if (from->fullness)
        full = iol__sample_at(from->scratch, from->fullness, backend, start);
    else if (from->health)
        full = iol__job_fullness(from, fs, start);
    if (from->map || from->health) held = iol__job_map(from, fs, start);
    if (full.block) job_health_put_all(arena, row, iol__fullness_of(from->scratch, &full, start));
    if (held.block) job_health_put_all(arena, row, iol__failures_of(from->scratch, &held, start));
    if (full.block) put_job_health_times(arena, row, "fullness", &full, start);
    if (held.block) put_job_health_times(arena, row, "failures", &held, start);
    double count = iol__map_number(row, "fshealth_ost_count"),
           overloaded = iol__map_number(row, "fshealth_ost_overloaded_ost_count");
    if (count > 0 && !isnan(overloaded))
        iol__map_put_real(arena, row, "fshealth_ost_overloaded_pct", 100 * overloaded / count);
}

iol__value *iol__job_osts(iol__job_sources *from, const iol__value *row) {
    const char *fs = iol__map_text(row, "_file_system");
    int64_t start = iol__whole(iol__map_number(row, "_datetime_start"));
    if (!iol__places_backend(from->site, fs)) return NULL;
    const iol__value *servers = iol__servers_of(from->scratch, iol__job_map(from, fs, start).block);
    iol__value *list = iol__value_new(from->arena, IOL__LIST);
    for (size_t i = 0; i < servers->count; i++) {
        iol__value *one = iol__value_new(from->arena, IOL__MAP);
        iol__map_put_integer(from->arena, one, "ost", strtoll(servers->keys[i], NULL, 10));
        iol__map_put_text(from->arena, one, "oss", servers->items[i]->text);
        iol__list_add(from->arena, list, one);
    }
    return list->count ? list : NULL;
}
