/* Jobs: logs with one job id that belong together in time, and what the batch system lists under it. The rows of a job are
   made from its logs every time one of them changes, so that their order does not matter. */
#ifndef IOL_SITE_JOBS_H
#define IOL_SITE_JOBS_H

#include "site/store/store.h"

struct iol__site;

/* Inside a transaction. */
iol_status iol__jobs_rebuild(iol__store *store, const struct iol__site *site, const char *cluster, const char *jobid);

#endif
