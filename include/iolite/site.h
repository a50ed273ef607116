/* iolite/site.h: data of a computing centre from one library: logs, jobs, time series of servers, any source, whatever
 * tools the centre runs. All that is particular to a centre is in its site file (docs/site-data.md).
 *
 * How it fails. Functions return an iol_status, as in iolite/log.h; iol_site_message() says what went wrong with the last
 * call. Messages of sources about parts that are missing go to standard error.
 *
 * Memory. What a function gives through a pointer is the caller's, and goes back with iol_site_free() or
 * iol_site_series_free().
 *
 * Threads. One site by one thread at a time; a site file with a time zone sets that of the process.
 */
#ifndef IOLITE_SITE_H
#define IOLITE_SITE_H

#include "iolite/log.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iol_site iol_site;

/* `path` NULL: IOLITE_SITE_CONFIG, else the usual place; without any file the site is empty. */
IOL_API iol_status iol_site_open(const char *path, iol_site **site, iol_error *error);
IOL_API void iol_site_close(iol_site *site);
IOL_API const char *iol_site_message(const iol_site *site);
IOL_API void iol_site_free(void *memory);

/* Names of the file systems that the site has series of: a list with NULL at the end. */
IOL_API iol_status iol_site_file_systems(iol_site *site, char ***names);

/* Paths of the logs of a job, with NULL behind the last one. When it ran is asked of the scheduler. */
IOL_API iol_status iol_site_logs(iol_site *site, const char *job, char ***paths);

/* A series of a file system over [start, end), seconds since the epoch: "datatargets/writebytes" and the like. Values are
   rows * columns, row by row; what was not measured is NAN. */
typedef struct iol_site_series {
    size_t rows, columns;
    int64_t *times;
    char **names;
    double *values;
    int64_t step;
    char units[32];
} iol_site_series;
IOL_API iol_status iol_site_series_read(iol_site *site, const char *fs, const char *dataset, int64_t start, int64_t end,
                                        iol_site_series **series);
IOL_API void iol_site_series_free(iol_site_series *series);

/* Jobs that ran in [start, end), as JSON: {id: {start, end, user, nodelist, ...}}. */
IOL_API iol_status iol_site_jobs(iol_site *site, int64_t start, int64_t end, char **json);
/* The row of a log, or, if `log` is NULL, of a time and a file system: the keys of `iolite job --json`. */
IOL_API iol_status iol_site_job(iol_site *site, const char *log, const char *fs, int64_t start, int64_t end,
                                char **json);
/* What a source has, as JSON: `iolite collect SOURCE INPUT...`. */
IOL_API iol_status iol_site_collect(iol_site *site, const char *source, const char *const *inputs, size_t count,
                                    char **json);

/* Connectors of others ----------------------------------------------------------------------------------------------
 * A shared object with a table `iol_site_connectors`, whose last row has no name. IOLITE_CONNECTORS names the objects,
 * with colons between them. Its sources are used like the built-in ones, by commands and by this library. */

typedef struct iol_site_request {
    const char *const *inputs;
    size_t count;
    bool ranged; /* only what overlaps [start, end) is wanted */
    int64_t start, end;
    const char *host, *job, *user, *fs; /* NULL: not asked for */
} iol_site_request;

#define IOL_SITE_CONNECTOR_VERSION 1
typedef struct iol_site_connector {
    unsigned version; /* IOL_SITE_CONNECTOR_VERSION */
    const char *name, *about;
    /* Gives a JSON document that free() takes back, or NULL with a reason in `why`. */
    char *(*read)(const iol_site_request *request, char why[400]);
} iol_site_connector;

#ifdef __cplusplus
}
#endif

#endif
