/* What the store knows of earlier runs: the same program, user, number of processes and file system, before this log. It becomes the
   context document of docs/context.md, and a sentence. */
#ifndef IOL_SITE_HISTORY_H
#define IOL_SITE_HISTORY_H

#include "site/index/entry.h"
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

/* A question to a store, asked while a log is diagnosed: as `surround` of iol__diagnose_options. It leaves the history, what
   rules know of it, and how it ended. */
typedef struct iol__history_question {
    iol__store *store;
    const struct iol__site *site;
    const char *cluster;
    const iol__history_owners *owners; /* NULL: any */
    iol_log *whole;                    /* the log itself, where a copy without its names is diagnosed; else NULL */
    iol__history history;
    iol_status status;
    iol_error error;
} iol__history_question;
struct iol__case;
struct iol__context;
void iol__history_ask(const struct iol__case *job, struct iol__context *context, void *question);

/* The same for who has no other use for a diagnosis. */
iol_status iol__history_make(iol_log *log, const iol__rulebook *rulebook, iol__history_question *question);
/* The document. Free it; NULL without memory. */
char *iol__history_document(const iol__history *history);
/* "slower than 94 % of its last 60 runs, which made requests 16 times as large"; false if there is nothing to say. */
bool iol__history_sentence(const iol__history *history, char *text, size_t room);

#endif
