/* What modules count under different names: calls that read, write and seek, and how far into the file they went. */
#ifndef IOL_LOG_CALLS_H
#define IOL_LOG_CALLS_H

#include "iolite/log.h"

enum { IOL_CALL_COUNTERS = 5 };

/* Numbers of counters plus 1, so that 0 ends the list; NULL for a module that moves no bytes. */
const int16_t *iol__call_counters(int slot, bool writes);
/* Calls of a record that read, or that wrote; what its writer did not know counts as none. */
double iol__record_calls(const iol_record *record, bool writes);
/* Calls that moved the position in the file; below zero where the module or the writer does not know. */
double iol__record_seeks(const iol_record *record);
/* The size of the file as far as it was read or written; below zero where the module does not know. */
double iol__record_size(const iol_log *log, const iol_record *record);

/* How long the slowest rank was inside calls on a file of all ranks. Logs of 1.x do not know (-1): then the mean of the
   ranks, which is no more than that. */
double iol__record_slowest_time(const iol_log *log, const iol_record *record);

#endif
