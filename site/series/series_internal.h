/* What the readers of both layouts share. */
#ifndef IOL_SITE_SERIES_SERIES_INTERNAL_H
#define IOL_SITE_SERIES_SERIES_INTERNAL_H

#include <stdarg.h>

#include "site/series/hdf5.h"
#include "site/series/series.h"

/* What is known of a matrix, kept while its file is open. */
typedef struct iol__dataset {
    const char *name;
    uint64_t serial; /* never the same for two */
    int64_t id;
    uint64_t sizes[2], chunk[2];
    bool plain;     /* chunks can be inflated here */
    int64_t *times; /* of its rows */
    size_t count;
    const char **columns; /* names; as many as sizes[1] */
    size_t named;
    char units[32];
} iol__dataset;

struct iol__series {
    const iol__hdf5 *h;
    iol__arena *arena;
    iol__arena kept; /* until it is closed */
    iol__dataset **datasets;
    size_t n_datasets;
    const char *path;
    int64_t file;
    bool legacy;
};

/* Whether a matrix of doubles has nothing but deflated chunks, and their size. */
bool iol__chunks_plain(const iol__hdf5 *h, int64_t dataset, uint64_t chunk[2]);
/* Rows from `first` on, as many as the frame has; false if the library has to do it. */
bool iol__chunks_read(const iol__hdf5 *h, const iol__dataset *is, size_t first, iol__frame *frame);

enum { IOL__MOST_CELLS = 1 << 28 }; /* of a frame: 2 GiB */

iol_status iol__series_failed(iol__series *series, char why[400], iol_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The matrix of this name, opened once. */
iol_status iol__series_dataset(iol__series *series, const char *name, iol__dataset **found, char why[400]);
/* Sizes of a dataset; its rank, or -1. */
int iol__series_sizes(const iol__hdf5 *h, int64_t dataset, uint64_t sizes[2]);
/* A whole 1-D dataset of integers. */
iol_status iol__series_integers(iol__series *series, const char *name, int64_t **values, size_t *count, char why[400]);
/* Whether a path leads to something: each part of it. */
bool iol__series_there(iol__series *series, const char *name);
/* Names of columns from an attribute. */
void iol__series_columns(iol__series *series, int64_t dataset, const char *attribute, iol__frame *frame);
/* First row at or behind a time. */
size_t iol__first_row(const int64_t *times, size_t count, int64_t time);

iol_status iol__h5lmt_read(iol__series *series, const char *dataset, int64_t start, int64_t end, iol__frame *frame,
                           char why[400]);

#endif
