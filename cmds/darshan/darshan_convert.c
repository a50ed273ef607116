/* darshan-convert: the options and the hashes that scripts know. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmds/cmd.h"
#include "cmds/darshan/darshan.h"
#include "cmds/log/rewriting.h"

enum { ANNOTATIONS = 512 };

static bool only_file(void *context, uint64_t id, const char *name) {
    (void)name;
    return id == *(const uint64_t *)context;
}

/* TEXT is cut at its tabs, in place. */
static size_t cut_annotations(char *text, const char *pieces[ANNOTATIONS]) {
    size_t n = 0;
    for (char *piece = strsep(&text, "\t"); piece; piece = strsep(&text, "\t"))
        if (*piece && n < ANNOTATIONS) pieces[n++] = piece;
    return n;
}

static bool parse_darshan_convert_number(const char *text, unsigned long long *number) {
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text && !*end && errno == 0;
}

int cmd_darshan_convert(const iol__args *args) {
    if (args->n_operands != 2) return usage_error(args, "two operands are needed: a log to read and one to write");
    bool all = args->given[OPT_D_OBFUSCATE];
    const char *pieces[ANNOTATIONS];
    iol__rewrite how = {.disguise = {.reference = true,
                                     .uid = all || args->given[OPT_D_OBFUSCATE_UID],
                                     .job_id = all || args->given[OPT_D_OBFUSCATE_JOBID],
                                     .exe = all || args->given[OPT_D_OBFUSCATE_EXE],
                                     .names = all || args->given[OPT_D_OBFUSCATE_NAMES]},
                        .reset_metadata = args->given[OPT_D_RESET],
                        .annotations = pieces};
    iol_write_options options = {.compression = args->given[OPT_D_BZIP2] ? IOL_BZIP2 : IOL_ZLIB, .one_stream = true};
    unsigned long long number;
    uint64_t id;
    const char *key = argument_value(args, OPT_D_KEY), *file = argument_value(args, OPT_D_FILE);
    const char *annotate = argument_value(args, OPT_D_ANNOTATE);
    if (key) {
        char *end;
        how.disguise.seed = (uint32_t)strtoll(key, &end, 10);
        if (!*key || *end) return usage_error(args, "--key takes a whole number, not '%s'", key);
    }
    if (file) {
        if (!parse_darshan_convert_number(file, &number))
            return usage_error(args, "--file takes a record id, not '%s'", file);
        id = number;
        how.keeps = only_file;
        how.context = &id;
    }
    iol_log *log;
    iol_error error;
    if (iol_log_open(args->operands[0], &log, &error) != IOL_OK) {
        fprintf(stderr, "Error: %s\n", error.message);
        return DARSHAN_FAILED;
    }
    iol__rewrite_versions(log, &options);
    char *text = annotate ? strdup(annotate) : NULL;
    if (text) how.n_annotations = cut_annotations(text, pieces);
    int status = DARSHAN_FAILED;
    if (rewrite_file(log, args->operands[1], &options, &how, &error))
        status = darshan_status(log);
    else
        fprintf(stderr, "Error: %s\n", error.message);
    free(text);
    iol_log_close(log);
    return status;
}
