/* What the store asks of whoever keeps the spool of a batch job (runtime/output/jobspool.c), because the mapped file of a
   process goes there. */
#ifndef IOL_RUNTIME_JOB_HOME_H
#define IOL_RUNTIME_JOB_HOME_H

#include <stdbool.h>

/* Before the store is made: whether this process belongs to a job with a spool. Then the mapped file is made in the
   directory of the job. */
bool iol__job_join(void);
/* Whether there is room for it. A spare one is in the user's sum already. */
bool iol__job_charge(bool spare);
/* The directory is gone, because a log was made of what was in it: makes another one. */
bool iol__job_join_again(void);
/* The mapped file could not be made there, or is gone. */
void iol__job_uncharge(void);
/* Whether it is in the user's sum; it is a spare one from now on, and stays there. */
bool iol__job_has_charge(void);
void iol__job_leave_charge(void);

#endif
