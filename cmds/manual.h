/* Manual pages and completions of shells, from the tables of commands and options. */
#ifndef IOL_CMDS_MANUAL_H
#define IOL_CMDS_MANUAL_H

#include "cmds/cmd.h"

/* The page of a command, iolite-show(1); of all of them together, iolite(1), for NULL. */
void print_manual(iol__out *out, const iol__command *command);
/* One file per page into a directory that exists. Returns an exit status, with a message. */
int write_manuals(const char *directory);
/* False for a shell that is not known: bash, zsh and fish are. */
bool print_completion(iol__out *out, const char *shell);

#endif
