/* iolite top: what running programs do right now, seen from outside. Their records are in files that they map; reading
   those costs the programs nothing. A sample is what the files say; the difference of two samples is a rate. */
#ifndef IOL_CMDS_TOP_H
#define IOL_CMDS_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/idmap.h"
#include "text/json.h"
#include "schema/resolve.h"
#include "schema/schema.h"

/* Sums since the start of a program, or their change in a second. */
typedef struct top_figures {
    double bytes_read, bytes_written;
    double reads, writes; /* calls */
    double time;          /* seconds in calls, metadata included */
} top_figures;

/* A file in use by one process, in the layer that the program called. */
typedef struct top_file {
    uint64_t id;
    int slot;
    top_figures total, rate;
    char *name; /* NULL until it was among the busiest once */
} top_file;

typedef struct top_process {
    uint64_t key; /* device and inode of its mapped file */
    int fd;       /* of that file, kept open: a file that goes away can still be read once more */
    char *path;
    pid_t pid;
    uid_t uid;    /* of the file, whatever it says */
    int64_t job;  /* job id of the batch system, or the process id of the first process of the run */
    uint64_t run; /* number of the run, 0 without one */
    char *command;
    bool seen, fresh; /* in this look; for the first time, so that there is no rate yet */
    unsigned looks;
    top_figures total, rate;
    top_figures layer_total[IOL_SLOTS_KNOWN], layer_rate[IOL_SLOTS_KNOWN];
    double usual; /* bytes and calls per second of the recent past, smoothed, to see growth */
    iol__idmap ids;
    top_file *files;
    size_t room;
} top_process;

typedef struct top_watch {
    const iol__config *config;
    top_process **processes; /* each where it was made: its table of files must not move */
    size_t count, room;
    size_t unreadable;   /* running programs of other users, or with damaged files */
    size_t foreign_runs; /* of other users, with any number of programs */
    uint8_t *bytes;      /* the part of a mapped file that is being read */
    size_t n_bytes;
    double elapsed; /* seconds between the last two looks, 0 before the second */
    double at;      /* when the last one was, by the monotonic clock */
} top_watch;

/* Look at all running programs of this node. */
void top_look(top_watch *watch);
void top_forget(top_watch *watch);

/* The layers, in the order of show: those that some process used have any. */
bool top_layer_used(const top_figures *figures);
double top_calls(const top_figures *figures);
/* +1 growing, -1 shrinking, 0 neither. */
int top_trend(const top_process *process);

/* Processes of one run, or of one job of the batch system, together. */
typedef struct top_job {
    uint64_t run;
    int64_t job;
    size_t processes;
    const top_process *first;
    top_figures total, rate;
} top_job;

/* The busiest first; returns how many there are. */
size_t top_jobs(const top_watch *watch, top_job *jobs, size_t room);
/* A file over all its processes. */
typedef struct top_hot {
    uint64_t id;
    int slot;
    size_t processes;
    const char *name;
    top_figures total, rate;
} top_hot;
enum { TOP_HOT = 64 };
/* The busiest files of the processes that `keep` says yes to (NULL: all), at most TOP_HOT. */
size_t top_hottest(const top_watch *watch, bool (*keep)(const top_process *process, const void *context),
                   const void *context, top_hot hot[TOP_HOT]);

/* One look as JSON. */
void top_json(iol__json *json, const top_watch *watch);

/* What the person at the keyboard chose. */
typedef enum top_order {
    TOP_BY_BYTES,
    TOP_BY_READ,
    TOP_BY_WRITTEN,
    TOP_BY_CALLS,
    TOP_BY_TIME,
    TOP_BY_PID,
    TOP_ORDERS
} top_order;
extern const char *const top_order_names[TOP_ORDERS];
enum { TOP_FILTER = 64 };
typedef struct top_view {
    top_order order;
    bool jobs, layers, help;
    pid_t follow;             /* 0: all */
    char filter[TOP_FILTER];  /* part of a command line, or a pattern */
    bool typing;              /* the filter is being typed */
    bool look;                /* at once */
    size_t selected, n_shown; /* row of the table; how many there are */
    pid_t selected_pid;
    bool colour, screen; /* screen: repainted in place, else printed once */
    int columns, rows;
    double interval;
} top_view;

void top_draw(iol__out *out, const top_watch *watch, top_view *view);

#endif
