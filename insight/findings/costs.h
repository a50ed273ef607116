/* What a habit cost, in seconds of the job: models of the time that would have been saved, each with a low and a high
   bound. They are rough, and nothing is claimed that moving the bytes would have taken anyway. */
#ifndef IOL_INSIGHT_COSTS_H
#define IOL_INSIGHT_COSTS_H

#include "insight/findings/case.h"

/* Starting a request takes about as long as moving this number of bytes, on a disk as on a parallel file system. */
enum { IOL_BEGIN_BYTES = 262144 };

/* -1 if there is none. */
int iol__model_find(const char *name);
bool iol__model_needs_direction(iol__model model);

typedef struct iol__range {
    bool known; /* the log has times to go by */
    double best, low, high;
} iol__range;

/* Of one file, by the rule's model, not more than other findings have left of its time. `subject` has the rule's
   lets. */
iol__range iol__cost_of_file(const iol__rule *rule, const iol__subject *subject);
/* Of the whole job, a phase, or a file or rank in a phase. */
iol__range iol__cost_of_job(const iol__rule *rule, const iol__subject *subject);

/* Adding up over files: what all ranks wait for adds; what single ranks wait for happens side by side, so that only the
   worst rank counts. */
typedef struct iol__cost_total {
    iol__range all;
    double *by_rank; /* best, low, high for each rank; in the arena of the case */
    size_t ranks;
    double concurrency; /* of a run whose processes came one after the other; 0: ranks are parallel */
} iol__cost_total;

void iol__cost_add(iol__cost_total *total, iol__case *job, const iol__facts_file *file, const iol__range *range);
iol__range iol__cost_finish(const iol__cost_total *total);

/* Level, share and node hours of a cost. */
iol__cost_range iol__cost_judge(const iol__case *job, const iol__rule *rule, const iol__range *range);
iol__level iol__cost_level(const iol__case *job, const iol__rule *rule, const iol__cost_range *cost);

#endif
