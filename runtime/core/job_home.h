/* What the store asks of whoever keeps the spool of a batch job (runtime/output/jobspool.c), because the mapped file of a
   process goes there. */
#ifndef IOL_RUNTIME_JOB_HOME_H
#define IOL_RUNTIME_JOB_HOME_H

#include <stdbool.h>

/* Before the store is made: whether this process belongs to a job with a spool. Then the mapped file is made in the
   directory of the job, unless there is no room for it: *room. */
bool iol__job_join(bool *room);
/* The directory is gone, because a log was made of what was in it: makes another one. */
bool iol__job_join_again(void);
/* The mapped file could not be made there, or is gone. */
void iol__job_uncharge(void);

#endif
