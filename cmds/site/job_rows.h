/* Rows of jobs between processes: their keys in order, with their values as they are. */
#ifndef IOL_CMDS_JOB_ROWS_H
#define IOL_CMDS_JOB_ROWS_H

#include "site/connect/value.h"
#include "text/out.h"

void write_rows(iol__out *out, const iol__value *rows);
/* The rows at `*at`, added to `rows`; false if they do not end before `end`. */
bool read_rows(iol__arena *arena, const char **at, const char *end, iol__value *rows);

#endif
