/* Whether two groups of runs differ by more than chance: the few classical tests that a comparison needs, on plain
   arrays. Nothing here knows what the numbers mean. */
#ifndef IOL_INSIGHT_STATISTICS_H
#define IOL_INSIGHT_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* Distributions ------------------------------------------------------------------------------------------------- */

/* The regularised incomplete beta function I_x(a, b), for positive a and b. */
double iol__incomplete_beta(double a, double b, double x);
/* How likely Student's t is at least this far from 0, on either side. */
double iol__student_tails(double t, double freedom);
/* The t that is exceeded on either side with this probability: 0.05 gives the limits of a 95 % interval. */
double iol__student_limit(double tails, double freedom);

/* Groups -------------------------------------------------------------------------------------------------------- */

/* Values that are not numbers are left out; without any, all but `n` are NaN. */
typedef struct iol__spread {
    size_t n;
    double mean, median, min, max;
    double deviation; /* standard deviation of a sample; NaN for fewer than two */
} iol__spread;

/* NaN figures also when there is no memory to sort in. */
iol__spread iol__spread_of(const double *values, size_t count);

/* Welch's t test on the logarithms of two groups, whose spread may differ. The ratio is that of the geometric means. */
typedef struct iol__welch {
    double t, freedom, p;    /* p of both sides */
    double ratio, low, high; /* b over a, and its 95 % interval */
} iol__welch;

/* False, and nothing is set, where the test has nothing to go by: fewer than two values on a side, one that is not
   above 0, or no spread on either side. */
bool iol__welch_ratio(const double *a, size_t n_a, const double *b, size_t n_b, iol__welch *out);

/* The rank test of Mann and Whitney: no assumption on how values are distributed. */
typedef struct iol__rank_test {
    double u; /* pairs in which the value of a is the larger one; half a pair for equal ones */
    double p; /* a u as far from its mean as this, or farther, on either side */
    bool exact;
} iol__rank_test;

enum { IOL_RANK_EXACT = 20 }; /* values a side up to which every way of dealing them out is counted, ties included */

/* False without a value on a side, or without memory. */
bool iol__mann_whitney(const double *a, size_t n_a, const double *b, size_t n_b, iol__rank_test *out);

/* Holm's correction: each p becomes the one to compare with the level that all tests together shall keep. NaN stands
   for a test that was not made. False without memory. */
bool iol__holm(double *p, size_t count);

#endif
