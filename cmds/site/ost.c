/* iolite ost: how busy OSTs and their servers were with the files of a log and how long that took; how full OSTs are, and
   which servers hold those of others. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/count.h"
#include "cmds/site/site_data.h"
#include "text/number.h"
#include "text/text.h"
#include "site/analyze/job.h"
#include "site/analyze/occupancy.h"

/* The listing that an option names. */
static const iol__value *listing_option(site_run *run, int option, const char *connector) {
    const char *path = argument_value(run->args, option);
    const iol__value *listing = path ? read_source(run, connector, path) : NULL;
    if (path && !listing) run->status = EXIT_INPUT;
    return listing;
}

static void say_target(iol__out *out, const iol__value *result, const char *which) {
    char share[IOL_HUMAN], key[40];
    snprintf(key, sizeof key, "ost_%s_full_name", which);
    const char *name = iol__map_text(result, key);
    snprintf(key, sizeof key, "ost_%s_full_pct", which);
    iol__out_printf(out, "%-14s %s full (%s)\n", strcmp(which, "most") == 0 ? "fullest OST" : "emptiest OST",
                    iol__human_share(share, iol__map_number(result, key) / 100), name ? name : "?");
}

/* What the keys say. */
static void health_text(iol__out *out, const char *fs, const iol__value *result) {
    double when = iol__map_number(result, "ost_actual_timestamp"), count = iol__map_number(result, "ost_count"),
           servers = iol__map_number(result, "ost_overloaded_oss_count");
    const char *moved = iol__map_text(result, "ost_overloaded_osts");
    char time[32], share[IOL_HUMAN];
    if (!isnan(when)) iol__format_time(iol__whole(when), time);
    iol__out_printf(out, "%s%s%s\n", fs, isnan(when) ? "" : ", ", isnan(when) ? "" : time);
    if (count > 0) {
        iol__out_printf(out, "%-14s %.0f\n%-14s %s\n", "OSTs", count, "mean fullness",
                        iol__human_share(share, iol__map_number(result, "ost_avg_full_pct") / 100));
        say_target(out, result, "most");
        say_target(out, result, "least");
    }
    if (servers == 0) iol__out_text(out, "Every server holds as many OSTs as the others.\n");
    if (servers > 0)
        iol__out_printf(out, "%.0f server%s another number of OSTs than most.\n", servers,
                        servers == 1 ? " holds" : "s hold");
    const struct {
        const char *label, *names;
    } lists[] = {{"Taken over: ", moved},
                 {"Servers with more: ", iol__map_text(result, "ost_overloaded_servers")},
                 {"Servers with fewer: ", iol__map_text(result, "ost_giving_servers")}};
    for (size_t i = 0; i < IOL_COUNT(lists); i++) {
        if (!lists[i].names) continue;
        iol__out_text(out, lists[i].label);
        iol__out_wrapped(out, 80, 4, strlen(lists[i].label), lists[i].names);
    }
}

/* What can be said without logs: `option` names a listing, `only` asks for nothing else. */
typedef struct ost_kind {
    int option, only;
    const char *connector;
    iol__sample (*of_site)(iol__job_sources *from, const char *fs, int64_t when);
    iol__value *(*summary)(iol__arena *arena, const iol__sample *sample, int64_t when);
} ost_kind;

static const ost_kind kinds[] = {{OPT_OST_FULLNESS, OPT_FULLNESS, "lfs-df", iol__job_fullness, iol__fullness_of},
                                 {OPT_OST_MAP, OPT_FAILOVERS, "lctl", iol__job_map, iol__failures_of}};
enum { KINDS = IOL_COUNT(kinds) };

static bool asked_for(const iol__args *args, const ost_kind *is) {
    return args->given[is->option] || args->given[is->only];
}

/* From the listing that was given, else from where the site file says, else from the tool itself, which knows only how
   things are now. */
static iol__sample sample_of(site_run *run, iol__job_sources *from, const ost_kind *is, const char *fs, int64_t when) {
    const iol__value *listing = listing_option(run, is->option, is->connector);
    int64_t now = (int64_t)time(NULL);
    if (listing) return iol__sample_at(&run->arena, listing, listed_as(run, listing, fs), when);
    iol__sample sample = {0};
    if (run->args->given[is->option]) return sample;
    sample = is->of_site(from, fs, when == INT64_MAX ? now : when);
    if (sample.block || when != INT64_MAX) return sample;
    listing = read_source(run, is->connector, iol__live_command(is->connector));
    if (listing) sample = iol__sample_at(&run->arena, listing, listed_as(run, listing, fs), when);
    if (sample.block) sample.when = now;
    return sample;
}

