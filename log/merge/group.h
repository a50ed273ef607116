/* Logs of one run, found by what they hold.
   A workflow of many processes without MPI leaves a log per process, with the process id for a job id. They belong together if
   they have a name of the run in common (a job id of the batch system, the file or address at which they met) and their times
   overlap, and so do a process and those that it forked, and programs that one process was one after the other; then those
   that ran on the hosts of such a group, and short-lived ones that began right behind a process of it. A group never crosses users, and a log that fits two groups stays alone: a wrong group is worse than none. */
#ifndef IOL_LOG_GROUP_H
#define IOL_LOG_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iolite/log.h"

enum { IOL_GROUP_HOSTS = 32, IOL_GROUP_KEYS = 8, IOL_GROUP_EVIDENCE = 240 };
#define IOL_NOT_GROUPED SIZE_MAX

typedef struct iol__group_log {
    char *path;
    char *user; /* of the name of the file; NULL: it has none */
    char *program;
    int64_t uid, pid, parent; /* parent: the process that it was forked from; 0: not known */
    double start, end;
    char *hosts[IOL_GROUP_HOSTS]; /* without their domain */
    size_t n_hosts;
    char *keys[IOL_GROUP_KEYS]; /* "job 4711", "file /scratch/scheduler.json" */
    size_t n_keys;
    bool launcher;                     /* its hosts are those of its command line */
    size_t group;                      /* number of its group, or IOL_NOT_GROUPED */
    char evidence[IOL_GROUP_EVIDENCE]; /* why it is there, or why it is alone */
} iol__group_log;

typedef struct iol__grouping {
    iol__group_log *logs;
    size_t count, room;
    size_t groups; /* numbered from 0, in order of their first log */
} iol__grouping;

/* Keep what the log tells; the log may be closed then. False without memory. */
bool iol__grouping_add(iol__grouping *g, iol_log *log, const char *path);
/* Find the groups of all that were added. False without memory. */
bool iol__grouping_find(iol__grouping *g);
void iol__grouping_free(iol__grouping *g);

#endif
