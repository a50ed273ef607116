/* A merge whose logs go where the settings say, under the names that logs have. */
#ifndef IOL_CMDS_MERGED_LOGS_H
#define IOL_CMDS_MERGED_LOGS_H

#include "log/merge/merge.h"
#include "record/place.h"

/* Logs that there are; the first is the one to look at. */
typedef struct written_logs {
    char **paths;
    size_t count;
    bool told; /* somebody has been told where a log is */
} written_logs;

bool keep_written(written_logs *list, const char *path);
void free_written(written_logs *list);
/* Logs of one run under the name that a user gave: LOG, LOG_2, LOG_3; to be freed, NULL without memory. */
char *numbered_log(const char *log, size_t number);

/* What a user gave to name a place: two of the variables are also options of `run`. */
const char *place_asked_for(const char *variable);

/* Merges into a log at the first place that takes it, or into several where MPI jobs are among the inputs. Each place
   that does not take it is reported, unless the merge has nobody to complain to. `logs` may have some that MPI jobs
   wrote themselves; what is written is added. The facts are those of processes that are not ranks; without a program in
   them, all is as the inputs say. False if something of the inputs is in no log. */
bool write_merged(const iol__config *config, iol__merge *merge, const iol__place_facts *facts, written_logs *logs);

#endif
