/* darshan-diff: what differs between two logs, as data lines. Status 0 whether or not something does, 1 for wrong use,
   255 for a log that cannot be read. */
#include <stdio.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/darshan/darshan.h"
#include "report/darshan/darshan_diff.h"
#include "schema/schema.h"

static bool has_darshan_diff_data(const iol_log *log, int slot) {
    iol_module module;
    return iol_log_module(log, slot, &module) == IOL_OK && module.length > 0;
}

/* What is passed over, each once. Traces and heat maps are not counters, so nobody misses them. */
static void darshan_diff_warn(const iol_log *one, const iol_log *two) {
    for (int slot = 0; slot < IOL_SLOTS; slot++) {
        if (!has_darshan_diff_data(one, slot) && !has_darshan_diff_data(two, slot)) continue;
        if (slot >= IOL_SLOTS_KNOWN || slot == IOL_SLOT_NULL)
            fprintf(stderr, "Warning: no decoder for module slot %d; it is not compared.\n", slot);
        else if (slot == IOL_SLOT_LUSTRE)
            fputs("Warning: LUSTRE records are not compared.\n", stderr);
        else if (iol__diff_compares(slot) && iol__diff_versions_differ(one, two, slot))
            fprintf(stderr, "Warning: %s records of the two logs have different versions; they are not compared.\n",
                    iol__modules[slot].name);
    }
}

static iol_log *open_darshan_diff_log(const char *path) {
    iol_log *log;
    iol_error error;
    if (iol_log_open(path, &log, &error) == IOL_OK) return log;
    fprintf(stderr, "Error: %s\n", error.message);
    return NULL;
}

static int darshan_diff_compare(iol_log *one, iol_log *two) {
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    iol__out_guard(&out);
    darshan_diff_warn(one, two);
    iol__diff_jobs(&out, one, two);
    bool complete = iol__diff_records(&out, one, two);
    if (!complete) fputs("Error: out of memory\n", stderr);
    int first = darshan_status(one), second = darshan_status(two);
    return finish_output(&out, complete && first == EXIT_DONE && second == EXIT_DONE ? EXIT_DONE : DARSHAN_FAILED);
}

int cmd_darshan_diff(const iol__args *args) {
    if (args->n_operands != 2) return usage_error(args, "two logs are needed");
    int status = DARSHAN_FAILED;
    iol_log *one = open_darshan_diff_log(args->operands[0]), *two = open_darshan_diff_log(args->operands[1]);
    if (one && two) status = darshan_diff_compare(one, two);
    iol_log_close(one);
    iol_log_close(two);
    return status;
}
