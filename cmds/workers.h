/* Work in several processes at once, for what cannot be shared by threads: the HDF5 library is made for one thread. */
#ifndef IOL_CMDS_WORKERS_H
#define IOL_CMDS_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "text/out.h"

typedef struct worker_task {
    void *context;
    /* The items [first, last), with their results written to `out`; gives an exit status. Runs in a process of its own. */
    int (*work)(void *context, size_t first, size_t last, iol__out *out);
    /* What it wrote, back in this process, part by part in order; false if that cannot be all. */
    bool (*take)(void *context, size_t first, size_t last, const char *bytes, size_t length);
} worker_task;

/* How many processes are worth starting for this number of items: never more than there are processors. */
size_t worth_workers(size_t items, size_t least_each);
/* All items on that number of processes; the highest exit status. A worker that is killed is EXIT_TROUBLE. */
int run_workers(const worker_task *task, size_t items, size_t workers);

#endif
