/* The summary of a log as one JSON object. */
#ifndef IOL_REPORT_SUMMARY_JSON_H
#define IOL_REPORT_SUMMARY_JSON_H

#include "text/json.h"
#include "report/summary.h"

/* Members of an open object: "modules" and "quality", which other documents have too. */
void iol__json_modules(iol__json *json, const iol__summary *summary);
void iol__json_quality(iol__json *json, const iol__summary *summary);
void iol__json_summary(iol__json *json, const iol__summary *summary);

#endif
