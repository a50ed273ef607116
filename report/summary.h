/* The job at a glance, as data: one pass over a log that leaves the figures a person wants first.
   `iolite show` prints it as text or JSON; other reports start from it. Memory is bounded whatever the log claims. */
#ifndef IOL_REPORT_SUMMARY_H
#define IOL_REPORT_SUMMARY_H

#include "log/figures/figures.h"
#include "record/record.h"
#include "report/file_totals.h"
#include "report/progress.h"
#include "schema/schema.h"

/* All records of a module combined. Taken out of the library's accumulator, whose tables of files and ranks can then go. */
typedef struct iol__summary_totals {
    iol_record record; /* its counters are the arrays below */
    int64_t ints[IOL_MAX_INTS];
    double reals[IOL_MAX_REALS];
    bool unknown[IOL_MAX_INTS + IOL_MAX_REALS]; /* by number of the counter: the log's version lacks it */
    bool estimated;                             /* the rest has a meaning */
    iol_performance performance;
    iol_files files[IOL_CATEGORIES];
} iol__summary_totals;

/* One module of the log. Values below zero are not known. */
typedef struct iol__layer {
    iol_module module;
    bool readable; /* this build can decode it, and something of it is there */
    bool damaged;  /* what is there is not all of it */
    bool cut;      /* nor was it in the log from which this one was made, for it was damaged */
    bool traffic;  /* it moves bytes: the figures below have a meaning */
    uint64_t records;
    uint64_t odd_records;        /* with times or sizes that cannot be; those values are left out of the figures */
    iol__summary_totals *totals; /* NULL where a module has none */
    double bytes_read, bytes_written;
    double reads, writes;                    /* calls */
    double read_time, write_time, meta_time; /* of all ranks together */
    double all_ranks;                        /* time of all ranks together in files that have no record of all ranks */
    double time; /* how long the job waited for this layer, by the rule of io_time in log/figures/figures.def */
    double bytes_per_second; /* all bytes against `time` */
} iol__layer;

typedef struct iol__summary {
    iol_log *log;
    iol__layer layers[IOL_SLOTS]; /* in slot order */
    size_t n_layers;
    iol__file_total *top;
    size_t n_top;
    iol__figures figures;
    bool top_lossy; /* there were too many files to keep an eye on every one */
} iol__summary;

/* Read the whole log. `progress` may be NULL. False when there is no memory for it. */
bool iol__summary_make(iol_log *log, size_t top, iol__progress *progress, iol__summary *summary);
/* The same with figures per rank and per file system, and every record is also shown to a visitor, which may read the
   segments of a trace from the iterator. */
typedef void (*iol__summary_visitor)(void *context, iol_records *records, const iol_record *record);
bool iol__summary_make_visited(iol_log *log, size_t top, iol__progress *progress, iol__summary_visitor visitor,
                               void *context, iol__summary *summary);
void iol__summary_free(iol__summary *summary);

/* The layer whose access sizes say most; NULL if there is none. */
const iol__layer *iol__summary_sizes(const iol__summary *summary);

/* Time in metadata calls as a share of all time in calls; below zero where unknown. */
double iol__layer_meta_share(const iol__layer *layer);
/* The layer's time as a share of the run time; below zero where unknown: calls of threads, or of other ranks for each
   file, may add up to more than the run. */
double iol__layer_run_share(const iol__layer *layer, const iol_job *job);
/* Its records were written in an older form, which lacks some of today's counters. */
bool iol__layer_is_older(const iol__layer *layer);
/* Calls in one of the ten size classes; below zero where unknown. */
double iol__layer_size_count(const iol__layer *layer, bool writes, size_t bucket);
/* The upper bounds of the size classes (inclusive), 0 for the last. */
extern const int64_t iol__size_bounds[IOL_SIZE_BUCKETS];

#endif
