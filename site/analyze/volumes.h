/* What went over the servers: totals of a file, and the same in bins of time. */
#ifndef IOL_SITE_ANALYZE_VOLUMES_H
#define IOL_SITE_ANALYZE_VOLUMES_H

#include "site/connect/value.h"
#include "site/series/series.h"

/* Rows with start <= label < end. {total: {read_bytes, write_bytes, missing_pts, total_pts, missing_pct, first_nonzero_idx, last_nonzero_idx}}, with
   {columns} and {timesteps} if they are asked for. */
iol_status iol__volume_totals(iol__arena *arena, iol__series *series, int64_t start, int64_t end, bool columns,
                              bool steps, iol__value **result, char why[400]);

/* {bins: {label: {...}}, summary: {...}}: reads, writes and loads in equal numbers of rows. */
iol_status iol__volume_bins(iol__arena *arena, iol__series *series, int64_t start, int64_t end, size_t bins,
                            iol__value **result, char why[400]);
/* How many bytes one of bytes, kibs, mibs, gibs and tibs is; NaN for another. */
double iol__volume_unit(const char *name);

#endif
