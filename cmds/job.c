/* iolite job: jobs with everything that the site knows about the time in which they ran. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmds/site_data.h"
#include "site/analyze/find_logs.h"
#include "site/analyze/job.h"

static bool given_source(site_run *run, int option, const char *connector, const iol__value **tree) {
    const char *path = argument_value(run->args, option);
    if (!path) return true;
    *tree = read_source(run, connector, path);
    if (!*tree) run->status = EXIT_INPUT;
    return *tree != NULL;
}

/* CSV has times as people read them. */
static iol__value *row_for_csv(site_run *run, iol__value *row) {
    static const char *const keys[] = {"_datetime_start", "_datetime_end"};
    for (size_t i = 0; i < 2; i++) {
        const iol__value *when = iol__map_get(row, keys[i]);
        char text[32];
        if (!when) continue;
        iol__format_time(when->integer, text);
        iol__map_put_text(&run->arena, row, keys[i], text);
    }
    return row;
}

static int print_rows(site_run *run, const iol__value *rows, int status) {
    const iol__args *args = run->args;
    int printed;
    if (args->given[OPT_CSV]) {
        iol__value *table = iol__value_new(&run->arena, IOL__MAP);
        for (size_t i = 0; i < rows->count; i++)
            iol__map_put(&run->arena, table, iol__arena_print(&run->arena, "%zu", i), row_for_csv(run, rows->items[i]));
        printed = print_tree(run, table, "index");
    } else if (args->given[OPT_JSON]) {
        printed = print_tree(run, rows, NULL);
    } else {
        site_output to;
        if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
        for (size_t i = 0; i < rows->count; i++) {
            if (i) iol__out_char(&to.out, '\n');
            iol__job_text(&to.out, rows->items[i]);
        }
        return close_output(&to, status);
    }
    return printed == EXIT_DONE ? status : printed;
}

/* One row; what it needed in between is given back. */
static int one_row(site_run *run, iol__job_sources *from, const char *path, iol__value *rows) {
    iol__arena scratch = {.exhausted = run->arena.exhausted};
    iol__value *row;
    char why[400];
    from->scratch = &scratch;
    iol_status status =
        path ? iol__job_of_log(from, path, &row, why) : iol__job_of_range(from, run->start, run->end, &row, why);
    iol__arena_free(&scratch);
    if (status == IOL_INVALID) return usage_error(run->args, "%s", why);
    if (status != IOL_OK) return site_failed(why);
    if (row->count) iol__list_add(&run->arena, rows, row);
    return EXIT_DONE;
}

static const char *job_host(site_run *run) {
    const char *named = argument_value(run->args, OPT_JOB_HOST);
    const iol__value *host = iol__places_get(&run->site, "jobhost");
    if (!host) host = iol__places_get(&run->site, "nersc_host");
    return named ? named : host && host->kind == IOL__TEXT ? host->text : NULL;
}

/* The id that the records are of. */
static const char *first_id(iol__arena *arena, const iol__value *jobs) {
    const char *id = jobs && jobs->count ? jobs->keys[0] : NULL;
    return id ? iol__arena_text(arena, id, strcspn(id, ".")) : NULL;
}

/* Paths of logs, one per line. */
static int list_logs(site_run *run) {
    const iol__args *args = run->args;
    site_output to;
    if (!run->ranged) return usage_error(args, "of which days? --start and --end, please");
    const iol__value *logs = iol__find_logs(&run->arena, &run->site, run->start, run->end,
                                            argument_value(args, OPT_SITE_USER), argument_value(args, OPT_SITE_JOB));
    if (args->given[OPT_JSON]) return print_tree(run, logs, NULL);
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    for (size_t i = 0; i < logs->count; i++) iol__out_printf(&to.out, "%s\n", logs->items[i]->text);
    return close_output(&to, EXIT_DONE);
}

