/* Reading time series files. */
#include "site/series/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/connect.h"
#include "site/series/series_internal.h"

iol_status iol__series_failed(iol__series *series, char why[400], iol_status status, const char *format, ...) {
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(why, 400, "%.190s: %s", series->path, text);
    return status;
}

/* A file that was compressed, from memory. HDF5 takes images of one name for one file, and wants none that exists. */
static int64_t open_image(iol__arena *arena, const iol__hdf5 *h, const iol__feed *image) {
    const char *name = iol__arena_print(arena, "/dev/null/%s", image->name);
    int64_t access = h->H5Pcreate(h->file_access), file = -1;
    if (access >= 0 && h->H5Pset_fapl_core(access, 1 << 20, 0) >= 0 &&
        h->H5Pset_file_image(access, image->bytes, image->length) >= 0)
        file = h->H5Fopen(name, IOL__H5_RDONLY, access);
    if (access >= 0) h->H5Pclose(access);
    return file;
}

iol_status iol__series_open(iol__arena *arena, const char *path, iol__series **series, char why[400]) {
    const char *missing;
    iol__feed image = {0};
    iol__series *made = iol__arena_alloc(arena, 1, sizeof *made);
    *made = (iol__series){
        .arena = arena, .kept = {.exhausted = arena->exhausted}, .path = path, .h = iol__hdf5_load(&missing)};
    *series = NULL;
    if (!made->h) return iol__series_failed(made, why, IOL_UNSUPPORTED, "%s", missing);
    FILE *readable = fopen(path, "re");
    if (!readable) return iol__series_failed(made, why, IOL_SYSTEM, "%m");
    fclose(readable);
    bool packed = iol__feed_packed(path);
    if (packed && iol__feed_open(path, &image, why) != IOL_OK) return IOL_DAMAGED;
    made->file = packed ? open_image(arena, made->h, &image) : made->h->H5Fopen(path, IOL__H5_RDONLY, IOL__H5_DEFAULT);
    iol__feed_close(&image);
    if (made->file < 0) return iol__series_failed(made, why, IOL_DAMAGED, "no HDF5 file, or a damaged one");
    made->legacy =
        made->h->H5Aexists(made->file, "version") <= 0 && iol__series_there(made, "FSStepsGroup/FSStepsDataSet");
    *series = made;
    return IOL_OK;
}

void iol__series_close(iol__series *series) {
    if (!series) return;
    for (size_t i = 0; i < series->n_datasets; i++) series->h->H5Dclose(series->datasets[i]->id);
    series->h->H5Fclose(series->file);
    iol__arena_free(&series->kept);
}

void iol__series_use(iol__series *series, iol__arena *arena) { series->arena = arena; }

bool iol__series_extent(iol__arena *arena, const char *path, int64_t *first, int64_t *last) {
    iol__series *series;
    char why[400];
    if (iol__series_open(arena, path, &series, why) != IOL_OK) return false;
    bool known = iol__hdf5_integer(series->h, series->file, "start", first) &&
                 iol__hdf5_integer(series->h, series->file, "end", last);
    iol__series_close(series);
    return known;
}

bool iol__series_legacy(const iol__series *series) { return series->legacy; }

bool iol__series_there(iol__series *series, const char *name) {
    char part[256];
    size_t length = strlen(name);
    if (length == 0 || length >= sizeof part) return false;
    memcpy(part, name, length + 1);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (series->h->H5Lexists(series->file, part, IOL__H5_DEFAULT) <= 0) return false;
        *slash = '/';
    }
    return series->h->H5Lexists(series->file, part, IOL__H5_DEFAULT) > 0;
}

int iol__series_sizes(const iol__hdf5 *h, int64_t dataset, uint64_t sizes[2]) {
    int64_t space = h->H5Dget_space(dataset);
    int rank = space >= 0 ? h->H5Sget_simple_extent_ndims(space) : -1;
    if (rank != 1 && rank != 2) rank = -1;
    if (rank > 0) h->H5Sget_simple_extent_dims(space, sizes, NULL);
    if (space >= 0) h->H5Sclose(space);
    return rank;
}

