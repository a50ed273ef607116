/* iolite merge and darshan-merge: one log from many. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmds/causes.h"
#include "cmds/cmd.h"
#include "cmds/run/run_groups.h"
#include "cmds/darshan/darshan.h"
#include "cmds/run/leftover_logs.h"
#include "cmds/log/rewriting.h"
#include "cmds/settings.h"
#include "log/merge/merge.h"
#include "report/progress.h"
#include "text/text.h"

typedef struct merge_talk {
    const char *prefix;
    bool by_cause; /* of many files with one cause, a few are named */
    iol__progress progress;
} merge_talk;

static void merge_complain(void *context, const char *message) {
    const merge_talk *talk = context;
    if (!talk->by_cause || cause_is_to_be_named(message)) iol__complain(talk->prefix, "%s", message);
}

static void show_progress(void *context, double fraction) {
    merge_talk *talk = context;
    iol__progress_step(&talk->progress, fraction, 1 - fraction);
}

/* The exit status. */
static int merge_run(const iol__args *args, const char *output, const iol_write_options *options, iol__merge *merge,
                     merge_talk *talk) {
    if (!merge->inputs) {
        merge->inputs = (const char *const *)args->operands;
        merge->n_inputs = args->n_operands;
    }
    merge->complain = merge_complain;
    merge->progress = show_progress;
    merge->context = talk;
    iol_error error = {.status = IOL_OK};
    iol__progress_start(&talk->progress, false);
    iol__progress_piece(&talk->progress, 1);
    iol_status status = iol__merge_logs(merge, output, options, &error);
    iol__progress_end(&talk->progress);
    if (status != IOL_OK) iol__complain(talk->prefix, "%s", error.message);
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

/* Commands --------------------------------------------------------------------------------------------------------- */

/* Which logs are of one run, and why; nothing is merged. */
static int show_groups(const iol__args *args) {
    log_list logs;
    iol__grouping grouping;
    if (args->n_operands == 0) return usage_error(args, "--group needs a directory, or logs");
    list_logs(args, &logs);
    int status = logs.status;
    status = group_logs(&logs, &grouping, &status) ? print_groups(args, &grouping, status) : EXIT_TROUBLE;
    iol__grouping_free(&grouping);
    free_logs(&logs);
    return status;
}

int cmd_merge(const iol__args *args) {
    const char *output = argument_value(args, OPT_OUTPUT), *job = argument_value(args, OPT_JOB);
    const char *end = argument_value(args, OPT_END_TIME);
    const bool leftovers = args->given[OPT_LEFTOVERS];
    const iol_write_options options = {.replace = args->given[OPT_MERGE_FORCE]};
    iol__merge merge = {.one_job = job != NULL};
    if (args->given[OPT_GROUP]) return show_groups(args);
    if (!output && !leftovers) return usage_error(args, "the output is missing: give --output LOG");
    if (args->n_operands == 0 && !leftovers) return usage_error(args, "at least one log is needed");
    if (args->given[OPT_REDUCE] && args->given[OPT_NO_REDUCE])
        return usage_error(args, "--reduce and --no-reduce exclude each other");
    if (job && !parse_whole(job, &merge.job_id)) return usage_error(args, "--job takes a number, not '%s'", job);
    if (end && (!parse_whole(end, &merge.end_seconds) || merge.end_seconds <= 0))
        return usage_error(args, "--end-time takes seconds since the epoch, not '%s'", end);
    merge.reduce = args->given[OPT_REDUCE]      ? IOL_MERGE_REDUCE
                   : args->given[OPT_NO_REDUCE] ? IOL_MERGE_KEEP
                                                : IOL_MERGE_AUTO;
    if (leftovers) {
        const leftover_work work = {.config = load_settings(complain_on_stderr),
                                    .operands = (const char *const *)args->operands,
                                    .n_operands = args->n_operands,
                                    .output = output,
                                    .options = &options,
                                    .print = true};
        return make_leftover_logs(&work, &merge);
    }
    merge_talk talk = {.prefix = "iolite: ", .by_cause = true};
    return merge_run(args, output, &options, &merge, &talk);
}

int cmd_darshan_merge(const iol__args *args) {
    const char *output = argument_value(args, OPT_M_OUTPUT), *end = argument_value(args, OPT_M_END_TIME);
    iol__merge merge = {.strict = true, .reduce = args->given[OPT_M_REDUX] ? IOL_MERGE_REDUCE : IOL_MERGE_KEEP};
    if (!output) return usage_error(args, "the output is missing: give --output LOG");
    if (args->n_operands == 0) return usage_error(args, "at least one log is needed");
    if (end && !parse_whole(end, &merge.end_seconds))
        return usage_error(args, "--job-end-time takes seconds, not '%s'", end);
    merge_talk talk = {.prefix = "Error: "};
    int status = merge_run(args, output, &(iol_write_options){.one_stream = true}, &merge, &talk);
    return status == EXIT_DONE ? EXIT_DONE : DARSHAN_FAILED;
}
