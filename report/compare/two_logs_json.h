/* A comparison of two logs as JSON. */
#ifndef IOL_REPORT_TWO_LOGS_JSON_H
#define IOL_REPORT_TWO_LOGS_JSON_H

#include "report/compare/two_logs.h"
#include "text/json.h"

void iol__json_two_logs(iol__json *json, const iol__two_logs *comparison);

#endif
