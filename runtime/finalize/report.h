/* How long the end of a job took, for who wants to know: the lines that scripts already read, and the phases for the
   benchmark. Times are the longest of all ranks. */
#ifndef IOL_RUNTIME_REPORT_H
#define IOL_RUNTIME_REPORT_H

#include "runtime/finalize/joblog.h"

enum { IOL_STEP_SURVEY, IOL_STEP_PACK, IOL_STEP_GATHER, IOL_STEP_WRITE, IOL_STEP_WORD, IOL_STEPS };

typedef struct iol__report {
    int64_t began, last;
    int64_t phases[IOL_STEPS];
    int64_t busy[IOL_STEPS]; /* of that, on a processor */
    int64_t busy_last;
    uint64_t messages[IOL_STEPS]; /* of this rank */
    uint64_t bytes[IOL_STEPS];
    uint64_t sent, sent_bytes;
    iol__joblog_times file;
} iol__report;

void iol__report_start(iol__report *report);
/* A phase is over. */
void iol__report_phase(iol__report *report, int phase, const iol__rt_exchange *x);
/* If the plan says so, the ranks agree on the longest times and rank 0 prints them. */
void iol__report_print(iol__report *report, iol__rt_exchange *x, const iol__survey *survey, const iol__rt_gathered *g);

/* The benchmark wants the phases as well. */
extern bool iol__report_phases;

#endif
