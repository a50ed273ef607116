/* What `iolite run` itself knows of programs that are not in its log: for the list of processes of the run. */
#ifndef IOL_CMDS_UNSEEN_H
#define IOL_CMDS_UNSEEN_H

#include <sys/types.h>

#include "cmds/run/program.h"
#include "cmds/run/run_directory.h"
#include "record/unseen.h"

/* Why no library can be in a program, or IOL_UNSEEN_NOT. */
iol__unseen_why why_unseen(const program *facts);
/* The program that the run was made for, if that is so. */
void note_first_program(const run_directory *run, iol__unseen_why why, const char *name, pid_t pid);
/* Programs whose records did not come to the run's directory, or did not stay there: nobody knows which. */
void note_lost(const run_directory *run);
/* Processes of the run that go on: what they did so far is not in the log. Each will have one of its own. */
void note_survivors(const run_directory *run);

#endif
