/* Series of file systems for answers: read in pieces, so that a month of two hundred targets needs no more memory than a
   quarter of a day, and brought to the steps that were asked for. */
#ifndef IOL_SERVE_SERIES_H
#define IOL_SERVE_SERIES_H

#include "serve/exchange.h"
#include "site/analyze/range.h"

typedef enum iol__agg { IOL_AGG_SUM, IOL_AGG_MEAN, IOL_AGG_MAX, IOL_AGG_NONE } iol__agg;

typedef struct iol__binned {
    int64_t start, step; /* seconds */
    size_t rows, columns;
    const char **names;
    double *values; /* rows * columns; NAN: missing */
    size_t missing, seen;
    char units[32];
} iol__binned;

enum { IOL_MOST_ROWS = 10000, IOL_MOST_CELLS = 2000000 };

/* `only` may be NULL: texts with commas between. `step` 0: that of the files. IOL_END: nothing is there for that time;
   IOL_INVALID: no such dataset. Takes the lock of series. */
iol_status iol__series_binned(iol__exchange *x, const char *fs, const char *dataset, int64_t start, int64_t end,
                              int64_t step, iol__agg agg, const char *only, iol__binned *out);
/* What moved over a file system in a day: sum of a dataset of amounts, and the part that is missing. Days that are over are
   remembered, because they do not change. NAN: nothing is there. */
double iol__series_day(iol__exchange *x, const char *fs, const char *dataset, int64_t start, int64_t end,
                       double *missing);
/* By which sums are remembered: never 0. */
uint64_t iol__series_key(const struct iol__serve *serve, const char *fs, const char *dataset, int64_t start);
/* The answer for a status of the above other than IOL_OK. */
void iol__no_series(iol__exchange *x, iol_status status);
/* What series and heat maps begin with: of what, in which units, from when, and the components. */
void iol__put_series_head(iol__json *json, const char *fs, const char *dataset, const iol__binned *b);
/* As the schema Series. `flags`: what is missing is 0, and marked there. */
void iol__put_series(iol__exchange *x, const char *fs, const char *dataset, const iol__binned *b, bool flags);

/* Whether the site file names series of this file system. */
bool iol__has_series(const iol__exchange *x, const char *fs);
/* How it is now; remembered for a minute. */
struct iol__fs_state iol__fs_state_of(iol__exchange *x, const char *fs);
/* Calls `take` for each file system with series. */
void iol__each_series(iol__exchange *x, void (*take)(void *context, const char *fs), void *context);

/* Whether the viewer may know of a file system of this name. False with the answer made for what is not there. */
bool iol__find_fs(iol__exchange *x, const char *fs);
/* How healthy a file system was at a time: fshealth_* keys into a map. */
void iol__health_at(iol__exchange *x, const char *fs, int64_t when, iol__value *row);

#endif
