/* What a time series file holds, object by object: versions, producers, units, shapes and times, without reading values. The
   version of a dataset is its own, else that of the file. Both layouts are listed as they are stored. */
#include <stdio.h>
#include <string.h>

#include "site/connect/connect.h"
#include "site/series/series_internal.h"

enum { DEEPEST = 16, MOST_OBJECTS = 100000, GROUP = 2, DATASET = 5 };

typedef struct contents_listing {
    iol__series *series;
    iol__arena *arena;
    iol__value *to;
    const char *version; /* of the file */
} contents_listing;

static const char *text_attribute(const contents_listing *on, int64_t object, const char *name) {
    char text[256];
    bool there = iol__hdf5_text(on->series->h, object, name, text, sizeof text) && *text;
    return there ? iol__arena_copy(on->arena, text) : NULL;
}

/* Files of early 2018 have the text None for a version that was not given. */
static const char *contents_version_of(const contents_listing *on, int64_t object) {
    const char *own = text_attribute(on, object, "version");
    return own && strcmp(own, "None") != 0 ? own : on->version;
}

static void put_contents_text(const contents_listing *on, iol__value *to, const char *key, const char *text) {
    if (text) iol__map_put_text(on->arena, to, key, text);
}

static void put_integer(const contents_listing *on, iol__value *to, int64_t object, const char *key) {
    int64_t value;
    if (iol__hdf5_integer(on->series->h, object, key, &value)) iol__map_put_integer(on->arena, to, key, value);
}

static iol__value *contents_row(const contents_listing *on, const char *name, const char *kind, int64_t object) {
    iol__value *made = iol__map_open(on->arena, on->to, name, IOL__MAP);
    iol__map_put_text(on->arena, made, "kind", kind);
    put_contents_text(on, made, "version", contents_version_of(on, object));
    return made;
}

/* Times and names of columns, where it is a matrix of a series. */
static void put_matrix(const contents_listing *on, iol__value *to, const char *name) {
    iol__dataset *is;
    char why[400];
    if (on->series->legacy || iol__series_dataset(on->series, name, &is, why) != IOL_OK) return;
    iol__map_put_integer(on->arena, to, "named_columns", (int64_t)is->named);
    if (is->count == 0) return;
    int64_t step = is->count > 1 ? is->times[1] - is->times[0] : 0;
    iol__map_put_integer(on->arena, to, "start", is->times[0]);
    iol__map_put_integer(on->arena, to, "end", is->times[is->count - 1] + step);
    if (step) iol__map_put_integer(on->arena, to, "step", step);
}

static void put_dataset(const contents_listing *on, const char *name, int64_t object) {
    uint64_t sizes[2] = {0};
    iol__value *to = contents_row(on, name, "dataset", object);
    int rank = iol__series_sizes(on->series->h, object, sizes);
    if (rank > 0) iol__map_put_integer(on->arena, to, "rows", (int64_t)sizes[0]);
    if (rank > 1) iol__map_put_integer(on->arena, to, "columns", (int64_t)sizes[1]);
    put_contents_text(on, to, "units", text_attribute(on, object, "units"));
    put_integer(on, to, object, "updated");
    if (rank > 1) put_matrix(on, to, name);
}

static void put_contents_group(const contents_listing *on, const char *name, int64_t group, int depth);

static void put_object(const contents_listing *on, const char *name, int depth) {
    const iol__hdf5 *h = on->series->h;
    int64_t object = h->H5Oopen(on->series->file, name, IOL__H5_DEFAULT);
    int kind = object >= 0 ? h->H5Iget_type(object) : -1;
    if (kind == DATASET) {
        put_dataset(on, name, object);
    } else if (kind == GROUP) {
        put_contents_text(on, contents_row(on, name, "group", object), "source", text_attribute(on, object, "source"));
        if (depth < DEEPEST) put_contents_group(on, name, object, depth + 1);
    }
    if (object >= 0) h->H5Oclose(object);
}

static void put_contents_group(const contents_listing *on, const char *name, int64_t group, int depth) {
    char link[256];
    for (uint64_t i = 0; on->to->count < MOST_OBJECTS; i++) {
        int64_t length = on->series->h->H5Lget_name_by_idx(group, ".", 0, 0, i, link, sizeof link, IOL__H5_DEFAULT);
        if (length <= 0) break;
        if (length < (int64_t)sizeof link)
            put_object(on, iol__arena_print(on->arena, "%s%s%s", name, *name ? "/" : "", link), depth);
    }
}

static iol_status read_one(iol__request *request, const char *path, iol__value *to) {
    contents_listing on = {.arena = request->arena, .to = to};
    iol_status status = iol__series_open(request->arena, path, &on.series, request->why);
    if (status != IOL_OK) return status;
    on.version = contents_version_of(&on, on.series->file);
    iol__value *file = contents_row(&on, "/", "file", on.series->file);
    iol__map_put_text(on.arena, file, "layout", on.series->legacy ? "h5lmt" : "tts");
    put_integer(&on, file, on.series->file, "start");
    put_integer(&on, file, on.series->file, "end");
    put_contents_group(&on, "", on.series->file, 0);
    iol__series_close(on.series);
    return IOL_OK;
}

iol_status iol__read_tts(iol__request *request, iol__value **out) {
    iol_status status = request->n_paths ? IOL_OK : iol__refuse(request, IOL_INVALID, "an input file is missing");
    *out = iol__value_new(request->arena, IOL__MAP);
    for (size_t i = 0; i < request->n_paths && status == IOL_OK; i++)
        status =
            read_one(request, request->paths[i],
                     request->n_paths == 1 ? *out : iol__map_open(request->arena, *out, request->paths[i], IOL__MAP));
    return status;
}
