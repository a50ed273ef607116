/* Start, forks, exec and end of the process. */
#ifndef IOL_RUNTIME_PROCESS_H
#define IOL_RUNTIME_PROCESS_H

#include <stdbool.h>

/* A child is about to share our memory; for as long as it likes, or until it execs or ends. */
void iol__sharing_memory(bool for_good);
void iol__exec_before(void);
void iol__exec_failed(void);
/* The store is made now, not when the first record is. */
void iol__records_early(void);

#endif
