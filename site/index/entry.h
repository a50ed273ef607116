/* What the index keeps of one log: rows for its tables, ready to be written. They are made on any thread, from one reading
   of the log; the store gives numbers to the log and to mounts when they are written. */
#ifndef IOL_SITE_ENTRY_H
#define IOL_SITE_ENTRY_H

#include "base/arena.h"
#include "insight/findings/engine.h"
#include "site/store/store.h"

enum { IOL_IDENTITY = 33 };

/* One row. Numbers of the log and of mounts are filled in later: `mount` is the place in the entry's list. */
typedef struct iol__entry_row {
    struct iol__entry_row *next;
    iol__table_id table;
    int mount; /* -1: the table has none */
    iol__cell *values;
} iol__entry_row;

typedef struct iol__entry_mount {
    const char *point, *type;
    const char *fs; /* by the site file; else the point */
} iol__entry_mount;

/* Thousands of entries wait for who writes them, most of them of some ten kilobytes. */
enum { IOL_ENTRY_BLOCK = 6 * 1024 };

typedef struct iol__entry {
    char identity[IOL_IDENTITY];
    bool damaged;       /* read in part */
    const char *reason; /* what is wrong; NULL: nothing */
    const char *cluster, *jobid, *owner;
    const char *user; /* from the name of the file; NULL: not there */
    int64_t start, day;
    bool no_job;    /* nothing says of which job it is */
    bool of_run;    /* it may be of a run of several logs, whose job id it has then */
    iol__cell *log; /* of the table of logs */
    iol__entry_row *first, *last;
    iol__entry_mount *mounts;
    size_t n_mounts;
    iol__arena arena; /* in blocks of IOL_ENTRY_BLOCK */
} iol__entry;

/* The job id of a log that has none begins so, and goes on with what identifies the log. */
#define IOL_NO_JOB "unknown-"

/* How to make entries; shared by all threads. */
typedef struct iol__entry_plan {
    const iol__rulebook *rulebook;
    const struct iol__site *site; /* NULL: none */
    const char *cluster;
    size_t files;               /* how many files of each log; 0: all */
    const struct iol__key *key; /* names are stored as pseudonyms of this key; NULL: as they are */
} iol__entry_plan;

/* `path` is the name that the log has, from which the user may be known. Free it with iol__entry_free(), also when it
   failed. */
iol_status iol__entry_make(iol_log *log, const char *path, const iol__entry_plan *plan, iol__entry *entry,
                           iol_error *error);
/* The same, of a file that belongs to this user; -1: nobody knows. */
iol_status iol__entry_make_of(iol_log *log, const char *path, int64_t file_owner, const iol__entry_plan *plan,
                              iol__entry *entry, iol_error *error);
void iol__entry_free(iol__entry *entry);
/* What a program is called in the store, by the command line of a job: the last part of its first word, NULL without one;
   and a mount. Both are in the arena. */
const char *iol__entry_program(iol__arena *arena, const iol_job *job);
const char *iol__entry_mount_name(iol__arena *arena, const char *point);
/* When a job began, in microseconds since the epoch; 0: not known. */
int64_t iol__entry_start(const iol_job *job);

#endif
