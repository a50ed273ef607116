/* iolite run, with all that can be said about the run when it has ended. */
#include <stdio.h>

#include "cmds/diagnose/surroundings.h"
#include "cmds/run/run_program.h"
#include "cmds/settings.h"
#include "cmds/where/symbols.h"

static void tell_history_of_run(const iol__args *args, const char *path) {
    iol__history history;
    iol_log *log;
    iol_error error;
    char sentence[300];
    if (iol_log_open(path, &log, &error) != IOL_OK) {
        report_open_error(&error);
        return;
    }
    if (read_history(args, log, &history) == EXIT_DONE && iol__history_sentence(&history, sentence, sizeof sentence))
        fprintf(stderr, "iolite: this run was %s\n", sentence);
    iol_log_close(log);
}

static void say(const iol__args *args, const written_logs *logs, const child_end *end, bool talk) {
    print_run_summary(logs, end, args->given[OPT_RUN_JSON]);
    if (talk && logs->count && wants_history(args)) tell_history_of_run(args, logs->paths[0]);
}

/* While the program is still what it was when it ran. */
static void name_lines(const written_logs *logs) {
    for (size_t i = 0; i < logs->count; i++) symbolize_log(logs->paths[i], NULL, NULL);
}

int cmd_run(const iol__args *args) {
    static const run_words words = {.complain = complain_on_stderr, .say = say, .name_lines = name_lines};
    return run_program(args, &words);
}
