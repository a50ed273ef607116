/* iolite symbolize: the names of functions, files and lines into the log itself, so that it can be read where the program is
   not. */
#include <stdio.h>

#include "cmds/cmd.h"
#include "cmds/where/symbols.h"

/* Nothing is said of what succeeds: `run` does it to every log with lines. */
int symbolize_log(const char *path, const source_paths *paths, void (*complain)(const char *format, ...)) {
    iol_log *log;
    iol_error error;
    iol__where_all all;
    size_t named = 0;
    char why[IOL_WHERE_WHY];
    if (iol_log_open(path, &log, &error) != IOL_OK) return report_open_error(&error);
    int status = EXIT_TROUBLE;
    if (!iol__where_make(log, &all) || !symbolize_frames(&all, paths, complain, &named)) {
        tell_stderr("out of memory");
    } else if (named == 0 || iol__where_write(path, log, &all, why)) {
        status = report_log_errors(log);
    } else {
        tell_stderr("%s: names could not be added: %s", path, why);
    }
    iol__where_free(&all);
    iol_log_close(log);
    return status;
}

int cmd_symbolize(const iol__args *args) {
    source_paths paths;
    int status = EXIT_DONE;
    if (args->n_operands == 0) return usage_error(args, "a log is needed");
    if (!given_source_paths(args, &paths)) return usage_error(args, "--source-path takes OLD=NEW");
    for (size_t i = 0; i < args->n_operands; i++) {
        const int outcome = symbolize_log(args->operands[i], &paths, tell_stderr);
        if (outcome > status) status = outcome;
    }
    return status;
}
