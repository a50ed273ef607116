/* Files that cannot be read, by cause: the first few of each are named, the others counted, so that a directory with
   thousands of them gives a summary and not a line each. Causes that differ in numbers only are one. */
#ifndef IOL_CMDS_CAUSES_H
#define IOL_CMDS_CAUSES_H

#include <stdbool.h>
#include <stddef.h>

/* Another one, "file: at offset N: cause" or "file: cause"; true if it is to be named. */
bool cause_is_to_be_named(const char *message);
/* What was counted and not named since the last time, on standard error: at the end of the command. How many files. */
size_t report_other_causes(void);

#endif
