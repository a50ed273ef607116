/* iolite collect: what a source of the site has, as JSON or CSV, or into a time series file. */
#include <stdio.h>
#include <string.h>

#include "cmds/archive.h"

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

static bool is_series(const char *path) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && (strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".h5") == 0);
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
    const char *directory = argument_value(args, OPT_ARCHIVE_DIR);
    if ((directory || is_series(output)) && !producer)
        return usage_error(args, "%s has no time series", connector->name);
    if (directory) return archive_days(run, producer, &request, directory);
    if (is_series(output)) return archive_file(run, producer, &request, output);
    iol__value *tree = NULL;
    iol_status status = connector->read(&request, &tree);
    if (status == IOL_INVALID) return usage_error(args, "%s", request.why);
    if (status != IOL_OK) return site_failed(request.why);
    if (request.skipped && args->given[OPT_SITE_VERBOSE])
        fprintf(stderr, "iolite: %zu lines were of another kind\n", request.skipped);
    return print_tree(run, tree, connector->key);
}

int cmd_collect(const iol__args *args) { return with_site(args, collect); }
