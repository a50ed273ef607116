/* Thresholds that hold on some mounts or systems only. Which value is in force: that of the last layer that says
   anything (built-in, system file, user file, command line); within a layer a mount says more than a system, and a
   system more than a plain `set`; within those, what comes last. */
#ifndef IOL_INSIGHT_SECTIONS_H
#define IOL_INSIGHT_SECTIONS_H

#include "insight/findings/case.h"

/* Fill in the thresholds of the job and of each of its mounts: once, when the system's name is known. */
void iol__case_thresholds(iol__case *job);
/* Those for a file; the job's own where no section is about its mount. */
const double *iol__thresholds_of_file(const iol__case *job, const iol__facts_file *file);

#endif
