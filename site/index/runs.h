/* Runs of many processes in trees of logs: which logs have the process id for a job id, and belong together (log/merge/group.h). The
   index counts them as one job. The logs of a run may lie in the directories of several days, so that all are looked at
   together; only logs whose name says that they have no job id of a batch system are opened. */
#ifndef IOL_SITE_RUNS_H
#define IOL_SITE_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "site/site.h"

typedef struct iol__runs iol__runs;

/* All runs below these paths; NULL if the site file says "group_logs": "never", or without memory. */
iol__runs *iol__runs_find(const char *const *paths, size_t count, const iol__site *site);
void iol__runs_free(iol__runs *runs);
/* The job id that all logs of the run of this log have, and why it is one of them; false if it stays alone. The texts live
   as long as the runs. `name` is that of the file. */
bool iol__runs_of(const iol__runs *runs, const char *name, const char **jobid, const char **evidence);
/* "USER_PROGRAM_idNUMBER-NUMBER_...": the job id is the process id. */
bool iol__names_process_as_job(const char *name);

#endif
