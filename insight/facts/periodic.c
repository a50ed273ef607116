/* A discrete Fourier transform gives the candidate, the autocorrelation accepts or refuses it. Sharp bursts have strong
   overtones, so that the largest peak may stand for a fraction of the period; multiples of it are tried too. */
#include "insight/facts/periodic.h"

#include "base/order.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define LEAST_LIKENESS 0.5 /* autocorrelation one period later */
#define LEAST_PEAK 3.0     /* standard deviations above the mean power */
#define BURST_BYTES 0.95

enum { LEAST_PERIODS = 3, MOST_OVERTONES = 32, LEAST_LAG = 3, SUMS = 4 };

/* The signal -------------------------------------------------------------------------------------------------- */

iol__signal iol__signal_new(double seconds, size_t points) {
    iol__signal signal = {0};
    size_t count = 8;
    while (count < points && count < IOL_SIGNAL_POINTS) count *= 2;
    if (!(seconds > 0) || !isfinite(seconds)) return signal;
    /* Whole points in the middle of a request are marked by where they begin and end, and added up at the end; both
       lists have one place more than there are points. */
    signal.bytes = calloc(2 * (count + 2), sizeof *signal.bytes);
    if (!signal.bytes) return signal;
    signal.count = count;
    signal.width = seconds / (double)count;
    return signal;
}

void iol__signal_free(iol__signal *signal) {
    free(signal->bytes);
    *signal = (iol__signal){0};
}

void iol__signal_add(iol__signal *signal, double start, double end, double bytes) {
    if (!signal->count || !(bytes > 0) || !(start >= 0)) return;
    double last = (double)signal->count, from = fmin(start / signal->width, last), to = fmin(end / signal->width, last);
    size_t first = (size_t)from, final = (size_t)to;
    if (first >= signal->count) return;
    if (final <= first || !(end > start)) {
        signal->bytes[first] += bytes;
        return;
    }
    double *steps = signal->bytes + signal->count + 2;
    double a_point = bytes * signal->width / (end - start);
    signal->bytes[first] += a_point * ((double)(first + 1) - from);
    signal->bytes[final] += a_point * (to - (double) final);
    steps[first + 1] += a_point;
    steps[final] -= a_point;
}

void iol__signal_finish(iol__signal *signal) {
    double level = 0;
    double *steps = signal->count ? signal->bytes + signal->count + 2 : NULL;
    for (size_t i = 0; i < signal->count; i++) {
        level += steps[i];
        if (level > 0) signal->bytes[i] += level;
    }
}

/* The spectrum ------------------------------------------------------------------------------------------------ */

/* In place; `n` is a power of two. */
static void transform(double *re, double *im, size_t n) {
    for (size_t i = 1, j = 0; i < n; i++) {
        size_t bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j |= bit;
        if (i >= j) continue;
        double r = re[i], m = im[i];
        re[i] = re[j], im[i] = im[j];
        re[j] = r, im[j] = m;
    }
    for (size_t length = 2; length <= n; length *= 2) {
        double angle = -2 * PI / (double)length;
        for (size_t k = 0; k < length / 2; k++) {
            double c = cos(angle * (double)k), s = sin(angle * (double)k);
            for (size_t i = k; i < n; i += length) {
                size_t o = i + length / 2;
                double r = re[o] * c - im[o] * s, m = re[o] * s + im[o] * c;
                re[o] = re[i] - r, im[o] = im[i] - m;
                re[i] += r, im[i] += m;
            }
        }
    }
}

/* How like the signal is to itself `lag` points later, from -1 to 1. `squares` are summed up to each point. */
static double likeness(const double *x, const double *squares, size_t n, size_t lag) {
    double early = squares[n - lag], late = squares[n] - squares[lag];
    double sum[SUMS] = {0}; /* no addition waits for the one before it */
    size_t i = 0;
    for (; i + lag + SUMS <= n; i += SUMS)
        for (size_t k = 0; k < SUMS; k++) sum[k] += x[i + k] * x[i + k + lag];
    for (; i + lag < n; i++) sum[0] += x[i] * x[i + lag];
    return early > 0 && late > 0 ? (sum[0] + sum[1] + sum[2] + sum[3]) / sqrt(early * late) : 0;
}

/* The best lag around n / frequency, as far as the spectrum cannot tell it from its neighbours. */
static double best_lag(const double *x, const double *squares, size_t n, double frequency, double reach, double *best) {
    size_t low = (size_t)floor((double)n / (frequency + reach)), high = (size_t)ceil((double)n / (frequency - reach));
    if (low < LEAST_LAG) low = LEAST_LAG;
    if (high > n / 2) high = n / 2;
    double lag = 0;
    *best = -1;
    for (size_t i = low; i <= high; i++) {
        double now = likeness(x, squares, n, i);
        if (now <= *best) continue;
        *best = now;
        lag = (double)i;
    }
    return lag;
}

