/* How often a job did what no record has a counter for, and how long it took (schema/operations.def). In a finished log
   that is the trailer section OPER, one JSON object; a mapped file has the totals of its own process. */
#ifndef IOL_LOG_OPERATIONS_H
#define IOL_LOG_OPERATIONS_H

#include <stdio.h>

#include "iolite/log.h"
#include "record/mapped.h"

#define IOL_TAG_OPERATIONS "OPER"

typedef struct iol__operation_total {
    uint64_t count, failed; /* calls that succeeded, and those that did not */
    double time, slowest;   /* seconds; of all calls of all processes together, and of the longest one */
} iol__operation_total;

typedef struct iol__operation_totals {
    iol__operation_total of[IOL_OPERATIONS];
} iol__operation_totals;

const char *iol__operation_name(int operation);
/* Adds those of this log. What cannot be understood is passed over and noted in the log. */
void iol__operations_add(iol_log *log, iol__operation_totals *totals);
bool iol__operations_any(const iol__operation_totals *totals);
/* The content of OPER. */
void iol__operations_print(FILE *to, const iol__operation_totals *totals);

#endif
