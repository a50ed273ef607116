/* What the commands that write logs share. */
#ifndef IOL_CMDS_REWRITING_H
#define IOL_CMDS_REWRITING_H

#include "log/write/rewrite.h"

/* Whether two paths lead to one file. */
bool same_file(const char *a, const char *b);
/* Write the log again under another name; false with the reason, and then nothing is left behind. */
bool rewrite_file(iol_log *log, const char *to, const iol_write_options *options, const iol__rewrite *how,
                  iol_error *error);

#endif
