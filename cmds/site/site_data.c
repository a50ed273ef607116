/* Shared parts of the commands on data of a site. */
#include "cmds/log/sheets.h"
#include "cmds/site/site_data.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "site/analyze/health.h"
#include "site/analyze/live.h"
#include "site/connect/table.h"

int site_failed(const char *why) {
    tell_stderr("%s", why);
    return EXIT_INPUT;
}

bool time_option(site_run *run, int option, int64_t *seconds) {
    const char *text = argument_value(run->args, option);
    double when;
    if (!text) return true;
    if (!iol__parse_time(text, &when)) {
        run->status = usage_error(run->args, "'%s' is not a time such as 2017-03-20T02:07:47 or @1490000867", text);
        return false;
    }
    *seconds = (int64_t)floor(when);
    return true;
}

bool number_option(site_run *run, int option, double *number) {
    const char *text = argument_value(run->args, option);
    char *end;
    if (!text) return true;
    *number = strtod(text, &end);
    if (end != text && !*end && isfinite(*number)) return true;
    run->status = usage_error(run->args, "'%s' is not a number", text);
    return false;
}

static bool site_data_times_of(site_run *run) {
    bool start = run->args->given[OPT_SITE_START], end = run->args->given[OPT_SITE_END];
    if (!time_option(run, OPT_SITE_START, &run->start) || !time_option(run, OPT_SITE_END, &run->end)) return false;
    /* Logs are looked for by days, of which one is enough. */
    bool days = run->args->given[OPT_FIND_LOGS];
    if (days && start && !end) run->end = run->start;
    run->ranged = start && (end || days);
    if (start != end && !(days && start))
        run->status = usage_error(run->args, "--start and --end go together");
    else if (run->ranged && (days ? run->start > run->end : run->start >= run->end))
        run->status = usage_error(run->args, "the start must be before the end");
    return run->status == EXIT_DONE;
}

static bool patience_of(site_run *run) {
    double seconds = 0;
    if (!number_option(run, OPT_SITE_TIMEOUT, &seconds)) return false;
    if (run->args->given[OPT_SITE_TIMEOUT] && !(seconds >= 1 && seconds <= 86400))
        run->status = usage_error(run->args, "--timeout takes 1 to 86400 seconds");
    iol__site_patience = run->status == EXIT_DONE ? (unsigned)seconds : 0;
    return run->status == EXIT_DONE;
}

int with_site(const iol__args *args, int (*body)(site_run *run)) {
    /* Static, because both are still wanted after a jump. */
    static site_run run;
    static jmp_buf exhausted;
    char why[400];
    run = (site_run){.args = args, .status = EXIT_DONE};
    run.arena.exhausted = &exhausted;
    if (setjmp(exhausted)) {
        fputs("iolite: out of memory\n", stderr);
        iol__arena_free(&run.arena);
        return EXIT_TROUBLE;
    }
    const char *from = argument_value(args, OPT_RELATIVE_TO);
    if (from && strcmp(from, "cwd") != 0 && strcmp(from, "site") != 0)
        return usage_error(args, "paths are relative to 'cwd' or 'site', not '%s'", from);
    bool here = from && strcmp(from, "cwd") == 0;
    if (iol__places_open(&run.arena, argument_value(args, OPT_DATA_SITE), here, &run.site, why) != IOL_OK)
        run.status = site_failed(why);
    else if (site_data_times_of(&run) && patience_of(&run))
        run.status = body(&run);
    iol__arena_free(&run.arena);
    return run.status;
}

/* Output --------------------------------------------------------------------------------------------------------- */

bool ends_in_svg(const char *path) {
    size_t length = path ? strlen(path) : 0;
    return length > 4 && strcmp(path + length - 4, ".svg") == 0;
}

