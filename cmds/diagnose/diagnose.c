/* iolite diagnose: what in a job's I/O deserves a look. Logs are judged by several threads and printed by one, in the
   order of the command line, so that the number of threads never shows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/last_log.h"
#include "cmds/diagnose/diagnose.h"
#include "cmds/log/hidden.h"
#include "cmds/in_order.h"
#include "cmds/operands.h"
#include "cmds/run/run_groups.h"
#include "report/progress.h"
#include "text/text.h"

enum { FEW_LOGS = 10 }; /* all that is wrong with them is said */

typedef struct diagnosing {
    diagnose_settings *settings;
    const diagnose_mode *mode;
    const log_list *logs;
    diagnose_outputs *outputs;
    iol__progress progress;
    size_t found[IOL_LEVELS];
    size_t exceeded; /* limits of the budget */
    int status;
} diagnosing;

/* What is judged then is a copy with pseudonyms, also for the log's own name, which says who ran what. */
static iol_status hide(const diagnose_settings *settings, diagnosed *d, size_t index) {
    iol__rewrite how = {0};
    iol_log *copy;
    snprintf(d->number, sizeof d->number, "log-%zu", index + 1);
    d->shown = d->number;
    hide_names(&how, &settings->key);
    if (copy_of_log(d->log, how, d->shown, &copy, &d->error) != IOL_OK) return d->error.status;
    d->whole = d->log;
    d->log = copy;
    return IOL_OK;
}

/* On any thread; NULL without memory. */
static void *diagnose_judge(size_t index, void *data) {
    const diagnosing *run = data;
    diagnosed *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->path = run->logs->paths[index];
    d->shown = d->path;
    if (open_listed(run->logs, index, &d->log, &d->error) != IOL_OK) d->log = NULL;
    if (d->log && run->settings->style.names == IOL_NAMES_HASH) d->error.status = hide(run->settings, d, index);
    if (run->settings->options.surround) { /* then there is one log */
        run->settings->around.log = d->whole ? d->whole : d->log;
        run->settings->around.copied = d->whole != NULL;
    }
    if (d->log && d->error.status == IOL_OK) d->error.status = run->mode->judge(run->settings, d);
    return d;
}

static int print_one(diagnosing *run, const diagnosed *d) {
    if (d->error.status != IOL_OK) print_error_on_outputs(run->outputs, d);
    if (!d->log) return report_open_error(&d->error);
    if (d->error.status != IOL_OK) {
        tell_stderr("%s", d->error.message);
        return EXIT_TROUBLE;
    }
    int status = run->settings->around.outcome;
    if (status != EXIT_DONE) return status;
    tell_history(&run->settings->around);
    run->mode->count(d, run->found);
    run->exceeded += budget_exceeded(d->budget);
    print_on_outputs(run->outputs, d, &status);
    const iol_log *read = d->whole ? d->whole : d->log;
    const int damaged = run->logs->count > FEW_LOGS ? report_log_causes(read) : report_log_errors(read);
    return damaged > status ? damaged : status;
}

static void print_result(size_t index, void *result, void *data) {
    diagnosing *run = data;
    diagnosed *d = result;
    int status = EXIT_TROUBLE;
    iol__progress_end(&run->progress);
    if (d)
        status = print_one(run, d);
    else
        fputs("iolite: out of memory\n", stderr);
    if (status > run->status) run->status = status;
    iol__progress_part(&run->progress, index + 1, run->logs->count);
    if (run->progress.wanted) iol__progress_draw(&run->progress, 0);
    if (!d) return;
    run->mode->release(d);
    iol_log_close(d->log);
    iol_log_close(d->whole);
    free(d);
}

static int diagnose_logs(diagnose_settings *settings, const diagnose_mode *mode, const log_list *logs,
                         diagnose_outputs *outputs) {
    diagnosing run = {.settings = settings, .mode = mode, .logs = logs, .outputs = outputs, .status = logs->status};
    iol__text_utf8(); /* asked while there is one thread */
    iol__progress_start(&run.progress, logs->count < 2 || outputs->to_terminal);
    const in_order plan = {
        .count = logs->count, .threads = settings->threads, .work = diagnose_judge, .take = print_result, .data = &run};
    work_in_order(&plan);
    iol__progress_end(&run.progress);
    size_t failed = run.exceeded;
    for (int level = (int)settings->fail_on; level < IOL_LEVELS; level++)
        if (level != IOL_LEVEL_OK) failed += run.found[level]; /* praise never fails anything */
    return run.status == EXIT_DONE && failed ? EXIT_FOUND : run.status;
}

