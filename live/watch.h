/* What running programs do right now, seen from outside. Their records are in files that they map; reading those costs the
   programs nothing. A sample is what the files say; the difference of two samples is a rate. Files are read with pread and
   never mapped: their owners may cut them short at any moment, and may write anything into them. */
#ifndef IOL_LIVE_WATCH_H
#define IOL_LIVE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/idmap.h"
#include "iolite/log.h"
#include "schema/schema.h"

/* Sums since the start of a program, or their change in a second. */
typedef struct iol__live_figures {
    double bytes_read, bytes_written;
    double reads, writes; /* calls */
    double time;          /* seconds in calls, metadata included */
} iol__live_figures;

/* A file in use by one process, in the layer that the program called. */
typedef struct iol__live_file {
    uint64_t id;
    int slot;
    bool open; /* it was opened, read or written after its last close */
    iol__live_figures total, rate;
    char *name; /* NULL until it was among the busiest once */
} iol__live_file;

typedef struct iol__live_process {
    uint64_t key; /* device and inode of its mapped file */
    int fd;       /* of that file, kept open: a file that goes away can still be read once more */
    char *path;
    pid_t pid;
    uid_t uid;     /* of the file, whatever it says */
    int64_t job;   /* job id of the batch system, or the process id of the first process of the run */
    int64_t start; /* seconds since the epoch */
    uint64_t run;  /* number of the run, 0 without one */
    char *command;
    bool seen, fresh; /* in this look; for the first time, so that there is no rate yet */
    bool moving;      /* something changed in the last look */
    unsigned looks;
    uint64_t digest; /* of what was read last: a program at rest need not be taken apart again */
    iol__live_figures total, rate;
    iol__live_figures layer_total[IOL_SLOTS_KNOWN], layer_rate[IOL_SLOTS_KNOWN];
    double usual; /* bytes and calls per second of the recent past, smoothed, to see growth */
    iol__idmap ids;
    iol__live_file *files;
    size_t room;
    size_t open_files, named;
} iol__live_process;

/* What one user can make a look cost; 0: no limit. What is beyond is counted as beyond. */
typedef struct iol__live_limits {
    uint64_t file_bytes;   /* of one file; programs with more records than that are not watched */
    uint64_t user_bytes;   /* read in one look, of the files of one user */
    size_t user_processes; /* watched at a time */
    size_t entries;        /* of directories, read in one look */
} iol__live_limits;

/* What a user has used of them in this look. */
typedef struct iol__live_use {
    uid_t uid;
    uint64_t bytes;
    size_t processes;
} iol__live_use;

typedef struct iol__live_watch {
    const char *const *places; /* directories that mapped files are in */
    size_t n_places;
    iol__live_limits limits;
    iol__live_process **processes; /* each where it was made: its table of files must not move */
    size_t count, room;
    uint32_t *by_key; /* number + 1 of a process, by its key; 0: free */
    size_t n_by_key;  /* a power of two */
    iol__live_use *uses;
    size_t n_uses, uses_room;
    size_t entries;      /* of directories, read in this look */
    size_t unreadable;   /* running programs of other users, or with damaged files */
    size_t foreign_runs; /* of other users, with any number of programs */
    size_t beyond;       /* programs and directory entries that the limits left out */
    uint8_t *bytes;      /* the part of a mapped file that is being read */
    size_t n_bytes;
    double elapsed; /* seconds between the last two looks, 0 before the second */
    double at;      /* when the last one was, by the monotonic clock */
} iol__live_watch;

/* The limits of those who watch programs of others. */
extern const iol__live_limits iol__live_careful;

/* Look at all running programs of this node that this process may read. */
void iol__live_look(iol__live_watch *watch);
void iol__live_forget(iol__live_watch *watch);
/* All that a process has recorded by now, as a log in memory of the watch, which the next look uses again. */
iol_status iol__live_log(iol__live_watch *watch, const iol__live_process *process, iol_log **log);

bool iol__live_used(const iol__live_figures *figures);
double iol__live_calls(const iol__live_figures *figures);
void iol__live_add(iol__live_figures *sum, const iol__live_figures *more);
/* How busy: a call weighs as much as the bytes that a disk moves in its stead. */
double iol__live_activity(const iol__live_figures *figures);
/* +1 growing, -1 shrinking, 0 neither. */
int iol__live_trend(const iol__live_process *process);

/* A file over all its processes. */
typedef struct iol__live_hot {
    uint64_t id;
    int slot;
    bool open;
    size_t processes;
    const char *name;
    iol__live_figures total, rate;
} iol__live_hot;
enum { IOL_LIVE_HOT = 64 };
/* The busiest files of the processes that `keep` says yes to (NULL: all), at most IOL_LIVE_HOT. With `resting`, files that
   nothing happens to at the moment follow, those with the most traffic first. */
size_t iol__live_hottest(const iol__live_watch *watch,
                         bool (*keep)(const iol__live_process *process, const void *context), const void *context,
                         bool resting, iol__live_hot hot[IOL_LIVE_HOT]);

#endif
