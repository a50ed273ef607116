/* What `iolite run` does, whichever of our two programs is asked: the small one, which starts fast and is silent, or the
   one with all commands, which also says what there is in the log. */
#ifndef IOL_CMDS_RUN_PROGRAM_H
#define IOL_CMDS_RUN_PROGRAM_H

#include "cmds/cmd.h"
#include "cmds/run/run_log.h"

typedef struct run_words {
    /* Called before anything is done for the program, if there will be something to say: another program may take our
       place. If it returns, the program is run without a summary. NULL: there is no need. */
    void (*hand_over)(void);
    /* About settings. */
    void (*complain)(const char *text);
    /* Called after the run, if there is something to say; `talk`: to a person. NULL: nobody does. */
    void (*say)(const iol__args *args, const written_logs *logs, const child_end *end, bool talk);
    /* Called after the run, if its logs say which lines of code did the I/O: adds the names of these. NULL: nobody does. */
    void (*name_lines)(const written_logs *logs);
} run_words;

int run_program(const iol__args *args, const run_words *words);

#endif
