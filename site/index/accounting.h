/* Jobs of the batch system: `sacct` as text (--parsable2) or JSON, from a file or from the command itself, and the lines
   that prolog and epilogue leave ("JOBID start=SECONDS end=SECONDS entry=preloaded status=COMPLETED missed=static:app cause=..."). */
#ifndef IOL_SITE_ACCOUNTING_H
#define IOL_SITE_ACCOUNTING_H

#include "site/index/entry.h"

typedef struct iol__accounting_counts {
    uint64_t jobs;  /* put into the store, new or as before */
    uint64_t notes; /* lines of prolog and epilogue */
    uint64_t wrong; /* lines that make no sense */
} iol__accounting_counts;

/* `from` is a file, "-" for standard input, or "slurm" to ask sacct for the last two days. Names of users and of jobs are
   pseudonyms where those of logs are. A list that is as it was the last time is read only if it shall be read `again`. */
iol_status iol__accounting_read(iol__store *store, const iol__entry_plan *plan, const char *from, bool again,
                                iol__accounting_counts *counts, iol_error *error);

#endif
