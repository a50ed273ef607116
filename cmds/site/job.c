/* iolite job: jobs with everything that the site knows about the time in which they ran. */
#include <malloc.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/log/sheets.h"
#include "cmds/site/job_rows.h"
#include "cmds/site/site_data.h"
#include "cmds/workers.h"
#include "site/analyze/find_logs.h"
#include "site/analyze/job.h"
#include "site/analyze/jobinfo.h"

static bool given_source(site_run *run, int option, const char *connector, const iol__value **tree) {
    const char *path = argument_value(run->args, option);
    if (!path) return true;
    *tree = read_source(run, connector, path);
    if (!*tree) run->status = EXIT_INPUT;
    return *tree != NULL;
}

/* What --job-record names, of Slurm or PBS; NULL without it. False after a complaint. */
static bool given_jobs(site_run *run, const iol__value **jobs) {
    const char *path = argument_value(run->args, OPT_JOB_RECORD);
    iol__request slurm = {.arena = &run->arena, .source = "slurm", .paths = &path, .n_paths = 1}, pbs = slurm;
    iol__value *tree = NULL;
    *jobs = NULL;
    if (!path) return true;
    pbs.source = "pbs";
    bool good = iol__read_slurm(&slurm, &tree) == IOL_OK || (iol__read_pbs(&pbs, &tree) == IOL_OK && tree->count);
    if (!good) run->status = site_failed(slurm.why);
    *jobs = good ? tree : NULL;
    return good;
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
    if (args->given[OPT_CSV] || sheets_given(args)) {
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

/* {path: what is in it} */
static int load_logs(site_run *run, const iol__value *logs, const char *parts) {
    iol__value *all = iol__value_new(&run->arena, IOL__MAP);
    int status = EXIT_DONE;
    for (size_t i = 0; i < logs->count; i++) {
        iol__request request = {.arena = &run->arena,
                                .paths = &logs->items[i]->text,
                                .n_paths = 1,
                                .base = strstr(parts, "base") != NULL,
                                .total = strstr(parts, "total") != NULL,
                                .perf = strstr(parts, "perf") != NULL};
        iol__value *log = NULL;
        if (iol__read_darshan(&request, &log) == IOL_OK)
            iol__map_put(&run->arena, all, logs->items[i]->text, log);
        else
            status = site_failed(request.why);
        if (*request.partial) status = EXIT_INPUT;
    }
    int printed = print_tree(run, all, NULL);
    return printed == EXIT_DONE ? status : printed;
}

/* Paths of logs, one per line: of days, or of a job. */
static int list_job_logs(site_run *run) {
    const iol__args *args = run->args;
    const char *id = argument_value(args, OPT_SITE_JOB), *parts = argument_value(args, OPT_LOAD);
    char *why = NULL;
    site_output to;
    if (!run->ranged && !id) return usage_error(args, "the days are missing: give --start and --end, or --job");
    if (!run->ranged) {
        const iol__value *jobs;
        if (!given_jobs(run, &jobs)) return run->status;
        if (!jobs) jobs = iol__job_records(&run->arena, &run->site, id, argument_value(args, OPT_JOBS_DB), &why);
        if (!iol__job_times(iol__jobs_by_number(&run->arena, jobs), id, &run->start, &run->end))
            return site_failed(iol__arena_print(&run->arena, "job %s is not in the scheduler's records%s%s", id,
                                                why ? ": " : "", why ? why : ""));
    }
    const iol__value *logs =
        iol__find_logs(&run->arena, &run->site, run->start, run->end, argument_value(args, OPT_SITE_USER), id);
    if (parts) return load_logs(run, logs, parts);
    if (args->given[OPT_JSON]) return print_tree(run, logs, NULL);
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    for (size_t i = 0; i < logs->count; i++) iol__out_printf(&to.out, "%s\n", logs->items[i]->text);
    return close_output(&to, EXIT_DONE);
}

/* What is not a file, and looks like 910001, Slurm's 910000_7 and 910000+1, or 5.server and 5[3].server of PBS, is a
   job of the scheduler's records. */
static bool is_job_id(const char *text) {
    static const char digits[] = "0123456789";
    size_t number = strspn(text, digits);
    const char *at = text + number;
    bool task = *at && strchr("_+[", *at);
    if (task) {
        size_t length = strspn(at + 1, digits);
        if (!length || (*at == '[' && at[1 + length] != ']')) return false;
        at += 1 + length + (*at == '[');
    }
    return number && (!*at || (*at == '.' && !strstr(at, ".darshan"))) && access(text, F_OK) != 0;
}

/* A job by its id: the rows of its logs, or without any that of the time in which it ran. */
static int rows_of_id(site_run *run, iol__job_sources *from, const char *id, iol__value *rows) {
    int status = EXIT_DONE;
    char *why = NULL;
    id = iol__arena_text(&run->arena, id, strcspn(id, "."));
    if (!run->args->given[OPT_JOB_RECORD])
        from->records = iol__jobs_by_number(
            &run->arena, iol__job_records(&run->arena, &run->site, id, argument_value(run->args, OPT_JOBS_DB), &why));
    const bool known = iol__job_times(from->records, id, &run->start, &run->end),
               instant = known && run->start == run->end;
    if (!known)
        return site_failed(iol__arena_print(
            &run->arena, "job %s is not in the scheduler's records, or has not ended (--job-record)%s%s", id,
            why ? ": " : "", why ? why : ""));
    from->job_id = iol__job_number(from->records, id);
    const iol__value *logs = iol__find_logs(&run->arena, &run->site, run->start, run->end, NULL, from->job_id);
    if (instant && !logs->count)
        return site_failed(
            iol__arena_print(&run->arena,
                             "job %s ran for less than a second, and left no log: there is no time in which "
                             "servers could have seen it",
                             id));
    for (size_t i = 0; i < logs->count; i++) {
        int outcome = one_row(run, from, logs->items[i]->text, rows);
        if (outcome > status) status = outcome;
    }
    return logs->count ? status : one_row(run, from, NULL, rows);
}

enum { JOBS_EACH = 50 }; /* that make another process worth it */

/* An operand, and when its job began, if its record says so. */
typedef struct job_asked {
    size_t number;
    int64_t start;
    iol__value *rows;
} job_asked;

static int job_by_start(const void *a, const void *b) {
    const job_asked *x = a, *y = b;
    int order = (x->start > y->start) - (x->start < y->start);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int by_place(const void *a, const void *b) {
    const job_asked *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Each row needs some megabytes for a moment: they are not to go back to the kernel in between. */
static void keep_memory(void) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

/* What several processes do together. */
typedef struct job_asking {
    site_run *run;
    iol__job_sources *from;
    job_asked *all;
} job_asking;

/* In the order of time, so that each file is read once. */
static int rows_between(job_asking *on, size_t first, size_t last) {
    int status = EXIT_DONE;
    for (size_t i = first; i < last; i++) {
        const char *operand = on->run->args->operands[on->all[i].number];
        int outcome = is_job_id(operand) ? rows_of_id(on->run, on->from, operand, on->all[i].rows)
                                         : one_row(on->run, on->from, operand, on->all[i].rows);
        if (outcome == EXIT_USAGE) return outcome;
        if (outcome > status) status = outcome;
    }
    return status;
}

static int job_work(void *context, size_t first, size_t last, iol__out *out) {
    job_asking *on = context;
    jmp_buf exhausted;
    on->run->arena.exhausted = &exhausted;
    if (setjmp(exhausted)) return EXIT_TROUBLE;
    int status = rows_between(on, first, last);
    for (size_t i = first; i < last; i++) write_rows(out, on->all[i].rows);
    if (status == EXIT_DONE && iol__ranges_partial(on->from->ranges)) status = EXIT_INPUT;
    return status;
}

static bool job_take(void *context, size_t first, size_t last, const char *bytes, size_t length) {
    job_asking *on = context;
    const char *at = bytes, *end = bytes + length;
    for (size_t i = first; i < last; i++)
        if (!read_rows(&on->run->arena, &at, end, on->all[i].rows)) return false;
    return at == end;
}

/* On all processors where there are many; the rows come in the order of the operands. */
static int rows_of_operands(site_run *run, iol__job_sources *from, iol__value *rows) {
    const iol__args *args = run->args;
    job_asking on = {run, from, NULL};
    on.all = iol__arena_alloc(&run->arena, args->n_operands + 1, sizeof *on.all);
    for (size_t i = 0; i < args->n_operands; i++) {
        int64_t end;
        on.all[i] = (job_asked){.number = i, .rows = iol__value_new(&run->arena, IOL__LIST)};
        if (!is_job_id(args->operands[i]) || !iol__job_times(from->records, args->operands[i], &on.all[i].start, &end))
            on.all[i].start = 0;
    }
    qsort(on.all, args->n_operands, sizeof *on.all, job_by_start);
    if (args->n_operands > 1) keep_memory();
    double workers = (double)worth_workers(args->n_operands, JOBS_EACH);
    if (!number_option(run, OPT_THREADS, &workers)) return run->status;
    if (from->ranges->live) workers = 1; /* a server is asked by one */
    int status = workers > 1 ? run_workers(&(worker_task){&on, job_work, job_take}, args->n_operands, (size_t)workers)
                             : rows_between(&on, 0, args->n_operands);
    if (status == EXIT_USAGE) return status;
    qsort(on.all, args->n_operands, sizeof *on.all, by_place);
    for (size_t i = 0; i < args->n_operands; i++)
        for (size_t k = 0; k < on.all[i].rows->count; k++) iol__list_add(&run->arena, rows, on.all[i].rows->items[k]);
    return status;
}

static int job_job(site_run *run) {
    const iol__args *args = run->args;
    if (args->given[OPT_FIND_LOGS]) return list_job_logs(run);
    iol__ranges ranges = {.arena = &run->arena, .site = &run->site};
    iol__job_sources from = {.arena = &run->arena,
                             .site = &run->site,
                             .ranges = &ranges,
                             .health = args->given[OPT_HEALTH] ||
                                       (!args->given[OPT_JSON] && !args->given[OPT_CSV] && !sheets_given(args)),
                             .jobsdb = argument_value(args, OPT_JOBS_DB),
                             .job_host = job_host(run),
                             .fs = argument_value(args, OPT_SITE_FS),
                             .coverage = args->given[OPT_COVERAGE] || !(args->given[OPT_CSV] || sheets_given(args))};
    if (args->n_operands == 0 && !run->ranged) return usage_error(args, "a log is needed, or --start and --end");
    if (args->n_operands && run->ranged)
        return usage_error(args, "--start and --end do not go with a log, which has its own");
    const iol__value *jobs = NULL;
    size_t logs = 0;
    for (size_t i = 0; i < args->n_operands; i++) logs += !is_job_id(args->operands[i]);
    if (args->given[OPT_JOB_RECORD] && logs && args->n_operands > 1)
        return usage_error(args, "a job record goes with one log");
    if (!live_option(run, &ranges.live) || !given_source(run, OPT_JOB_STATS, "job-stats", &from.job_stats) ||
        !given_source(run, OPT_NODE_MAP, "nodes", &from.nodes) || !given_jobs(run, &jobs) ||
        !given_source(run, OPT_OST_FULLNESS, "lfs-df", &from.fullness) ||
        !given_source(run, OPT_OST_MAP, "lctl", &from.map))
        return run->status;
    if (jobs) from.records = iol__jobs_by_number(&run->arena, jobs);
    iol__value *rows = iol__value_new(&run->arena, IOL__LIST);
    int status = args->n_operands ? rows_of_operands(run, &from, rows) : one_row(run, &from, NULL, rows);
    if (status == EXIT_USAGE) return status;
    if (status == EXIT_DONE && iol__ranges_partial(&ranges)) status = EXIT_INPUT;
    iol__ranges_close(&ranges);
    return print_rows(run, rows, status);
}

int cmd_job(const iol__args *args) { return with_site(args, job_job); }
