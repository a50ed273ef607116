/* The summary of a log as one JSON object. */
#ifndef IOL_REPORT_SUMMARY_JSON_H
#define IOL_REPORT_SUMMARY_JSON_H

#include "report/json.h"
#include "report/summary.h"

void iol__json_summary(iol__json *json, const iol__summary *summary);

#endif
