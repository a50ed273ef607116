/* Combining records of one module into one, counter by counter, by the reductions of the schema. Plain memory, libc only:
   the log library and the runtime share it. There are two sets of rules: totals, as log tools print them, and shared
   records, as the runtime and merging make them. */
#ifndef IOL_RECORD_REDUCE_H
#define IOL_RECORD_REDUCE_H

#include "schema/schema.h"

enum { IOL_REDUCE_RUNS = 48 };

typedef enum iol__rules {
    IOL_RULES_TOTALS, /* over records of any file: starts at zero, no variance */
    IOL_RULES_SHARED, /* over the ranks of one file */
} iol__rules;

/* Neighbouring counters that are combined in the same way, so that the work is a few straight loops. */
typedef struct iol__run {
    uint8_t reduce;
    uint16_t start, count;
} iol__run;

/* How the counters of a module are combined. */
typedef struct iol__reduction {
    int slot;
    iol__rules rules;
    unsigned n_int_runs, n_real_runs;
    iol__run int_runs[IOL_REDUCE_RUNS], real_runs[IOL_REDUCE_RUNS];
} iol__reduction;

typedef struct iol__aggregate {
    iol__reduction how;
    uint64_t records;
    int64_t lowest_rank;        /* whose one-sided values were taken */
    double mean[2], squares[2]; /* running variance of time and bytes */
    uint64_t id;                /* 0 once records of two files were combined */
    int64_t rank;               /* -1 once records of two ranks were combined */
    bool many_files;            /* then fastest and slowest mean nothing any more */
    int64_t ints[IOL_PNETCDF_VAR_INTS];
    double reals[IOL_POSIX_REALS];
} iol__aggregate;

/* Whether records of this module can be combined at all. */
bool iol__aggregate_possible(int slot);
void iol__aggregate_start(iol__aggregate *aggregate, int slot, iol__rules rules);
void iol__aggregate_add(iol__aggregate *aggregate, uint64_t id, int64_t rank, const int64_t *ints, const double *reals);

/* The same for who keeps the values himself: all counters but common values, fastest and slowest ranks, and variances.
   `one_side`: values that only one record can give are taken from this one. */
void iol__reduction_start(iol__reduction *how, int slot, iol__rules rules);
void iol__reduction_combine(const iol__reduction *how, int64_t *to_ints, double *to_reals, const int64_t *custom_ints,
                            const double *custom_reals, bool one_side);

#endif
