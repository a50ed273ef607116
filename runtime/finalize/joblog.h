/* Writing the log of the job. Rank 0 does it, alone if it is not too large; else it says where the others of those that
   write put what they have. */
#ifndef IOL_RUNTIME_JOBLOG_H
#define IOL_RUNTIME_JOBLOG_H

#include "runtime/finalize/gather.h"

typedef struct iol__joblog_times {
    int64_t open, job, header; /* nanoseconds */
} iol__joblog_times;

/* On rank 0, which knows everything. The name goes into `path`. False if there is no log. */
bool iol__joblog_write(iol__rt_gathered *g, iol__rt_exchange *x, iol__joblog_times *times, char *path, size_t room);
/* On the other ranks that write. False if the exchange is broken. */
bool iol__joblog_help(iol__rt_gathered *g, iol__rt_exchange *x);

#endif
