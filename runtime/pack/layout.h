/* Where things are in the records of a module, as rows of words of 8 bytes. */
#ifndef IOL_RUNTIME_LAYOUT_H
#define IOL_RUNTIME_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "record/times.h"
#include "schema/schema.h"

enum { IOL_STAMPS = 12 };

typedef struct iol__layout {
    int slot;
    uint16_t words;       /* of a record, id and rank included */
    uint16_t ints, reals; /* where they begin */
    uint16_t n_stamps;
    uint16_t stamps[IOL_STAMPS]; /* points in time */
    bool shareable;              /* records of all ranks can become one */
    iol__times times;
} iol__layout;

/* NULL: records of this module are not all of one size. Made once. */
const iol__layout *iol__layout_of(int slot);
/* A point in time, if it is one, later or earlier. */
static inline uint64_t iol__layout_moved(uint64_t word, double shift) {
    double time;
    memcpy(&time, &word, sizeof time);
    if (time > 0) time += shift;
    memcpy(&word, &time, sizeof word);
    return word;
}
/* A record as it stands in the log of the job: with its rank, and times that count from the start of the job. */
void iol__layout_place(const iol__layout *layout, uint64_t *record, int64_t rank, double shift);
static inline void iol__layout_round(const iol__layout *layout, uint64_t *record) {
    iol__times_round(&layout->times, record + layout->reals);
}

#endif
