/* Many logs into one: what the processes of a job left behind becomes the log of the job. Where some of them were ranks
   of an MPI job, that job has a log of its own, and all other processes have another one: the parts of a merge. */
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
    bool found;          /* the inputs were found, not named by a user: links and pipes are none */
    bool skip_live;      /* leave mapped files alone whose process still runs */
    bool skip_foreign;   /* and those of other PID namespaces and machines, of which that cannot be said for certain */
    bool round_times;    /* of records that no log has yet: to what they mean */
    bool unhurried;      /* the log may reach the disk later: somebody waits */
    bool remove_used;    /* remove mapped files of Iolite when all they have is in the merged log */
    const char *command; /* the job's command line; NULL: that of the process that started first */
    int64_t signaled, signal; /* a process that the caller saw die of a signal; 0: none */
    /* Who and when, for a run of which nothing but the list of its processes is left: uid, job id and start. */
    const iol_job *job;
    /* Logs that MPI jobs of the inputs have written themselves, where they are now; NULL: where the inputs say. */
    const char *const *written;
    size_t n_written;
    /* For a job of which no input knows them: lines "key=value\n", and mounts as pairs (point, type); their number. */
    const char *metadata;
    size_t (*mounts)(void *context, const char *const **pairs);
    /* Called for inputs that cannot be read, or only in part, and for what else is odd. */
    void (*complain)(void *context, const char *message);
    /* Called now and then with how much is done, 0 to 1. */
    void (*progress)(void *context, double fraction);
    void *context;
    size_t used, skipped, damaged, live; /* results */
} iol__merge;

/* Who goes into one log. */
typedef struct iol__merge_part {
    uint64_t world;                     /* the MPI job whose ranks these are; 0: all other processes */
    int64_t processes;                  /* of the log */
    int64_t missing;                    /* ranks of whom nothing was found */
    bool unfinished;                    /* somebody was killed, or still runs */
    bool elsewhere;                     /* nobody left anything here but ranks whose log is with rank 0 */
    bool worth;                         /* somebody recorded something who does more than start ranks */
    const char *command;                /* of the first process; NULL: not known */
    int64_t pid, job_id, start_seconds; /* pid 0: not known */
    const char *completes;              /* the log that the job wrote: this is all of it, and takes its place */
} iol__merge_part;

typedef struct iol__merging iol__merging;

/* Looks at all inputs; they and `merge` must stay. To be ended in any case. */
iol_status iol__merge_begin(iol__merge *merge, iol__merging **merging, iol_error *error);
/* MPI jobs in order of their start, then the others, if there are any. */
size_t iol__merge_parts(const iol__merging *merging);
iol__merge_part iol__merge_part_of(const iol__merging *merging, size_t part);
/* Writes the log of a part. `links` are names of logs that belong to it, ended by NULL, or NULL. On failure nothing is
   left under the output's name, and the part can be written elsewhere. */
iol_status iol__merge_part_write(iol__merging *merging, size_t part, const char *output,
                                 const iol_write_options *options, const char *const *links, iol_error *error);
/* The part is worth no log: its inputs are dealt with. */
void iol__merge_part_drop(iol__merging *merging, size_t part);
void iol__merge_end(iol__merging *merging);

/* All parts. The first is the output, the next ones are beside it, under names from iol__merge_name; that is reported. */
iol_status iol__merge_logs(iol__merge *merge, const char *output, const iol_write_options *options, iol_error *error);
/* The name of a log that belongs to another one: "a_SUFFIX.darshan" beside "a.darshan"; to be freed, NULL without
   memory. */
char *iol__merge_name(const char *log, const char *suffix);
#define IOL_MERGE_OTHERS "others"

#endif
