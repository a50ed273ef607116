/* What else was unusual about a run: which metrics of it are among the worst (or best) of the runs around it. */
#ifndef IOL_SITE_ANALYZE_CONTRIBUTORS_H
#define IOL_SITE_ANALYZE_CONTRIBUTORS_H

#include "site/analyze/umami.h"

typedef struct iol__contributor {
    const iol__umami_metric *metric;
    double cutoff, value; /* NAN: not known for this run */
    bool matches;         /* the run is beyond the cutoff */
    size_t observed;      /* runs of the region in which the metric is known */
    size_t matching;      /* and those of them that are beyond the cutoff */
} iol__contributor;

typedef struct iol__contributors {
    bool good;          /* what is unusually good, instead of bad */
    bool extreme;       /* only the very worst (or best) counts, instead of a quarter */
    size_t first, last; /* the region: runs [first, last) */
    iol__contributor *list;
    size_t count;
} iol__contributors;

/* The region of the highlighted run lies between two crossings of the moving averages of performance, over 14 and over 49
   days. */
iol__contributors iol__contributors_of(iol__arena *arena, const iol__umami *umami, bool good, bool extreme);
iol__value *iol__contributors_tree(iol__arena *arena, const iol__umami *umami, const iol__contributors *is);
void iol__contributors_text(iol__out *out, const iol__umami *umami, const iol__contributors *is);

#endif
