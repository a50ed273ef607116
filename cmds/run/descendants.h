/* What a process and its children started and is still there. */
#ifndef IOL_CMDS_DESCENDANTS_H
#define IOL_CMDS_DESCENDANTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct descendants {
    bool all_asleep; /* every thread of all of them; false too if that cannot be known */
    unsigned count;  /* threads */
    uint64_t mark;   /* another one when some came or went, or had the processor for a while */
} descendants;

descendants look_at_descendants(pid_t pid);

#endif
