/* Frames straight from a source, without a file in between: the producers of archives fill their grids in memory. What a
   range needs is asked for once. */
#include "site/analyze/live.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const iol__value *iol__read_mapping(iol__arena *arena, const char *path, char why[400]) {
    char wrong[120];
    iol__feed feed;
    if (iol__feed_open(path, &feed, why) != IOL_OK) return NULL;
    const iol__value *mapping = iol__value_parse(arena, feed.bytes, feed.length, wrong);
    iol__feed_close(&feed);
    if (!mapping) snprintf(why, 400, "%.250s: %s", path, wrong);
    return mapping;
}

int64_t iol__mapping_step(const iol__value *mapping) {
    double step = iol__map_number(mapping, "step");
    return step >= 1 && step <= 86400 ? (int64_t)step : 0;
}

/* Files of the site for a range; labels may be those of the end of a step. */
static void find_live_inputs(const iol__live *live, const char *fs, int64_t last, iol__request *request) {
    const iol__value *files = iol__places_files(live->arena, live->site, live->key, fs, request->start, last, false);
    const char **paths = iol__arena_alloc(live->arena, files->count + 1, sizeof *paths);
    for (size_t i = 0; i < files->count; i++) paths[i] = files->items[i]->text;
    request->paths = paths;
    request->n_paths = files->count;
}

static int64_t step_of(const iol__live *live) {
    int64_t given = live->step > 0 ? live->step : iol__mapping_step(live->mapping);
    return given > 0 ? given : live->producer->step;
}

static iol_status live_fill(iol__live *live, const char *fs, int64_t start, int64_t end, char why[400]) {
    int64_t step = step_of(live);
    iol__request request = {.arena = live->arena,
                            .source = live->producer->name,
                            .paths = &live->input,
                            .n_paths = live->input && *live->input,
                            .ranged = true,
                            .fs = live->backend ? live->backend : fs};
    int64_t first = start - (start % step + step) % step, last = end + (step - end % step) % step;
    iol__archiving to = {.arena = live->arena,
                         .start = first,
                         .end = last > first ? last : first + step,
                         .step = step,
                         .source = live->producer->source,
                         .luns = live->luns,
                         .servers = live->servers,
                         .mapping = live->mapping,
                         .devices = 1};
    request.start = to.start;
    request.end = to.end;
    if (live->key) find_live_inputs(live, fs, to.end + step, &request);
    if (live->key && !request.n_paths) {
        snprintf(why, 400, "there is no file of %s for that time", live->key);
        return IOL_END;
    }
    iol_status status = live->producer->fill(&request, &to);
    if (status != IOL_OK) {
        memcpy(why, request.why, sizeof request.why);
        return status;
    }
    to.outside = 0; /* a dump may hold far more than a question is about */
    live->count = iol__archiving_parts(&to, &live->parts);
    live->fs = fs ? iol__arena_copy(live->arena, fs) : NULL;
    live->start = start;
    live->end = end;
    live->filled = true;
    live->partial = live->partial || *request.partial;
    return IOL_OK;
}

static bool already(const iol__live *live, const char *fs, int64_t start, int64_t end) {
    return live->filled && live->start == start && live->end == end &&
           strcmp(live->fs ? live->fs : "", fs ? fs : "") == 0;
}

static const iol__series_part *live_part_of(const iol__live *live, const char *dataset) {
    for (size_t i = 0; i < live->count; i++)
        if (strcmp(live->parts[i].dataset, dataset) == 0) return &live->parts[i];
    return NULL;
}

static void live_cut(iol__arena *arena, const iol__series_part *part, int64_t start, int64_t end, double factor,
                     iol__frame *frame) {
    const iol__frame *from = part->frame;
    size_t first = 0, last = from->rows;
    while (first < last && from->times[first] < start) first++;
    while (last > first && from->times[last - 1] >= end) last--;
    iol__frame_make(arena, last - first, from->columns, frame);
    for (size_t i = 0; i < from->columns; i++) frame->names[i] = from->names[i];
    for (size_t row = 0; row < frame->rows; row++) {
        frame->times[row] = from->times[first + row];
        for (size_t i = 0; i < from->columns; i++)
            *iol__frame_at(frame, row, i) = *iol__frame_at(from, first + row, i) * factor;
    }
    frame->named = from->named;
    frame->step = from->step;
}

iol_status iol__live_read(iol__live *live, iol__arena *arena, const char *fs, const char *dataset, int64_t start,
                          int64_t end, iol__frame *frame, char why[400]) {
    iol_status status = IOL_OK;
    bool to_rate = false;
    if (!already(live, fs, start, end)) status = live_fill(live, fs, start, end, why);
    if (status != IOL_OK) return status;
    dataset += *dataset == '/';
    const iol__series_part *part = live_part_of(live, dataset);
    double factor = 1;
    if (!part) {
        const char *other = iol__series_counterpart(arena, dataset, &to_rate);
        part = other ? live_part_of(live, other) : NULL;
        if (part) factor = to_rate ? 1.0 / (double)part->frame->step : (double)part->frame->step;
    }
    if (!part) {
        snprintf(why, 400, "%s has no '%.100s'", live->producer->name, dataset);
        return IOL_INVALID;
    }
    live_cut(arena, part, start, end, factor, frame);
    /* "bytes" and "bytes/sec" */
    bool derived = strcmp(part->dataset, dataset) != 0;
    snprintf(frame->units, sizeof frame->units, "%.*s%s",
             derived && !to_rate ? (int)strcspn(part->units, "/") : (int)strlen(part->units), part->units,
             derived && to_rate ? "/sec" : "");
    return IOL_OK;
}
