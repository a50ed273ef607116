/* iolite merge and darshan-merge: one log from many. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/darshan.h"
#include "cmds/leftovers.h"
#include "cmds/merged_logs.h"
#include "cmds/rewriting.h"
#include "cmds/run_directory.h"
#include "cmds/settings.h"
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

/* Leftovers -------------------------------------------------------------------------------------------------------- */

typedef struct leftover_list {
    char **paths;
    size_t count;
    bool full; /* no memory for more */
} leftover_list;

static void add_leftover(void *context, const char *path) {
    leftover_list *list = context;
    char **grown = list->full ? NULL : realloc(list->paths, (list->count + 1) * sizeof *grown);
    if (grown) list->paths = grown;
    char *copy = grown ? strdup(path) : NULL;
    if (copy)
        grown[list->count++] = copy;
    else
        list->full = true;
}

/* What has become a log goes: mapped files have gone already, and of a run's directory the rest does. */
static void remove_runs(const leftover_list *list, size_t from) {
    for (size_t i = from; i < list->count; i++) {
        run_directory run = {0};
        struct stat st;
        if (lstat(list->paths[i], &st) != 0 || !S_ISDIR(st.st_mode) || strlen(list->paths[i]) >= sizeof run.path)
            continue;
        memcpy(run.path, list->paths[i], strlen(list->paths[i]));
        run.number = strtoull(strrchr(run.path, '-') + 1, NULL, 16);
        remove_run_directory(&run);
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

/* As an epilogue calls it: there may be nothing, and then there is nothing to say. */
static int merge_leftovers(const iol__args *args, const char *output, const iol_write_options *options,
                           iol__merge *merge) {
    const iol__config *config = load_settings(complain_on_stderr);
    leftover_list list = {0};
    merge_talk talk = {.prefix = "iolite: "};
    int status = EXIT_DONE;
    for (size_t i = 0; i < args->n_operands; i++) add_leftover(&list, args->operands[i]);
    find_leftovers(config, merge->one_job ? &merge->job_id : NULL, add_leftover, &list);
    merge->inputs = (const char *const *)list.paths;
    merge->n_inputs = list.count;
    merge->skip_live = merge->remove_used = true;
    if (list.full) {
        fputs("iolite: out of memory\n", stderr);
        status = EXIT_TROUBLE;
    } else if (list.count) {
        status = output ? run(args, output, options, merge, &talk) : merge_to_usual(config, merge);
        if (status == EXIT_DONE || status == EXIT_INPUT) remove_runs(&list, args->n_operands);
    }
    for (size_t i = 0; i < list.count; i++) free(list.paths[i]);
    free(list.paths);
    return status;
}

/* Commands --------------------------------------------------------------------------------------------------------- */

int cmd_merge(const iol__args *args) {
    const char *output = argument_value(args, OPT_OUTPUT), *job = argument_value(args, OPT_JOB);
    const char *end = argument_value(args, OPT_END_TIME);
    const bool leftovers = args->given[OPT_LEFTOVERS];
    const iol_write_options options = {.replace = args->given[OPT_MERGE_FORCE]};
    iol__merge merge = {.one_job = job != NULL};
    if (!output && !leftovers) return usage_error(args, "where to? Give --output LOG");
    if (args->n_operands == 0 && !leftovers) return usage_error(args, "which logs?");
    if (args->given[OPT_REDUCE] && args->given[OPT_NO_REDUCE]) return usage_error(args, "--reduce or --no-reduce?");
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
    if (!output) return usage_error(args, "where to? Give --output LOG");
    if (args->n_operands == 0) return usage_error(args, "which logs?");
    if (end && !parse_whole(end, &merge.end_seconds))
        return usage_error(args, "--job-end-time takes seconds, not '%s'", end);
    merge_talk talk = {.prefix = "Error: "};
    int status = run(args, output, &(iol_write_options){.one_stream = true}, &merge, &talk);
    return status == EXIT_DONE ? EXIT_DONE : DARSHAN_FAILED;
}
