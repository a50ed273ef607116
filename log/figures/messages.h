/* How long the ranks of a job were in MPI's own calls, from the records of APMPI: by rank and by operation. Calls of MPI-IO
   are not among them. A rank that comes late has the least of this time, because the others wait for it in theirs. */
#ifndef IOL_LOG_MESSAGES_H
#define IOL_LOG_MESSAGES_H

#include "iolite/log.h"

enum {
#define MESSAGE(name) +1
#define PLAIN(name) +1
#define SYNCED_MESSAGE(name) +1
#define SYNCED_PLAIN(name) +1
    IOL_MESSAGE_OPERATIONS = 0
#include "schema/apmpi_operations.def"
#undef MESSAGE
#undef PLAIN
#undef SYNCED_MESSAGE
#undef SYNCED_PLAIN
};

typedef struct iol__message_operation {
    uint64_t calls, bytes; /* of all ranks */
    double time, sync;     /* seconds of all ranks; waiting before it, which is part of the time */
    double longest;        /* of one call */
} iol__message_operation;

typedef struct iol__message_rank {
    int64_t rank;
    double time, sync;
} iol__message_rank;

typedef struct iol__messages {
    size_t n_ranks; /* 0: there are no records */
    bool sync;      /* waiting before collective operations was measured */
    iol__message_rank *ranks;
    iol__message_operation of[IOL_MESSAGE_OPERATIONS];
} iol__messages;

/* Without records, or without memory for them, there are no ranks. */
void iol__messages_read(iol_log *log, iol__messages *messages);
void iol__messages_free(iol__messages *messages);
/* As MPI names it: "MPI_Allreduce". */
const char *iol__message_name(int operation, char room[32]);
/* The operations with calls, those with most time first; returns how many. */
int iol__messages_by_time(const iol__messages *messages, int order[IOL_MESSAGE_OPERATIONS]);

/* Who comes late: the rank with the least time in MPI, and how long the others wait for it. */
typedef struct iol__late_rank {
    int64_t rank;   /* -1: there are no two ranks */
    double own_s;   /* its seconds in MPI */
    double usual_s; /* the median of all ranks */
    double wait_s;  /* the difference */
} iol__late_rank;
iol__late_rank iol__messages_late(const iol__messages *messages);

#endif
