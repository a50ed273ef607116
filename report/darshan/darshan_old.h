/* The text that darshan-parser 2.3.1 prints of logs of 1.x and 2.x, to the byte: scripts and archives of those years have it.
   It prints 0 for counters that a version did not have, and says so above; nothing else here does. */
#ifndef IOL_REPORT_DARSHAN_OLD_H
#define IOL_REPORT_DARSHAN_OLD_H

#include <stdbool.h>

#include "iolite/log.h"
#include "text/out.h"

typedef struct iol__old_parts {
    bool base, total, perf, files, file_list, file_list_detailed;
} iol__old_parts;

/* False without memory. */
bool iol__darshan_old(iol__out *out, iol_log *log, const iol__old_parts *parts);

#endif
