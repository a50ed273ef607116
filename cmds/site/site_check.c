/* iolite site-check: asks every source that the site file names for a sample, and says what it got. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/count.h"
#include "cmds/site/site_data.h"
#include "site/analyze/find_logs.h"
#include "site/analyze/live.h"
#include "site/analyze/range.h"
#include "text/number.h"

enum { DAYS_BACK = 30 };

typedef struct site_check_checking {
    site_run *run;
    iol__value *rows;
    int64_t now;
} site_check_checking;

static void site_check_tell(site_check_checking *on, const char *source, const char *state, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void site_check_tell(site_check_checking *on, const char *source, const char *state, const char *format, ...) {
    iol__arena *arena = &on->run->arena;
    va_list args;
    iol__value *row = iol__value_new(arena, IOL__MAP);
    va_start(args, format);
    iol__map_put_text(arena, row, "source", source);
    iol__map_put_text(arena, row, "state", state);
    iol__map_put_text(arena, row, "message", iol__arena_vprint(arena, format, args));
    va_end(args);
    iol__list_add(arena, on->rows, row);
    if (strcmp(state, "ok") != 0) on->run->status = EXIT_FOUND;
}

static const char *site_check_count(site_check_checking *on, size_t number) {
    char *text = iol__arena_alloc(&on->run->arena, IOL_HUMAN, 1);
    return iol__human_number(text, (double)number);
}

static void no_file(site_check_checking *on, const char *name) {
    char day[32];
    iol__format_time(on->now, day);
    if (on->run->ranged)
        site_check_tell(on, name, "nothing", "no file of the %d days before %s", DAYS_BACK, day);
    else
        site_check_tell(on, name, "nothing", "no file of the last %d days", DAYS_BACK);
}

/* The newest existing file of a dated template, up to a month back. */
static const char *newest(site_check_checking *on, const char *key, const char *fs) {
    for (int i = 0; i < DAYS_BACK; i++) {
        int64_t day = iol__midnight(on->now, -i);
        const iol__value *files = iol__places_files(&on->run->arena, &on->run->site, key, fs, day, day, true);
        if (files->count) return files->items[0]->text;
    }
    return NULL;
}

static void check_listing(site_check_checking *on, const char *key, const char *connector) {
    if (!iol__places_get(&on->run->site, key)) return;
    const char *path = newest(on, key, NULL);
    if (!path) {
        no_file(on, key);
        return;
    }
    iol__request request = {.arena = &on->run->arena, .source = connector, .paths = &path, .n_paths = 1};
    iol__value *tree = NULL;
    if (iol__connector_find(connector)->read(&request, &tree) != IOL_OK)
        site_check_tell(on, key, "failed", "%s", request.why);
    else
        site_check_tell(on, key, tree->count ? "ok" : "nothing", "%s: %s entries", path,
                        site_check_count(on, tree->count));
}

static size_t missing_of(const iol__frame *frame) {
    size_t missing = 0;
    for (size_t i = 0; i < frame->rows * frame->columns; i++) missing += isnan(frame->values[i]) ? 1 : 0;
    return missing;
}

static void check_site_file(site_check_checking *on, const char *name, const char *fs) {
    static const char *const datasets[] = {"datatargets/writebytes", "datatargets/readbytes", "dataservers/cpuload"};
    const char *path = newest(on, "hdf5_files", fs);
    iol__series *series;
    iol__frame frame;
    char why[400], share[IOL_HUMAN];
    if (!path) {
        no_file(on, name);
        return;
    }
    if (iol__series_open(&on->run->arena, path, &series, why) != IOL_OK) {
        site_check_tell(on, name, "failed", "%s", why);
        return;
    }
    iol_status status = IOL_INVALID;
    for (size_t i = 0; i < 3 && status != IOL_OK; i++)
        status = iol__series_read(series, datasets[i], INT64_MIN, INT64_MAX, &frame, why);
    if (status != IOL_OK)
        site_check_tell(on, name, "failed", "%s", why);
    else
        site_check_tell(on, name, missing_of(&frame) < frame.rows * frame.columns ? "ok" : "nothing",
                        "%s: %s steps of %lld s, %s columns, %s missing", path, site_check_count(on, frame.rows),
                        (long long)frame.step, site_check_count(on, frame.columns),
                        iol__human_share(
                            share, frame.rows ? (double)missing_of(&frame) / (double)(frame.rows * frame.columns) : 1));
    iol__series_close(series);
}

