/* What the layouts of files tell about single OSTs: bytes, time, and which of them are slow. */
#ifndef IOL_INSIGHT_OSTS_H
#define IOL_INSIGHT_OSTS_H

#include "insight/facts/facts.h"

struct iol__case;

/* OSTs on which files took much longer than elsewhere. */
typedef struct iol__slow_osts {
    const uint8_t *slow; /* by number: 1 for a slow one; NULL: there is none */
    double usual_s;      /* seconds of a file, or of its part on one OST, on the median OST */
    int64_t worst, well; /* the slowest, and the fastest of all */
} iol__slow_osts;

/* Fill in the job variables about OSTs. */
void iol__case_osts(struct iol__case *job);
/* Seconds that a file of one rank took beyond those of the median OST; NAN if none of its stripes is on a slow one. */
double iol__slow_ost_excess(const struct iol__case *job, const iol__facts_file *file);

#endif
