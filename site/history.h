/* What the store knows of earlier runs: the same program, user, number of processes and file system, before this log. It becomes the
   context document of docs/context.md, and a sentence. */
#ifndef IOL_SITE_HISTORY_H
#define IOL_SITE_HISTORY_H

#include "site/entry.h"
#include "site/store/store.h"

enum { IOL_HISTORY_RUNS = 200 };

typedef struct iol__history {
    size_t runs;                    /* latest first, at most IOL_HISTORY_RUNS */
    double rates[IOL_HISTORY_RUNS]; /* bytes per second of I/O time */
    double rate_p10, rate_median, ops_median, mean_request_median, log_rate_sd; /* NAN: not known */
    double io_time_median, run_time_median;                                     /* seconds */
    double rate, mean_request, ops;                                             /* of this run */
    double faster;                      /* part of the runs that were faster; NAN without any */
    double good_mean_request, good_ops; /* medians of the faster half */
    int64_t logs;                       /* of the same job */
    char cluster[128];
} iol__history;

/* `owners`: only runs of exactly these users, where who asks may see no others; 0: of the log's user, by number. */
typedef struct iol__history_owners {
    const char *list[2];
    size_t count;
} iol__history_owners;
iol_status iol__history_make(iol__store *store, iol_log *log, const char *path, const iol__entry_plan *plan,
                             const iol__history_owners *owners, iol__history *history, iol_error *error);
/* The document. Free it; NULL without memory. */
char *iol__history_document(const iol__history *history);
/* "slower than 94 % of its last 60 runs, which made requests 16 times as large"; false if there is nothing to say. */
bool iol__history_sentence(const iol__history *history, char *text, size_t room);

#endif
