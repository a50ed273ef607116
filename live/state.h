/* What a node says of its running jobs at one instant: what `iolite live` sends, and what the portal shows. */
#ifndef IOL_LIVE_STATE_H
#define IOL_LIVE_STATE_H

#include "base/arena.h"
#include "live/watch.h"
#include "text/json.h"

enum { IOL_LIVE_JOBS = 1024, IOL_LIVE_JOB_FILES = 8, IOL_LIVE_FINDINGS = 16 };

/* A file of a job, over its processes on this node. */
typedef struct iol__live_job_file {
    const char *name, *module;
    bool open;
    size_t processes;
    iol__live_figures total, rate;
} iol__live_job_file;

/* What the rules say of the records so far; of several processes the one that it costs most. */
typedef struct iol__live_finding {
    char rule[96], title[400];
    const char *level;
    double lost_s; /* NAN: not known */
    size_t processes;
} iol__live_finding;

typedef struct iol__live_job {
    int64_t job;
    uid_t uid;
    const char *user; /* NULL: the system knows no name */
    const char *exe;  /* the first word of the command line, without its directory */
    int64_t start;    /* of its first process here, seconds since the epoch */
    size_t processes, files, open_files;
    iol__live_figures total; /* of its processes, also of those that ended while the node was watched */
    iol__live_figures rate;
    iol__live_job_file *busiest;
    size_t n_busiest;
    bool judged;      /* somebody asked for findings, and these are all that there are */
    double judged_at; /* when the portal got them, by its monotonic clock */
    iol__live_finding *findings;
    size_t n_findings;
} iol__live_job;

/* Programs that may run here and are not among the jobs. */
typedef struct iol__live_unseen {
    size_t unreadable;   /* files that may not be read, or that are damaged */
    size_t foreign_runs; /* directories of runs that may not be read */
    size_t hidden;       /* processes of users that have another directory in place of /dev/shm */
    size_t beyond;       /* more than the limits allow for one user */
} iol__live_unseen;

typedef struct iol__live_state {
    const char *host, *cluster; /* cluster NULL: that of the portal */
    double time;                /* seconds since the epoch */
    double interval;            /* between looks, in seconds */
    size_t processes;
    iol__live_unseen unseen;
    iol__live_job *jobs; /* the busiest first */
    size_t n_jobs, left_out;
} iol__live_state;

/* As JSON: the document that docs/live.md describes. */
void iol__live_state_json(iol__json *json, const iol__live_state *state);

#endif
