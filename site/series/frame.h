/* A frame: values of many components over time, one row per step. What was not measured is NAN, which is different from
   a measured zero in every layer. */
#ifndef IOL_SITE_SERIES_FRAME_H
#define IOL_SITE_SERIES_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct iol__frame {
    int64_t *times; /* start of each step, seconds since the epoch */
    size_t rows, columns;
    const char **names; /* of columns; "" for one that has none */
    size_t named;       /* columns that have a name come first */
    double *values;     /* rows * columns */
    int64_t step;       /* 0: not known */
    char units[32];
    size_t negative; /* values below zero, which are no measurement */
} iol__frame;

/* A frame with nothing measured. */
void iol__frame_make(iol__arena *arena, size_t rows, size_t columns, iol__frame *frame);
static inline double *iol__frame_at(const iol__frame *frame, size_t row, size_t column) {
    return &frame->values[row * frame->columns + column];
}

/* Rows of cumulative counters to what happened in each step: one row fewer. Per column: this minus the last trusted
   value, so that what came in during a gap is in its last step; a smaller value is a new beginning. */
void iol__frame_deltas(const iol__frame *counters, iol__frame *amounts);

/* Order of names: digits compare as numbers, hexadecimal ones in names of Lustre's targets. */
int iol__natural_order(const char *a, const char *b, bool hexadecimal);

#endif
