/* iolite merge and darshan-merge: one log from many. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/run_groups.h"
#include "cmds/darshan.h"
#include "cmds/leftovers.h"
#include "cmds/merged_logs.h"
#include "cmds/rewriting.h"
#include "cmds/run_directory.h"
#include "cmds/settings.h"
#include "log/merge.h"
#include "report/progress.h"
#include "text/text.h"

typedef struct merge_talk {
    const char *prefix;
    iol__progress progress;
} merge_talk;

static void complain(void *context, const char *message) {
    const merge_talk *talk = context;
    iol__complain(talk->prefix, "%s", message);
}

static void show_progress(void *context, double fraction) {
    merge_talk *talk = context;
    iol__progress_step(&talk->progress, fraction, 1 - fraction);
}

/* The exit status. */
static int run(const iol__args *args, const char *output, const iol_write_options *options, iol__merge *merge,
               merge_talk *talk) {
    if (!merge->inputs) {
        merge->inputs = (const char *const *)args->operands;
        merge->n_inputs = args->n_operands;
    }
    merge->complain = complain;
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

/* Leftovers -------------------------------------------------------------------------------------------------------- */

typedef struct leftover_list {
    leftover *all;
    size_t count;
    bool full; /* no memory for more */
} leftover_list;

static void add_leftover(void *context, const leftover *one) {
    leftover_list *list = context;
    leftover *grown = list->full ? NULL : realloc(list->all, (list->count + 1) * sizeof *grown);
    if (grown) list->all = grown;
    char *copy = grown ? strdup(one->path) : NULL;
    list->full = list->full || !copy;
    if (!copy) return;
    grown[list->count] = *one;
    grown[list->count++].path = copy;
}

static void free_leftovers(leftover_list *list) {
    for (size_t i = 0; i < list->count; i++) free((char *)(uintptr_t)list->all[i].path);
    free(list->all);
}

/* What belongs together: processes of a run; else ranks of an MPI job, which without a batch system have a job id each;
   else processes of a job. */
static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int by_group(const void *a, const void *b) {
    const leftover *x = a, *y = b;
    int order = compare_numbers(x->run, y->run);
    if (order == 0 && !x->run) order = compare_numbers(x->world, y->world);
    if (order == 0 && !(!x->run && x->world)) order = (x->job > y->job) - (x->job < y->job);
    return order;
}

static int by_group_and_name(const void *a, const void *b) {
    const int order = by_group(a, b);
    return order ? order : strcmp(((const leftover *)a)->path, ((const leftover *)b)->path);
}

/* What has become a log goes: mapped files have gone already, and of a run's directory the rest does. */
static void remove_runs(const leftover *group, size_t count) {
    for (size_t i = 0; i < count; i++) {
        run_directory run;
        if (!open_run_directory(group[i].path, &run)) continue;
        remove_run_directory(&run);
        close_run_directory(&run);
    }
}

/* Where a program's log would go. */
static int merge_to_usual(const iol__config *config, iol__merge *merge) {
    char user[256], host[256] = "";
    struct timespec now;
    written_logs logs = {0};
    gethostname(host, sizeof host - 1);
    clock_gettime(CLOCK_REALTIME, &now);
    iol__user_name(environ, geteuid(), user, sizeof user);
    const uint64_t microseconds = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
    const iol__place_facts facts = {
        .user = user, .random = iol__place_random(host, microseconds), .environment = environ};
    merge_talk talk = {.prefix = "iolite: "};
    merge->complain = complain;
    merge->context = &talk;
    const bool good = write_merged(config, merge, &facts, &logs);
    for (size_t i = 0; i < logs.count; i++) puts(logs.paths[i]);
    free_written(&logs);
    if (fflush(stdout) != 0 || !good) return EXIT_TROUBLE;
    return merge->damaged ? EXIT_INPUT : EXIT_DONE;
}

typedef struct leftover_work {
    const iol__args *args;
    const iol__config *config;
    const char *output; /* NULL: where a program's log would go */
    const iol_write_options *options;
} leftover_work;

/* One log, or several where MPI jobs are among them. The operands go with the first group. */
static int merge_group(const leftover_work *w, const iol__merge *how, const leftover *group, size_t count,
                       size_t number) {
    const size_t named = number == 0 ? w->args->n_operands : 0;
    const char **inputs = calloc(named + count + 1, sizeof *inputs);
    char suffix[24], *output = NULL;
    merge_talk talk = {.prefix = "iolite: "};
    iol__merge merge = *how;
    snprintf(suffix, sizeof suffix, "%zu", number + 1);
    if (w->output) output = number ? iol__merge_name(w->output, suffix) : strdup(w->output);
    int status = EXIT_TROUBLE;
    if (!inputs || (w->output && !output)) {
        fputs("iolite: out of memory\n", stderr);
    } else {
        for (size_t i = 0; i < named; i++) inputs[i] = w->args->operands[i];
        for (size_t i = 0; i < count; i++) inputs[named + i] = group[i].path;
        merge.inputs = inputs;
        merge.n_inputs = named + count;
        merge.found = named == 0;
        status = output ? run(w->args, output, w->options, &merge, &talk) : merge_to_usual(w->config, &merge);
        if (status == EXIT_DONE || status == EXIT_INPUT) remove_runs(group, count);
    }
    free(output);
    free(inputs);
    return status;
}

/* As an epilogue calls it: there may be nothing, and then there is nothing to say. With operands everything is one
   group: it is one job then, whose parts come from several nodes. */
static int merge_leftovers(const iol__args *args, const char *output, const iol_write_options *options,
                           iol__merge *merge) {
    const leftover_work w = {args, load_settings(complain_on_stderr), output, options};
    leftover_list list = {0};
    int status = EXIT_DONE;
    find_leftovers(w.config, merge->one_job ? &merge->job_id : NULL, add_leftover, &list);
    merge->skip_live = merge->skip_foreign = merge->remove_used = true;
    merge->round_times = !iol__setting_flag(w.config, IOL_SET_EXACT_TIMES);
    if (list.full) {
        fputs("iolite: out of memory\n", stderr);
        status = EXIT_TROUBLE;
    } else if (args->n_operands) {
        status = merge_group(&w, merge, list.all, list.count, 0);
    } else if (list.count) {
        qsort(list.all, list.count, sizeof *list.all, by_group_and_name);
        for (size_t from = 0, to, number = 0; from < list.count; from = to) {
            for (to = from + 1; to < list.count && by_group(&list.all[from], &list.all[to]) == 0; to++) {}
            const int one = merge_group(&w, merge, list.all + from, to - from, number++);
            if (one > status) status = one;
        }
    }
    free_leftovers(&list);
    return status;
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
    if (leftovers) return merge_leftovers(args, output, &options, &merge);
    merge_talk talk = {.prefix = "iolite: "};
    return run(args, output, &options, &merge, &talk);
}

int cmd_darshan_merge(const iol__args *args) {
    const char *output = argument_value(args, OPT_M_OUTPUT), *end = argument_value(args, OPT_M_END_TIME);
    iol__merge merge = {.strict = true, .reduce = args->given[OPT_M_REDUX] ? IOL_MERGE_REDUCE : IOL_MERGE_KEEP};
    if (!output) return usage_error(args, "the output is missing: give --output LOG");
    if (args->n_operands == 0) return usage_error(args, "at least one log is needed");
    if (end && !parse_whole(end, &merge.end_seconds))
        return usage_error(args, "--job-end-time takes seconds, not '%s'", end);
    merge_talk talk = {.prefix = "Error: "};
    int status = run(args, output, &(iol_write_options){.one_stream = true}, &merge, &talk);
    return status == EXIT_DONE ? EXIT_DONE : DARSHAN_FAILED;
}
