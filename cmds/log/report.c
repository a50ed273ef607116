/* iolite report: one file that opens in any browser, with everything that is in a log. The same data goes out as JSON. */
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/last_log.h"
#include "cmds/diagnose/diagnose.h"
#include "cmds/log/hidden.h"
#include "log/read/kept.h"
#include "log/write/output.h"
#include "report/html/html.h"
#include "report/page/page.h"
#include "text/text.h"

enum { HTML_MODE = 0644 };

typedef struct reporting {
    const iol__args *args;
    diagnose_settings settings;
    iol__page_options options;
    iol__progress progress;
    iol_log *log, *whole; /* whole: the log as it was given, where another was made of it */
    regex_t *patterns;
    size_t n_patterns;
    bool include; /* patterns name what stays */
    bool hidden;  /* pseudonyms stand for names */
} reporting;

/* Options ------------------------------------------------------------------------------------------------------ */

static int count_option(const iol__args *args, int option, uint64_t *value) {
    const char *text = argument_value(args, option);
    if (!text) return EXIT_DONE;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno || *end || *text < '0' || *text > '9') return usage_error(args, "'%s' is not a number", text);
    *value = number;
    return EXIT_DONE;
}

static int read_patterns(reporting *r) {
    const iol__args *args = r->args;
    if (args->given[OPT_INCLUDE_NAMES] && args->given[OPT_EXCLUDE_NAMES])
        return usage_error(args, "names are either included or excluded");
    r->include = args->given[OPT_INCLUDE_NAMES];
    int option = r->include ? OPT_INCLUDE_NAMES : OPT_EXCLUDE_NAMES;
    r->patterns = calloc(args->n_values[option] + 1, sizeof *r->patterns);
    for (size_t i = 0; r->patterns && i < args->n_values[option]; i++) {
        char why[200];
        int error = regcomp(&r->patterns[i], args->values[option][i], REG_EXTENDED | REG_NOSUB);
        if (error) {
            regerror(error, &r->patterns[i], why, sizeof why);
            return usage_error(args, "'%s' is not a regular expression: %s", args->values[option][i], why);
        }
        r->n_patterns++;
    }
    return EXIT_DONE;
}

static int read_report_options(reporting *r) {
    const iol__args *args = r->args;
    uint64_t files = IOL_PAGE_FILES, requests = IOL_PAGE_REQUESTS;
    const char *names = argument_value(args, OPT_REPORT_NAMES);
    if (args->n_operands != 1)
        return usage_error(args, args->n_operands
                                     ? "one log is needed"
                                     : "a log is needed: there is none of yours in the places that logs go to");
    if (names && strcmp(names, "full") != 0 && strcmp(names, "hash") != 0)
        return usage_error(args, "names are shown in full or as a hash, not as '%s'", names);
    int status = read_diagnose_settings(args, &r->settings);
    if (status == EXIT_DONE) status = count_option(args, OPT_REPORT_FILES, &files);
    if (status == EXIT_DONE) status = count_option(args, OPT_TRACE_LIMIT, &requests);
    if (status == EXIT_DONE) status = read_patterns(r);
    r->settings.options.keep = true;
    r->settings.around.wants_document = true;
    r->options = (iol__page_options){.files = files,
                                     .requests = requests,
                                     .context = r->settings.options.context,
                                     .version = IOLITE_VERSION,
                                     .made = (int64_t)time(NULL),
                                     .progress = &r->progress};
    return status;
}

/* Names that are left out or hidden ---------------------------------------------------------------------------- */

static bool report_keeps(void *context, uint64_t id, const char *name) {
    const reporting *r = context;
    (void)id;
    if (!name || iol__name_about_job(name)) return true;
    bool matches = false;
    for (size_t i = 0; i < r->n_patterns && !matches; i++) matches = regexec(&r->patterns[i], name, 0, NULL, 0) == 0;
    return matches == r->include;
}

/* The name of a log says who ran what. */
static const char *shown_name(const reporting *r) { return r->hidden ? "log" : r->args->operands[0]; }

static int report_trouble(const iol_error *error) {
    tell_stderr("%s", error->message);
    return EXIT_TROUBLE;
}

/* The report is then of another log, which has a part of this one. */
static int report_reduce(reporting *r) {
    const char *names = argument_value(r->args, OPT_REPORT_NAMES);
    r->hidden = names && strcmp(names, "hash") == 0;
    if (!r->n_patterns && !r->hidden) return EXIT_DONE;
    const iol__key key = iol__key_from(NULL);
    iol__rewrite how = {0};
    iol_log *copy;
    iol_error error;
    if (r->n_patterns) {
        how.keeps = report_keeps;
        how.context = r;
    }
    if (r->hidden) hide_names(&how, &key);
    if (copy_of_log(r->log, how, shown_name(r), &copy, &error) != IOL_OK) return report_trouble(&error);
    r->whole = r->log;
    r->log = copy;
    return EXIT_DONE;
}

