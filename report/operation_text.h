/* Totals of operations in words, for everything that prints them: which come first, and "60.0 k stat (12 failed) in
   128 ms". */
#ifndef IOL_REPORT_OPERATION_TEXT_H
#define IOL_REPORT_OPERATION_TEXT_H

#include <stddef.h>

#include "log/trailer/operations.h"

/* Those that there are, the ones that took longest first; returns how many. */
int iol__operations_by_time(const iol__operation_totals *totals, int order[IOL_OPERATIONS]);
/* As snprintf. */
int iol__operation_text(char *to, size_t room, int operation, const iol__operation_total *total);

#endif
