/* The three metrics of a job that select candidates for a closer look, and what else is stored of a job beside them.
   They come from one log alone and are cheap enough for every job of a centre. */
#ifndef IOL_INSIGHT_METRICS_H
#define IOL_INSIGHT_METRICS_H

#include "insight/facts/facts.h"

/* From where on a job is selected. */
typedef struct iol__metric_limits {
    double redundant_bytes; /* match 1: more than this */
    double meta_ratio;      /* match 2: at least this ratio, */
    double meta_processes;  /*          at least this number of processes, */
    double meta_seconds;    /*          and more seconds of metadata than this a process */
    double small_writes;    /* match 3: more than this, and no collective write */
} iol__metric_limits;

extern const iol__metric_limits iol__metric_limits_usual;
/* By the thresholds of a rulebook, as a site has set them. */
struct iol__rulebook;
iol__metric_limits iol__metric_limits_of(const struct iol__rulebook *book);

/* NaN is what the log does not tell. Times are in seconds. All from POSIX, but for what says otherwise. */
typedef struct iol__metrics {
    int64_t processes;
    bool posix; /* there are POSIX records: without them nothing is known */
    /* Bytes moved beyond the highest offset, summed over files, and in how many of them; of files that were only read.
       Not known unless the highest offset of all files is: `extents`. */
    bool extents;
    int64_t redundant_read_bytes, redundant_read_files, redundant_read_ro_bytes, redundant_write_bytes;
    /* Time in metadata calls as a share of all time in calls: by layer; and with every file counted in one layer, MPI-IO
       where it was opened through it, else POSIX, which is what selects. */
    double meta_ratio_posix, meta_ratio_mpiio, meta_ratio;
    const char *meta_layer;    /* of those files: "POSIX", "MPI-IO", "both", or NULL */
    double meta_s_per_proc;    /* in POSIX, mean over processes */
    double meta_s_layer;       /* the same with every file in its layer: what `match2` looks at */
    double meta_s_rank_max_lo; /* bounds of the worst rank's */
    double meta_s_rank_max_hi;
    /* Writes of at most 1 MiB to files that ranks share; strict: only to those without a collective write. */
    int64_t small_shared_indep_writes, small_shared_indep_writes_strict, coll_writes;
    bool match1, match2, match3;
    int64_t random_reads, random_writes; /* not sequential, first accesses of an open aside */
    double effective_ranks;              /* of the shared or partly shared file with most bytes */
    double time_excess;                  /* largest time of a slowest rank beyond the mean, over shared files */
} iol__metrics;

void iol__metrics_make(const iol__facts *facts, const iol__metric_limits *limits, iol__metrics *metrics);

#endif
