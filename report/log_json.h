/* What every JSON document about a log begins with: the file, the job, the mounts, the processes. The keys
   are the same everywhere. */
#ifndef IOL_REPORT_LOG_JSON_H
#define IOL_REPORT_LOG_JSON_H

#include "iolite/log.h"
#include "report/json.h"

/* Members of an open object: path, version, compression, job, mounts; processes and folded where the log has them. */
void iol__json_log_facts(iol__json *json, iol_log *log);
/* Members of an open object: name, slot, version, bytes, partial. */
void iol__json_module_facts(iol__json *json, const iol_module *module);
/* "errors": what was found to be damaged so far. */
void iol__json_log_errors(iol__json *json, const iol_log *log);

#endif