/* Output ------------------------------------------------------------------------------------------------------- */

static int print_report_json(const iol__page *page) {
    iol__out out;
    iol__json json;
    iol__out_open(&out, STDOUT_FILENO);
    iol__json_start(&json, &out, 1);
    iol__page_json(&json, page);
    iol__json_finish(&json);
    return finish_output(&out, EXIT_DONE);
}

static int print_html(const iol__page *page, const iol__diagnosis *diagnosis) {
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    iol__html(&out, page, diagnosis);
    return finish_output(&out, EXIT_DONE);
}

/* "run.darshan" gives "run_report.html" here, not beside a log that may be in an archive. */
static char *default_path(const char *log) {
    const char *base = iol__page_base(log), *dot = strrchr(base, '.');
    size_t length = strcmp(log, "-") == 0                 ? 0
                    : dot && strcmp(dot, ".darshan") == 0 ? (size_t)(dot - base)
                                                          : strlen(base);
    char *path = malloc(length + sizeof "stdin_report.html");
    if (path) sprintf(path, "%.*s_report.html", length ? (int)length : 5, length ? base : "stdin");
    return path;
}

static int cannot_write(const char *path, int error) {
    tell_stderr("%s: cannot write: %s", path, error == ENOTSUP ? "it is not an ordinary file" : strerror(error));
    return EXIT_TROUBLE;
}

/* The whole file or none: a report cut short would look like one. */
static int save_html(const iol__page *page, const iol__diagnosis *diagnosis, const char *path) {
    iol__output file;
    int error = iol__output_open(&file, path, true);
    if (error) return cannot_write(path, error);
    iol__out out;
    iol__out_open(&out, file.fd);
    iol__html(&out, page, diagnosis);
    error = iol__out_close(&out);
    if (error)
        iol__output_abort(&file);
    else
        error = iol__output_finish(&file, HTML_MODE);
    if (error) return cannot_write(path, error);
    iol__complain("", "%s", path);
    return EXIT_DONE;
}

static int deliver(const reporting *r, const iol__page *page, const iol__diagnosis *diagnosis) {
    const char *path = argument_value(r->args, OPT_REPORT_OUTPUT);
    if (r->args->given[OPT_JSON]) return print_report_json(page);
    if (path && strcmp(path, "-") == 0) return print_html(page, diagnosis);
    if (path) return save_html(page, diagnosis, path);
    char *made = default_path(r->args->operands[0]);
    int status = made ? save_html(page, diagnosis, made) : cannot_write("the report", ENOMEM);
    free(made);
    return status;
}

/* The whole ---------------------------------------------------------------------------------------------------- */

static int report_page(reporting *r, const iol__diagnosis *diagnosis) {
    iol__progress_start(&r->progress, false);
    iol__page *page = iol__page_make(r->log, diagnosis, &r->options);
    iol__progress_end(&r->progress);
    if (!page) {
        fprintf(stderr, "iolite: there is no memory for the report\n");
        return EXIT_TROUBLE;
    }
    int status = deliver(r, page, diagnosis);
    iol__page_free(page);
    return status;
}

static int report_log(reporting *r) {
    iol_error error;
    iol__diagnosis *diagnosis;
    if (iol_log_open(r->args->operands[0], &r->log, &error) != IOL_OK) {
        if (r->args->given[OPT_JSON]) print_unreadable(r->args->operands[0], &error);
        return report_open_error(&error);
    }
    int status = report_reduce(r);
    if (status != EXIT_DONE) return status;
    iol__log_keep(r->log, IOL_KEPT_USUAL);
    r->settings.around.log = r->whole ? r->whole : r->log;
    r->settings.around.copied = r->whole != NULL;
    if (iol__diagnose(r->log, &r->settings.options, &diagnosis, &error) != IOL_OK) return report_trouble(&error);
    if (r->settings.around.outcome != EXIT_DONE) {
        iol__diagnosis_free(diagnosis);
        return r->settings.around.outcome;
    }
    tell_history(&r->settings.around);
    if (r->settings.around.document) r->options.context = r->settings.around.document;
    diagnosis->log_name = shown_name(r);
    status = report_page(r, diagnosis);
    iol__diagnosis_free(diagnosis);
    if (status != EXIT_DONE) return status;
    status = report_log_errors(r->log);
    return r->whole && report_log_errors(r->whole) != EXIT_DONE ? EXIT_INPUT : status;
}

int cmd_report(const iol__args *args) {
    char path[PATH_MAX], *operand[1];
    const iol__args with = with_last_log(args, path, operand);
    reporting r = {.args = &with};
    int status = read_report_options(&r);
    if (status == EXIT_DONE) status = report_log(&r);
    iol_log_close(r.log);
    iol_log_close(r.whole);
    for (size_t i = 0; i < r.n_patterns; i++) regfree(&r.patterns[i]);
    free(r.patterns);
    free_diagnose_settings(&r.settings);
    return status;
}
