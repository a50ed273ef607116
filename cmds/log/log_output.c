/* The walk over the logs of dump and trace. */
#include "cmds/log/log_output.h"

#include <unistd.h>

void log_output_json(log_output *to, int depth) {
    iol__json_start(&to->json, &to->out, to->several ? depth + 1 : depth);
    if (to->several) iol__json_open(&to->json, '[');
}

void log_output_json_end(log_output *to) {
    if (to->several) iol__json_close(&to->json, ']');
    iol__json_finish(&to->json);
}

void log_output_lines(log_output *to) { iol__json_start(&to->json, &to->out, 0); }

static int one_log(log_output *to, const char *path, const log_walk *walk, void *context) {
    iol_error error;
    if (iol_log_open(path, &to->log, &error) != IOL_OK) {
        walk->unreadable(context, path, &error);
        return report_open_error(&error);
    }
    walk->log(context);
    const int status = report_log_errors(to->log);
    iol_log_close(to->log);
    return status;
}

/* What is printed of a log goes out before what is said about it. */
void log_output_log_end(log_output *to) {
    iol__progress_end(&to->progress);
    iol__out_flush(&to->out);
}

int log_output_walk(log_output *to, const iol__args *args, const log_walk *walk, void *context) {
    int status = EXIT_DONE;
    to->several = args->n_operands > 1;
    iol__out_open(&to->out, STDOUT_FILENO);
    iol__out_open(&to->before, -1);
    iol__out_open(&to->after, -1);
    walk->start(context);
    iol__progress_start(&to->progress, isatty(STDOUT_FILENO));
    for (size_t i = 0; i < args->n_operands; i++) {
        iol__progress_part(&to->progress, i, args->n_operands);
        int outcome = one_log(to, args->operands[i], walk, context);
        if (outcome > status) status = outcome;
    }
    walk->finish(context);
    iol__out_close(&to->before);
    iol__out_close(&to->after);
    filter_free(&to->filter);
    return finish_output(&to->out, status);
}
