/* The totals of a log: one record per module in place of all of them, so that what is kept of a job has the same size
   whatever it did. What cannot be added up is left out: traces, heat maps, layouts. */
#ifndef IOL_LOG_TOTALS_H
#define IOL_LOG_TOTALS_H

#include "iolite/log.h"

#define IOL_TOTALS_NAME "<TOTALS>"

typedef struct iol__totals iol__totals;

/* Reads all records. NULL without memory. */
iol__totals *iol__totals_of(iol_log *log);
void iol__totals_free(iol__totals *totals);
/* A line of metadata for each module that was added up: how many records and files there were, and how fast they were.
   NULL behind the last. */
const char *iol__totals_line(const iol__totals *totals, size_t number);
/* The name and one record per module. */
iol_status iol__totals_write(const iol__totals *totals, iol_writer *writer);

#endif
