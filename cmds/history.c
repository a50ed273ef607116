/* iolite context, and the history that other commands show. */
#include "cmds/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/site_context.h"
#include "cmds/site_options.h"

bool wants_history(const iol__args *args) {
    const char *url = store_url(args);
    return url && *url;
}

static int ask(const iol__args *args, iol_log *log, const char *path, iol__site *site, iol__history *history) {
    iol__rulebook *book = NULL;
    iol__store *store;
    iol_error error;
    int outcome = open_store(store_url(args), IOL_STORE_READ, &store);
    if (outcome != EXIT_DONE) return outcome;
    iol_status status = store->reference
                            ? iol__store_fail(&error, IOL_UNSUPPORTED, "the reference's index has no history")
                            : iol__rulebook_new(&book, &error);
    if (status == IOL_OK) {
        iol__entry_plan plan = {.rulebook = book, .site = site, .cluster = iol__site_cluster(site), .files = 1};
        status = iol__history_make(store, log, path, &plan, NULL, history, &error);
        iol__rulebook_free(book);
    }
    iol__store_close(store);
    if (status == IOL_OK) return EXIT_DONE;
    tell_stderr("%s", error.message);
    return status == IOL_SYSTEM ? EXIT_TROUBLE : EXIT_INPUT;
}

int read_history(const iol__args *args, const char *path, iol__history *history) {
    iol__site *site;
    iol_log *log;
    iol_error error;
    *history = (iol__history){0};
    if (iol_log_open(path, &log, &error) != IOL_OK) return report_open_error(&error);
    int outcome = EXIT_INPUT;
    if (open_site(args, &site)) {
        outcome = ask(args, log, path, site, history);
        iol__site_free(site);
    }
    iol_log_close(log);
    return outcome;
}

int cmd_context(const iol__args *args) {
    iol__history history;
    if (args->n_operands != 1) return usage_error(args, "one log is needed");
    const char *site = argument_value(args, OPT_SITE_FILE);
    char *text = NULL;
    if (wants_history(args) || !wants_site_context(site)) {
        int outcome = read_history(args, args->operands[0], &history);
        if (outcome != EXIT_DONE) return outcome;
        text = iol__history_document(&history);
    }
    if (wants_site_context(site)) text = with_site_context(site, args->operands[0], text);
    if (!text) {
        fputs("iolite: out of memory\n", stderr);
        return EXIT_TROUBLE;
    }
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    iol__out_text(&out, text);
    free(text);
    return finish_output(&out, EXIT_DONE);
}
