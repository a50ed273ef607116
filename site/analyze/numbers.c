/* Quantiles and correlations. */
#include "site/analyze/numbers.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "insight/compare/statistics.h"

size_t iol__sort_values(double *values, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i])) values[kept++] = values[i];
    qsort(values, kept, sizeof *values, iol__by_value);
    return kept;
}

double iol__quantile(const double *sorted, size_t count, double share) {
    if (count == 0) return NAN;
    double at = (double)(count - 1) * share;
    size_t low = (size_t)at;
    if (low + 1 >= count) return sorted[count - 1];
    return sorted[low] + (sorted[low + 1] - sorted[low]) * (at - (double)low);
}

iol__five iol__five_of(double *values, size_t count) {
    size_t n = iol__sort_values(values, count);
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += values[i];
    return (iol__five){.n = n,
                       .min = iol__quantile(values, n, 0),
                       .q1 = iol__quantile(values, n, 0.25),
                       .median = iol__quantile(values, n, 0.5),
                       .q3 = iol__quantile(values, n, 0.75),
                       .max = iol__quantile(values, n, 1),
                       .mean = n ? sum / (double)n : NAN};
}

double iol__pearson_p(double r, size_t n) {
    if (n < 2 || isnan(r)) return NAN;
    if (n == 2) return 1;
    if (fabs(r) >= 1) return 0;
    return iol__student_tails(r * sqrt((double)(n - 2) / ((1 - r) * (1 + r))), (double)(n - 2));
}

bool iol__pearson(const double *x, const double *y, size_t count, iol__correlation *out) {
    size_t n = 0;
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(x[i]) || isnan(y[i])) continue;
        n++;
        mean_x += x[i];
        mean_y += y[i];
    }
    *out = (iol__correlation){.n = n, .r = NAN, .p = NAN};
    if (n < 2) return false;
    mean_x /= (double)n;
    mean_y /= (double)n;
    bool differ_x = false, differ_y = false;
    double first_x = NAN, first_y = NAN;
    for (size_t i = 0; i < count; i++) {
        if (isnan(x[i]) || isnan(y[i])) continue;
        if (isnan(first_x)) first_x = x[i], first_y = y[i];
        differ_x |= x[i] != first_x;
        differ_y |= y[i] != first_y;
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    if (!differ_x || !differ_y) return false;
    out->r = fmax(-1, fmin(1, xy / (sqrt(xx) * sqrt(yy))));
    out->p = iol__pearson_p(out->r, n);
    return true;
}

/* Ranks of those of `values` whose partner is a number, too; NAN for the rest. */
static void rank_pairs(const double *values, const double *partners, size_t count, double *ranks) {
    for (size_t i = 0; i < count; i++) {
        double below = 0, equal = 0;
        bool counts = !isnan(values[i]) && !isnan(partners[i]);
        for (size_t k = 0; counts && k < count; k++) {
            if (isnan(values[k]) || isnan(partners[k])) continue;
            below += values[k] < values[i];
            equal += values[k] == values[i];
        }
        ranks[i] = counts ? below + (equal + 1) / 2 : NAN;
    }
}

bool iol__spearman(const double *x, const double *y, size_t count, double *room, iol__correlation *out) {
    rank_pairs(x, y, count, room);
    rank_pairs(y, x, count, room + count);
    return iol__pearson(room, room + count, count, out);
}

static int by_p(const void *a, const void *b, void *p) {
    double x = ((const double *)p)[*(const size_t *)a], y = ((const double *)p)[*(const size_t *)b];
    return (x > y) - (x < y);
}

void iol__false_discovery(double *p, size_t count, size_t *order) {
    for (size_t i = 0; i < count; i++) order[i] = i;
    qsort_r(order, count, sizeof *order, by_p, p);
    double least = 1;
    for (size_t i = count; i-- > 0;) {
        least = fmin(least, p[order[i]] * (double)count / (double)(i + 1));
        p[order[i]] = least;
    }
}
