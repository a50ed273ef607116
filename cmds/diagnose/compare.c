/* iolite compare: two groups of runs by what they took and did, two logs counter by counter, or three and more file by
   file. This file says which is which: `A... -- B...` are two groups, `A B` is one run each, `A B C` are files. */
#include <string.h>

#include "base/count.h"
#include "cmds/diagnose/compare.h"

static int check_operands(const iol__args *args) {
    size_t inputs = 0;
    for (size_t i = 0; i < args->n_operands; i++) {
        if (strcmp(args->operands[i], "--") == 0)
            return usage_error(args, "two groups of logs are needed, with one '--' between them");
        inputs += strcmp(args->operands[i], "-") == 0;
    }
    if (inputs > 1) return usage_error(args, "only one of the logs can be standard input");
    return EXIT_DONE;
}

static int check_options(const iol__args *args) {
    const char *top = argument_value(args, OPT_TOP_CHANGES);
    if (args->given[OPT_BY_TIME] && args->given[OPT_BY_COUNTERS])
        return usage_error(args, "--by-time and --by-counters exclude each other");
    if (top && (!*top || top[strspn(top, "0123456789")])) return usage_error(args, "'%s' is not a number of rows", top);
    static const int of_runs[] = {OPT_COMPARE_OUTPUT, OPT_CONTEXT, OPT_FAIL_ON_REGRESSION};
    for (size_t i = 0; args->given[OPT_BY_COUNTERS] && i < IOL_COUNT(of_runs); i++)
        if (args->given[of_runs[i]])
            return usage_error(args, "--output, --context and --fail-on-regression do not go with --by-counters");
    return EXIT_DONE;
}

/* No groups: nothing to test, and nothing to call slower. */
static int several_logs(const iol__args *args) {
    static const int of_groups[] = {OPT_COMPARE_OUTPUT, OPT_CONTEXT, OPT_FAIL_ON_REGRESSION, OPT_BY_TIME};
    for (size_t i = 0; i < IOL_COUNT(of_groups); i++)
        if (args->given[of_groups[i]])
            return usage_error(args, "--by-time, --output, --context and --fail-on-regression need two logs, or two "
                                     "groups as in A... -- B...");
    return compare_files(args);
}

int cmd_compare(const iol__args *args) {
    size_t behind = args->n_behind, before = args->n_operands - behind;
    /* A `--` in front of everything only ends the options, as it does elsewhere. */
    bool groups = behind && before;
    int status = check_options(args);
    if (status == EXIT_DONE) status = check_operands(args);
    if (status != EXIT_DONE) return status;
    if (args->n_operands < 2) return usage_error(args, "two logs are needed");
    if (args->given[OPT_BY_COUNTERS] && args->n_operands != 2)
        return usage_error(args, "counters are compared between two logs");
    if (args->given[OPT_BY_COUNTERS]) return compare_counters(args);
    if (!groups && args->n_operands > 2) return several_logs(args);
    return compare_runs(args, groups ? before : 1);
}
