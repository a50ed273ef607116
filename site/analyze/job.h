/* One job in the light of what the site knows: its own I/O, what the servers saw meanwhile, where its nodes were, how
   healthy the file system was, who else ran. One row of keys per job, as published analyses use them. */
#ifndef IOL_SITE_ANALYZE_JOB_H
#define IOL_SITE_ANALYZE_JOB_H

#include "site/analyze/health.h"
#include "site/analyze/range.h"

/* What is known besides logs. Anything may be NULL. */
typedef struct iol__job_sources {
    iol__arena *arena;   /* of rows */
    iol__arena *scratch; /* of what one row needs; the caller empties it between rows */
    const iol__places *site;
    iol__ranges *ranges;
    const iol__value *nodes;    /* coordinates */
    const iol__value *records;  /* of the scheduler, by the number of the job: {id: [record, ...]} */
    const iol__value *fullness; /* listings */
    const iol__value *map;
    bool health;                 /* look listings up where the site file says, if none were given */
    const char *jobsdb;          /* a database of jobs */
    const char *job_host;        /* name of the machine in it */
    const char *fs;              /* instead of the one that the log is about */
    const char *job_id;          /* instead of that of the log */
    const iol__value *job_stats; /* of Lustre's servers */
    const iol__value *arrays;    /* of disks: /proc/mdstat */
    bool coverage;
} iol__job_sources;

/* The row of a log. IOL_OK with an empty row if nothing could be said. */
iol_status iol__job_of_log(iol__job_sources *from, const char *path, iol__value **row, char why[400]);
/* The same of a log that is open, and stays so. */
iol__value *iol__job_of_open_log(iol__job_sources *from, iol_log *log);
/* The row of a range of time. */
iol_status iol__job_of_range(iol__job_sources *from, int64_t start, int64_t end, iol__value **row, char why[400]);

/* What the log itself says: darshan_* keys, and the mount with the most bytes. */
typedef struct iol__job_log {
    int64_t start, end;
    const char *job_id;
    const char *mount;
    bool damaged; /* what can be read of it is less than there was */
} iol__job_log;

iol_status iol__job_put_log(iol__arena *arena, const char *path, iol__value *row, iol__job_log *facts, char why[400]);
void iol__job_put_open_log(iol__arena *arena, iol_log *log, iol__value *row, iol__job_log *facts);
/* What the servers saw in [start, end): fs_* keys. */
void iol__job_put_servers(iol__job_sources *from, const char *fs, int64_t start, int64_t end, iol__value *row);
/* Shares of the job in what the servers saw, from the keys of both: coverage_factor_* and contention_* keys. */
void iol__job_put_coverage(iol__arena *arena, iol__value *row);
/* How healthy the file system was: fshealth_* keys. */
void iol__job_put_health(iol__job_sources *from, const char *fs, int64_t start, iol__value *row);

/* How full OSTs were at a time, from the first provider of the site file that knows; and which server held which OST,
   from the listings that were given, else from those of the site file. */
iol__sample iol__job_fullness(iol__job_sources *from, const char *fs, int64_t when);
iol__sample iol__job_map(iol__job_sources *from, const char *fs, int64_t when);

/* Listings of the days from `start` to `end`, where the site file says they are; NULL without any. `first`: one file of
   each day is enough. */
const iol__value *iol__job_listing(iol__job_sources *from, const char *key, const char *fs, int64_t start, int64_t end,
                                   bool first, iol_status (*read)(iol__request *, iol__value **));
/* What servers counted for each job: jobstats_* keys, with the share that this job's log holds. */
void iol__job_put_stats(iol__job_sources *from, const char *fs, int64_t start, int64_t end, iol__value *row);
/* Causes outside the program, as the "site" part of the context document (docs/context.md). */
iol__value *iol__job_causes(iol__job_sources *from, iol_log *log, const iol__value *row);

/* The server behind each OST when the job began, as the "osts" part of that document; NULL if no listing tells. */
iol__value *iol__job_osts(iol__job_sources *from, const iol__value *row);

/* What the row means, in sentences. */
void iol__job_text(iol__out *out, const iol__value *row);

#endif
