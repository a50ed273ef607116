/* Logs of what programs left on this node: those that were killed, and the spools of jobs that are over. */
#ifndef IOL_CMDS_LEFTOVER_LOGS_H
#define IOL_CMDS_LEFTOVER_LOGS_H

#include "log/merge/merge.h"
#include "schema/resolve.h"

typedef struct leftover_work {
    const iol__config *config;
    const char *const *operands; /* logs that belong to the same job */
    size_t n_operands;
    const char *output; /* NULL: where a program's log would go */
    const iol_write_options *options;
    bool
        print; /* the names of logs, and what is wrong: somebody asked for them. Else jobs that have processes here are spared */
    size_t most; /* logs that are made; 0: all */
} leftover_work;

/* As an epilogue calls it: there may be nothing, and then there is nothing to say. With operands everything is one group: it
   is one job then, whose parts come from several nodes. The exit status. */
int make_leftover_logs(const leftover_work *work, iol__merge *how);
/* The same as an afterthought of a command that has something else to do: a few of them, in silence, and none of jobs that
   have processes here. `placed`: an option of the command says where its own log goes, which is no place for these. */
void collect_leftovers(const iol__config *config, bool placed);

#endif
