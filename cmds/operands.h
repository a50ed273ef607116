/* Operands that are logs, or directories that stand for the logs below them. */
#ifndef IOL_CMDS_OPERANDS_H
#define IOL_CMDS_OPERANDS_H

#include <stddef.h>

#include "cmds/cmd.h"

typedef struct log_list {
    char **paths;
    bool *found; /* in a directory, and not named by the user */
    size_t count;
    bool several; /* not just one operand that is a log: the output is a list, whatever its length */
    int status;   /* EXIT_DONE, or what went wrong with a directory (it was reported) */
    bool opened;  /* the one operand is a file that was looked into; this is it */
    int descriptor;
} log_list;

/* One more that was found somewhere, not named by the user; ends the program without memory. */
void add_log(log_list *list, const char *path);
/* What is no directory stands for itself, whether it exists or not. In a directory every *.darshan counts, at any
   depth, sorted by path; links to directories are not followed. */
void list_logs(const iol__args *args, log_list *list);
/* Open the log of that number. One that was found in a directory must be a regular file: a pipe or a device that somebody
   put there would never end. */
iol_status open_listed(const log_list *list, size_t number, iol_log **log, iol_error *error);
void free_logs(log_list *list);

#endif
