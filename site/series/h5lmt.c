/* The layout before TTS: matrices with a row per component and a column per time, and one time more than steps. Traffic
   and operations are labelled at the end of the step, as rates. It is only read. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/connect.h"
#include "site/series/series_internal.h"

static const struct mapping {
    const char *dataset, *stored, *columns, *units;
} mappings[] = {
    {"datatargets/readrates", "OSTReadGroup/OSTBulkReadDataSet", "OSTNames", "bytes/sec"},
    {"datatargets/writerates", "OSTWriteGroup/OSTBulkWriteDataSet", "OSTNames", "bytes/sec"},
    {"dataservers/cpuload", "OSSCPUGroup/OSSCPUDataSet", "OSSNames", "%"},
    {"mdservers/cpuload", "MDSCPUGroup/MDSCPUDataSet", NULL, "%"},
};
static const char operations[] = "MDSOpsGroup/MDSOpsDataSet", times_name[] = "FSStepsGroup/FSStepsDataSet",
                  missing_name[] = "FSMissingGroup/FSMissingDataSet";

/* The name of an operation in "mdtargets/openrates". */
static bool operation_of(const char *dataset, char name[64]) {
    size_t length = strlen(dataset);
    if (strncmp(dataset, "mdtargets/", 10) != 0 || length < 16 || length > 60 ||
        strcmp(dataset + length - 5, "rates") != 0)
        return false;
    memcpy(name, dataset + 10, length - 15);
    name[length - 15] = 0;
    return true;
}

static const struct mapping *mapping_of(const char *dataset) {
    for (size_t i = 0; i < IOL_COUNT(mappings); i++)
        if (strcmp(mappings[i].dataset, dataset) == 0) return &mappings[i];
    return NULL;
}

/* A whole matrix, as it is stored. A list is a matrix of one row. */
static iol_status read_matrix(iol__series *series, const char *name, const char *columns, iol__frame *frame,
                              char why[400]) {
    const iol__hdf5 *h = series->h;
    uint64_t sizes[2] = {0};
    int64_t dataset = iol__series_there(series, name) ? h->H5Dopen2(series->file, name, IOL__H5_DEFAULT) : -1;
    if (dataset < 0) return iol__series_failed(series, why, IOL_INVALID, "no dataset '%s'", name);
    int rank = iol__series_sizes(h, dataset, sizes);
    if (rank == 1) {
        sizes[1] = sizes[0];
        sizes[0] = 1;
    }
    iol_status status = IOL_OK;
    if (rank < 0 || sizes[0] > 1 << 20 || sizes[1] > 1 << 24 || sizes[0] * sizes[1] > IOL__MOST_CELLS) {
        status = iol__series_failed(series, why, IOL_DAMAGED, "'%s' is not a matrix", name);
    } else {
        /* Names are those of its rows, so the frame is made the other way round first. */
        iol__frame_make(series->arena, (size_t)sizes[1], (size_t)sizes[0], frame);
        if (columns) iol__series_columns(series, dataset, columns, frame);
        if (h->H5Dread(dataset, h->native_double, IOL__H5_ALL, IOL__H5_ALL, IOL__H5_DEFAULT, frame->values) < 0)
            status = iol__series_failed(series, why, IOL_DAMAGED, "'%s' cannot be read", name);
    }
    h->H5Dclose(dataset);
    return status;
}

static void transpose(iol__arena *arena, iol__frame *frame) {
    double *turned = iol__arena_alloc(arena, frame->rows * frame->columns + 1, sizeof *turned);
    for (size_t row = 0; row < frame->rows; row++)
        for (size_t column = 0; column < frame->columns; column++)
            turned[row * frame->columns + column] = frame->values[column * frame->rows + row];
    frame->values = turned;
}

