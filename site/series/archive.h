/* Archiving: what a source has of a range of time, as parts of a time series file. One producer per source; they share
   the grids into which samples fall. */
#ifndef IOL_SITE_SERIES_ARCHIVE_H
#define IOL_SITE_SERIES_ARCHIVE_H

#include "site/connect/connect.h"
#include "site/series/series.h"

/* One dataset that is being filled. */
typedef struct iol__grid {
    const char *dataset, *units;
    bool counter;        /* samples are cumulative; one more row is read, and differences are stored */
    bool averages;       /* contributions are summed and divided by their number */
    bool always;         /* is made even if nothing was measured */
    bool in_order;       /* columns stay in the order in which they came, instead of that of their names */
    size_t width;        /* columns of a new matrix, if more than there are names */
    iol__value *columns; /* name to number */
    double **cells;      /* one array per column, with one row more than the range */
    unsigned **counts;   /* contributions, where averages are wanted */
} iol__grid;

typedef struct iol__archiving {
    iol__arena *arena;
    int64_t start, end, step; /* rows of [start, end) */
    int64_t before;           /* seconds from `start` on that are read for differences only, and not kept */
    const char *source;
    iol__grid *grids;
    size_t n_grids;
    size_t outside;                   /* samples before or behind the range */
    const iol__value *luns, *servers; /* regular expressions to kinds, for GPFS; may be NULL */
    size_t nodes, devices;     /* widths that are asked for: servers, and devices of each; 0: as many as there are */
    const iol__value *mapping; /* for Prometheus: metrics to datasets */
} iol__archiving;

iol__grid *iol__grid_open(iol__archiving *to, const char *dataset, const char *units);
size_t iol__grid_column(iol__archiving *to, iol__grid *grid, const char *name);
/* A sample at a time; out of the range it is counted. A later sample in the same step replaces an earlier one, or is
   added to it where averages are wanted. */
void iol__grid_put(iol__archiving *to, iol__grid *grid, size_t column, double when, double value);

/* Whether a counter has samples, but none from the beginning of what is kept, so that what it counted since the one before
   cannot be told. */
bool iol__archiving_lacks(const iol__archiving *to);
/* All that was filled, as parts to commit; gives how many. */
size_t iol__archiving_parts(iol__archiving *to, iol__series_part **parts);

typedef struct iol__producer {
    const char *name;   /* of the connector */
    const char *source; /* as the file names it */
    int64_t step;       /* that the source usually has */
    iol_status (*fill)(iol__request *request, iol__archiving *to);
} iol__producer;

const iol__producer *iol__producer_find(const char *name);

iol_status iol__archive_lmt(iol__request *request, iol__archiving *to);
iol_status iol__archive_collectd(iol__request *request, iol__archiving *to);
iol_status iol__archive_mmperfmon(iol__request *request, iol__archiving *to);
iol_status iol__archive_esnet(iol__request *request, iol__archiving *to);
iol_status iol__archive_prometheus(iol__request *request, iol__archiving *to);
iol_status iol__archive_influx(iol__request *request, iol__archiving *to);
iol_status iol__archive_ldms(iol__request *request, iol__archiving *to);

#endif
