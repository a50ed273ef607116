/* A comparison of two logs as JSON. */
#ifndef IOL_REPORT_COMPARE_JSON_H
#define IOL_REPORT_COMPARE_JSON_H

#include "report/compare.h"
#include "text/json.h"

void iol__json_comparison(iol__json *json, const iol__comparison *comparison);

#endif
