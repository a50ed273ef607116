/* darshan-summary-per-file.sh: the page of `iolite report` once for each file of a log, with nothing else in it. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cmd.h"
#include "log/write/disguise.h"

enum { LONGEST_BASE = 100 };

/* The expression that matches this name and no other. */
static char *pattern_of_name(const char *name) {
    char *pattern = malloc(2 * strlen(name) + sizeof "^$"), *to = pattern;
    if (!pattern) return NULL;
    *to++ = '^';
    for (; *name; name++) {
        if (strchr("\\^$.[]|()*+?{}", *name)) *to++ = '\\';
        *to++ = *name;
    }
    *to++ = '$';
    *to = 0;
    return pattern;
}

/* Files of the same name in several directories differ by the id of their records. */
static char *page_of_file(const char *directory, uint64_t id, const char *name) {
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    char *path = malloc(strlen(directory) + LONGEST_BASE + sizeof "/-18446744073709551615.html");
    if (!path) return NULL;
    char *to = path + sprintf(path, "%s/", directory);
    for (int i = 0; i < LONGEST_BASE && base[i]; i++)
        *to++ = (char)(isalnum((unsigned char)base[i]) || strchr(".-_", base[i]) ? base[i] : '_');
    sprintf(to, "-%" PRIu64 ".html", id);
    return path;
}

/* As if the report had been asked for by hand. */
static int report_file(const iol__args *args, uint64_t id, const char *name) {
    char *pattern = pattern_of_name(name), *path = page_of_file(args->operands[1], id, name);
    const char *patterns[] = {pattern}, *paths[] = {path};
    iol__args with = *args;
    int status = EXIT_TROUBLE;
    with.n_operands = 1;
    with.given[OPT_INCLUDE_NAMES] = with.given[OPT_REPORT_OUTPUT] = true;
    with.values[OPT_INCLUDE_NAMES] = patterns;
    with.values[OPT_REPORT_OUTPUT] = paths;
    with.n_values[OPT_INCLUDE_NAMES] = with.n_values[OPT_REPORT_OUTPUT] = 1;
    if (pattern && path)
        status = cmd_report(&with);
    else
        tell_stderr("there is no memory for the reports");
    free(pattern);
    free(path);
    return status;
}

/* The worst that happened to any of them, unless nothing more can be written. */
static int report_files(const iol__args *args, iol_log *log) {
    int worst = EXIT_DONE;
    for (size_t i = 0; i < iol_log_name_count(log) && worst != EXIT_TROUBLE; i++) {
        uint64_t id;
        const char *name;
        if (iol_log_name_at(log, i, &id, &name) != IOL_OK || iol__name_about_job(name)) continue;
        const int status = report_file(args, id, name);
        if (status > worst) worst = status;
    }
    return worst;
}

int cmd_summary_per_file(const iol__args *args) {
    if (args->n_operands != 2) return usage_error(args, "a log and a directory are needed");
    iol_log *log = NULL;
    iol_error error;
    if (iol_log_open(args->operands[0], &log, &error) != IOL_OK) return report_open_error(&error);
    int status = EXIT_TROUBLE;
    if (mkdir(args->operands[1], 0777) == 0 || errno == EEXIST)
        status = report_files(args, log);
    else
        tell_stderr("%s: cannot make this directory: %s", args->operands[1], strerror(errno));
    iol_log_close(log);
    return status;
}
