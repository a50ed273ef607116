/* How sure a finding is: the quality of the data, of its attribution to a cause, and of the model, multiplied. */
#ifndef IOL_INSIGHT_CONFIDENCE_H
#define IOL_INSIGHT_CONFIDENCE_H

#include "insight/findings/case.h"

/* `worst` is the file that the finding rests on, or NULL. */
iol__confidence iol__confidence_of(const iol__case *job, const iol__rule *rule, const iol__facts_file *worst);

#endif
