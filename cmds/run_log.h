/* From what the processes of a run left to its log, and from the log to a few lines for a person. */
#ifndef IOL_CMDS_RUN_LOG_H
#define IOL_CMDS_RUN_LOG_H

#include "cmds/child.h"
#include "cmds/run_directory.h"
#include "record/place.h"

typedef struct run_report {
    char log[IOL_PLACE_BYTES]; /* "" if none could be written */
} run_report;

/* Merges the run into a log at the first place that takes it. Each place that does not is told. */
void write_run_log(const iol__config *config, const run_directory *run, char **command, const child_end *end,
                   run_report *report);
/* Five lines, or the same and more as JSON, on standard error. */
void print_run_summary(const run_report *report, const child_end *end, bool json);

#endif
