/* Where in the program a finding is at home: the regions that it marked itself. */
#ifndef IOL_INSIGHT_REGIONS_H
#define IOL_INSIGHT_REGIONS_H

#include "insight/findings/case.h"

/* Fills `regions` of the diagnosis, and `region` of findings whose files were used in one alone. */
void iol__case_regions(iol__case *job, iol__diagnosis *out);

#endif
