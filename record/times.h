/* Times as finely as they mean something. A point in time is known to a few microseconds: what a program does between
   two readings of the clock moves it by as much, and the clocks of two ranks differ by more. A length of time is known to
   one part in a thousand, and to a quarter of a microsecond at best; its variance between ranks to one in two hundred.
   Further bits are noise, which no compressor makes smaller.
   Both roundings keep the order of values, leave 0 (never) and negative values (unknown) as they are, and never make a
   0 of something. Bytes and counts are not touched, nor are the times of traced operations. */
#ifndef IOL_RECORD_TIMES_H
#define IOL_RECORD_TIMES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "schema/schema.h"

enum { IOL_TIMES_MOST = 24, IOL_SPAN_BITS = 10, IOL_SQUARE_BITS = 8 };

/* Where times are among the reals of a record. */
typedef struct iol__times {
    uint8_t n_points, n_spans, n_squares;
    uint8_t points[IOL_TIMES_MOST], spans[IOL_TIMES_MOST], squares[IOL_TIMES_MOST]; /* squares: variances */
} iol__times;

/* Those of a module whose records are of one size; none of others. */
void iol__times_find(iol__times *times, int slot);

/* To the nearest multiple of a unit, of which there is at least one. */
static inline double iol__time_units(double time, double per_second, double unit) {
    const uint64_t units = (uint64_t)(time * per_second + 0.5);
    return units ? (double)units * unit : unit;
}

/* To the nearest 2^-17 s, up to 16 s a number of four bytes; to a microsecond at the beginning, because a program may
   last no longer. */
static inline double iol__time_point(double time) {
    if (!(time > 0) || !(time < 0x1p32)) return time;
    return time < 0x1p-4 ? iol__time_units(time, 0x1p20, 0x1p-20) : iol__time_units(time, 0x1p17, 0x1p-17);
}

/* To the nearest number with this number of bits behind the first one. */
static inline double iol__time_digits(double time, unsigned bits_kept) {
    const uint64_t half = UINT64_C(1) << (51 - bits_kept);
    uint64_t bits;
    if (!(time > 0) || !(time < 0x1p1000)) return time;
    memcpy(&bits, &time, sizeof bits);
    bits = (bits + half) & ~(2 * half - 1);
    memcpy(&time, &bits, sizeof time);
    return time;
}

static inline double iol__time_square(double time) { return iol__time_digits(time, IOL_SQUARE_BITS); }

/* No finer than 2^-22 s, too. */
static inline double iol__time_span(double time) {
    if (time > 0 && time < 0x1p-12) return iol__time_units(time, 0x1p22, 0x1p-22);
    return iol__time_digits(time, IOL_SPAN_BITS);
}

static inline void iol__times_each(uint8_t *reals, const uint8_t *where, unsigned count, double (*round)(double)) {
    for (unsigned i = 0; i < count; i++) {
        double time;
        uint8_t *word = reals + 8 * (size_t)where[i];
        memcpy(&time, word, sizeof time);
        time = round(time);
        memcpy(word, &time, sizeof time);
    }
}

/* All times of a record. The reals may stand anywhere. */
static inline void iol__times_round(const iol__times *times, void *reals) {
    iol__times_each(reals, times->points, times->n_points, iol__time_point);
    iol__times_each(reals, times->spans, times->n_spans, iol__time_span);
    iol__times_each(reals, times->squares, times->n_squares, iol__time_square);
}

#endif
