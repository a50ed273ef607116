/* iolite convert: a log written again, in another compression, with less in it or with other names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cmds/cmd.h"
#include "cmds/log/key.h"
#include "cmds/log/rewriting.h"
#include "log/write/rewrite.h"
#include "text/text.h"

/* --keep and --drop ---------------------------------------------------------------------------------------------- */

/* A file is named by its record id or by a pattern for its name. */
static bool convert_named(const char *file, uint64_t id, const char *name) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(file, &end, 10);
    if (*file && !*end && errno == 0) return number == id;
    return name && glob_matches(file, name);
}

static bool any_named(const iol__args *args, int option, uint64_t id, const char *name) {
    for (size_t i = 0; i < args->n_values[option]; i++)
        if (convert_named(args->values[option][i], id, name)) return true;
    return false;
}

static bool convert_keeps(void *context, uint64_t id, const char *name) {
    const iol__args *args = context;
    if (any_named(args, OPT_DROP, id, name)) return false;
    return !args->given[OPT_KEEP] || iol__name_about_job(name) || any_named(args, OPT_KEEP, id, name);
}

/* Options ---------------------------------------------------------------------------------------------------------- */

static bool parse_anonymise(const char *what, iol__disguise *disguise) {
    static const char *const words[] = {"all", "uid", "job", "exe", "names"};
    char copy[64];
    if (strlen(what) >= sizeof copy) return false;
    strcpy(copy, what);
    char *rest = copy;
    for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
        size_t i = 0;
        while (i < 5 && strcmp(word, words[i]) != 0) i++;
        if (i == 5) return false;
        disguise->uid |= i == 0 || i == 1;
        disguise->job_id |= i == 0 || i == 2;
        disguise->exe |= i == 0 || i == 3;
        disguise->names |= i == 0 || i == 4;
    }
    return true;
}

/* The highest level of a method. */
static int level_most(const iol_write_options *options) {
    if (options->compression == IOL_ZSTD || options->compression == IOL_ARCHIVE) return 19;
    return options->compression == IOL_ZLIB && !options->one_stream ? 12 : 9;
}

static bool parse_convert_level(const char *text, int most, int *level) {
    char *end;
    long number = strtol(text, &end, 10);
    *level = (int)number;
    return *text && !*end && number >= 1 && number <= most;
}

/* -1, or the status after a message. */
static int convert_parse(const iol__args *args, iol__rewrite *how, iol_write_options *options) {
    if (args->n_operands != 2) return usage_error(args, "two operands are needed: a log to read and one to write");
    if (args->given[OPT_BZIP2] + args->given[OPT_ZSTD] + args->given[OPT_ARCHIVE] + args->given[OPT_NONE] > 1)
        return usage_error(args, "only one compression is possible");
    options->compression = args->given[OPT_BZIP2]     ? IOL_BZIP2
                           : args->given[OPT_ZSTD]    ? IOL_ZSTD
                           : args->given[OPT_ARCHIVE] ? IOL_ARCHIVE
                           : args->given[OPT_NONE]    ? IOL_UNCOMPRESSED
                                                      : IOL_ZLIB;
    options->one_stream = args->given[OPT_ONE_STREAM];
    options->replace = args->given[OPT_FORCE];
    const char *level = argument_value(args, OPT_LEVEL);
    int most = level_most(options);
    if (level && !parse_convert_level(level, most, &options->level))
        return usage_error(args, "--level takes a number from 1 to %d here, not '%s'", most, level);
    const char *what = argument_value(args, OPT_ANONYMISE);
    if (what && !parse_anonymise(what, &how->disguise))
        return usage_error(args, "--anonymise takes all, or some of uid,job,exe,names, not '%s'", what);
    if (!what && (args->given[OPT_KEY] || args->given[OPT_KEY_FILE] || args->given[OPT_KEY_FD]))
        return usage_error(args, "a key goes with --anonymise");
    int keyed = what ? read_key_option(args, &how->disguise.key) : EXIT_DONE;
    if (keyed != EXIT_DONE) return keyed;
    const char *dxt = argument_value(args, OPT_DXT);
    if (dxt && strcmp(dxt, "old") != 0 && strcmp(dxt, "new") != 0)
        return usage_error(args, "--dxt takes 'old' or 'new', not '%s'", dxt);
    for (size_t i = 0; i < args->n_values[OPT_ANNOTATE]; i++)
        if (!strchr(args->values[OPT_ANNOTATE][i], '=') || strchr(args->values[OPT_ANNOTATE][i], '\n'))
            return usage_error(args, "--annotate takes KEY=VALUE on one line, not '%s'", args->values[OPT_ANNOTATE][i]);
    how->copies = !level && !options->one_stream; /* these ask for other bytes */
    how->totals = args->given[OPT_TOTALS];
    if (how->totals && (args->given[OPT_KEEP] || args->given[OPT_DROP]))
        return usage_error(args, "totals are of all files");
    how->drop_opaque = args->given[OPT_DROP_UNKNOWN] || how->totals;
    how->reset_metadata = args->given[OPT_RESET_METADATA];
    how->annotations = args->values[OPT_ANNOTATE];
    how->n_annotations = args->n_values[OPT_ANNOTATE];
    if (args->given[OPT_KEEP] || args->given[OPT_DROP]) {
        how->keeps = convert_keeps;
        how->context = (void *)(uintptr_t)args;
    }
    return -1;
}

/* Rewriting ------------------------------------------------------------------------------------------------------- */

/* What was asked for must not go unsaid. */
static void say_dropped(const iol_log *log) {
    iol_module module;
    for (int slot = 0; iol_log_module(log, slot, &module) == IOL_OK; slot++)
        if (iol__opaque(log, slot))
            tell_stderr("%s: slot %d: %llu bytes of records (version %u) that are not known are left out",
                        iol_log_info(log)->path, slot, (unsigned long long)module.length, module.version);
}

/* EXIT_DONE, or the status after a message. */
static int convert_log(const iol__args *args, iol_log *log, const iol_write_options *options, const iol__rewrite *how) {
    const char *from = args->operands[0], *to = args->operands[1];
    iol_error error;
    if (same_file(from, to)) {
        iol__complain("iolite convert: ", "%s is the log that is read; write to another file", to);
        return EXIT_USAGE;
    }
    if (iol__rewrite_check(log, how, &error) != IOL_OK) {
        tell_stderr("%s. --drop-unknown leaves them out", error.message);
        return EXIT_INPUT;
    }
    if (how->drop_opaque && !how->totals) say_dropped(log);
    const bool good =
        options->compression == IOL_ARCHIVE
            ? iol__rewrite_smallest(log, to, options, how, !argument_value(args, OPT_DXT), &error) == IOL_OK
            : rewrite_file(log, to, options, how, &error);
    if (!good) tell_stderr("%s", error.message);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}

int cmd_convert(const iol__args *args) {
    iol__rewrite how = {0};
    iol_write_options options = {0};
    int status = convert_parse(args, &how, &options);
    if (status >= 0) return status;
    iol_log *log;
    iol_error error;
    if (iol_log_open(args->operands[0], &log, &error) != IOL_OK) return report_open_error(&error);
    const char *dxt = argument_value(args, OPT_DXT);
    if (!dxt) iol__rewrite_versions(log, &options);
    if (dxt && strcmp(dxt, "new") == 0) {
        options.dxt_posix = 2;
        options.dxt_mpiio = 3;
    }
    status = convert_log(args, log, &options, &how);
    if (status == EXIT_DONE) status = report_log_errors(log);
    iol_log_close(log);
    return status;
}
