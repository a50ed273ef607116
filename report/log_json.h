/* What every JSON document about a log begins with: the file, the job, the mounts, the processes. The keys
   are the same everywhere. */
#ifndef IOL_REPORT_LOG_JSON_H
#define IOL_REPORT_LOG_JSON_H

#include "log/figures/figures.h"
#include "iolite/log.h"
#include "text/json.h"

/* Members of an open object: path, version, compression, job, mounts; processes, folded, operations and file_sizes where
   the log has them. */
void iol__json_log_facts(iol__json *json, iol_log *log);
/* The parts of it: members of the file without its path, of the job, and the lists. */
void iol__json_log_form(iol__json *json, const iol_log *log);
void iol__json_job_members(iol__json *json, const iol_log *log);
void iol__json_mounts(iol__json *json, const iol_log *log);
void iol__json_processes(iol__json *json, iol_log *log);
void iol__json_folded(iol__json *json, iol_log *log);
/* Programs that were started and are not in the log, "not_recorded". */
void iol__json_unseen(iol__json *json, iol_log *log);
void iol__json_operations(iol__json *json, iol_log *log);
void iol__json_hints(iol__json *json, iol_log *log);
/* Members of an open object: name, slot, version, bytes, partial. */
void iol__json_module_facts(iol__json *json, const iol_module *module);
/* "figures": those of log/figures/figures.def. */
void iol__json_figures(iol__json *json, const double value[IOL_JOB_FIGURES]);
/* "errors": what was found to be damaged so far. */
void iol__json_log_errors(iol__json *json, const iol_log *log);
/* The object in place of a log of which nothing can be read; `path` may be NULL. */
void iol__json_unreadable(iol__json *json, const char *path, const iol_error *error);

#endif
