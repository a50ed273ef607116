/* Files of logs and the OSTs that they are on: how much each moved, and how long each of its records took. */
#ifndef IOL_SITE_ANALYZE_STRIPED_H
#define IOL_SITE_ANALYZE_STRIPED_H

#include "base/arena.h"
#include "iolite/log.h"

typedef struct iol__striped_file {
    const char *name;
    double bytes;   /* of all its records */
    double slowest; /* seconds in I/O of the record that took longest */
    double *times;  /* of each record */
    size_t n_times;
    int64_t *osts; /* each once */
    size_t n_osts;
    int64_t when; /* its log began */
} iol__striped_file;

typedef struct iol__striped {
    iol__striped_file *files;
    size_t count;
    size_t logs, skipped; /* skipped: logs that have no POSIX or no Lustre records */
    size_t damaged;       /* logs of which only a part can be read */
} iol__striped;

/* Add the files of a log that have both POSIX and Lustre records. The same path in two logs is two files. */
/* `path` is its name in remarks. */
iol_status iol__striped_add(iol__arena *arena, iol_log *log, const char *path, iol__striped *into, char why[400]);
iol_status iol__striped_read(iol__arena *arena, const char *path, iol__striped *into, char why[400]);

#endif
