/* What the parts of a comparison share. */
#ifndef IOL_INSIGHT_COMPARE_INTERNAL_H
#define IOL_INSIGHT_COMPARE_INTERNAL_H

#include "base/arena.h"
#include "insight/compare/compare.h"

/* Figures and findings of one log, everything in the arena. The diagnosis must have kept its facts. */
void iol__job_run_fill(iol__job_run *run, const iol__diagnosis *diagnosis, iol__arena *arena);

/* All figures: spread, change, tests and their correction. */
void iol__compare_figures(iol__contrast *contrast, iol__arena *arena);
/* Findings that went, came and stayed, and whether advice kept its word. Figures come first. */
void iol__compare_findings(iol__contrast *contrast, iol__arena *arena);

#endif
