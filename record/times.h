/* Times as finely as they mean something. A point in time is known to about a microsecond: what a program does between
   two readings of the clock moves it by more. A length of time is known to a few parts in ten thousand, however short it
   is. Further bits are noise, which no compressor makes smaller.
   Both roundings keep the order of values, leave 0 (never) and negative values (unknown) as they are, and never make a
   0 of something. Bytes and counts are not touched, nor are the times of traced operations. */
#ifndef IOL_RECORD_TIMES_H
#define IOL_RECORD_TIMES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "schema/schema.h"

enum { IOL_TIMES_MOST = 24, IOL_SPAN_BITS = 12 };

/* Where times are among the reals of a record. */
typedef struct iol__times {
    uint8_t n_points, n_spans;
    uint8_t points[IOL_TIMES_MOST], spans[IOL_TIMES_MOST];
} iol__times;

/* Those of a module whose records are of one size; none of others. */
void iol__times_find(iol__times *times, int slot);

/* To the nearest 2^-20 s. */
static inline double iol__time_point(double time) {
    if (!(time > 0) || !(time < 0x1p32)) return time;
    const uint64_t units = (uint64_t)(time * 0x1p20 + 0.5);
    return units ? (double)units * 0x1p-20 : 0x1p-20;
}

/* To the nearest number of 12 bits behind the first one. */
static inline double iol__time_span(double time) {
    const uint64_t half = UINT64_C(1) << (51 - IOL_SPAN_BITS);
    uint64_t bits;
    if (!(time > 0) || !(time < 0x1p1000)) return time;
    memcpy(&bits, &time, sizeof bits);
    bits = (bits + half) & ~(2 * half - 1);
    memcpy(&time, &bits, sizeof time);
    return time;
}

/* All times of a record. The reals may stand anywhere. */
static inline void iol__times_round(const iol__times *times, void *reals) {
    uint8_t *bytes = reals;
    double time;
    for (unsigned i = 0; i < times->n_points; i++) {
        uint8_t *word = bytes + 8 * (size_t)times->points[i];
        memcpy(&time, word, sizeof time);
        time = iol__time_point(time);
        memcpy(word, &time, sizeof time);
    }
    for (unsigned i = 0; i < times->n_spans; i++) {
        uint8_t *word = bytes + 8 * (size_t)times->spans[i];
        memcpy(&time, word, sizeof time);
        time = iol__time_span(time);
        memcpy(word, &time, sizeof time);
    }
}

#endif
