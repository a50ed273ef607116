/* The text that darshan-parser and darshan-dxt-parser print. Data lines and the "# key: value" lines match theirs to the
   byte, because scripts read them; the other comment lines are for people, in our words. */
#ifndef IOL_REPORT_DARSHAN_TEXT_H
#define IOL_REPORT_DARSHAN_TEXT_H

#include <stdbool.h>

#include "iolite/log.h"
#include "record/record.h"
#include "text/out.h"

/* What to print of a module. */
typedef struct iol__parser_parts {
    bool base, total, files, perf;
    bool incomplete; /* also modules whose data is incomplete */
} iol__parser_parts;

/* Job, regions and mounts. */
void iol__darshan_head(iol__out *out, const iol_log *log);
/* What the columns of data lines are. */
void iol__darshan_columns(iol__out *out);
/* The starred heading of a module. */
void iol__darshan_banner(iol__out *out, const char *module, int stars);
/* The line that says that a module is incomplete, with what that means. */
void iol__darshan_incomplete(iol__out *out, const char *module);

/* Everything of one module behind its heading. Errors are noted in the log. */
void iol__darshan_module(iol__out *out, iol_log *log, int slot, const iol__parser_parts *parts);

/* One DXT module. The status is that of the first error. `stripes` may be NULL. */
typedef struct iol__stripe_table iol__stripe_table;
iol__stripe_table *iol__stripe_table_load(iol_log *log);
void iol__stripe_table_free(iol__stripe_table *table);
iol_status iol__darshan_trace(iol__out *out, iol_log *log, int slot, const iol__stripe_table *stripes);

#endif