/* `room` for a number more than there are points. */
static iol__rhythm periodic_check(const double *x, size_t n, const double *power, double *room, double width) {
    double sum = 0, squares = 0;
    size_t peak = LEAST_PERIODS, count = n / 2;
    for (size_t k = 1; k <= count; k++) {
        sum += power[k];
        squares += power[k] * power[k];
        if (k > LEAST_PERIODS && power[k] > power[peak]) peak = k;
    }
    double mean = sum / (double)count, deviation = sqrt(fmax(0, squares / (double)count - mean * mean));
    double height = deviation > 0 ? (power[peak] - mean) / deviation : 0;
    if (!(height > LEAST_PEAK)) return (iol__rhythm){0};
    room[0] = 0;
    for (size_t i = 0; i < n; i++) room[i + 1] = room[i] + x[i] * x[i];
    for (size_t m = 1; m <= MOST_OVERTONES && peak >= LEAST_PERIODS * m; m++) {
        double best, lag = best_lag(x, room, n, (double)peak / (double)m, 0.5 / (double)m, &best);
        if (best < LEAST_LIKENESS) continue;
        return (iol__rhythm){true, lag * width, (1 - LEAST_PEAK / height + best) / 2};
    }
    return (iol__rhythm){0};
}

iol__rhythm iol__rhythm_find(const iol__signal *signal) {
    size_t n = signal->count;
    double *work = n ? malloc((3 * n + 1) * sizeof *work) : NULL, mean = 0;
    if (!work) return (iol__rhythm){0};
    double *x = work, *re = work + n, *im = work + 2 * n;
    for (size_t i = 0; i < n; i++) mean += signal->bytes[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        x[i] = re[i] = mean > 0 ? signal->bytes[i] / mean - 1 : 0; /* without a unit, so that nothing overflows */
        im[i] = 0;
    }
    transform(re, im, n);
    for (size_t k = 0; k <= n / 2; k++) re[k] = re[k] * re[k] + im[k] * im[k];
    iol__rhythm rhythm = periodic_check(x, n, re, im, signal->width); /* the imaginary parts are used up */
    free(work);
    return rhythm;
}

/* Bursts ------------------------------------------------------------------------------------------------------ */

/* Points of the shortest window that holds nearly all of these bytes; 0 if there are none. */
static double shortest_window(const double *bytes, size_t count) {
    double total = 0, inside = 0;
    for (size_t i = 0; i < count; i++) total += bytes[i];
    if (!(total > 0)) return 0;
    size_t best = count, from = 0;
    for (size_t to = 0; to < count; to++) {
        inside += bytes[to];
        while (from < to && inside - bytes[from] >= BURST_BYTES * total) inside -= bytes[from++];
        if (inside >= BURST_BYTES * total && to - from + 1 < best) best = to - from + 1;
    }
    return (double)best;
}

/* Where periods are cut so that bursts stay whole: at the quietest place. */
static size_t quietest(const iol__signal *signal, double step) {
    size_t best = 0;
    double least = INFINITY;
    for (size_t offset = 0; offset < (size_t)step; offset++) {
        double sum = 0;
        for (size_t k = 0, at = offset; at < signal->count; at = offset + (size_t)((double)++k * step))
            sum += signal->bytes[at];
        if (sum >= least) continue;
        least = sum;
        best = offset;
    }
    return best;
}

double iol__rhythm_duty(const iol__signal *signal, double period) {
    double step = signal->count ? period / signal->width : 0;
    if (!(step >= LEAST_LAG) || step > (double)signal->count) return NAN;
    double *windows = malloc((signal->count + 1) * sizeof *windows);
    if (!windows) return NAN;
    size_t n = 0;
    double first = (double)quietest(signal, step);
    if (first >= 1) first -= step;
    for (size_t k = 0; first + (double)k * step < (double)signal->count; k++) {
        double at = first + (double)k * step;
        size_t from = at < 0 ? 0 : (size_t)at, to = (size_t)fmin(at + step, (double)signal->count);
        double window = to > from ? shortest_window(signal->bytes + from, to - from) : 0;
        if (window > 0) windows[n++] = window;
    }
    qsort(windows, n, sizeof *windows, iol__by_value);
    double duty = n ? fmin(1, windows[(n - 1) / 2] / step) : NAN;
    free(windows);
    return duty;
}
