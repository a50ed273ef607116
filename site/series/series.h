/* Time series files: TOKIO's format (TTS) and the older h5lmt. Readers ask for a dataset and a range of time and get a
   frame; whether it is stored so, as its rate, or transposed in the old layout, they do not see. */
#ifndef IOL_SITE_SERIES_SERIES_H
#define IOL_SITE_SERIES_SERIES_H

#include "iolite/log.h"
#include "site/series/frame.h"

typedef struct iol__series iol__series;

/* "datatargets/readbytes" and the like, with or without a leading slash, any of them with "/missing" behind it, which
   gives 1 for what is missing and 0 for what is there. */
typedef struct iol__series_names {
    const char *count, *rate; /* amounts per step, and per second */
    const char *units, *rate_units;
} iol__series_names;

iol_status iol__series_open(iol__arena *arena, const char *path, iol__series **series, char why[400]);
void iol__series_close(iol__series *series);
/* Where frames are made from now on, instead of the arena that the series was opened with. */
void iol__series_use(iol__series *series, iol__arena *arena);
/* What a file covers, [first, last); false if it does not say so, or is not there. */
bool iol__series_extent(iol__arena *arena, const char *path, int64_t *first, int64_t *last);
bool iol__series_legacy(const iol__series *series);

/* Rows with start <= label < end. IOL_INVALID: there is no such dataset. */
iol_status iol__series_read(iol__series *series, const char *dataset, int64_t start, int64_t end, iol__frame *frame,
                            char why[400]);

/* Frames of consecutive files as one: columns are the union of all, by name. */
iol_status iol__series_stitch(iol__arena *arena, const iol__frame *parts, size_t count, iol__frame *whole,
                              char why[400]);

/* The counterpart of a dataset: rates for amounts, amounts for rates; NULL if it has none. `to_rate` says which way. */
const char *iol__series_counterpart(iol__arena *arena, const char *dataset, bool *to_rate);

/* Writing -------------------------------------------------------------------------------------------------------- */

/* What is new about one dataset: rows of steps from `start` on, as a frame. */
typedef struct iol__series_part {
    const char *dataset, *units, *source;
    const iol__frame *frame;
    size_t width;  /* columns of a new matrix, if more than the frame has */
    bool averages; /* the rows are replaced as a whole: averages cannot be merged */
} iol__series_part;

/* Put parts into a file, which is made if it is not there, covering [first, last). Columns are matched by name; only
   measured values replace what is there. Nobody sees a half-written file, and writers wait for each other. */
iol_status iol__series_commit(iol__arena *arena, const char *path, int64_t first, int64_t last,
                              const iol__series_part *parts, size_t count, char why[400]);

#endif
