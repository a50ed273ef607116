/* darshan-parser: the text that scripts expect, with its exit status: 0, 1 for wrong use, 255 for a log that cannot be
   read or an incomplete module that was not asked for. Damage inside one module is reported and does not change it. */
#include <stdio.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/darshan/darshan.h"
#include "log/read/log_internal.h"
#include "report/darshan/darshan_old.h"
#include "report/darshan/darshan_text.h"

static bool refuse_incomplete(const char *module) {
    fprintf(stderr,
            "# *ERROR*: The %s module contains incomplete data!\n"
            "# Memory ran out while the program ran, or a part of the log was damaged, so records are missing.\n"
            "# Use --show-incomplete to print what there is.\n",
            module);
    return true;
}

bool darshan_incomplete(iol__out *out, const iol_module *module, bool allowed) {
    if (!module->partial) return false;
    if (!allowed) {
        iol__out_flush(out);
        return refuse_incomplete(module->name);
    }
    iol__darshan_incomplete(out, module->name);
    return false;
}

int darshan_status(const iol_log *log) {
    int status = EXIT_DONE;
    const iol_error *error;
    for (size_t i = 0; (error = iol_log_error(log, i)) != NULL; i++) {
        fprintf(stderr, "Error: %s\n", error->message);
        if (error->slot < 0) status = DARSHAN_FAILED;
    }
    return status;
}

static iol_log *open_darshan_parser_log(const iol__args *args, int *status) {
    iol_log *log = NULL;
    iol_error error;
    if (args->n_operands != 1) {
        *status = usage_error(args, args->n_operands ? "one log at a time" : "a log is needed");
        return NULL;
    }
    if (iol_log_open(args->operands[0], &log, &error) == IOL_OK) return log;
    fprintf(stderr, "Error: %s\n", error.message);
    *status = DARSHAN_FAILED;
    return NULL;
}

static void begin_output(iol__out *out, const iol_log *log) {
    iol__out_open(out, STDOUT_FILENO);
    iol__out_guard(out);
    iol__darshan_head(out, log);
}

iol_log *darshan_begin(const iol__args *args, iol__out *out, int *status) {
    iol_log *log = open_darshan_parser_log(args, status);
    if (log) begin_output(out, log);
    return log;
}

/* False if printing has to stop. */
static bool print_module(iol__out *out, iol_log *log, const iol_module *module, const iol__parser_parts *parts) {
    int slot = module->slot;
    bool known = module->name && slot != IOL_SLOT_NULL;
    if (module->length == 0 && !module->partial) return true;
    if (module->length > 0 && !known) {
        fprintf(stderr, "# Warning: no decoder for module slot %d; its %llu bytes are passed over.\n", slot,
                (unsigned long long)module->length);
        return true;
    }
    if (!module->name) return true;
    if (module->length > 0) {
        if (iol__modules[slot].form == IOL_FORM_TRACE) return true;
        if (!parts->base && !iol__modules[slot].roles->estimated) return true;
    }
    iol__darshan_banner(out, module->name, 55);
    if (slot != IOL_SLOT_NULL && darshan_incomplete(out, module, parts->incomplete)) return false;
    if (module->length > 0) iol__darshan_module(out, log, slot, parts);
    return true;
}

/* Logs of 1.x and 2.x: the text of their own release. */
static int print_old(const iol__args *args, iol_log *log) {
    const bool all = args->given[OPT_ALL];
    iol__old_parts parts = {.base = all || args->given[OPT_BASE],
                            .total = all || args->given[OPT_TOTAL],
                            .perf = all || args->given[OPT_PERF],
                            .files = all || args->given[OPT_FILES],
                            .file_list = args->given[OPT_FILE_LIST],
                            .file_list_detailed = all || args->given[OPT_FILE_LIST_DETAILED]};
    if (!parts.total && !parts.perf && !parts.files && !parts.file_list && !parts.file_list_detailed) parts.base = true;
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    iol__out_guard(&out);
    int status = iol__darshan_old(&out, log, &parts) ? EXIT_DONE : DARSHAN_FAILED;
    if (status == EXIT_DONE) status = darshan_status(log);
    iol_log_close(log);
    return finish_output(&out, status);
}

static int print_new(const iol__args *args, iol_log *log) {
    bool all = args->given[OPT_ALL];
    iol__parser_parts parts = {.base = all || args->given[OPT_BASE],
                               .total = all || args->given[OPT_TOTAL],
                               .files = all || args->given[OPT_FILES],
                               .perf = all || args->given[OPT_PERF],
                               .incomplete = all || args->given[OPT_INCOMPLETE]};
    if (!parts.total && !parts.files && !parts.perf) parts.base = true;
    iol__out out;
    begin_output(&out, log);
    if (parts.base) iol__darshan_columns(&out);
    bool any = false, go_on = true;
    iol_module module;
    for (int slot = 0; go_on && iol_log_module(log, slot, &module) == IOL_OK; slot++) {
        any = any || module.length > 0;
        go_on = print_module(&out, log, &module, &parts);
    }
    if (go_on && !any) iol__out_text(&out, "\n# no module data available.\n");
    int status = darshan_status(log);
    if (!go_on) status = DARSHAN_FAILED;
    iol_log_close(log);
    return finish_output(&out, status);
}

int cmd_darshan_parser(const iol__args *args) {
    int status = EXIT_DONE;
    iol_log *log = open_darshan_parser_log(args, &status);
    if (!log) return status;
    if (log->old) return print_old(args, log);
    if (args->given[OPT_FILE_LIST] || args->given[OPT_FILE_LIST_DETAILED]) {
        iol_log_close(log);
        return usage_error(args, "lists of files are for logs of Darshan 1.x and 2.x");
    }
    return print_new(args, log);
}