static int choose_mode(const iol__args *args, const diagnose_mode **mode) {
    static const diagnose_mode *const modes[] = {&diagnose_native, &diagnose_compat};
    const char *name = argument_value(args, OPT_MODE);
    *mode = modes[0];
    if (!name) return EXIT_DONE;
    for (size_t i = 0; i < IOL_COUNT(modes); i++) {
        *mode = modes[i];
        if (strcmp(modes[i]->name, name) == 0) return EXIT_DONE;
    }
    return usage_error(args, "there is no mode '%s'", name);
}

/* A misspelt rule would pass every job: who asks for rules must get some. */
static int check_globs(const diagnose_settings *settings, const diagnose_mode *mode) {
    static const int options[] = {OPT_ONLY, OPT_SKIP};
    for (int i = 0; i < 2; i++) {
        char *const *globs = settings->globs[i];
        if (settings->args->given[options[i]] && globs && !globs[0])
            return usage_error(settings->args, "--%s wants rules", i ? "skip" : "only");
        for (; globs && *globs; globs++)
            if (!mode->knows(settings, *globs))
                return usage_error(settings->args, "--%s: no rule is called '%s' (see --list-rules)",
                                   i ? "skip" : "only", *globs);
    }
    return EXIT_DONE;
}

/* About rules, and not about a log. */
static bool is_question(const iol__args *args) {
    return args->given[OPT_LIST_RULES] || args->given[OPT_LIST_THRESHOLDS] || args->given[OPT_LIST_VARIABLES] ||
           args->given[OPT_EXPLAIN];
}

static int answer_or_diagnose(diagnose_settings *settings, const diagnose_mode *mode, const log_list *logs,
                              diagnose_outputs *outputs) {
    const iol__args *args = settings->args;
    const bool question = is_question(args);
    if (!question && args->n_operands == 0)
        return usage_error(args, "a log is needed: there is none of yours in the places that logs go to");
    diagnose_form form = outputs->list[0].form;
    for (size_t i = 0; i < outputs->count && !question; i++)
        if (outputs->list[i].form == FORM_MARKDOWN) return usage_error(args, "markdown is for --list-rules");
    if (question) { /* a text, whatever it is about */
        outputs->list[0].form = FORM_TEXT;
        outputs->count = 1;
    }
    int status = open_outputs(outputs);
    if (status == EXIT_DONE && question)
        status = answer_about_rules(settings, &outputs->list[0].out, form);
    else if (status == EXIT_DONE)
        status = diagnose_logs(settings, mode, logs, outputs);
    return close_outputs(outputs, status);
}

int cmd_diagnose(const iol__args *given) {
    char path[PATH_MAX], *operand[1];
    const iol__args with = is_question(given) ? *given : with_last_log(given, path, operand), *args = &with;
    const diagnose_mode *mode;
    diagnose_settings settings;
    diagnose_outputs outputs = {0};
    log_list logs;
    int status = choose_mode(args, &mode);
    if (status != EXIT_DONE) return status;
    status = read_diagnose_settings(args, &settings);
    if (status == EXIT_DONE) status = check_globs(&settings, mode);
    list_logs(args, &logs);
    iol__grouping grouping = {0};
    char *merged = NULL;
    if (status == EXIT_DONE && args->given[OPT_GROUP]) {
        status = group_logs(&logs, &grouping, &logs.status) ? EXIT_DONE : EXIT_TROUBLE;
        if (status == EXIT_DONE && !(merged = merge_groups(&grouping, &logs))) status = EXIT_TROUBLE;
    }
    settings.several = logs.several;
    if (logs.several) settings.options.surround = NULL;
    if (status == EXIT_DONE) status = choose_outputs(&settings, mode, &outputs);
    if (status == EXIT_DONE) status = answer_or_diagnose(&settings, mode, &logs, &outputs);
    free_outputs(&outputs);
    remove_group_logs(merged, grouping.groups);
    iol__grouping_free(&grouping);
    free_logs(&logs);
    free_diagnose_settings(&settings);
    return status;
}
