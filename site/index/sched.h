/* Jobs of the batch system on their way into the store: a batch of them and of notes about them, in one transaction. */
#ifndef IOL_SITE_SCHED_H
#define IOL_SITE_SCHED_H

#include "site/store/store.h"

struct iol__site;
typedef struct iol__sched iol__sched;

iol__sched *iol__sched_new(iol__store *store, const struct iol__site *site);
void iol__sched_free(iol__sched *sched);
/* From here on the jobs of all rows are made again, also where a row is as it was. */
void iol__sched_rebuild_all(iol__sched *sched);
/* A row of the table `sched`; what was noted of the job stays. */
iol_status iol__sched_job(iol__sched *sched, const iol__sched_row *row);
/* What prolog and epilogue say of a job that had this id: a row with what is known of cluster, jobid, start, ended, state,
   entry, cause and missed. The job may not be listed yet. */
iol_status iol__sched_note(iol__sched *sched, const iol__sched_row *row);
/* What has not been written yet, with the jobs that follow from it. */
iol_status iol__sched_write(iol__sched *sched);

#endif
