/* What a person opens the portal for: what the last days cost, which finding cost most, what changed since the days before,
   and, for staff, whether data comes. The API and the first page show the same. */
#ifndef IOL_SERVE_OVERVIEW_H
#define IOL_SERVE_OVERVIEW_H

#include "serve/api/parts.h"

enum { IOL_OVERVIEW_JOBS = 8, IOL_OVERVIEW_CHANGES = 6, IOL_OVERVIEW_SLOW = 5 };

/* A finding in the log where it cost most. */
typedef struct iol__overview_found {
    const char *title;
    int64_t log_id, lost; /* microseconds */
    iol__job_of_log_row job;
} iol__overview_found;

typedef struct iol__overview {
    int64_t days, start, end, before;  /* microseconds: from `start` to `end`, compared with from `before` to `start` */
    iol__period_sums_row now, earlier; /* of the jobs that the viewer may see */
    bool has_worst;
    iol__worst_rule_row worst_rule;
    iol__overview_found worst;
    iol__job_row jobs[IOL_OVERVIEW_JOBS]; /* that lost most */
    size_t n_jobs;
    iol__program_change_row changes[IOL_OVERVIEW_CHANGES];
    size_t n_changes;
    iol__overview_found slow[IOL_OVERVIEW_SLOW]; /* findings about slow targets; for staff */
    size_t n_slow;
    int64_t latest[2]; /* start of the latest log, and of the latest job of the batch system; for staff */
    bool late;         /* one of them is older than it should be */
} iol__overview;

/* For the viewer, of the request's `days` up to its `end`. NULL: the answer is made. */
iol__overview *iol__overview_make(iol__exchange *x);

#endif
