/* Bytes over time, one map a layer. Threads have maps of their own, so that they do not share a lock; they are added up
   when the log is written. */
#ifndef IOL_RUNTIME_HEATMAP_H
#define IOL_RUNTIME_HEATMAP_H

#include "runtime/core/core.h"

typedef enum iol__heat_layer { IOL_HEAT_POSIX, IOL_HEAT_MPIIO, IOL_HEAT_STDIO, IOL_HEAT_LAYERS } iol__heat_layer;
enum { IOL_HEAT_MAPS = 16, IOL_HEAT_BINS = 200, IOL_HEAT_VERSION = 1 };

/* As in the log: write bins first. */
typedef struct iol__heat_record {
    uint64_t id;
    int64_t rank;
    double width;
    int64_t bins;
    uint64_t unused[2];
    int64_t bytes[2][IOL_HEAT_BINS]; /* written, read */
} iol__heat_record;

_Static_assert(sizeof(iol__heat_record) == 48 + 16 * IOL_HEAT_BINS, "a heat map in the log");

/* The bin that was used last. */
typedef struct iol__heat_window {
    double from, to; /* the time that it stands for; none if `to` is 0 */
    int64_t *bin;    /* of the bytes written; those read are a fixed way behind it */
} iol__heat_window;

typedef struct iol__heat_map {
    iol__guard guard;
    iol__heat_record *record;
    iol__heat_window last;
    bool folding;                              /* its bins are neither what they were nor what they will be */
} __attribute__((aligned(128))) iol__heat_map; /* threads next to each other share no cache line, nor a pair of them */

extern iol__heat_map iol__heat_maps[IOL_HEAT_LAYERS][IOL_HEAT_MAPS] IOL_HIDDEN;

/* The last bin of a thread that is alone; of no time if the last one was not. */
extern iol__heat_window iol__heat_single[IOL_HEAT_LAYERS] IOL_HIDDEN;

void iol__heat_slow(iol__heat_layer layer, bool write, int64_t size, double begin, double end);
extern iol__runtime_module iol__heat_module;
/* Whether a layer that has a map was used: then the log says that there are heat maps, even if all are empty. */
bool iol__heat_expected(void);
/* Whether a guard is that of a map which can be used even if its owner never comes out. */
bool iol__heat_usable(const iol__guard *guard);
/* After a fork: maps are made again. */
void iol__heat_reset(void);
/* Adds all maps of a layer into one; false if there is nothing in them. `end` is when the process ended. */
bool iol__heat_total(iol__heat_layer layer, double end, iol__heat_record *total);
/* How many bins a map of a job has that ended then; and a map of one of its ranks, whose time began `shift` later, as one
   with these. */
int64_t iol__heat_bins(double end);
void iol__heat_fit(const iol__heat_record *from, double shift, double end, iol__heat_record *to);

/* For one thread alone, in the time of the bin that it used last. False if it takes more than an addition. */
static inline __attribute__((always_inline)) bool iol__heat_alone(iol__heat_layer layer, bool write, int64_t size,
                                                                  double begin, double end) {
    const iol__heat_window *last = &iol__heat_single[layer];
    if (IOL_UNLIKELY(!(begin >= last->from && end < last->to))) return false;
    iol__add_at_once((uint64_t *)&last->bin[write ? 0 : IOL_HEAT_BINS], (uint64_t)size);
    return true;
}

/* The same for one of several threads, in the map that it has, perhaps together with others. */
static inline __attribute__((always_inline)) bool iol__heat_among(iol__heat_layer layer, bool write, int64_t size,
                                                                  double begin, double end) {
    const uint32_t number = iol__thread.number;
    iol__heat_map *map = &iol__heat_maps[layer][number % IOL_HEAT_MAPS];
    if (IOL_UNLIKELY(number == 0 || !iol__guard_take(&map->guard, false))) return false;
    const bool there = begin >= map->last.from && end < map->last.to;
    if (IOL_LIKELY(there)) map->last.bin[write ? 0 : IOL_HEAT_BINS] += size;
    iol__guard_drop(&map->guard);
    return there;
}

static inline void iol__heat(iol__heat_layer layer, bool write, int64_t size, double begin, double end) {
    if (IOL_LIKELY(iol__alone() ? iol__heat_alone(layer, write, size, begin, end)
                                : iol__heat_among(layer, write, size, begin, end)))
        return;
    if (size > 0) iol__heat_slow(layer, write, size, begin, end);
}

#endif