static void check_series(site_check_checking *on) {
    const iol__value *files = iol__places_get(&on->run->site, "hdf5_files");
    if (files && files->kind == IOL__MAP)
        for (size_t i = 0; i < files->count; i++)
            check_site_file(on, iol__arena_print(&on->run->arena, "hdf5_files %s", files->keys[i]), files->keys[i]);
    else if (files)
        check_site_file(on, "hdf5_files", NULL);
}

static void check_live(site_check_checking *on) {
    static const char *const datasets[] = {"datatargets/writebytes", "datatargets/readbytes", "dataservers/cpuload"};
    const iol__value *sources = iol__places_get(&on->run->site, "live_sources");
    for (size_t i = 0; sources && sources->kind == IOL__MAP && i < sources->count; i++) {
        iol__places only = {.settings = iol__value_new(&on->run->arena, IOL__MAP),
                            .directory = on->run->site.directory};
        iol__map_put(&on->run->arena, (iol__value *)(uintptr_t)only.settings, "live_sources",
                     (iol__value *)(uintptr_t)sources);
        iol__ranges ranges = {.arena = &on->run->arena, .site = &only};
        const char *name = iol__arena_print(&on->run->arena, "live_sources %s", sources->keys[i]);
        iol__frame frame;
        char why[400] = "";
        iol_status status = IOL_INVALID;
        for (size_t k = 0; k < 3 && status != IOL_OK; k++)
            status = iol__range_read(&ranges, &on->run->arena, sources->keys[i], datasets[k], on->now - 600, on->now,
                                     &frame, why);
        if (status != IOL_OK)
            site_check_tell(on, name, "failed", "%s", why);
        else
            site_check_tell(on, name,
                            frame.columns && missing_of(&frame) < frame.rows * frame.columns ? "ok" : "nothing",
                            "the last ten minutes: %s steps of %lld s, %s columns, %s samples missing",
                            site_check_count(on, frame.rows), (long long)frame.step,
                            site_check_count(on, frame.columns), site_check_count(on, missing_of(&frame)));
    }
}

static void check_jobs(site_check_checking *on) {
    const iol__value *providers = iol__places_get(&on->run->site, "jobinfo_jobid_providers");
    for (size_t i = 0; providers && providers->kind == IOL__LIST && i < providers->count; i++) {
        const char *name = providers->items[i]->kind == IOL__TEXT ? providers->items[i]->text : "";
        bool table = strcmp(name, "jobsdb") == 0 || strcmp(name, "nersc_jobsdb") == 0;
        const iol__connector *connector = iol__connector_find(table ? "jobsdb" : name);
        const char *live = connector ? iol__live_command(connector->name) : NULL;
        iol__request request = {.arena = &on->run->arena,
                                .source = name,
                                .paths = &live,
                                .n_paths = live != NULL,
                                .ranged = true,
                                .start = on->now - 86400,
                                .end = on->now};
        iol__value *tree = NULL;
        if (!connector || connector->read(&request, &tree) != IOL_OK)
            site_check_tell(on, name, "failed", "%s", connector ? request.why : "no such source of jobs");
        else
            site_check_tell(on, name, "ok", "%s records of the last day", site_check_count(on, tree->count));
    }
}

/* Records of jobs as the site file names them: all that their file has, or what a program says of the last day. */
static void check_job_records(site_check_checking *on) {
    static const char key[] = "job_records";
    const iol__value *records = iol__places_get(&on->run->site, key);
    const char *source = iol__map_text(records, "source"), *input = iol__map_text(records, "input");
    if (!records) return;
    const iol__connector *connector = source ? iol__connector_find(source) : NULL;
    if (!connector) {
        site_check_tell(on, key, "failed", "it needs a source: slurm, pbs or jobsdb");
        return;
    }
    if (!input) input = iol__live_command(connector->name);
    const char *path = iol__places_input(&on->run->arena, &on->run->site, input);
    iol__request request = {.arena = &on->run->arena, .source = source, .paths = &path, .n_paths = path != NULL};
    if (path && iol__is_live(path)) {
        request.ranged = true;
        request.start = on->now - 86400;
        request.end = on->now;
    }
    iol__value *tree = NULL;
    if (connector->read(&request, &tree) != IOL_OK)
        site_check_tell(on, key, "failed", "%s", request.why);
    else
        site_check_tell(on, key, tree->count ? "ok" : "nothing", "%s: %s records", path ? path : source,
                        site_check_count(on, tree->count));
}

