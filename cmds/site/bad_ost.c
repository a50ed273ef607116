/* iolite bad-ost: OSTs whose files are slower than others, from logs alone. */
#include <math.h>
#include <stdio.h>

#include "cmds/site/site_data.h"
#include "site/analyze/bad_ost.h"
#include "site/analyze/health.h"

typedef struct limits {
    double p, coefficient, alarm;
} limits;

static const char *bad_ost_name_of(site_run *run, const iol__suspect *suspect) {
    const char *fs = argument_value(run->args, OPT_SITE_FS), *backend = iol__places_backend(&run->site, fs);
    if (suspect->server) return suspect->server;
    if (backend) fs = backend;
    if (fs) return iol__arena_print(&run->arena, "%s-OST%04llx", fs, (unsigned long long)suspect->ost);
    return iol__arena_print(&run->arena, "OST#%lld", (long long)suspect->ost);
}

static bool bad_ost_shown(const limits *keep, const iol__suspect *suspect, bool adjusted) {
    return (adjusted ? suspect->adjusted : suspect->is.p) < keep->p && fabs(suspect->is.r) > keep->coefficient;
}

static void print_bad_ost_text(site_run *run, iol__out *out, const iol__suspects *found, const limits *keep) {
    bool adjusted = run->args->given[OPT_FDR];
    bool servers = run->args->given[OPT_OST_MAP];
    const char *what = servers ? "server" : "OST";
    iol__out_printf(out, "%-10s %12s %10s\n", servers ? "Server" : "OST Name", "Correlation", "P-Value");
    for (size_t i = 0; i < found->count; i++) {
        const iol__suspect *is = &found->list[i];
        if (!bad_ost_shown(keep, is, adjusted)) continue;
        iol__out_printf(out, "%-10s %12.3f %10.4g", bad_ost_name_of(run, is), is->is.r,
                        adjusted ? is->adjusted : is->is.p);
        if (fabs(is->is.r) > keep->alarm)
            iol__out_printf(out, " <-- this %s %s", what,
                            is->is.r < 0 ? "looks unhealthy" : "is running unusually quickly");
        iol__out_char(out, '\n');
    }
}

static iol__value *suspects_tree(site_run *run, const iol__suspects *found, const limits *keep) {
    iol__arena *arena = &run->arena;
    iol__value *list = iol__value_new(arena, IOL__LIST);
    bool adjusted = run->args->given[OPT_FDR];
    for (size_t i = 0; i < found->count; i++) {
        const iol__suspect *is = &found->list[i];
        if (!bad_ost_shown(keep, is, adjusted)) continue;
        iol__value *row = iol__value_new(arena, IOL__MAP);
        iol__map_put_text(arena, row, "ost_name", bad_ost_name_of(run, is));
        iol__map_put_real(arena, row, "coefficient", is->is.r);
        iol__map_put_real(arena, row, "p-value", is->is.p);
        if (adjusted) iol__map_put_real(arena, row, "adjusted_p-value", is->adjusted);
        iol__list_add(arena, list, row);
    }
    return list;
}

static iol__value *files_tree(site_run *run, const iol__striped *files) {
    iol__arena *arena = &run->arena;
    iol__value *list = iol__value_new(arena, IOL__LIST);
    for (size_t i = 0; i < files->count; i++) {
        const iol__striped_file *file = &files->files[i];
        if (!(file->slowest > 0)) continue;
        iol__value *row = iol__value_new(arena, IOL__MAP), *osts = iol__map_open(arena, row, "osts", IOL__LIST);
        iol__map_put_text(arena, row, "file", file->name);
        iol__map_put_real(arena, row, "bytes_per_sec", file->bytes / file->slowest);
        for (size_t k = 0; k < file->n_osts; k++) iol__list_add(arena, osts, iol__of_integer(arena, file->osts[k]));
        iol__list_add(arena, list, row);
    }
    return list;
}

/* Addresses of servers from an OST map, for one file system, when the first log began. */
static const iol__value *servers_option(site_run *run, const iol__striped *files) {
    const char *path = argument_value(run->args, OPT_OST_MAP), *fs = argument_value(run->args, OPT_SITE_FS);
    if (!path) return NULL;
    int64_t when = files->count ? files->files[0].when : INT64_MAX;
    const iol__value *map = read_source(run, "lctl", path);
    if (!map) run->status = EXIT_INPUT;
    if (!map) return NULL;
    iol__sample sample = iol__sample_at(&run->arena, map, listed_as(run, map, fs), when);
    return iol__servers_of(&run->arena, sample.block);
}

static int print_outcome(site_run *run, const iol__value *tree, int status) {
    int printed = print_tree(run, tree, NULL);
    return printed == EXIT_DONE ? status : printed;
}

static int bad_ost(site_run *run) {
    const iol__args *args = run->args;
    limits keep = {.p = 0.05, .coefficient = 0, .alarm = 0.5};
    iol__striped files = {0};
    char why[400];
    if (args->n_operands == 0) return usage_error(args, "a log is needed");
    if (!number_option(run, OPT_P_VALUE, &keep.p) || !number_option(run, OPT_COEFFICIENT, &keep.coefficient) ||
        !number_option(run, OPT_ALARM, &keep.alarm))
        return run->status;
    if (args->given[OPT_OST_MAP] && !args->given[OPT_SITE_FS])
        return usage_error(args, "the file system of the map is missing: give --fs");
    int status = EXIT_DONE;
    for (size_t i = 0; i < args->n_operands; i++)
        if (iol__striped_read(&run->arena, args->operands[i], &files, why) != IOL_OK) status = site_failed(why);
    if (files.damaged) status = EXIT_INPUT;
    if (args->given[OPT_BY_FILE]) return print_outcome(run, files_tree(run, &files), status);
    const iol__value *servers = servers_option(run, &files);
    if (run->status != EXIT_DONE) return run->status;
    iol__suspects found = iol__find_suspects(&run->arena, &files, servers);
    for (size_t i = 0; i < found.count; i++)
        if (bad_ost_shown(&keep, &found.list[i], args->given[OPT_FDR]) && found.list[i].is.r < -keep.alarm &&
            status == EXIT_DONE)
            status = EXIT_FOUND;
    if (args->given[OPT_JSON] || args->given[OPT_CSV])
        return print_outcome(run, suspects_tree(run, &found, &keep), status);
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    print_bad_ost_text(run, &to.out, &found, &keep);
    return close_output(&to, status);
}

int cmd_bad_ost(const iol__args *args) { return with_site(args, bad_ost); }
