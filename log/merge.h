/* Many logs into one: what the processes of a job left behind becomes the log of the job. */
#ifndef IOL_LOG_MERGE_H
#define IOL_LOG_MERGE_H

#include "iolite/log.h"

typedef enum iol__merge_reduce {
    IOL_MERGE_AUTO, /* combine what all ranks of an MPI job used; keep processes of other programs apart */
    IOL_MERGE_REDUCE,
    IOL_MERGE_KEEP,
} iol__merge_reduce;

typedef struct iol__merge {
    /* Logs of any kind, spools, and folders with such: of a run, or of logs named *.darshan. */
    const char *const *inputs;
    size_t n_inputs;
    bool strict;  /* an input that cannot be read as a whole is an error, as for darshan-merge */
    bool one_job; /* only inputs of this job */
    int64_t job_id;
    iol__merge_reduce reduce;
    int64_t end_seconds; /* 0: the latest end of the inputs, or the last thing that happened */
    int64_t end_nanoseconds;
    bool skip_live;      /* leave mapped files alone whose process still runs */
    bool remove_used;    /* remove mapped files of Iolite when all they have is in the merged log */
    const char *command; /* the job's command line; NULL: that of the process that started first */
    /* Who and when, for a run of which nothing but the list of its processes is left: uid, job id and start. */
    const iol_job *job;
    /* For a job of which no input tells them: lines "key=value\n", and mounts as pairs (point, type). */
    const char *metadata;
    const char *const *mounts;
    size_t n_mounts;
    /* Called for inputs that cannot be read, or only in part, and for what else is odd. */
    void (*complain)(void *context, const char *message);
    /* Called now and then with how much is done, 0 to 1. */
    void (*progress)(void *context, double fraction);
    void *context;
    size_t used, skipped, damaged, live; /* results */
} iol__merge;

/* On failure nothing is left under the output's name. */
iol_status iol__merge_logs(iol__merge *merge, const char *output, const iol_write_options *options, iol_error *error);

#endif
