/* A bare preload in a batch job: processes that are not MPI's leave their records in one spool of their job on this node,
   by the mechanism of `iolite run`, and somebody else makes one log of it: the epilogue, `iolite merge --leftovers`, a later
   run or `iolite index`. Outside of a job, the same serves processes that find no place for their logs. */
#ifndef IOL_RUNTIME_JOBSPOOL_H
#define IOL_RUNTIME_JOBSPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/output/spool.h"

/* Before the store is made: whether this process belongs to a job with a spool. Then the mapped file is made in the
   directory of the job, unless there is no room for it: *room. */
bool iol__job_join(bool *room);
/* The directory is gone, because a log was made of what was in it: makes another one. */
bool iol__job_join_again(void);
/* The mapped file could not be made there, or is gone. */
void iol__job_uncharge(void);
/* At the end. What does not fit is dropped, and said once in the job. */
iol__spooled iol__job_append(void);
/* For a process outside of a job, or whose job has no spool, that found no place for its log. `found` is where the records
   are, "" if they are dropped. */
iol__spooled iol__job_append_homeless(char *found, size_t room);
/* Whether a line of this process is the first of its job, or of all processes without one. */
bool iol__job_speaks(void);

#endif
