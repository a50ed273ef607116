/* What darshan-diff prints: the job facts and counters in which two logs differ, as data lines marked "- " (first log) and
   "+ " (second log). */
#ifndef IOL_REPORT_DARSHAN_DIFF_H
#define IOL_REPORT_DARSHAN_DIFF_H

#include "iolite/log.h"
#include "text/out.h"

/* Whether records of a module are compared at all: those that are more than counters are not. */
bool iol__diff_compares(int slot);
/* Whether both logs have data of a module, in records of different versions. Such records are not compared. */
bool iol__diff_versions_differ(const iol_log *one, const iol_log *two, int slot);

void iol__diff_jobs(iol__out *out, const iol_log *one, const iol_log *two);
/* Errors are noted in the logs. False when there is no memory to go on. */
bool iol__diff_records(iol__out *out, iol_log *one, iol_log *two);

#endif
