/* From trees of logs to rows of a store: what is new or changed is read on several threads and written in transactions.
   May be killed at any moment, and run several times at once. */
#ifndef IOL_SITE_INGEST_H
#define IOL_SITE_INGEST_H

#include <stdatomic.h>

#include "site/index/entry.h"
#include "site/store/store.h"

typedef struct iol__ingest_counts {
    uint64_t seen;      /* files that may be logs */
    uint64_t unchanged; /* not read again */
    uint64_t added;     /* logs that were not in the store */
    uint64_t again;     /* other copies or names of logs that were, or became, known */
    uint64_t damaged;   /* of those two, read in part */
    uint64_t broken;    /* not logs, or nothing could be read */
    uint64_t gone;      /* files that are no longer there */
    uint64_t trouble;   /* directories that could not be read */
} iol__ingest_counts;

typedef struct iol__ingest_options {
    iol__entry_plan plan;
    const char *store;    /* URL; opened here, once for writing and once for reading */
    size_t threads;       /* at least 1 */
    bool again;           /* also what is in the store already */
    bool own;             /* only files of this process's user: those of others are not even noted */
    uint64_t most_bytes;  /* larger logs are not read, but marked; 0: any */
    double most_seconds;  /* of a processor: a log that takes longer is marked; 0: any */
    uint64_t most_memory; /* a log that needs more is marked; 0: any. Both for logs above 1 MiB */
    /* How many of `all` files have been read; called from time to time, on any thread, one at a time. NULL: nobody. */
    void (*progress)(void *context, uint64_t done, uint64_t all);
    /* A file or directory that could not be read, or only in part. NULL: nobody. */
    void (*trouble)(void *context, const char *path, const char *reason);
    void *context;
    struct iol__ranks *ranks; /* others who read too; NULL: nobody */
    const atomic_int *stop;   /* ends the run early once it is not 0; NULL */
} iol__ingest_options;

/* All logs below the paths. What cannot be read is counted and reported; only the store's trouble fails. */
iol_status iol__ingest(const char *const *paths, size_t n_paths, const iol__ingest_options *options,
                       iol__ingest_counts *counts, iol_error *error);

#endif
