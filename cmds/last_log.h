/* Which log a user means who names none: the last one of their own, by what lies in the places that logs go to. No store is
   asked. */
#ifndef IOL_CMDS_LAST_LOG_H
#define IOL_CMDS_LAST_LOG_H

#include <limits.h>

#include "cmds/cmd.h"

/* The arguments, or with no operand the same ones with the last log of this user, which is said on standard error. `path` and
   `operand` live as long as they do. Without any log they come back as they are. */
iol__args with_last_log(const iol__args *args, char path[PATH_MAX], char *operand[1]);

#endif
