/* Student's t by way of the incomplete beta function, the rank test by counting, Holm's correction by sorting.
   Formulas are those of the textbooks; the places where plain arithmetic would lose digits say so. */
#include "insight/compare/statistics.h"

#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distributions ------------------------------------------------------------------------------------------------- */

/* The continued fraction of the incomplete beta function, evaluated forwards (Lentz). It converges fast where x is
   below the mean of the distribution, which the caller sees to. */
static double beta_fraction(double a, double b, double x) {
    enum { MOST_STEPS = 10000 };
    const double tiny = 1e-300, enough = 1e-16;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m < MOST_STEPS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double change = 1;
        for (int half = 0; half < 2; half++) {
            double factor = half ? odd : even;
            d = 1 + factor * d;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = 1 + factor / c;
            if (fabs(c) < tiny) c = tiny;
            change = c * d;
            value *= change;
        }
        if (fabs(change - 1) < enough) break;
    }
    return value;
}

/* x, and 1 - x given apart, because the difference loses its digits near 1. */
static double beta_of(double a, double b, double x, double rest) {
    if (x <= 0) return 0;
    if (rest <= 0) return 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest));
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, rest) / b;
}

double iol__incomplete_beta(double a, double b, double x) { return beta_of(a, b, x, 1 - x); }

double iol__student_tails(double t, double freedom) {
    if (isnan(t) || !(freedom > 0)) return NAN;
    double square = t * t;
    if (isinf(square)) return 0;
    return beta_of(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square));
}

/* The tails shrink as t grows, so halving an interval finds it; doubles give no more than this many halves. */
double iol__student_limit(double tails, double freedom) {
    double low = 0, high = 1;
    if (!(tails > 0 && tails < 1) || !(freedom > 0)) return NAN;
    while (iol__student_tails(high, freedom) > tails && high < 1e300) high *= 2;
    for (int i = 0; i < 1100 && low < high; i++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        if (iol__student_tails(middle, freedom) > tails)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Groups -------------------------------------------------------------------------------------------------------- */

static double mean_of(const double *values, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += values[i];
    return sum / (double)n;
}

/* The variance of a sample. Equal values have none, whatever rounding says of their mean. */
static double statistics_variance_of(const double *values, size_t n, double mean) {
    double squares = 0;
    bool differ = false;
    for (size_t i = 0; i < n; i++) {
        differ |= values[i] != values[0];
        squares += (values[i] - mean) * (values[i] - mean);
    }
    return differ ? squares / (double)(n - 1) : 0;
}

iol__spread iol__spread_of(const double *values, size_t count) {
    iol__spread s = {0, NAN, NAN, NAN, NAN, NAN};
    double *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted) return s;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i])) sorted[s.n++] = values[i];
    if (s.n) {
        qsort(sorted, s.n, sizeof *sorted, iol__by_value);
        s.min = sorted[0];
        s.max = sorted[s.n - 1];
        s.mean = s.min == s.max ? s.min : mean_of(sorted, s.n);
        s.median = s.n % 2 ? sorted[s.n / 2] : sorted[s.n / 2 - 1] / 2 + sorted[s.n / 2] / 2;
        if (s.n > 1) s.deviation = sqrt(statistics_variance_of(sorted, s.n, s.mean));
    }
    free(sorted);
    return s;
}

static bool log_moments(const double *values, size_t n, double *mean, double *variance) {
    if (n < 2) return false;
    double *logs = malloc(n * sizeof *logs);
    if (!logs) return false;
    bool positive = true;
    for (size_t i = 0; i < n; i++) {
        positive &= values[i] > 0 && isfinite(values[i]);
        logs[i] = positive ? log(values[i]) : 0;
    }
    *mean = mean_of(logs, n);
    *variance = statistics_variance_of(logs, n, *mean);
    free(logs);
    return positive;
}

bool iol__welch_ratio(const double *a, size_t n_a, const double *b, size_t n_b, iol__welch *out) {
    double mean_a, mean_b, variance_a, variance_b;
    if (!log_moments(a, n_a, &mean_a, &variance_a) || !log_moments(b, n_b, &mean_b, &variance_b)) return false;
    double part_a = variance_a / (double)n_a, part_b = variance_b / (double)n_b, error = sqrt(part_a + part_b);
    if (!(error > 0)) return false;
    double difference = mean_b - mean_a;
    out->t = difference / error;
    /* Welch and Satterthwaite, with the parts as shares: their squares might be too small for a double. */
    double share_a = part_a / (part_a + part_b), share_b = 1 - share_a;
    out->freedom = 1 / (share_a * share_a / (double)(n_a - 1) + share_b * share_b / (double)(n_b - 1));
    out->p = iol__student_tails(out->t, out->freedom);
    double reach = iol__student_limit(0.05, out->freedom) * error;
    out->ratio = exp(difference);
    out->low = exp(difference - reach);
    out->high = exp(difference + reach);
    return true;
}

