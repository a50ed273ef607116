/* The table of files that `iolite show --files` and `iolite compare A B C...` print: size, volume, time, calls and seeks
   of each file, and the sums. */
#ifndef IOL_REPORT_FILES_TABLE_H
#define IOL_REPORT_FILES_TABLE_H

#include "log/figures/figures.h"
#include "report/file_totals.h"
#include "report/summary.h"
#include "text/out.h"

/* The columns, behind a first one of this width. */
enum { IOL_FILES_FIRST = 28 };

void iol__files_head(iol__out *out, const char *first);
/* Behind a first column that is there already. NULL: the log does not have the file. */
void iol__files_row(iol__out *out, const iol__file_total *file);
/* The row of sums: bytes and calls are those of the figures, the time is how long the job waited. */
void iol__files_totals(iol__out *out, const iol__summary *summary);
/* The name of a file, or its number where the log has none. */
const char *iol__file_name(iol_log *log, uint64_t id, char number[32]);

#endif
