/* iolite merge and darshan-merge: one log from many. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmds/cmd.h"
#include "cmds/darshan.h"
#include "cmds/rewriting.h"
#include "log/merge.h"
#include "report/progress.h"

typedef struct merge_talk {
    const char *prefix;
    iol__progress progress;
} merge_talk;

static void complain(void *context, const char *message) {
    const merge_talk *talk = context;
    fprintf(stderr, "%s%s\n", talk->prefix, message);
}

static void show_progress(void *context, double fraction) {
    merge_talk *talk = context;
    iol__progress_step(&talk->progress, fraction, 1 - fraction);
}

/* The exit status. */
static int run(const iol__args *args, const char *output, const iol_write_options *options, iol__merge *merge,
               merge_talk *talk) {
    merge->inputs = (const char *const *)args->operands;
    merge->n_inputs = args->n_operands;
    merge->complain = complain;
    merge->progress = show_progress;
    merge->context = talk;
    iol_error error = {.status = IOL_OK};
    iol__progress_start(&talk->progress, false);
    iol__progress_piece(&talk->progress, 1);
    iol_status status = iol__merge_logs(merge, output, options, &error);
    iol__progress_end(&talk->progress);
    if (status != IOL_OK) fprintf(stderr, "%s%s\n", talk->prefix, error.message);
    if (status == IOL_INVALID) return EXIT_USAGE;
    if (status == IOL_SYSTEM) return EXIT_TROUBLE;
    return status != IOL_OK || merge->damaged ? EXIT_INPUT : EXIT_DONE;
}

static bool parse_whole(const char *text, int64_t *number) {
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return *text && !*end && errno == 0;
}

int cmd_merge(const iol__args *args) {
    const char *output = argument_value(args, OPT_OUTPUT), *job = argument_value(args, OPT_JOB);
    const char *end = argument_value(args, OPT_END_TIME);
    iol__merge merge = {.one_job = job != NULL};
    if (!output) return usage_error(args, "where to? Give --output LOG");
    if (args->n_operands == 0) return usage_error(args, "which logs?");
    if (args->given[OPT_REDUCE] && args->given[OPT_NO_REDUCE]) return usage_error(args, "--reduce or --no-reduce?");
    if (job && !parse_whole(job, &merge.job_id)) return usage_error(args, "--job takes a number, not '%s'", job);
    if (end && (!parse_whole(end, &merge.end_seconds) || merge.end_seconds <= 0))
        return usage_error(args, "--end-time takes seconds since the epoch, not '%s'", end);
    merge.reduce = args->given[OPT_REDUCE]      ? IOL_MERGE_REDUCE
                   : args->given[OPT_NO_REDUCE] ? IOL_MERGE_KEEP
                                                : IOL_MERGE_AUTO;
    merge_talk talk = {.prefix = "iolite: "};
    return run(args, output, &(iol_write_options){.replace = args->given[OPT_MERGE_FORCE]}, &merge, &talk);
}

int cmd_darshan_merge(const iol__args *args) {
    const char *output = argument_value(args, OPT_M_OUTPUT), *end = argument_value(args, OPT_M_END_TIME);
    iol__merge merge = {.strict = true, .reduce = args->given[OPT_M_REDUX] ? IOL_MERGE_REDUCE : IOL_MERGE_KEEP};
    if (!output) return usage_error(args, "where to? Give --output LOG");
    if (args->n_operands == 0) return usage_error(args, "which logs?");
    if (end && !parse_whole(end, &merge.end_seconds))
        return usage_error(args, "--job-end-time takes seconds, not '%s'", end);
    merge_talk talk = {.prefix = "Error: "};
    int status = run(args, output, &(iol_write_options){.one_stream = true}, &merge, &talk);
    return status == EXIT_DONE ? EXIT_DONE : DARSHAN_FAILED;
}