/* Ranks ---------------------------------------------------------------------------------------------------------- */

typedef struct member {
    double value;
    bool in_a;
} member;

static int by_member(const void *a, const void *b) {
    return iol__by_value(&((const member *)a)->value, &((const member *)b)->value);
}

/* Ranks, doubled so that those of equal values, the mean of their places, are whole numbers too. `ties` becomes the sum
   of k^3 - k over runs of k equal values. Returns the sum over group a. */
static unsigned long double_ranks(const member *all, size_t n, unsigned long *ranks, double *ties) {
    unsigned long sum = 0;
    *ties = 0;
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && all[to].value == all[from].value;) to++;
        double k = (double)(to - from);
        *ties += k * k * k - k;
        for (size_t i = from; i < to; i++) {
            ranks[i] = (unsigned long)(from + 1 + to);
            if (all[i].in_a) sum += ranks[i];
        }
    }
    return sum;
}

/* The share of all ways to choose group a whose rank sum is as far from the mean as this one, or farther. Ways are
   counted member by member: ways[k][s] of choosing k of them with sum s. Numbers stay below 2^53, so they are exact. */
static double exact_tails(const unsigned long *ranks, size_t n, size_t n_a, unsigned long sum) {
    size_t sums = n * (n + 1) + 1; /* doubled ranks of all members add up to one less */
    double *directions = calloc((n_a + 1) * sums, sizeof *directions);
    if (!directions) return NAN;
    directions[0] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t k = n_a < i + 1 ? n_a : i + 1; k > 0; k--)
            for (size_t s = sums; s-- > ranks[i];)
                directions[k * sums + s] += directions[(k - 1) * sums + s - ranks[i]];
    /* Doubled ranks have the mean n + 1, so the sum of n_a of them has n_a (n + 1). */
    long centre = (long)(n_a * (n + 1)), distance = labs((long)sum - centre);
    double all = 0, far = 0;
    for (size_t s = 0; s < sums; s++) {
        all += directions[n_a * sums + s];
        if (labs((long)s - centre) >= distance) far += directions[n_a * sums + s];
    }
    free(directions);
    return far / all;
}

/* Many values: the normal distribution, corrected for ties and for u being a multiple of a half. */
static double normal_tails(double u, double n_a, double n_b, double ties) {
    double n = n_a + n_b, variance = n_a * n_b / 12 * (n + 1 - ties / (n * (n - 1)));
    if (!(variance > 0)) return 1;
    double distance = fmax(0, fabs(u - n_a * n_b / 2) - 0.5);
    return erfc(distance / sqrt(2 * variance));
}

bool iol__mann_whitney(const double *a, size_t n_a, const double *b, size_t n_b, iol__rank_test *out) {
    size_t n = n_a + n_b;
    if (!n_a || !n_b) return false;
    member *all = malloc(n * sizeof *all);
    unsigned long *ranks = malloc(n * sizeof *ranks);
    bool done = all && ranks;
    if (done) {
        for (size_t i = 0; i < n; i++) all[i] = (member){i < n_a ? a[i] : b[i - n_a], i < n_a};
        qsort(all, n, sizeof *all, by_member);
        double ties;
        unsigned long sum = double_ranks(all, n, ranks, &ties);
        out->u = (double)sum / 2 - (double)n_a * ((double)n_a + 1) / 2;
        out->exact = n_a <= IOL_RANK_EXACT && n_b <= IOL_RANK_EXACT;
        out->p = out->exact ? exact_tails(ranks, n, n_a, sum) : normal_tails(out->u, (double)n_a, (double)n_b, ties);
        done = !isnan(out->p);
    }
    free(all);
    free(ranks);
    return done;
}

/* Many tests ----------------------------------------------------------------------------------------------------- */

bool iol__holm(double *p, size_t count) {
    double *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted) return false;
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(p[i])) sorted[n++] = p[i];
    qsort(sorted, n, sizeof *sorted, iol__by_value);
    for (size_t i = 0; i < count; i++) {
        if (isnan(p[i])) continue;
        /* The largest of p_j (n - j) over all that are not larger than this one. */
        double adjusted = 0;
        for (size_t j = 0; j < n && sorted[j] <= p[i]; j++) adjusted = fmax(adjusted, sorted[j] * (double)(n - j));
        p[i] = fmin(1, adjusted);
    }
    free(sorted);
    return true;
}