static void check_logs(site_check_checking *on) {
    if (!iol__places_get(&on->run->site, "darshan_log_dirs")) return;
    const iol__value *roots =
        iol__places_files(&on->run->arena, &on->run->site, "darshan_log_dirs", NULL, on->now, on->now, false);
    const iol__value *logs = iol__find_logs(&on->run->arena, &on->run->site, on->now - 7 * 86400, on->now, NULL, NULL);
    if (roots->count == 0 && logs->count == 0)
        site_check_tell(on, "darshan_log_dirs", "failed", "no such directory");
    else
        site_check_tell(on, "darshan_log_dirs", logs->count ? "ok" : "nothing",
                        "%s directories, %s logs of the last week", site_check_count(on, roots->count),
                        site_check_count(on, logs->count));
}

static void check_prometheus(site_check_checking *on) {
    const iol__value *sources = iol__places_get(&on->run->site, "prometheus_sources");
    for (size_t i = 0; sources && sources->kind == IOL__LIST && i < sources->count; i++) {
        iol__arena *arena = &on->run->arena;
        const char *path = sources->items[i]->kind == IOL__TEXT ? sources->items[i]->text : "";
        char why[400] = "no url in it";
        const iol__value *mapping = iol__read_mapping(arena, iol__places_path(arena, &on->run->site, path), why);
        const char *url = iol__map_text(mapping, "url");
        iol__request request = {.arena = arena, .source = "prometheus"};
        iol__value *all = NULL;
        if (!url) {
            site_check_tell(on, path, "failed", "%s", why);
            continue;
        }
        if (iol__ask_prometheus(&request, url, "up", on->now - 60, on->now, 15, &all) != IOL_OK)
            site_check_tell(on, path, "failed", "%s", request.why);
        else
            site_check_tell(on, path, all->count ? "ok" : "nothing", "%s: %s targets are scraped", url,
                            site_check_count(on, all->count));
    }
}

static int site_check(site_run *run) {
    static const char *const listings[][2] = {{"lfsstatus_fullness_files", "lfs-df"},
                                              {"lfsstatus_map_files", "lctl"},
                                              {"isdct_files", "isdct"},
                                              {"mmperfmon_output_files", "mmperfmon"},
                                              {"hpss_report_files", "hpss-daily"},
                                              {"job_stats_files", "job-stats"},
                                              {"md_files", "md"}};
    site_check_checking on = {.run = run,
                              .rows = iol__value_new(&run->arena, IOL__LIST),
                              .now = run->ranged ? run->end - 1 : (int64_t)time(NULL)};
    if (run->args->n_operands) return usage_error(run->args, "operand '%s' is not expected", run->args->operands[0]);
    check_series(&on);
    check_live(&on);
    check_prometheus(&on);
    for (size_t i = 0; i < IOL_COUNT(listings); i++) check_listing(&on, listings[i][0], listings[i][1]);
    check_jobs(&on);
    check_job_records(&on);
    check_logs(&on);
    if (run->args->given[OPT_JSON]) {
        int printed = print_tree(run, on.rows, NULL);
        return printed == EXIT_DONE ? run->status : printed;
    }
    site_output to;
    int status = run->status;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    if (on.rows->count == 0) iol__out_text(&to.out, "The site file names no source.\n");
    for (size_t i = 0; i < on.rows->count; i++)
        iol__out_printf(&to.out, "%-8s %-28s %s\n", iol__map_text(on.rows->items[i], "state"),
                        iol__map_text(on.rows->items[i], "source"), iol__map_text(on.rows->items[i], "message"));
    return close_output(&to, status);
}

int cmd_site_check(const iol__args *args) { return with_site(args, site_check); }
