/* iolite where: the lines of code that did the I/O, those with the most time first, with the source where it is at hand. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/where/symbols.h"
#include "report/log_json.h"
#include "report/where.h"
#include "text/text.h"

enum { TOP = 15 };

typedef struct view {
    iol__out out;
    iol__json json;
    bool as_json;
    size_t top;
    const iol__args *args;
    source_paths paths;
} view;

static bool is_wanted(const iol__args *args, const char *name) {
    for (size_t i = 0; i < args->n_values[OPT_FILE]; i++)
        if (glob_matches(args->values[OPT_FILE][i], name)) return true;
    return false;
}

/* The records of files whose names match; to be freed. NULL without memory. */
static uint64_t *matching_files(iol_log *log, const iol__args *args, size_t *count) {
    const size_t names = iol_log_name_count(log);
    uint64_t *ids = malloc((names + 1) * sizeof *ids), id;
    const char *name;
    *count = 0;
    for (size_t i = 0; ids && i < names; i++)
        if (iol_log_name_at(log, i, &id, &name) == IOL_OK && is_wanted(args, name)) ids[(*count)++] = id;
    return ids;
}

static bool show_lines(view *v, iol_log *log, iol__where_all *all) {
    iol__where_filter filter = {0};
    iol__where_line *lines = NULL;
    size_t count = 0;
    const bool some = v->args->given[OPT_FILE];
    uint64_t *ids = some ? matching_files(log, v->args, &filter.n_files) : NULL;
    filter.files = ids;
    const bool good = (!some || ids) && symbolize_frames(all, &v->paths, v->as_json ? NULL : tell_stderr, NULL) &&
                      iol__where_lines(all, &filter, &lines, &count);
    if (good && v->as_json) {
        iol__json_open(&v->json, '{');
        iol__json_log_facts(&v->json, log);
        iol__json_where(&v->json, log, all, lines, count);
        iol__json_log_errors(&v->json, log);
        iol__json_close(&v->json, '}');
    } else if (good) {
        iol__where_text(&v->out, all, lines, count, v->top);
    }
    free(lines);
    free(ids);
    return good;
}

static int show_log(view *v, const char *path) {
    iol_log *log;
    iol_error error;
    iol__where_all all;
    if (iol_log_open(path, &log, &error) != IOL_OK) {
        if (v->as_json) iol__json_unreadable(&v->json, path, &error);
        return report_open_error(&error);
    }
    int status = EXIT_TROUBLE;
    if (iol__where_make(log, &all) && show_lines(v, log, &all)) {
        iol__out_flush(&v->out);
        status = report_log_errors(log);
    } else {
        tell_stderr("out of memory");
    }
    iol__where_free(&all);
    iol_log_close(log);
    return status;
}

bool given_source_paths(const iol__args *args, source_paths *paths) {
    *paths = (source_paths){args->values[OPT_SOURCE_PATH], args->n_values[OPT_SOURCE_PATH]};
    for (size_t i = 0; i < paths->count; i++) {
        const char *equals = strchr(paths->pairs[i], '=');
        if (!equals || equals == paths->pairs[i]) return false;
    }
    return true;
}

int cmd_where(const iol__args *args) {
    view v = {.as_json = args->given[OPT_JSON], .top = TOP, .args = args};
    const char *top = argument_value(args, OPT_WHERE_TOP);
    char *end = NULL;
    if (args->n_operands == 0) return usage_error(args, "a log is needed");
    if (!given_source_paths(args, &v.paths)) return usage_error(args, "--source-path takes OLD=NEW");
    if (top) v.top = strtoul(top, &end, 10);
    if (top && (*top < '0' || *top > '9' || *end)) return usage_error(args, "'%s' is not a number of lines", top);
    iol__out_open(&v.out, STDOUT_FILENO);
    iol__json_start(&v.json, &v.out, args->n_operands > 1 ? 4 : 3);
    if (v.as_json && args->n_operands > 1) iol__json_open(&v.json, '[');
    int status = EXIT_DONE;
    for (size_t i = 0; i < args->n_operands; i++) {
        if (!v.as_json && args->n_operands > 1) {
            iol__out_safe(&v.out, args->operands[i]);
            iol__out_char(&v.out, '\n');
        }
        const int outcome = show_log(&v, args->operands[i]);
        if (outcome > status) status = outcome;
    }
    if (v.as_json && args->n_operands > 1) iol__json_close(&v.json, ']');
    if (v.as_json) iol__json_finish(&v.json);
    return finish_output(&v.out, status);
}
