/* Jobs: logs with one job id that belong together in time, and what the batch system lists under it. The rows of a job are
   made from its logs every time one of them changes, so that their order does not matter. */
#ifndef IOL_SITE_JOBS_H
#define IOL_SITE_JOBS_H

#include "site/store/store.h"

struct iol__site;

typedef struct iol__job_key {
    const char *cluster, *jobid;
} iol__job_key;

/* Inside a transaction: other writers that change these jobs wait until it ends, and what is read from here on is all that
   those before us wrote. Whoever is to see the batch system's rows of a job before changing them asks for this first. */
iol_status iol__jobs_guard(iol__store *store, const iol__job_key *keys, size_t count);
/* Inside a transaction. Sorts the keys. Days that jobs were and are on become stale, and these. */
iol_status iol__jobs_rebuild(iol__store *store, const struct iol__site *site, iol__job_key *keys, size_t count,
                             const int64_t *days, size_t n_days);

#endif
