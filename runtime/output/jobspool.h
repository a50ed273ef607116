/* A bare preload in a batch job: processes that are not MPI's leave their records in one spool of their job on this node,
   by the mechanism of `iolite run`, and somebody else makes one log of it: the epilogue, `iolite merge --leftovers`, a later
   run or `iolite index`. Outside of a job, the same serves processes that find no place for their logs. */
#ifndef IOL_RUNTIME_JOBSPOOL_H
#define IOL_RUNTIME_JOBSPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/core/job_home.h"
#include "runtime/output/spool.h"

/* At the end. What does not fit is dropped, and said once in the job. */
iol__spooled iol__job_append(void);
/* For a process outside of a job, or whose job has no spool, that found no place for its log. `found` is where the records
   are, "" if they are dropped. */
iol__spooled iol__job_append_homeless(char *found, size_t room);
/* Whether a line of this process is the first of its job, or of all processes without one. */
bool iol__job_speaks(void);

#endif
