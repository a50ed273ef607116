/* What a finding rests on, so that anybody can look it up: files with their figures, records with their counters,
   single traced requests, stretches of time. */
#ifndef IOL_INSIGHT_EVIDENCE_H
#define IOL_INSIGHT_EVIDENCE_H

#include "insight/findings/case.h"
#include "insight/findings/costs.h"

/* A file that a finding is about. */
typedef struct iol__culprit {
    size_t file; /* place in the facts */
    iol__range range;
    double key; /* orders files without a cost */
} iol__culprit;

/* The files of one finding: all that count, worst first, and their cost together. */
typedef struct iol__gathered {
    iol__culprit *worst;
    size_t count;
    iol__cost_total total;
} iol__gathered;

void iol__evidence_make(iol__case *job, size_t rule, const iol__gathered *gathered, iol__finding *finding);
/* Two requests that show what a rule found in the trace; NULL: it is about something else. */
const iol__example *iol__evidence_example(const iol__case *job, const char *rule);
/* Look up the counters of all records that findings show, in one pass over each module. */
void iol__evidence_counters(iol__case *job, const iol__finding *findings, size_t count);

#endif
