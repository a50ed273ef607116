/* The few figures that analyses of a site need: quantiles and correlations. What is NAN does not count. */
#ifndef IOL_SITE_ANALYZE_NUMBERS_H
#define IOL_SITE_ANALYZE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

/* Sort in place, with what is NAN left out; gives how many remain. */
size_t iol__sort_values(double *values, size_t count);
/* Between order statistics, at position (n - 1) * share of sorted values; NAN for none. */
double iol__quantile(const double *sorted, size_t count, double share);

typedef struct iol__five {
    size_t n;
    double min, q1, median, q3, max, mean;
} iol__five;

/* Sorts the values. */
iol__five iol__five_of(double *values, size_t count);

typedef struct iol__correlation {
    size_t n;
    double r, p; /* of Pearson; p of both sides */
} iol__correlation;

/* Over the pairs in which neither is NAN. False if there is nothing to correlate: fewer than two different values on a
   side. */
bool iol__pearson(const double *x, const double *y, size_t count, iol__correlation *out);
/* The same of ranks; equal values share theirs. `room` is for 2 * count numbers. */
bool iol__spearman(const double *x, const double *y, size_t count, double *room, iol__correlation *out);
/* The p that belongs to r of n pairs. */
double iol__pearson_p(double r, size_t n);
/* Benjamini and Hochberg: what each p becomes when the share of false findings shall be bounded. */
void iol__false_discovery(double *p, size_t count, size_t *order);

#endif
