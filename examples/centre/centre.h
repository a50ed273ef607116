/* A made-up centre: users, programs, months of jobs with logs, logs that are broken, jobs without a log, and the batch
   system's list of them all. The same seed gives the same bytes. */
#ifndef IOL_EXAMPLES_CENTRE_H
#define IOL_EXAMPLES_CENTRE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct centre_plan {
    uint64_t logs;
    uint64_t seed;
    int months;      /* the last one begins on 1 October 2026; growth is a tenth per month */
    int large;       /* of 1000 logs, how many are larger than 1 MB */
    int broken;      /* of 1000 logs */
    int steps;       /* logs of the first job; 0: as of the others */
    bool lists_only; /* the batch system's list without the logs */
} centre_plan;

/* Makes DIR/logs/YEAR/MONTH/DAY/..., DIR/sacct.txt, DIR/entries.txt and DIR/site.json. Ends the program with a message if
   that fails. */
void centre_make(const centre_plan *plan, const char *dir);

#endif
