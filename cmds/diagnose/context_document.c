/* iolite context: what is known beside a log, as a document for other diagnoses and other programs. */
#include <stdio.h>
#include <unistd.h>

#include "cmds/diagnose/surroundings.h"

/* A diagnosis of which only the surroundings are wanted. */
static int ask_context_document_about(const char *path, surroundings *around) {
    iol__rulebook *book = NULL;
    iol__diagnosis *diagnosis = NULL;
    iol_log *log;
    iol_error error;
    if (iol_log_open(path, &log, &error) != IOL_OK) return report_open_error(&error);
    around->log = log;
    iol_status status = iol__rulebook_new(&book, &error);
    if (status == IOL_OK) {
        iol__diagnose_options options = {.rulebook = book, .evidence = 1, .brief = true};
        surround_diagnosis(around, &options);
        status = iol__diagnose(log, &options, &diagnosis, &error);
    }
    if (status != IOL_OK) tell_stderr("%s", error.message);
    iol__diagnosis_free(diagnosis);
    iol__rulebook_free(book);
    iol_log_close(log);
    return status == IOL_OK ? around->outcome : EXIT_TROUBLE;
}

int cmd_context(const iol__args *args) {
    surroundings around;
    if (args->n_operands != 1) return usage_error(args, "one log is needed");
    int outcome = open_surroundings(args, wants_history(args), &around);
    if (outcome == EXIT_DONE && !around.wants_history && !around.wants_site) {
        close_surroundings(&around);
        outcome = open_surroundings(args, true, &around); /* the usual store */
    }
    around.wants_document = true;
    if (outcome == EXIT_DONE) outcome = ask_context_document_about(args->operands[0], &around);
    if (outcome == EXIT_DONE && !around.document) {
        fputs("iolite: out of memory\n", stderr);
        outcome = EXIT_TROUBLE;
    }
    if (outcome == EXIT_DONE) {
        iol__out out;
        iol__out_open(&out, STDOUT_FILENO);
        iol__out_text(&out, around.document);
        outcome = finish_output(&out, EXIT_DONE);
    }
    close_surroundings(&around);
    return outcome;
}
