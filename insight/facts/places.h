/* Which lines of code a finding is about, where the log knows them (log/trailer/where.h). */
#ifndef IOL_INSIGHT_PLACES_H
#define IOL_INSIGHT_PLACES_H

#include "insight/findings/case.h"

/* Fills `places` of findings: the lines that carry the cost, those with the most first. */
void iol__case_places(iol__case *job, iol__diagnosis *out);

#endif
