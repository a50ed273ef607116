/* What a store knows of earlier runs, for commands about one log. A store is used only where one is named: --store or
   IOLITE_STORE. */
#ifndef IOL_CMDS_HISTORY_H
#define IOL_CMDS_HISTORY_H

#include "cmds/cmd.h"
#include "site/history.h"

/* Whether a store is named. */
bool wants_history(const iol__args *args);
/* EXIT_DONE, or the status to end with after a message. */
int read_history(const iol__args *args, const char *path, iol__history *history);

#endif