static int health(site_run *run, iol__job_sources *from, const char *fs) {
    const iol__args *args = run->args;
    int64_t when = INT64_MAX;
    if (!time_option(run, OPT_AT, &when)) return run->status;
    iol__value *result = iol__value_new(&run->arena, IOL__MAP);
    bool all = true;
    for (size_t i = 0; i < KINDS; i++) all = all && !asked_for(args, &kinds[i]);
    for (size_t i = 0; i < KINDS; i++) {
        if (!all && !asked_for(args, &kinds[i])) continue;
        iol__sample sample = sample_of(run, from, &kinds[i], fs, when);
        if (run->status != EXIT_DONE) return run->status;
        if (!sample.block && !all)
            return site_failed(iol__arena_print(&run->arena, "there is nothing about %s in the listings", fs));
        const iol__value *summary = kinds[i].summary(&run->arena, &sample, when);
        for (size_t k = 0; k < summary->count; k++)
            iol__map_put(&run->arena, result, summary->keys[k], summary->items[k]);
    }
    if (all && !result->count)
        return site_failed(iol__arena_print(&run->arena,
                                            "it is not known how full the OSTs of %s are: give "
                                            "--site, --ost-fullness or --ost-map",
                                            fs));
    if (args->given[OPT_JSON]) return print_tree(run, result, NULL);
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    health_text(&to.out, fs, result);
    return close_output(&to, EXIT_DONE);
}

/* The listings of the days of the logs, where the site file says they are. */
static const iol__value *map_of_site(iol__job_sources *from, const iol__striped *files, const char *fs) {
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t i = 0; i < files->count; i++) {
        if (files->files[i].when < first) first = files->files[i].when;
        if (files->files[i].when > last) last = files->files[i].when;
    }
    if (!fs || first > last) return NULL;
    return iol__job_listing(from, "lfsstatus_map_files", fs, first - 86400, last + 3600, true, iol__read_lctl);
}

static int busy(site_run *run, iol__job_sources *from, const char *fs) {
    iol__striped files = {0};
    char why[400];
    int status = EXIT_DONE;
    const iol__value *map = listing_option(run, OPT_OST_MAP, "lctl");
    if (run->status != EXIT_DONE) return run->status;
    if (map && !fs) return usage_error(run->args, "the file system of the map is missing: give --fs");
    for (size_t i = 0; i < run->args->n_operands; i++)
        if (iol__striped_read(&run->arena, run->args->operands[i], &files, why) != IOL_OK) status = site_failed(why);
    if (files.damaged) status = EXIT_INPUT;
    if (!fs && files.count) fs = iol__places_fs_of(&run->site, files.files[0].name);
    if (!map) map = map_of_site(from, &files, fs);
    if (map) fs = listed_as(run, map, fs);
    iol__occupancy is = iol__occupancy_of(&run->arena, &files, map, fs);
    if (map && files.count && !is.n_servers)
        site_failed(iol__arena_print(&run->arena, "there is nothing about %s in the OST map", fs));
    if (run->args->given[OPT_JSON]) {
        int printed = print_tree(run, iol__occupancy_tree(&run->arena, &is), NULL);
        return printed == EXIT_DONE ? status : printed;
    }
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    if (ends_in_svg(to.path))
        iol__occupancy_svg(&to.out, &is);
    else
        iol__occupancy_text(&to.out, &is);
    return close_output(&to, status);
}

static int ost(site_run *run) {
    const char *fs = argument_value(run->args, OPT_SITE_FS);
    iol__ranges ranges = {.arena = &run->arena, .site = &run->site};
    iol__job_sources from = {.arena = &run->arena, .scratch = &run->arena, .site = &run->site, .ranges = &ranges};
    if (!run->args->n_operands && !fs) return usage_error(run->args, "a log or a file system (--fs) is needed");
    int status = run->args->n_operands ? busy(run, &from, fs) : health(run, &from, fs);
    iol__ranges_close(&ranges);
    return status;
}

int cmd_ost(const iol__args *args) { return with_site(args, ost); }
