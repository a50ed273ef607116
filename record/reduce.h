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

typedef struct iol__aggregate {
    int slot;
    iol__rules rules;
    uint64_t records;
    int64_t lowest_rank;        /* whose one-sided values were taken */
    double mean[2], squares[2]; /* running variance of time and bytes */
    uint64_t id;                /* 0 once records of two files were combined */
    int64_t rank;               /* -1 once records of two ranks were combined */
    bool many_files;            /* then fastest and slowest mean nothing any more */
    unsigned n_int_runs, n_real_runs;
    iol__run int_runs[IOL_REDUCE_RUNS], real_runs[IOL_REDUCE_RUNS];
    int64_t ints[IOL_PNETCDF_VAR_INTS];
    double reals[IOL_POSIX_REALS];
} iol__aggregate;

/* Whether records of this module can be combined at all. */
bool iol__aggregate_possible(int slot);
void iol__aggregate_start(iol__aggregate *aggregate, int slot, iol__rules rules);
void iol__aggregate_add(iol__aggregate *aggregate, uint64_t id, int64_t rank, const int64_t *ints, const double *reals);

#endif
