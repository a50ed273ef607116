/* Ranges of time across files. */
#include "site/analyze/range.h"

#include <stdio.h>
#include <string.h>

#include "log/deadline.h"
#include "site/analyze/live.h"

static iol_status open_series(iol__ranges *ranges, const char *path, iol__series **series, char why[400]) {
    for (size_t i = 0; i < ranges->count; i++)
        if (strcmp(ranges->paths[i], path) == 0) {
            *series = ranges->open[i];
            return IOL_OK;
        }
    path = iol__arena_copy(ranges->arena, path);
    iol_status status = iol__series_open(ranges->arena, path, series, why);
    if (status != IOL_OK) return status;
    if (ranges->count == IOL__MOST_OPEN) {
        iol__series_close(ranges->open[0]);
        ranges->count--;
        memmove(ranges->open, ranges->open + 1, ranges->count * sizeof *ranges->open);
        memmove(ranges->paths, ranges->paths + 1, ranges->count * sizeof *ranges->paths);
    }
    ranges->open[ranges->count] = *series;
    ranges->paths[ranges->count++] = path;
    return IOL_OK;
}

void iol__ranges_close(iol__ranges *ranges) {
    for (size_t i = 0; i < ranges->count; i++) iol__series_close(ranges->open[i]);
    ranges->count = 0;
}

bool iol__ranges_partial(const iol__ranges *ranges) {
    return ranges->partial || (ranges->live && ranges->live->partial) || (ranges->asked && ranges->asked->partial);
}

static iol__value *files_of(iol__ranges *ranges, iol__arena *scratch, const char *fs, int64_t start, int64_t end) {
    if (!ranges->files) return iol__places_files(scratch, ranges->site, "hdf5_files", fs, start, end, true);
    iol__value *files = iol__value_new(scratch, IOL__LIST);
    for (size_t i = 0; i < ranges->n_files; i++) iol__list_add(scratch, files, iol__of_text(scratch, ranges->files[i]));
    return files;
}

/* Where there are no files, the source that the site file names for the file system is asked:
   "live_sources": {"scratch": {"source": "prometheus", "input": "http://HOST:9090", "mapping": "FILE", "step": 15}}. */
static iol__live *live_of(iol__ranges *ranges, const char *fs, char why[400]) {
    const iol__value *all = ranges->site ? iol__places_get(ranges->site, "live_sources") : NULL;
    const iol__value *is = all && fs ? iol__map_get(all, fs) : NULL;
    const char *name = iol__map_text(is, "source"), *mapping = iol__map_text(is, "mapping");
    const iol__producer *producer = name ? iol__producer_find(name) : NULL;
    if (!producer) return NULL;
    iol__live *live = iol__arena_alloc(ranges->arena, 1, sizeof *live);
    *live = (iol__live){.arena = ranges->arena,
                        .producer = producer,
                        .input = iol__map_text(is, "input"),
                        .luns = iol__places_get(ranges->site, "mmperfmon_lun_map"),
                        .servers = iol__places_get(ranges->site, "mmperfmon_server_map")};
    double step = iol__map_number(is, "step");
    if (step >= 1 && step <= 86400) live->step = (int64_t)step;
    if (!mapping) return live;
    live->mapping = iol__read_mapping(ranges->arena, iol__places_path(ranges->arena, ranges->site, mapping), why);
    return live->mapping ? live : NULL;
}

/* From the source of this file system, which answers for no other one. */
static iol_status read_live(iol__ranges *ranges, iol__arena *scratch, const char *fs, const char *dataset,
                            int64_t start, int64_t end, iol__frame *frame, char why[400]) {
    snprintf(why, 400, "there is no data of %s for that time", fs ? fs : "this file system");
    if (ranges->files || !fs) return IOL_END;
    if (!ranges->asked_fs || strcmp(ranges->asked_fs, fs) != 0) {
        ranges->partial = iol__ranges_partial(ranges);
        ranges->asked_fs = iol__arena_copy(ranges->arena, fs);
        ranges->asked = live_of(ranges, fs, why);
    }
    return ranges->asked ? iol__live_read(ranges->asked, scratch, fs, dataset, start, end, frame, why) : IOL_END;
}

iol_status iol__range_read(iol__ranges *ranges, iol__arena *scratch, const char *fs, const char *dataset, int64_t start,
                           int64_t end, iol__frame *frame, char why[400]) {
    if (iol__is_past(ranges->deadline)) {
        snprintf(why, 400, "reading the series took too long");
        return IOL_SYSTEM;
    }
    if (ranges->live) return iol__live_read(ranges->live, scratch, fs, dataset, start, end, frame, why);
    iol__value *files = files_of(ranges, scratch, fs, start, end);
    iol__frame *parts = iol__arena_alloc(scratch, files->count + 1, sizeof *parts);
    size_t count = 0;
    for (size_t i = 0; i < files->count; i++) {
        iol__series *series;
        iol_status status = open_series(ranges, files->items[i]->text, &series, why);
        if (status != IOL_OK) return status;
        iol__series_use(series, scratch);
        status = iol__series_read(series, dataset, start, end, &parts[count], why);
        iol__series_use(series, ranges->arena);
        if (status != IOL_OK) return status;
        if (parts[count].negative)
            iol__site_say("%s: %zu values of %s are below zero and count as missing", files->items[i]->text,
                          parts[count].negative, dataset);
        count++;
    }
    if (count == 0) return read_live(ranges, scratch, fs, dataset, start, end, frame, why);
    if (count == 1) {
        *frame = parts[0];
        return IOL_OK;
    }
    return iol__series_stitch(scratch, parts, count, frame, why);
}
