/* What the readers of both layouts share. */
#ifndef IOL_SITE_SERIES_SERIES_INTERNAL_H
#define IOL_SITE_SERIES_SERIES_INTERNAL_H

#include <stdarg.h>

#include "site/series/hdf5.h"
#include "site/series/series.h"

struct iol__series {
    const iol__hdf5 *h;
    iol__arena *arena;
    const char *path;
    int64_t file;
    bool legacy;
};

enum { IOL__MOST_CELLS = 1 << 28 }; /* of a frame: 2 GiB */

iol_status iol__series_failed(iol__series *series, char why[400], iol_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
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
