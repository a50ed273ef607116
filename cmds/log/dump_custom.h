/* Records of custom modules (iolite/module.h) in the forms of `iolite dump`. */
#ifndef IOL_CMDS_DUMP_CUSTOM_H
#define IOL_CMDS_DUMP_CUSTOM_H

#include "cmds/log/filter.h"
#include "text/sheet.h"
#include "text/json.h"

/* For filter_parse: modules of this name have no slot, but one of the logs may contain them. */
int dump_custom_slot(const char *name);
/* A module of --module that is in none of the logs; NULL if there is none. */
const char *dump_custom_unknown(const iol__args *args);

/* All modules that pass the filter. `path` is NULL unless there are several logs. */
void dump_custom_text(iol__out *out, iol_log *log, const iol__filter *filter, bool colour);
void dump_custom_json(iol__json *json, iol_log *log, const iol__filter *filter);
void dump_custom_ndjson(iol__json *json, iol_log *log, const iol__filter *filter, const char *path);
void dump_custom_sheet(iol__sheet *sheet, iol_log *log, const iol__filter *filter, const char *path);
void dump_custom_csv(iol__out *out, iol_log *log, const iol__filter *filter, const char *path);

#endif
