/* A log with pseudonyms in place of names and of the command line: what `--names hash` shows. */
#ifndef IOL_CMDS_HIDDEN_H
#define IOL_CMDS_HIDDEN_H

#include "log/write/rewrite.h"

/* A nameless copy of the log as `how` has it, called `name` in what is printed. Records that this Iolite does not know are
   not in it: nothing is printed of them. */
iol_status copy_of_log(iol_log *log, iol__rewrite how, const char *name, iol_log **copy, iol_error *error);
/* Hide names of files, mounts, hosts and pools, and the command line, which often has some of them. */
void hide_names(iol__rewrite *how, const iol__key *key);

#endif
