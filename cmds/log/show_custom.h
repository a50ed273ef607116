/* The parts of `iolite show` that come from the program itself: regions that it marked, and modules of others. */
#ifndef IOL_CMDS_SHOW_CUSTOM_H
#define IOL_CMDS_SHOW_CUSTOM_H

#include "iolite/log.h"
#include "text/out.h"

/* A table with a line of titles; nothing if there are no regions. */
void show_regions(iol__out *out, iol_log *log);
/* One line per module with what its records add up to. */
void show_custom(iol__out *out, iol_log *log);

#endif
