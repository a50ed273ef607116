/* iolite compare by time: reads the logs of both groups one by one, and prints what may be said about them. A log that
   cannot be read is named and left out; the others are compared all the same. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strings.h"
#include "cmds/diagnose/compare.h"
#include "cmds/diagnose/context.h"
#include "report/compare/compare.h"
#include "report/progress.h"

typedef enum compare_runs_form { FORM_TEXT, FORM_JSON, FORM_HTML } compare_runs_form;

typedef struct comparing {
    const iol__args *args;
    iol__rulebook *book;
    iol__contrast *contrast;
    int status;
    iol_error first; /* that kept a log from being read */
} comparing;

static int compare_runs_complain(const iol_error *error) {
    tell_stderr("%s", error->message);
    return error->status == IOL_SYSTEM ? EXIT_TROUBLE : EXIT_INPUT;
}

static void worsen(comparing *c, int status) {
    if (status > c->status) c->status = status;
}

/* Input --------------------------------------------------------------------------------------------------------- */

static void read_compare_runs_log(comparing *c, const char *path, int group) {
    iol_log *log;
    iol_error error;
    if (iol_log_open(path, &log, &error) != IOL_OK) {
        if (c->first.status == IOL_OK) c->first = error;
        worsen(c, report_open_error(&error));
        return;
    }
    if (iol__contrast_add(c->contrast, group, log, c->book, &error) != IOL_OK) worsen(c, compare_runs_complain(&error));
    worsen(c, report_log_errors(log));
    iol_log_close(log);
}

static void read_compare_runs_logs(comparing *c, size_t n_before) {
    iol__progress progress;
    iol__progress_start(&progress, false);
    for (size_t i = 0; i < c->args->n_operands && c->status != EXIT_TROUBLE; i++) {
        iol__progress_part(&progress, i, c->args->n_operands);
        if (progress.wanted) iol__progress_draw(&progress, 0);
        read_compare_runs_log(c, c->args->operands[i], i >= n_before);
    }
    iol__progress_end(&progress);
}

static int read_context(comparing *c) {
    const char *path = argument_value(c->args, OPT_CONTEXT);
    if (!path) return EXIT_DONE;
    char *text = read_context_file(path);
    if (!text) return EXIT_INPUT;
    iol_error error;
    int status = iol__contrast_context(c->contrast, text, &error) == IOL_OK ? EXIT_DONE : compare_runs_complain(&error);
    free(text);
    return status;
}

static int compare_runs_prepare(comparing *c) {
    iol_error error;
    if (iol__rulebook_new(&c->book, &error) != IOL_OK) return compare_runs_complain(&error);
    if (iol__rulebook_load_usual(c->book, &error) != IOL_OK) tell_stderr("%s", error.message);
    if (iol__contrast_new(&c->contrast, &error) != IOL_OK) return compare_runs_complain(&error);
    return read_context(c);
}

/* Output -------------------------------------------------------------------------------------------------------- */

static compare_runs_form compare_runs_form_of(const iol__args *args) {
    const char *file = argument_value(args, OPT_COMPARE_OUTPUT);
    if (args->given[OPT_JSON]) return FORM_JSON;
    if (file && (iol__ends_with(file, ".html") || iol__ends_with(file, ".htm"))) return FORM_HTML;
    return file && iol__ends_with(file, ".json") ? FORM_JSON : FORM_TEXT;
}

static void print_compare_runs_text(iol__out *out, const comparing *c, bool file) {
    enum { ROWS = 12 };
    const char *top = argument_value(c->args, OPT_TOP_CHANGES);
    iol__compare_style style = {
        .colour = !file && use_colour(STDOUT_FILENO),
        .columns = file ? 80 : (size_t)terminal_columns(),
        .top = top ? (size_t)strtoull(top, NULL, 10) : ROWS,
    };
    iol__compare_text(out, c->contrast, &style);
}

static int compare_runs_print(const comparing *c) {
    const char *path = argument_value(c->args, OPT_COMPARE_OUTPUT);
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;
    if (fd < 0) {
        tell_stderr("%s: %s", path, strerror(errno));
        return EXIT_TROUBLE;
    }
    iol__out out;
    iol__out_open(&out, fd);
    compare_runs_form wanted = compare_runs_form_of(c->args);
    if (wanted == FORM_HTML) {
        iol__compare_html(&out, c->contrast);
    } else if (wanted == FORM_JSON) {
        iol__json json;
        iol__json_start(&json, &out, 2);
        iol__compare_json(&json, c->contrast);
        iol__json_finish(&json);
    } else {
        print_compare_runs_text(&out, c, path != NULL);
    }
    int status = finish_output(&out, EXIT_DONE);
    if (path && close(fd) != 0 && status == EXIT_DONE) {
        tell_stderr("%s: %s", path, strerror(errno));
        status = EXIT_TROUBLE;
    }
    return status;
}

/* Someone relies on the exit status: say when it cannot mean anything. */
static int compare_runs_judge(const comparing *c) {
    if (!c->args->given[OPT_FAIL_ON_REGRESSION]) return EXIT_DONE;
    if (c->contrast->claim == IOL_CLAIM_TOO_FEW)
        fputs("iolite: fewer than three runs on a side: nothing can be called a regression\n", stderr);
    return c->contrast->claim == IOL_CLAIM_SLOWER ? EXIT_FOUND : EXIT_DONE;
}

static void runs_compare(comparing *c, size_t n_before) {
    iol_error error;
    read_compare_runs_logs(c, n_before);
    if (c->status == EXIT_TROUBLE) return;
    for (int g = 0; g < 2; g++) {
        if (c->contrast->group[g].n) continue;
        if (compare_runs_form_of(c->args) == FORM_JSON && !argument_value(c->args, OPT_COMPARE_OUTPUT))
            print_unreadable(NULL, &c->first);
        fprintf(stderr, "iolite: no log of %c could be read: there is nothing to compare\n", "AB"[g]);
        return;
    }
    if (iol__contrast_finish(c->contrast, &error) != IOL_OK) {
        worsen(c, compare_runs_complain(&error));
        return;
    }
    worsen(c, compare_runs_print(c));
    worsen(c, compare_runs_judge(c));
}

int compare_runs(const iol__args *args, size_t n_before) {
    comparing c = {.args = args};
    c.status = compare_runs_prepare(&c);
    if (c.status == EXIT_DONE) runs_compare(&c, n_before);
    iol__contrast_free(c.contrast);
    iol__rulebook_free(c.book);
    return c.status;
}
