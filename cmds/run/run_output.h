/* The name that a user gave to the log of a run (run --output), looked at before the program starts: what cannot work is
   said while nothing is lost, and logs of an earlier run make way when there is a new one. */
#ifndef IOL_CMDS_RUN_OUTPUT_H
#define IOL_CMDS_RUN_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { EARLIER_LOGS = 16 };

typedef struct run_output {
    struct {
        char *path;
        dev_t device;
        ino_t inode;
    } earlier[EARLIER_LOGS]; /* logs of this user that have the names of ours */
    size_t n_earlier;
} run_output;

/* False if no log could be written there; a message has said why. */
bool check_run_output(const char *path, run_output *output);
/* Earlier logs become LOG.old, over one that was LOG.old; whatever else has come to their places since stays. */
void make_way_for_log(run_output *output);

#endif
