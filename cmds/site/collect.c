/* iolite collect: what a source of the site has, as JSON or CSV, or into a time series file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/write_all.h"
#include "cmds/near.h"
#include "cmds/site/archive.h"
#include "text/text.h"
#include "site/connect/database.h"
#include "site/connect/native.h"

static int list_sources(site_run *run) {
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    iol__json json;
    iol__json_start(&json, &to.out, 1);
    if (run->args->given[OPT_JSON]) iol__json_open(&json, '{');
    const iol__connector *is;
    for (size_t i = 0; (is = i < iol__n_connectors ? &iol__connectors[i] : iol__plugin(i - iol__n_connectors)); i++)
        if (run->args->given[OPT_JSON]) {
            iol__json_put_text(&json, is->name, is->about);
        } else {
            iol__out_printf(&to.out, "%-12s ", is->name);
            iol__out_wrapped(&to.out, 80, 13, 13, is->about);
        }
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

static bool is_sqlite(const char *path) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && (strcmp(dot, ".sqlite") == 0 || strcmp(dot, ".sqlite3") == 0 || strcmp(dot, ".db") == 0);
}

/* A database as an SQLite file with the rows of a time. */
static int save_database(site_run *run, const iol__connector *connector, iol__request *request, const char *path) {
    double limit = 0;
    iol_status status = IOL_INVALID;
    if (!number_option(run, OPT_ROW_LIMIT, &limit)) return run->status;
    if (strcmp(connector->name, "lmt") == 0)
        status = iol__save_lmt(request, path, limit >= 1 && limit < 1e18 ? (size_t)limit : 0);
    else if (strcmp(connector->name, "jobsdb") == 0)
        status = iol__save_jobsdb(request, path);
    else
        return usage_error(run->args, "%s is not a database", connector->name);
    if (status == IOL_INVALID) return usage_error(run->args, "%s", request->why);
    return status == IOL_OK ? EXIT_DONE : site_failed(request->why);
}

static int print_native(site_run *run, const iol__connector *connector, const iol__value *tree) {
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    if (iol__write_native(connector->name, &to.out, &run->arena, tree)) return close_output(&to, EXIT_DONE);
    close_output(&to, EXIT_DONE);
    return usage_error(run->args, "%s has no text of its own: take JSON", connector->name);
}

/* A listing behind those of its day, in DIR/YYYY-MM-DD/NAME.txt: "BEGIN <epoch>", then what the tool prints. What could not
   be written whole is taken back. */
static int append_listing(site_run *run, const iol__connector *connector, const iol__value *tree,
                          const char *directory) {
    const char *name = argument_value(run->args, OPT_SERIES_NAME);
    char day[32];
    iol__format_time((int64_t)time(NULL), day);
    day[10] = 0;
    char *folder = iol__arena_print(&run->arena, "%s/%s", directory, day),
         *path = iol__arena_print(&run->arena, "%s/%s.txt", folder, name ? name : connector->name);
    iol__out text;
    iol__out_open(&text, -1);
    iol__out_printf(&text, "BEGIN %lld\n", (long long)time(NULL));
    bool listing = tree->count && iol__write_native(connector->name, &text, &run->arena, tree);
    int fd = -1;
    if (!listing)
        site_failed(iol__arena_print(&run->arena, "%s gave no listing", connector->name));
    else if ((mkdir(folder, 0777) != 0 && errno != EEXIST) ||
             (fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)) < 0 || flock(fd, LOCK_EX) != 0)
        tell_stderr("%s: %s", path, strerror(errno));
    struct stat before;
    bool good = fd >= 0 && fstat(fd, &before) == 0;
    if (good && !iol__write_all(fd, text.buffer, text.length)) {
        tell_stderr("%s: %s", path, strerror(errno));
        good = false;
        if (ftruncate(fd, before.st_size) != 0) tell_stderr("%s: %s", path, strerror(errno));
    }
    if (fd >= 0) close(fd);
    iol__out_close(&text);
    return good ? EXIT_DONE : listing ? EXIT_TROUBLE : EXIT_INPUT;
}

static int no_such_source(const iol__args *args, const char *typed) {
    near_name near = {.typed = typed};
    const iol__connector *is;
    for (size_t i = 0; (is = i < iol__n_connectors ? &iol__connectors[i] : iol__plugin(i - iol__n_connectors)); i++)
        look_at_name(&near, is->name);
    const char *meant = meant_name(&near);
    if (meant) return usage_error(args, "no source is called '%s'. Did you mean '%s'?", typed, meant);
    return usage_error(args, "no source is called '%s'; `iolite collect` lists them", typed);
}

static int collect_collect(site_run *run) {
    const iol__args *args = run->args;
    if (args->n_operands == 0) return list_sources(run);
    const iol__connector *connector = iol__connector_find(args->operands[0]);
    if (!connector) return no_such_source(args, args->operands[0]);
    iol__request request = request_for(run, (const char *const *)args->operands + 1, args->n_operands - 1);
    const char *output = argument_value(args, OPT_SITE_OUTPUT);
    request.source = connector->name;
    if (request.n_paths == 0) usual_inputs(run, &request);
    const iol__producer *producer = iol__producer_find(connector->name);
    const char *directory = argument_value(args, OPT_ARCHIVE_DIR);
    bool listing = strcmp(connector->name, "lctl") == 0 || strcmp(connector->name, "lfs-df") == 0;
    if (((directory && !listing) || is_series(output)) && !producer)
        return usage_error(args, "%s has no time series", connector->name);
    if (directory && producer) return archive_days(run, producer, &request, directory);
    if (is_series(output)) return archive_file(run, producer, &request, output);
    if (is_sqlite(output)) return save_database(run, connector, &request, output);
    iol__value *tree = NULL;
    iol_status status = connector->read(&request, &tree);
    if (status == IOL_INVALID) return usage_error(args, "%s", request.why);
    if (status != IOL_OK) return site_failed(request.why);
    if (request.skipped && args->given[OPT_SITE_VERBOSE])
        fprintf(stderr, "iolite: %zu lines were of another kind\n", request.skipped);
    if (directory && request.cut)
        return site_failed("half a listing is not kept: servers and OSTs would seem to be gone");
    if (directory && !is_directory(directory)) return EXIT_TROUBLE;
    if (directory) return append_listing(run, connector, tree, directory);
    int printed = args->given[OPT_NATIVE]
                      ? print_native(run, connector, tree)
                      : print_tree(run, iol__cache_form(connector->name, &run->arena, tree), connector->key);
    return printed == EXIT_DONE && *request.partial ? EXIT_INPUT : printed;
}

int cmd_collect(const iol__args *args) { return with_site(args, collect_collect); }
