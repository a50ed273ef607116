/* Files that cannot be read, by cause: the first few of each are named, the others counted, so that a directory with
   thousands of them gives a summary and not a line each. */
#ifndef IOL_CMDS_CAUSES_H
#define IOL_CMDS_CAUSES_H

#include <stdbool.h>
#include <stddef.h>

#include "iolite/log.h"

/* Another one; true if it is to be named. */
bool cause_is_to_be_named(const iol_error *error);
/* What was counted and not named, on standard error: at the end of the command. */
void report_other_causes(void);

#endif
