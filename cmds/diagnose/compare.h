/* The three kinds of iolite compare. All get arguments that make sense and return the exit status. */
#ifndef IOL_CMDS_COMPARE_H
#define IOL_CMDS_COMPARE_H

#include "cmds/cmd.h"

/* Two logs, counter by counter. */
int compare_counters(const iol__args *args);
/* Three or more logs, file by file. */
int compare_files(const iol__args *args);
/* Two groups of runs; the first `n_before` operands are the first group. */
int compare_runs(const iol__args *args, size_t n_before);

#endif
