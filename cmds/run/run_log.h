/* From what the processes of a run left to its log, and from the log to a few lines for a person. */
#ifndef IOL_CMDS_RUN_LOG_H
#define IOL_CMDS_RUN_LOG_H

#include "cmds/run/child.h"
#include "cmds/run/merged_logs.h"
#include "cmds/run/run_directory.h"
#include "cmds/run/run_output.h"
#include "record/unseen.h"

/* Merges the run into a log at the first place that takes it, or into several where MPI jobs are a part of it. Each
   place that does not take it is reported. `unseen`: why the command itself was not recorded, if so. `output`: the name
   that was asked for and looked at, if one was. */
void write_run_log(const iol__config *config, run_directory *run, char **command, iol__unseen_why unseen,
                   const child_end *end, run_output *output, written_logs *logs);
/* Five lines, or the same and more as JSON, on standard error. */
void print_run_summary(const written_logs *logs, const child_end *end, bool json);

#endif
