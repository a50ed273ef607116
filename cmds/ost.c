/* iolite ost: how busy OSTs and their servers were with the files of a log and how long that took; how full OSTs are, and
   which servers hold those of others. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmds/site_data.h"
#include "text/number.h"
#include "text/text.h"
#include "site/analyze/health.h"
#include "site/analyze/occupancy.h"

/* The listing, and the block of it, that an option names. */
static const iol__value *listing_option(site_run *run, int option, const char *connector) {
    const char *path = argument_value(run->args, option);
    const iol__value *listing = path ? read_source(run, connector, path) : NULL;
    if (path && !listing) run->status = EXIT_INPUT;
    return listing;
}

/* The name that listings have: that of the servers where the site file says so. */
static const char *listed_as(site_run *run, const iol__value *listing, const char *fs) {
    const char *backend = iol__places_backend(&run->site, fs);
    return backend && !iol__sample_at(&run->arena, listing, fs, INT64_MAX).block ? backend : fs;
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
    if (moved) {
        iol__out_text(out, "Taken over: ");
        iol__out_wrapped(out, 80, 4, 12, moved);
    }
}

static int health(site_run *run, const char *fs, const iol__value *fullness, const iol__value *map) {
    int64_t when = INT64_MAX;
    if (!time_option(run, OPT_AT, &when)) return run->status;
    iol__value *result = iol__value_new(&run->arena, IOL__MAP);
    const struct {
        const iol__value *listing;
        iol__value *(*summary)(iol__arena *, const iol__sample *, int64_t);
    } kinds[] = {{fullness, iol__fullness_of}, {map, iol__failures_of}};
    for (size_t i = 0; i < 2; i++) {
        if (!kinds[i].listing) continue;
        iol__sample sample = iol__sample_at(&run->arena, kinds[i].listing, listed_as(run, kinds[i].listing, fs), when);
        if (!sample.block)
            return site_failed(iol__arena_print(&run->arena, "there is nothing about %s in the listings", fs));
        const iol__value *summary = kinds[i].summary(&run->arena, &sample, when);
        for (size_t k = 0; k < summary->count; k++)
            iol__map_put(&run->arena, result, summary->keys[k], summary->items[k]);
    }
    if (run->args->given[OPT_JSON]) return print_tree(run, result, NULL);
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    health_text(&to.out, fs, result);
    return close_output(&to, EXIT_DONE);
}

static int busy(site_run *run, const char *fs, const iol__value *map) {
    iol__striped files = {0};
    char why[400];
    int status = EXIT_DONE;
    for (size_t i = 0; i < run->args->n_operands; i++)
        if (iol__striped_read(&run->arena, run->args->operands[i], &files, why) != IOL_OK) status = site_failed(why);
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
    const iol__value *fullness = listing_option(run, OPT_OST_FULLNESS, "lfs-df"),
                     *map = listing_option(run, OPT_OST_MAP, "lctl");
    if (run->status != EXIT_DONE) return run->status;
    if ((fullness || map) && !fs) return usage_error(run->args, "of which file system? --fs, please");
    if (run->args->n_operands) return busy(run, fs, map);
    if (!fullness && !map) return usage_error(run->args, "which log? Or which listing, --ost-fullness or --ost-map?");
    return health(run, fs, fullness, map);
}

int cmd_ost(const iol__args *args) { return with_site(args, ost); }
