/* How the processes of a job ended, as far as the log tells. A process says so when it ends by itself; what one that was
   killed did last is in its records. */
#ifndef IOL_LOG_ENDED_H
#define IOL_LOG_ENDED_H

#include "iolite/log.h"

typedef struct iol__ended {
    size_t processes, killed; /* that are listed, and those of them that did not end by themselves */
    size_t others;            /* of those, beside the one that follows */
    int64_t rank;             /* the first of those of whom it is known how they ended, else that was seen last */
    int64_t signal;           /* that it died of; 0: of none, or not known */
    int64_t status;           /* that it ended with instead; 0: not known */
    double at;                /* when, in seconds since the start of the job; NAN: not known */
    double seen;              /* when it did something last that is in the log, the same */
    uint64_t file;            /* what it used last and had open; 0: nothing */
} iol__ended;

/* Nothing is said of logs without a list of processes, and of those of processes that may still run. */
void iol__ended_read(iol_log *log, iol__ended *ended);

#endif