iol_status iol__series_integers(iol__series *series, const char *name, int64_t **values, size_t *count, char why[400]) {
    const iol__hdf5 *h = series->h;
    int64_t dataset = iol__series_there(series, name) ? h->H5Dopen2(series->file, name, IOL__H5_DEFAULT) : -1;
    uint64_t sizes[2] = {0};
    if (dataset < 0) return iol__series_failed(series, why, IOL_DAMAGED, "no dataset '%.100s'", name);
    iol_status status = IOL_OK;
    if (iol__series_sizes(h, dataset, sizes) != 1 || sizes[0] > IOL__MOST_CELLS) {
        status = iol__series_failed(series, why, IOL_DAMAGED, "'%.100s' is not a list of times", name);
    } else {
        *count = (size_t)sizes[0];
        *values = iol__arena_alloc(series->arena, *count + 1, sizeof **values);
        if (h->H5Dread(dataset, h->native_int64, IOL__H5_ALL, IOL__H5_ALL, IOL__H5_DEFAULT, *values) < 0)
            status = iol__series_failed(series, why, IOL_DAMAGED, "'%.100s' cannot be read", name);
    }
    h->H5Dclose(dataset);
    return status;
}

size_t iol__first_row(const int64_t *times, size_t count, int64_t time) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (times[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct series_naming {
    iol__arena *arena;
    iol__frame *frame;
    size_t surplus;
} series_naming;

static void keep_series_name(void *context, size_t number, const char *text, size_t length) {
    series_naming *to = context;
    if (number >= to->frame->columns) {
        to->surplus++;
        return;
    }
    to->frame->names[number] = iol__arena_text(to->arena, text, length);
    if (length) to->frame->named = number + 1;
}

void iol__series_columns(iol__series *series, int64_t dataset, const char *attribute, iol__frame *frame) {
    series_naming to = {series->arena, frame, 0};
    iol__hdf5_texts(series->h, dataset, attribute, keep_series_name, &to);
    if (to.surplus) iol__site_say("%s: %zu names of columns too many", series->path, to.surplus);
}

/* Amounts and rates ----------------------------------------------------------------------------------------------- */

static const char *const pairs[][2] = {
    {"readbytes", "readrates"},     {"writebytes", "writerates"}, {"readops", "readoprates"},
    {"writeops", "writeoprates"},   {"opens", "openrates"},       {"closes", "closerates"},
    {"mknods", "mknodrates"},       {"links", "linkrates"},       {"unlinks", "unlinkrates"},
    {"mkdirs", "mkdirrates"},       {"rmdirs", "rmdirrates"},     {"renames", "renamerates"},
    {"getxattrs", "getxattrrates"}, {"statfss", "statfsrates"},   {"setattrs", "setattrrates"},
    {"getattrs", "getattrrates"}};

const char *iol__series_counterpart(iol__arena *arena, const char *dataset, bool *to_rate) {
    const char *name = strrchr(dataset, '/');
    if (!name) return NULL;
    for (size_t i = 0; i < IOL_COUNT(pairs); i++)
        for (int k = 0; k < 2; k++)
            if (strcmp(name + 1, pairs[i][k]) == 0) {
                *to_rate = k == 1;
                return iol__arena_print(arena, "%.*s/%s", (int)(name - dataset), dataset, pairs[i][!k]);
            }
    return NULL;
}

/* Stored datasets -------------------------------------------------------------------------------------------------- */

/* Times of a dataset: those of its group, or those that an attribute names. Matrices of a group share them. */
static iol_status series_times_of(iol__series *series, iol__dataset *is, char why[400]) {
    char other[256];
    const char *slash = strrchr(is->name, '/');
    size_t group = slash ? (size_t)(slash - is->name) + 1 : 0;
    if (iol__hdf5_text(series->h, is->id, "timestamps", other, sizeof other))
        return iol__series_integers(series, other + (*other == '/'), &is->times, &is->count, why);
    for (size_t i = 0; i < series->n_datasets; i++) {
        const iol__dataset *there = series->datasets[i];
        if (strncmp(there->name, is->name, group) != 0 || strchr(there->name + group, '/')) continue;
        is->times = there->times;
        is->count = there->count;
        return IOL_OK;
    }
    const char *usual = iol__arena_print(series->arena, "%.*stimestamps", (int)group, is->name);
    return iol__series_integers(series, usual + (*usual == '/'), &is->times, &is->count, why);
}

static bool read_series_rows(iol__series *series, int64_t dataset, size_t first, iol__frame *frame) {
    const iol__hdf5 *h = series->h;
    const uint64_t from[2] = {first, 0}, size[2] = {frame->rows, frame->columns};
    if (frame->rows == 0 || frame->columns == 0) return true;
    int64_t space = h->H5Dget_space(dataset), memory = h->H5Screate_simple(2, size, NULL);
    bool good = space >= 0 && memory >= 0 && h->H5Sselect_hyperslab(space, 0, from, NULL, size, NULL) >= 0 &&
                h->H5Dread(dataset, h->native_double, memory, space, IOL__H5_DEFAULT, frame->values) >= 0;
    if (memory >= 0) h->H5Sclose(memory);
    if (space >= 0) h->H5Sclose(space);
    return good;
}

/* A zero with a sign was never measured; what is below zero cannot have been. */
static void mark_missing(iol__frame *frame) {
    for (size_t i = 0; i < frame->rows * frame->columns; i++) {
        double value = frame->values[i];
        if (!signbit(value) && !isnan(value)) continue;
        frame->negative += value < 0;
        frame->values[i] = NAN;
    }
}

/* Files of early 2018 have bytes/sec as the unit of amounts per step: the name decides. */
static bool counts_bytes(const char *name) {
    const char *last = strrchr(name, '/');
    return last && (strcmp(last, "/readbytes") == 0 || strcmp(last, "/writebytes") == 0);
}

static iol_status series_describe(iol__series *series, iol__dataset *is, char why[400]) {
    const iol__hdf5 *h = series->h;
    iol_status status = series_times_of(series, is, why);
    if (status != IOL_OK) return status;
    if (iol__series_sizes(h, is->id, is->sizes) != 2 || is->sizes[0] < is->count)
        return iol__series_failed(series, why, IOL_DAMAGED, "'%.100s' is not a matrix with a row per time", is->name);
    if (is->sizes[1] > 1 << 20) return iol__series_failed(series, why, IOL_LIMIT, "'%.100s' is too large", is->name);
    iol__frame columns;
    iol__frame_make(series->arena, 0, (size_t)is->sizes[1], &columns);
    iol__series_columns(series, is->id, "columns", &columns);
    is->columns = columns.names;
    is->named = columns.named;
    if (!iol__hdf5_text(h, is->id, "units", is->units, sizeof is->units)) is->units[0] = 0;
    if (counts_bytes(is->name)) memcpy(is->units, "bytes", sizeof "bytes");
    is->plain = iol__chunks_plain(h, is->id, is->chunk);
    return IOL_OK;
}

iol_status iol__series_dataset(iol__series *series, const char *name, iol__dataset **found, char why[400]) {
    static uint64_t serial;
    for (size_t i = 0; i < series->n_datasets; i++)
        if (strcmp(series->datasets[i]->name, name) == 0) {
            *found = series->datasets[i];
            return IOL_OK;
        }
    int64_t id = series->h->H5Dopen2(series->file, name, IOL__H5_DEFAULT);
    if (id < 0) return iol__series_failed(series, why, IOL_DAMAGED, "'%.100s' cannot be opened", name);
    iol__arena *frames = series->arena;
    serial++;
    series->arena = &series->kept;
    iol__dataset *is = iol__arena_alloc(&series->kept, 1, sizeof *is);
    *is = (iol__dataset){.name = iol__arena_copy(&series->kept, name), .serial = serial, .id = id};
    iol_status status = series_describe(series, is, why);
    series->arena = frames;
    if (status != IOL_OK) {
        series->h->H5Dclose(id);
        return status;
    }
    series->datasets = iol__arena_grow(&series->kept, series->datasets, series->n_datasets, sizeof *series->datasets);
    series->datasets[series->n_datasets++] = *found = is;
    return IOL_OK;
}

static iol_status read_series_stored(iol__series *series, const char *name, int64_t start, int64_t end,
                                     iol__frame *frame, char why[400]) {
    iol__dataset *is = NULL;
    iol_status status = iol__series_dataset(series, name, &is, why);
    if (status != IOL_OK) return status;
    size_t first = iol__first_row(is->times, is->count, start), last = iol__first_row(is->times, is->count, end);
    if (last < first) last = first;
    if ((last - first) * is->sizes[1] > IOL__MOST_CELLS)
        return iol__series_failed(series, why, IOL_LIMIT, "'%.100s' is too large", name);
    iol__frame_make(series->arena, last - first, (size_t)is->sizes[1], frame);
    memcpy(frame->times, is->times + first, frame->rows * sizeof *frame->times);
    frame->step = is->count > 1 ? is->times[1] - is->times[0] : 0;
    /* Names outlive the file. */
    for (size_t i = 0; i < frame->columns; i++)
        if (*is->columns[i]) frame->names[i] = iol__arena_copy(series->arena, is->columns[i]);
    frame->named = is->named;
    memcpy(frame->units, is->units, sizeof frame->units);
    if (!iol__chunks_read(series->h, is, first, frame) && !read_series_rows(series, is->id, first, frame))
        return iol__series_failed(series, why, IOL_DAMAGED, "'%.100s' cannot be read", name);
    mark_missing(frame);
    return IOL_OK;
}

static void scale(iol__frame *frame, double factor) {
    for (size_t i = 0; i < frame->rows * frame->columns; i++) frame->values[i] *= factor;
}

static const char *bare(const char *dataset) { return dataset + (*dataset == '/'); }

/* What is stored as its counterpart is derived by the step. */
static iol_status read_any(iol__series *series, const char *name, int64_t start, int64_t end, iol__frame *frame,
                           char why[400]) {
    bool to_rate;
    if (iol__series_there(series, name)) return read_series_stored(series, name, start, end, frame, why);
    const char *other = iol__series_counterpart(series->arena, name, &to_rate);
    if (!other || !iol__series_there(series, other))
        return iol__series_failed(series, why, IOL_INVALID, "unknown dataset '%.100s'", name);
    iol_status status = read_series_stored(series, other, start, end, frame, why);
    if (status != IOL_OK) return status;
    if (frame->step <= 0)
        return iol__series_failed(series, why, IOL_INVALID, "'%.100s' has one row, so its step is not known", other);
    scale(frame, to_rate ? 1.0 / (double)frame->step : (double)frame->step);
    snprintf(frame->units, sizeof frame->units, "%s%s",
             strstr(name, "bytes") || strstr(other, "bytes") ? "bytes" : "ops", to_rate ? "/sec" : "");
    return IOL_OK;
}

/* "datatargets/readbytes/missing" */
static bool asks_for_missing(iol__arena *arena, const char **name) {
    size_t length = strlen(*name), tail = strlen("/missing");
    if (length <= tail || strcmp(*name + length - tail, "/missing") != 0) return false;
    *name = iol__arena_text(arena, *name, length - tail);
    return true;
}

iol_status iol__series_read(iol__series *series, const char *dataset, int64_t start, int64_t end, iol__frame *frame,
                            char why[400]) {
    const char *name = bare(dataset);
    bool missing = asks_for_missing(series->arena, &name);
    iol_status status = series->legacy ? iol__h5lmt_read(series, name, start, end, frame, why)
                                       : read_any(series, name, start, end, frame, why);
    for (size_t i = 0; status == IOL_OK && missing && i < frame->rows * frame->columns; i++)
        frame->values[i] = isnan(frame->values[i]) ? 1 : 0;
    return status;
}

/* Ranges over several files ---------------------------------------------------------------------------------------- */

iol_status iol__series_stitch(iol__arena *arena, const iol__frame *parts, size_t count, iol__frame *whole,
                              char why[400]) {
    iol__value *columns = iol__value_new(arena, IOL__MAP);
    size_t rows = 0;
    for (size_t i = 0; i < count; i++) {
        rows += parts[i].rows;
        for (size_t k = 0; k < parts[i].columns; k++)
            if (*parts[i].names[k] && !iol__map_get(columns, parts[i].names[k]))
                iol__map_put_integer(arena, columns, parts[i].names[k], (int64_t)columns->count);
        if (parts[i].step != parts[0].step && parts[i].rows && parts[0].rows) {
            snprintf(why, 400, "the files have steps of %lld and of %lld seconds", (long long)parts[0].step,
                     (long long)parts[i].step);
            return IOL_INVALID;
        }
    }
    iol__frame_make(arena, rows, columns->count, whole);
    whole->step = count ? parts[0].step : 0;
    if (count) memcpy(whole->units, parts[0].units, sizeof whole->units);
    whole->named = columns->count;
    for (size_t i = 0; i < columns->count; i++) whole->names[i] = columns->keys[i];
    size_t row = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t r = 0; r < parts[i].rows; r++, row++) {
            whole->times[row] = parts[i].times[r];
            for (size_t k = 0; k < parts[i].columns; k++)
                if (*parts[i].names[k])
                    *iol__frame_at(whole, row, (size_t)iol__map_get(columns, parts[i].names[k])->integer) =
                        *iol__frame_at(&parts[i], r, k);
        }
    return IOL_OK;
}
