/* UMAMI: each metric of a series of jobs, how the last one compares with the others, and the same as a picture. */
#ifndef IOL_SITE_ANALYZE_UMAMI_H
#define IOL_SITE_ANALYZE_UMAMI_H

#include "text/out.h"
#include "site/connect/value.h"

typedef struct iol__umami_metric {
    const char *key, *label;
    bool big_is_good;
    double *values;     /* NAN: missing */
    double quarters[4]; /* 25th, 50th, 75th and 100th percentile of all but the highlighted one */
    int quarter;        /* the first of these that is not below the highlighted value; 3 if none */
    const char *colour;
    double low, q1, median, q3, high; /* box and whiskers */
    double *beyond;                   /* points outside of the whiskers */
    size_t n_beyond;
} iol__umami_metric;

typedef struct iol__umami {
    double *times;
    const char **job_ids;
    size_t count, highlighted;
    iol__umami_metric *metrics;
    size_t n_metrics;
} iol__umami;

/* Rows in order of time; `highlighted` counts from 0. Metrics that are all missing or all equal are left out. `only`: keys
   with commas between, of UMAMI or of summaries; NULL: all. */
iol__umami iol__umami_make(iol__arena *arena, const iol__value *rows, size_t highlighted, const char *only);
iol__value *iol__umami_tree(iol__arena *arena, const iol__umami *umami);
void iol__umami_text(iol__out *out, const iol__umami *umami, bool colour);
void iol__umami_svg(iol__out *out, const iol__umami *umami);

#endif
