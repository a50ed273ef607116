/* Logs of one run among those that a user named: what merge --group shows and diagnose --group judges. */
#ifndef IOL_CMDS_RUN_GROUPS_H
#define IOL_CMDS_RUN_GROUPS_H

#include "cmds/cmd.h"
#include "cmds/operands.h"
#include "log/merge/group.h"

/* Group all logs of the list; what cannot be opened is reported and left out. False without memory, which is reported. */
bool group_logs(const log_list *logs, iol__grouping *grouping, int *status);
/* Print them, as text or JSON. */
int print_groups(const iol__args *args, const iol__grouping *grouping, int status);
/* Merge each group into a log of its own in a new directory; the list then has these, and the logs that are alone. The
   directory's name is the caller's, to be given to remove_group_logs(). NULL if that cannot be done, which is reported. */
char *merge_groups(const iol__grouping *grouping, log_list *logs);
void remove_group_logs(char *directory, size_t groups);

#endif
