/* Ranges of time across files. */
#include "site/analyze/range.h"

#include <stdio.h>
#include <string.h>

#include "base/deadline.h"
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
    bool partial = ranges->partial || (ranges->live && ranges->live->partial);
    for (size_t i = 0; i < ranges->n_asked; i++) partial = partial || ranges->asked[i]->partial;
    return partial;
}

static iol__value *files_of(iol__ranges *ranges, iol__arena *scratch, const char *fs, int64_t start, int64_t end) {
    if (!ranges->files) return iol__places_files(scratch, ranges->site, "hdf5_files", fs, start, end, true);
    iol__value *files = iol__value_new(scratch, IOL__LIST);
    for (size_t i = 0; i < ranges->n_files; i++) iol__list_add(scratch, files, iol__of_text(scratch, ranges->files[i]));
    return files;
}

static void ask_too(iol__ranges *ranges, const char *fs, iol__live live) {
    if (ranges->n_asked == IOL__MOST_ASKED) return;
    live.arena = ranges->arena;
    live.site = ranges->site;
    live.backend = iol__places_backend(ranges->site, fs);
    live.luns = iol__places_get(ranges->site, "mmperfmon_lun_map");
    live.servers = iol__places_get(ranges->site, "mmperfmon_server_map");
    iol__live *kept = iol__arena_alloc(ranges->arena, 1, sizeof *kept);
    *kept = live;
    ranges->asked[ranges->n_asked++] = kept;
}

/* "live_sources": {"scratch": {"source": "prometheus", "input": "http://HOST:9090", "mapping": "FILE", "step": 15}} */
static void ask_live_source(iol__ranges *ranges, const char *fs, char why[400]) {
    const iol__value *is = iol__map_get(iol__places_get(ranges->site, "live_sources"), fs);
    const char *name = iol__map_text(is, "source"), *mapping = iol__map_text(is, "mapping");
    iol__live live = {.producer = name ? iol__producer_find(name) : NULL, .step = iol__mapping_step(is)};
    if (!live.producer) return;
    live.input = iol__places_input(ranges->arena, ranges->site, iol__map_text(is, "input"));
    if (mapping)
        live.mapping = iol__read_mapping(ranges->arena, iol__places_path(ranges->arena, ranges->site, mapping), why);
    if (!mapping || live.mapping) ask_too(ranges, fs, live);
}

/* Whether a mapping file is about this file system: "fs" in it is a name or a list of names; without it, any. */
static bool is_about(const iol__value *mapping, const char *fs) {
    const iol__value *names = iol__map_get(mapping, "fs");
    bool about = !names || (names->kind == IOL__TEXT && strcmp(names->text, fs) == 0);
    for (size_t i = 0; names && names->kind == IOL__LIST && i < names->count; i++)
        about = about || (names->items[i]->kind == IOL__TEXT && strcmp(names->items[i]->text, fs) == 0);
    return about;
}

/* "prometheus_sources": mapping files that know the server's address themselves. */
static void ask_prometheus(iol__ranges *ranges, const char *fs, char why[400]) {
    const iol__value *list = iol__places_get(ranges->site, "prometheus_sources");
    for (size_t i = 0; list && list->kind == IOL__LIST && i < list->count; i++) {
        if (list->items[i]->kind != IOL__TEXT) continue;
        const char *path = iol__places_path(ranges->arena, ranges->site, list->items[i]->text);
        const iol__value *mapping = iol__read_mapping(ranges->arena, path, why);
        const char *url = iol__map_text(mapping, "url");
        if (!mapping) iol__site_say("%s", why);
        if (url && is_about(mapping, fs))
            ask_too(ranges, fs,
                    (iol__live){.producer = iol__producer_find("prometheus"), .input = url, .mapping = mapping});
    }
}

/* Who may know, where there are no files: the file system's own source, then servers, then what GPFS' tool printed. */
static void find_sources(iol__ranges *ranges, const char *fs, char why[400]) {
    ranges->partial = iol__ranges_partial(ranges);
    ranges->asked_fs = iol__arena_copy(ranges->arena, fs);
    ranges->n_asked = 0;
    if (!ranges->site) return;
    ask_live_source(ranges, fs, why);
    ask_prometheus(ranges, fs, why);
    const iol__value *printed = iol__places_get(ranges->site, "mmperfmon_output_files");
    if (printed && (printed->kind != IOL__MAP || iol__map_get(printed, fs)))
        ask_too(ranges, fs, (iol__live){.producer = iol__producer_find("mmperfmon"), .key = "mmperfmon_output_files"});
}

/* From the sources of this file system, which answer for no other one: the first that has it. */
static iol_status read_live(iol__ranges *ranges, iol__arena *scratch, const char *fs, const char *dataset,
                            int64_t start, int64_t end, iol__frame *frame, char why[400]) {
    iol_status status = IOL_END;
    snprintf(why, 400, "there is no data of %s for that time", fs ? fs : "this file system");
    if (ranges->files || !fs) return IOL_END;
    if (!ranges->asked_fs || strcmp(ranges->asked_fs, fs) != 0) find_sources(ranges, fs, why);
    for (size_t i = 0; i < ranges->n_asked && (i == 0 || status != IOL_OK); i++)
        status = iol__live_read(ranges->asked[i], scratch, fs, dataset, start, end, frame, why);
    return status;
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
