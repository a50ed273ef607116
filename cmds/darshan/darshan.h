/* What the darshan-* commands do alike. */
#ifndef IOL_CMDS_DARSHAN_H
#define IOL_CMDS_DARSHAN_H

#include "cmds/cmd.h"

enum { DARSHAN_FAILED = 255 };

/* Opens the one log of the command line, and the output with the head of the text; NULL with the exit status if that
   fails. */
iol_log *darshan_begin(const iol__args *args, iol__out *out, int *status);
/* For an incomplete module: the warning in the text, or where that was not asked for, a complaint and true. */
bool darshan_incomplete(iol__out *out, const iol_module *module, bool allowed);
/* Tell all errors; 255 if one concerns the log as a whole. */
int darshan_status(const iol_log *log);

#endif