/* Columns of time that have no label must be empty. */
static iol_status cut_surplus(iol__series *series, iol__frame *frame, size_t count, char why[400]) {
    for (size_t i = count * frame->columns; i < frame->rows * frame->columns; i++)
        if (frame->values[i] != 0)
            return iol__series_failed(series, why, IOL_DAMAGED, "there is data behind the last time");
    if (frame->rows > count) iol__site_say("%s: %zu times have no label", series->path, frame->rows - count);
    if (frame->rows > count) frame->rows = count;
    return IOL_OK;
}

/* Flags exist for datasets of the same shape only; everything else counts as measured. */
static void apply_missing(iol__series *series, iol__frame *frame) {
    char why[400];
    iol__frame flags;
    if (!iol__series_there(series, missing_name) || read_matrix(series, missing_name, NULL, &flags, why) != IOL_OK)
        return;
    if (flags.rows < frame->rows || flags.columns != frame->columns) return;
    transpose(series->arena, &flags);
    for (size_t i = 0; i < frame->rows * frame->columns; i++)
        if (flags.values[i] != 0) frame->values[i] = NAN;
}

static void keep_column(iol__frame *frame, size_t column) {
    for (size_t row = 0; row < frame->rows; row++) frame->values[row] = frame->values[row * frame->columns + column];
    frame->names[0] = "_unknown";
    frame->columns = frame->named = 1;
}

static iol_status read_operation(iol__series *series, const char *name, iol__frame *frame, char why[400]) {
    iol_status status = read_matrix(series, operations, "OpNames", frame, why);
    if (status != IOL_OK) return status;
    transpose(series->arena, frame);
    for (size_t i = 0; i < frame->columns; i++)
        if (strcmp(frame->names[i], name) == 0) {
            keep_column(frame, i);
            return IOL_OK;
        }
    return iol__series_failed(series, why, IOL_INVALID, "no operation '%s'", name);
}

static iol_status read_rates(iol__series *series, const char *dataset, iol__frame *frame, char why[400]) {
    const struct mapping *mapping = mapping_of(dataset);
    char name[64];
    iol_status status;
    if (mapping) {
        status = read_matrix(series, mapping->stored, mapping->columns, frame, why);
        if (status != IOL_OK) return status;
        transpose(series->arena, frame);
        snprintf(frame->units, sizeof frame->units, "%s", mapping->units);
        if (!mapping->columns) keep_column(frame, 0);
        return IOL_OK;
    }
    if (!operation_of(dataset, name))
        return iol__series_failed(series, why, IOL_INVALID, "unknown dataset '%.100s'", dataset);
    status = read_operation(series, name, frame, why);
    snprintf(frame->units, sizeof frame->units, "ops/sec");
    return status;
}

static void keep_rows(iol__frame *frame, const int64_t *times, size_t count, int64_t start, int64_t end) {
    size_t first = iol__first_row(times, count, start), last = iol__first_row(times, count, end);
    if (last > frame->rows) last = frame->rows;
    frame->rows = last > first ? last - first : 0;
    frame->values += first * frame->columns;
    memcpy(frame->times, times + first, frame->rows * sizeof *times);
}

iol_status iol__h5lmt_read(iol__series *series, const char *dataset, int64_t start, int64_t end, iol__frame *frame,
                           char why[400]) {
    int64_t *times;
    size_t count;
    bool to_rate = false;
    iol_status status = iol__series_integers(series, times_name, &times, &count, why);
    if (status != IOL_OK) return status;
    const char *other = iol__series_counterpart(series->arena, dataset, &to_rate);
    bool amounts = other && !to_rate;
    status = read_rates(series, amounts ? other : dataset, frame, why);
    if (status == IOL_OK) status = cut_surplus(series, frame, count, why);
    if (status != IOL_OK) return status;
    apply_missing(series, frame);
    frame->step = count > 1 ? times[1] - times[0] : 0;
    for (size_t i = 0; amounts && i < frame->rows * frame->columns; i++) frame->values[i] *= (double)frame->step;
    if (amounts) snprintf(frame->units, sizeof frame->units, "%s", strstr(dataset, "bytes") ? "bytes" : "ops");
    keep_rows(frame, times, count, start, end);
    return IOL_OK;
}
