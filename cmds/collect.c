/* iolite collect: what a source of the site has, as JSON or CSV, or into a time series file. */
#include <stdio.h>
#include <string.h>

#include "cmds/site_data.h"
#include "site/series/archive.h"

static int list_sources(site_run *run) {
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    iol__json json;
    iol__json_start(&json, &to.out, 1);
    if (run->args->given[OPT_JSON]) iol__json_open(&json, '{');
    for (size_t i = 0; i < iol__n_connectors; i++)
        if (run->args->given[OPT_JSON])
            iol__json_put_text(&json, iol__connectors[i].name, iol__connectors[i].about);
        else
            iol__out_printf(&to.out, "%-12s %s\n", iol__connectors[i].name, iol__connectors[i].about);
    if (run->args->given[OPT_JSON]) {
        iol__json_close(&json, '}');
        iol__json_finish(&json);
    }
    return close_output(&to, EXIT_DONE);
}

/* Into a time series file ----------------------------------------------------------------------------------------- */

static bool is_series(const char *path) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && (strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".h5") == 0);
}

static bool archive_options(site_run *run, iol__archiving *to) {
    double step = (double)to->step, nodes = 0, devices = 1;
    if (!number_option(run, OPT_STEP, &step) || !number_option(run, OPT_SITE_NODES, &nodes) ||
        !number_option(run, OPT_DEVICES, &devices))
        return false;
    if (!run->ranged)
        run->status = usage_error(run->args, "from when to when? --start and --end, please");
    else if (!(step >= 1) || step > 86400 || !(nodes >= 0) || nodes > 1e6 || !(devices >= 0) || devices > 1e4)
        run->status = usage_error(run->args, "a step is 1 second or more, up to a day");
    to->step = (int64_t)step;
    to->nodes = (size_t)nodes;
    to->devices = (size_t)devices;
    if (run->status == EXIT_DONE && (run->end - run->start) % to->step != 0)
        run->status = usage_error(run->args, "the range is no whole number of steps");
    return run->status == EXIT_DONE;
}

static const iol__value *read_mapping(site_run *run) {
    const char *path = argument_value(run->args, OPT_MAPPING);
    char why[400], wrong[120];
    iol__feed feed;
    if (!path) return NULL;
    if (iol__feed_open(path, &feed, why) != IOL_OK) {
        run->status = site_failed(why);
        return NULL;
    }
    const iol__value *mapping = iol__value_parse(&run->arena, feed.bytes, feed.length, wrong);
    iol__feed_close(&feed);
    if (!mapping) run->status = site_failed(iol__arena_print(&run->arena, "%s: %s", path, wrong));
    return mapping;
}

static int archive(site_run *run, const iol__producer *producer, iol__request *request, const char *path) {
    iol__archiving to = {.arena = &run->arena,
                         .start = run->start,
                         .end = run->end,
                         .step = producer->step,
                         .source = producer->source,
                         .luns = iol__places_get(&run->site, "mmperfmon_lun_map"),
                         .servers = iol__places_get(&run->site, "mmperfmon_server_map"),
                         .mapping = read_mapping(run)};
    int64_t first = run->start, last = run->end;
    iol__series_part *parts;
    char why[400];
    if (run->status != EXIT_DONE || !archive_options(run, &to) || !time_option(run, OPT_INIT_START, &first) ||
        !time_option(run, OPT_INIT_END, &last))
        return run->status;
    if (first >= last || first > run->start || last < run->end || (last - first) % to.step != 0 ||
        (run->start - first) % to.step != 0)
        return usage_error(run->args, "the file must cover the range in whole steps");
    if ((last - first) / to.step > 1 << 24) return usage_error(run->args, "more than 16 million steps in one file");
    iol_status status = producer->fill(request, &to);
    if (status == IOL_INVALID) return usage_error(run->args, "%s", request->why);
    if (status != IOL_OK) return site_failed(request->why);
    size_t count = iol__archiving_parts(&to, &parts);
    status = iol__series_commit(&run->arena, path, first, last, parts, count, why);
    return status == IOL_OK ? EXIT_DONE : site_failed(why);
}

static int collect(site_run *run) {
    const iol__args *args = run->args;
    if (args->n_operands == 0) return list_sources(run);
    const iol__connector *connector = iol__connector_find(args->operands[0]);
    if (!connector)
        return usage_error(args, "no source is called '%s'; `iolite collect` lists them", args->operands[0]);
    iol__request request = request_for(run, (const char *const *)args->operands + 1, args->n_operands - 1);
    const char *output = argument_value(args, OPT_SITE_OUTPUT);
    const iol__producer *producer = iol__producer_find(connector->name);
    if (is_series(output) && !producer) return usage_error(args, "%s has no time series", connector->name);
    if (is_series(output)) return archive(run, producer, &request, output);
    iol__value *tree = NULL;
    iol_status status = connector->read(&request, &tree);
    if (status == IOL_INVALID) return usage_error(args, "%s", request.why);
    if (status != IOL_OK) return site_failed(request.why);
    if (request.skipped && args->given[OPT_SITE_VERBOSE])
        fprintf(stderr, "iolite: %zu lines were of another kind\n", request.skipped);
    return print_tree(run, tree, connector->key);
}

int cmd_collect(const iol__args *args) { return with_site(args, collect); }