bool open_output(site_run *run, int option, site_output *to) {
    *to = (site_output){.path = argument_value(run->args, option)};
    if (to->path && strcmp(to->path, "-") == 0) to->path = NULL;
    if (!to->path) {
        iol__out_open(&to->out, STDOUT_FILENO);
        return true;
    }
    to->temporary = iol__arena_print(&run->arena, "%s.XXXXXX", to->path);
    int fd = mkostemp(to->temporary, O_CLOEXEC);
    if (fd < 0) {
        tell_stderr("%s: %s", to->path, strerror(errno));
        run->status = EXIT_TROUBLE;
        return false;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    iol__out_open(&to->out, fd);
    return true;
}

int close_output(site_output *to, int status) {
    if (!to->path) return finish_output(&to->out, status);
    int fd = to->out.fd, error = iol__out_close(&to->out);
    if (fsync(fd) != 0 && !error && errno != EINVAL) error = errno;
    if (close(fd) != 0 && !error) error = errno;
    if (!error && rename(to->temporary, to->path) != 0) error = errno;
    if (!error) return status;
    unlink(to->temporary);
    tell_stderr("%s: %s", to->path, strerror(error));
    return EXIT_TROUBLE;
}

int print_tree(site_run *run, const iol__value *tree, const char *key) {
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    int status = EXIT_DONE;
    iol__sheet_form form;
    if (sheet_wanted(run->args, &form)) {
        iol__out csv;
        iol__out_open(&csv, -1);
        if (!iol__value_csv(&csv, &run->arena, tree, key) ||
            !iol__sheet_from_csv(&to.out, form, csv.buffer, csv.length, NULL, 0))
            status = usage_error(run->args, "this is not a table: use --json");
        iol__out_close(&csv);
    } else if (run->args->given[OPT_CSV]) {
        if (!iol__value_csv(&to.out, &run->arena, tree, key))
            status = usage_error(run->args, "this is not a table: use --json");
    } else {
        iol__json json;
        iol__json_start(&json, &to.out, 3);
        iol__value_json(&json, &run->arena, tree);
        iol__json_finish(&json);
    }
    return close_output(&to, status);
}

/* Sources -------------------------------------------------------------------------------------------------------- */

/* What was given to an option that may be repeated, or be a list with commas. */
static const char *const *listed(site_run *run, int option, size_t *count) {
    const char **list = NULL;
    *count = 0;
    for (size_t i = 0; i < run->args->n_values[option]; i++) {
        char *rest = iol__arena_copy(&run->arena, run->args->values[option][i]);
        for (char *one; (one = strsep(&rest, ","));) {
            if (!*one) continue;
            list = iol__arena_grow(&run->arena, list, *count, sizeof *list);
            list[(*count)++] = one;
        }
    }
    return list;
}

iol__request request_for(site_run *run, const char *const *paths, size_t count) {
    const iol__args *args = run->args;
    iol__request request = {
        .arena = &run->arena,
        .paths = paths,
        .n_paths = count,
        .ranged = run->ranged,
        .start = run->start,
        .end = run->end,
        .host = argument_value(args, OPT_SITE_HOST),
        .metric = argument_value(args, OPT_SITE_METRIC),
        .user = argument_value(args, OPT_SITE_USER),
        .type = argument_value(args, OPT_SITE_TYPE),
        .job = argument_value(args, OPT_SITE_JOB),
        .fs = argument_value(args, OPT_SITE_FS),
        .base = args->given[OPT_BASE],
        .total = args->given[OPT_TOTAL],
        .perf = args->given[OPT_PERF],
    };
    request.modules = listed(run, OPT_MODULE, &request.n_modules);
    request.counters = listed(run, OPT_COUNTER, &request.n_counters);
    return request;
}

bool usual_inputs(site_run *run, iol__request *request) {
    static const char *const keys[][2] = {{"lctl", "lfsstatus_map_files"},         {"failover", "lfsstatus_map_files"},
                                          {"lfs-df", "lfsstatus_fullness_files"},  {"isdct", "isdct_files"},
                                          {"mmperfmon", "mmperfmon_output_files"}, {"job-stats", "job_stats_files"},
                                          {"hpss-daily", "hpss_report_files"},     {"md", "md_files"}};
    const char *live = iol__live_command(request->source), *key = NULL;
    const iol__value *files = NULL;
    for (size_t i = 0; i < IOL_COUNT(keys); i++)
        if (strcmp(keys[i][0], request->source) == 0) key = keys[i][1];
    if (key && request->ranged)
        files = iol__places_files(request->arena, &run->site, key, request->fs, request->start, request->end, false);
    size_t count = files ? files->count : 0;
    const char **paths = iol__arena_alloc(request->arena, count + 1, sizeof *paths);
    for (size_t i = 0; i < count; i++) paths[i] = files->items[i]->text;
    if (!count) *paths = live;
    request->paths = paths;
    request->n_paths = count ? count : live != NULL;
    return key && iol__places_get(&run->site, key);
}

bool live_option(site_run *run, iol__live **live) {
    const char *text = argument_value(run->args, OPT_LIVE), *equals = text ? strchr(text, '=') : NULL;
    const char *mapping = argument_value(run->args, OPT_MAPPING);
    double step = 0;
    char why[400];
    *live = NULL;
    if (!text) return true;
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const iol__producer *producer = iol__producer_find(iol__arena_text(&run->arena, text, length));
    if (!producer) {
        run->status = usage_error(run->args, "--live: no source of series is called '%.*s'", (int)length, text);
        return false;
    }
    if (!number_option(run, OPT_STEP, &step)) return false;
    *live = iol__arena_alloc(&run->arena, 1, sizeof **live);
    **live = (iol__live){.arena = &run->arena,
                         .producer = producer,
                         .input = equals ? equals + 1 : NULL,
                         .step = step >= 1 && step <= 86400 ? (int64_t)step : 0,
                         .luns = iol__places_get(&run->site, "mmperfmon_lun_map"),
                         .servers = iol__places_get(&run->site, "mmperfmon_server_map")};
    if (mapping && !((*live)->mapping = iol__read_mapping(&run->arena, mapping, why))) {
        run->status = site_failed(why);
        return false;
    }
    return true;
}

const iol__value *read_source(site_run *run, const char *connector, const char *path) {
    iol__request request = {.arena = &run->arena, .source = connector, .paths = &path, .n_paths = 1};
    iol__value *tree = NULL;
    if (iol__connector_find(connector)->read(&request, &tree) == IOL_OK) return tree;
    site_failed(request.why);
    return NULL;
}

const char *listed_as(site_run *run, const iol__value *listing, const char *fs) {
    const char *backend = iol__places_backend(&run->site, fs);
    return backend && !iol__sample_at(&run->arena, listing, fs, INT64_MAX).block ? backend : fs;
}
