/* On what a job ran: the trailer section PLAT, one JSON object that the ranks of an MPI job write at their end. */
#ifndef IOL_LOG_PLATFORM_H
#define IOL_LOG_PLATFORM_H

#include "iolite/log.h"

#define IOL_TAG_PLATFORM "PLAT"

typedef struct iol__platform {
    int64_t nodes;                          /* 0: there is no such section */
    int64_t ranks_per_node[2];              /* the least and the most */
    int64_t page_bytes;                     /* 0: not known, as "" in the texts */
    char *node_list;                        /* as schedulers write it: nid[0012-0075,0080]; NULL: not known */
    char scheduler[64], scheduler_job[128]; /* who ran it, and its id as that has it */
    char mpi[256], kernel[128], machine[64], processor[128];
    char container[32]; /* "" if it ran in none */
} iol__platform;

/* Where there are several, the first counts. What cannot be understood is passed over and noted in the log. */
void iol__platform_read(iol_log *log, iol__platform *platform);
void iol__platform_free(iol__platform *platform);

#endif
