/* The figures of a job, from its records: one definition each (log/figures/figures.def), one pass, one owner. Whoever reads a log
   feeds its records to these, MPI-IO first, so that everybody gets the same numbers without reading twice. */
#ifndef IOL_LOG_FIGURES_H
#define IOL_LOG_FIGURES_H

#include <math.h>

#include "iolite/log.h"
#include "base/idmap.h"
#include "log/trailer/maps.h"

typedef enum iol__job_figure {
#define FIGURE(name, unit, formula, unknown) IOL_FIGURE_##name,
#include "log/figures/figures.def"
#undef FIGURE
    IOL_JOB_FIGURES
} iol__job_figure;

enum {
#define FIGURE(name, unit, formula, unknown)
#define SUM(name, unit, formula, unknown) +1
    IOL_SUMMED_FIGURES = 0
#include "log/figures/figures.def"
#undef FIGURE
};

typedef enum iol__figure_unit {
    IOL_IN_SECONDS,
    IOL_IN_BYTES,
    IOL_IN_BYTES_PER_SECOND,
    IOL_IN_SHARE,
    IOL_IN_NUMBER,
    IOL_FIGURE_UNITS
} iol__figure_unit;

typedef struct iol__figure_info {
    const char *name;
    iol__figure_unit unit;
    const char *formula; /* in words */
    const char *unknown; /* when it is NaN, in words */
} iol__figure_info;

extern const iol__figure_info iol__figure_infos[IOL_JOB_FIGURES];
/* "s", "bytes", "bytes/s", "part of 1", "". */
extern const char *const iol__figure_units[IOL_FIGURE_UNITS];

enum { IOL_FIGURES_RANKS = 1 << 20 }; /* ranks that have times of their own */

/* The figures of a part of a job that can be added up: of a rank, or of a file system. */
typedef struct iol__part_figures {
    double value[IOL_SUMMED_FIGURES];
} iol__part_figures;

typedef struct iol__figures {
    double value[IOL_JOB_FIGURES]; /* NaN: not known. Valid after iol__figures_finish() */
    iol__map_sums maps;            /* the same */
    double waited;                 /* io_time before processes and the end of the run are taken into account */
    double longest;    /* seconds of the rank that spent most in one file: the job waited at least so long */
    double *rank_time; /* by rank: time in files that have no record of all ranks; n_ranks of them */
    size_t n_ranks;
    iol__part_figures *rank;  /* by rank, in files that have no record of all ranks; NULL unless asked for */
    iol__part_figures *place; /* by mount, as iol_log_mount() counts, and one more for what is on none; NULL likewise */

    /* private */
    iol_log *log;
    size_t rank_room;
    iol__idmap through_mpiio; /* files */
    /* Of records of all ranks: the slowest ranks' times added up; what every rank has of them, and how much more or less
       the ranks have that the records name, by rank; and when the first call began and the last one ended. */
    double shared_slowest, shared_each, *shared_beyond;
    double shared_first, shared_last;
    bool no_memory;
} iol__figures;

/* A time or size to count with: 0 for -1, which stands for "not known", and for what cannot be. */
static inline double iol__sane(double value) { return value > 0 && isfinite(value) ? value : 0; }
/* Whether it cannot be: not a number, or below zero, as where a clock went wrong. */
static inline bool iol__odd(double value) { return !isfinite(value) || (value < 0 && value != -1); }

/* Whether a job cannot have waited so long: threads that add up, or a clock that jumped. Then io_time is at most the run
   time, and at least iol__figures.longest. */
static inline bool iol__figures_impossible(double waited, double run_time) {
    return run_time > 0 && waited > 1.05 * run_time && waited > 1;
}

void iol__figures_start(iol__figures *figures, iol_log *log);
/* Ask for figures per rank and per file system too, before the first record. False without memory. */
bool iol__figures_want_parts(iol__figures *figures);
/* Count a record of any module. All MPI-IO records come before those of POSIX. */
void iol__figures_add(iol__figures *figures, const iol_record *record);
/* False without memory, on the way or now. */
bool iol__figures_finish(iol__figures *figures);
void iol__figures_free(iol__figures *figures);

/* Whether a record counts in the figures, or is of a layer below the one that the program used. Asked
   between iol__figures_add() of that record and iol__figures_finish(). */
bool iol__figures_counts(const iol__figures *figures, const iol_record *record);
/* The run time of a job, NaN where it is not known. */
double iol__run_time(const iol_log *log);

#endif
