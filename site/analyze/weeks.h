/* What went to and from storage systems by day, week or month: volumes, in bytes and in capacities, growth of what is stored
   against what was written, and use of SSD tiers from their own counters. */
#ifndef IOL_SITE_ANALYZE_WEEKS_H
#define IOL_SITE_ANALYZE_WEEKS_H

#include "site/analyze/range.h"

typedef enum iol__span { IOL__DAYS, IOL__WEEKS, IOL__MONTHS } iol__span;

/* {system: {bins: {label: {...}}, total: {...}}} for local days of [start, end); `fs` NULL: all that the site file names.
   Days without data are gaps: they are counted, and bins of nothing but gaps are left out. */
iol__value *iol__weeks(iol__arena *arena, const iol__places *site, const char *fs, int64_t start, int64_t end,
                       iol__span span);
/* "2017-03-20", "2017-W12" or "2017-03": the bin of a local day. */
const char *iol__span_label(iol__arena *arena, iol__span span, int64_t day);
void iol__weeks_text(iol__out *out, const iol__value *weeks);
/* What iol__weeks() gave for the same times; bins of gaps between others are shown as such. */
void iol__weeks_svg(iol__out *out, iol__arena *arena, const iol__value *weeks, int64_t start, int64_t end,
                    iol__span span);

#endif
