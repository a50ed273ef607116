/* Runs of many processes: which logs have the process id for a job id, and belong together (log/merge/group.h). The index
   counts them as one job. What a log says of its run is kept in the store, so that its other logs may come at any time, in
   any order, from any directory or bundle: whenever logs have come, those that may be of one run are looked at together. */
#ifndef IOL_SITE_RUNS_H
#define IOL_SITE_RUNS_H

#include <stdbool.h>

#include "site/site.h"
#include "site/store/store.h"

/* False if the site file says "group_logs": "never". */
bool iol__runs_wanted(const iol__site *site);
/* "USER_PROGRAM_idNUMBER-NUMBER_...": the job id is the process id. */
bool iol__names_process_as_job(const char *name);
/* Find the runs of logs that came since the last time, and give their logs one job id. */
iol_status iol__runs_find(iol__store *store, const iol__site *site);

#endif