/* A number that is no file is a job of the scheduler's records. */
static bool is_job_id(const char *text) {
    return *text && text[strspn(text, "0123456789")] == 0 && access(text, F_OK) != 0;
}

/* Earliest start and latest end of a job and its steps. */
static bool job_times(const iol__value *jobs, const char *id, int64_t *start, int64_t *end) {
    size_t length = strlen(id);
    *start = INT64_MAX;
    *end = INT64_MIN;
    for (size_t i = 0; jobs && i < jobs->count; i++) {
        if (strncmp(jobs->keys[i], id, length) != 0 || (jobs->keys[i][length] && jobs->keys[i][length] != '.'))
            continue;
        const iol__value *from = iol__map_get(jobs->items[i], "start"), *to = iol__map_get(jobs->items[i], "end");
        if (from && from->kind == IOL__INTEGER && from->integer < *start) *start = from->integer;
        if (to && to->kind == IOL__INTEGER && to->integer > *end) *end = to->integer;
    }
    return *start < *end;
}

/* A job by its id: the rows of its logs, or without any that of the time in which it ran. */
static int rows_of_id(site_run *run, iol__job_sources *from, const char *id, iol__value *rows) {
    int status = EXIT_DONE;
    if (!job_times(from->jobs, id, &run->start, &run->end))
        return site_failed(iol__arena_print(
            &run->arena, "job %s is not in the scheduler's records, or has not ended (--job-record)", id));
    from->job_id = id;
    const iol__value *logs = iol__find_logs(&run->arena, &run->site, run->start, run->end, NULL, id);
    for (size_t i = 0; i < logs->count; i++) {
        int outcome = one_row(run, from, logs->items[i]->text, rows);
        if (outcome > status) status = outcome;
    }
    return logs->count ? status : one_row(run, from, NULL, rows);
}

static int job(site_run *run) {
    const iol__args *args = run->args;
    if (args->given[OPT_FIND_LOGS]) return list_logs(run);
    iol__ranges ranges = {.arena = &run->arena, .site = &run->site};
    iol__job_sources from = {.arena = &run->arena,
                             .site = &run->site,
                             .ranges = &ranges,
                             .health = args->given[OPT_HEALTH],
                             .jobsdb = argument_value(args, OPT_JOBS_DB),
                             .job_host = job_host(run),
                             .fs = argument_value(args, OPT_SITE_FS),
                             .coverage = args->given[OPT_COVERAGE] || !args->given[OPT_CSV]};
    if (args->n_operands == 0 && !run->ranged) return usage_error(args, "which log, or from --start to --end?");
    if (args->n_operands && run->ranged) return usage_error(args, "a log has its own start and end");
    if (args->given[OPT_JOB_RECORD] && args->n_operands > 1)
        return usage_error(args, "one job record belongs to one log");
    if (!given_source(run, OPT_NODE_MAP, "nodes", &from.nodes) ||
        !given_source(run, OPT_JOB_RECORD, "slurm", &from.jobs) ||
        !given_source(run, OPT_OST_FULLNESS, "lfs-df", &from.fullness) ||
        !given_source(run, OPT_OST_MAP, "lctl", &from.map))
        return run->status;
    from.job_id = first_id(&run->arena, from.jobs);
    iol__value *rows = iol__value_new(&run->arena, IOL__LIST);
    int status = EXIT_DONE;
    for (size_t i = 0; i < args->n_operands || (i == 0 && run->ranged); i++) {
        const char *operand = args->n_operands ? args->operands[i] : NULL;
        int outcome =
            operand && is_job_id(operand) ? rows_of_id(run, &from, operand, rows) : one_row(run, &from, operand, rows);
        if (outcome == EXIT_USAGE) return outcome;
        if (outcome > status) status = outcome;
    }
    iol__ranges_close(&ranges);
    return print_rows(run, rows, status);
}

int cmd_job(const iol__args *args) { return with_site(args, job); }
