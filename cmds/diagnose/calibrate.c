/* iolite calibrate: a config with values that a site's own logs suggest. It is written, never applied: a person looks
   at it first, and every line says what it rests on. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/in_order.h"
#include "cmds/operands.h"
#include "cmds/site/site_options.h"
#include "insight/calibrate/calibrate.h"
#include "text/json.h"
#include "report/progress.h"
#include "text/text.h"
#include "site/index/names.h"
#include "site/query/query.h"

enum { LEAST_LOGS = 20 };

typedef struct calibrating {
    const iol__args *args;
    log_list logs;
    iol__rulebook *book;
    iol__calibration *calibration;
    iol__progress progress;
    int status;
} calibrating;

/* Logs ---------------------------------------------------------------------------------------------------------- */

typedef struct looked_at {
    iol_log *log;
    iol__observation *observation;
    iol_error error;
} looked_at;

static void *calibrate_look_at(size_t index, void *data) {
    const calibrating *c = data;
    looked_at *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    if (open_listed(&c->logs, index, &l->log, &l->error) != IOL_OK)
        l->log = NULL;
    else
        l->error.status = iol__observe(l->log, c->book, &l->observation, &l->error);
    return l;
}

/* A log that cannot be read is reported and left out. */
static int take_calibrate_one(calibrating *c, const looked_at *l) {
    if (!l->log) return report_open_error(&l->error);
    if (!l->observation || !iol__calibration_add(c->calibration, l->observation)) {
        tell_stderr("%s", l->observation ? "out of memory" : l->error.message);
        return EXIT_TROUBLE;
    }
    return report_log_errors(l->log);
}

static void calibrate_take(size_t index, void *result, void *data) {
    calibrating *c = data;
    looked_at *l = result;
    int status = EXIT_TROUBLE;
    iol__progress_end(&c->progress);
    if (l)
        status = take_calibrate_one(c, l);
    else
        fputs("iolite: out of memory\n", stderr);
    if (status > c->status) c->status = status;
    iol__progress_part(&c->progress, index + 1, c->logs.count);
    if (c->progress.wanted) iol__progress_draw(&c->progress, 0);
    if (!l) return;
    iol__observation_free(l->observation);
    if (l->log) iol_log_close(l->log);
    free(l);
}

/* All logs that an index knows and that are still there, each once. */
typedef struct calibrate_listing {
    log_list *logs;
    int64_t last;
} calibrate_listing;

static bool take_calibrate_place(void *context, const iol__place_of_log_row *place) {
    calibrate_listing *l = context;
    if (place->log_id == l->last) return true;
    const char *dir = place->dir;
    const bool bundled = dir && *dir && dir[strlen(dir) - 1] == '#';
    char *path = iol__path_of_place(dir, place->name);
    if (path && (bundled || access(path, R_OK) == 0)) {
        add_log(l->logs, path);
        l->last = place->log_id;
    }
    free(path);
    return true;
}

static int by_path(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void list_calibrate_indexed(calibrating *c) {
    iol__store *store;
    calibrate_listing l = {.logs = &c->logs};
    int outcome = open_store(argument_value(c->args, OPT_INDEXED), IOL_STORE_READ, &store);
    if (outcome == EXIT_DONE) {
        iol__sql sql;
        iol__select_place_of_log(&sql);
        iol__sql_add(&sql, " FROM place WHERE state = 'ok' ORDER BY log_id, dir, name");
        if (iol__ask_place_of_log(&sql, store, take_calibrate_place, &l) != IOL_OK) outcome = store_trouble(store);
        iol__store_close(store);
        /* Numbers of logs differ from store to store. */
        if (c->logs.count) qsort(c->logs.paths, c->logs.count, sizeof *c->logs.paths, by_path);
    }
    if (outcome > c->logs.status) c->logs.status = outcome;
}

/* The config ---------------------------------------------------------------------------------------------------- */

/* Three digits are more than such figures are worth. */
static double calibrate_rounded(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.2e", value);
    return strtod(text, NULL);
}

static void reason(iol__out *out, const iol__proposal *p) {
    static const char *const texts[] = {
        [IOL_BASIS_OST] = "bytes per second of one OST: 95th percentile of large requests",
        [IOL_BASIS_NODE] = "bytes per second of one node: 95th percentile of large requests",
        [IOL_BASIS_LATENCY] = "seconds of a small request: 10th percentile",
        [IOL_BASIS_MOST] = "90% of healthy jobs are not above",
        [IOL_BASIS_LEAST] = "90% of healthy jobs are not below",
    };
    iol__out_text(out, texts[p->basis]);
}

/* "# why; from n logs (now x)", and the line, which is a comment itself if it should not be used. */
static void setting(iol__out *out, const iol__proposal *p, size_t least) {
    const char *indent = p->mount ? "  " : "";
    iol__out_printf(out, "%s# ", indent);
    reason(out, p);
    iol__out_printf(out, "; from %zu log%s, now ", p->logs, p->logs == 1 ? "" : "s");
    iol__out_double(out, p->now);
    bool limit = p->basis == IOL_BASIS_MOST || p->basis == IOL_BASIS_LEAST;
    if (limit && p->usable && calibrate_rounded(p->value) != p->now)
        iol__out_text(out, (p->value < p->now) == (p->basis == IOL_BASIS_MOST) ? " (stricter)" : " (more lenient)");
    iol__out_char(out, '\n');
    if (p->logs < least)
        iol__out_printf(out, "%s# too few: %zu at least\n", indent, least);
    else if (!p->usable)
        iol__out_printf(out, "%s# nothing to go by: it would be 0\n", indent);
    if (isnan(p->value)) return;
    iol__out_printf(out, "%s%sset %s = ", indent, p->usable ? "" : "# ", p->path);
    iol__out_double(out, calibrate_rounded(p->value));
    iol__out_char(out, '\n');
}

static void mount_line(iol__out *out, const char *mount) {
    iol__out_text(out, "\nmount \"");
    for (const char *c = mount; *c; c++) {
        if (*c == '"' || *c == '\\') iol__out_char(out, '\\');
        iol__out_char(out, (unsigned char)*c < 32 ? '?' : *c); /* a pattern: it matches what was there */
    }
    iol__out_text(out, "\"\n");
}

static void calibrate_head(iol__out *out, const iol__calibration *c) {
    iol__out_printf(
        out,
        "# Proposed by iolite calibrate from %zu log%s, %zu of them healthy (I/O below 5%% of the run time).\n"
        "# Nothing was changed. Look at it, delete what you do not believe, then save it as\n"
        "# /etc/iolite/insight.rules or ~/.config/iolite/insight.rules, or try it with diagnose --config.\n",
        iol__calibration_logs(c), iol__calibration_logs(c) == 1 ? "" : "s", iol__calibration_healthy(c));
}

static void config(iol__out *out, const iol__calibration *c, const iol__proposal *list, size_t count) {
    const char *mount = NULL;
    calibrate_head(out, c);
    for (size_t i = 0; i < count; i++) {
        if (list[i].mount != mount) {
            if (mount) iol__out_text(out, "end\n");
            mount = list[i].mount;
            mount_line(out, mount);
        } else if (!mount) {
            iol__out_char(out, '\n');
        }
        setting(out, &list[i], iol__calibration_least(c));
    }
    if (mount) iol__out_text(out, "end\n");
}

static void config_json(iol__json *json, const iol__calibration *c, const iol__proposal *list, size_t count) {
    static const char *const bases[] = {"ost_rate_p95", "node_rate_p95", "small_request_p10", "healthy_p90",
                                        "healthy_p10"};
    iol__json_open(json, '{');
    iol__json_put_u64(json, "logs", iol__calibration_logs(c));
    iol__json_put_u64(json, "healthy", iol__calibration_healthy(c));
    iol__json_put_u64(json, "least", iol__calibration_least(c));
    iol__json_put_open(json, "proposals", '[');
    for (size_t i = 0; i < count; i++) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "path", list[i].path);
        iol__json_put_text(json, "mount", list[i].mount);
        iol__json_put_text(json, "basis", bases[list[i].basis]);
        iol__json_put_real(json, "value", list[i].value);
        iol__json_put_real(json, "now", list[i].now);
        iol__json_put_u64(json, "logs", list[i].logs);
        iol__json_put_bool(json, "usable", list[i].usable);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    iol__json_close(json, '}');
    iol__json_finish(json);
}

static int write_config(calibrating *c) {
    const char *path = argument_value(c->args, OPT_CALIBRATE_OUTPUT);
    size_t count;
    iol__proposal *list = iol__calibration_propose(c->calibration, &count);
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;
    if (!list || fd < 0) {
        tell_stderr("%s: %s", path ? path : "calibrate", strerror(list ? errno : ENOMEM));
        free(list);
        return EXIT_TROUBLE;
    }
    iol__out out;
    iol__json json;
    iol__out_open(&out, fd);
    iol__json_start(&json, &out, 2);
    if (c->args->given[OPT_JSON])
        config_json(&json, c->calibration, list, count);
    else
        config(&out, c->calibration, list, count);
    free(list);
    int status = finish_output(&out, c->status);
    if (path && close(fd) != 0) status = EXIT_TROUBLE;
    return status;
}

/* The command ---------------------------------------------------------------------------------------------------- */

static int read_calibrate_count(const iol__args *args, int option, size_t *value) {
    const char *text = argument_value(args, option);
    if (!text) return EXIT_DONE;
    char *end;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    if (errno || *end || *text < '0' || *text > '9' || !number) return usage_error(args, "'%s' is not a number", text);
    *value = number;
    return EXIT_DONE;
}

static int calibrate(calibrating *c, size_t least, size_t threads) {
    iol_error error;
    iol_status status = iol__rulebook_new(&c->book, &error);
    if (status == IOL_OK) status = iol__rulebook_load_usual(c->book, &error); /* what is in force now is shown */
    if (status == IOL_OK && !(c->calibration = iol__calibration_new(c->book, least))) {
        status = IOL_SYSTEM;
        snprintf(error.message, sizeof error.message, "out of memory");
    }
    if (status != IOL_OK) {
        tell_stderr("%s", error.message);
        return EXIT_TROUBLE;
    }
    list_logs(c->args, &c->logs);
    if (argument_value(c->args, OPT_INDEXED)) list_calibrate_indexed(c);
    c->status = c->logs.status;
    iol__progress_start(&c->progress, false);
    const in_order plan = {
        .count = c->logs.count, .threads = threads, .work = calibrate_look_at, .take = calibrate_take, .data = c};
    work_in_order(&plan);
    iol__progress_end(&c->progress);
    if (!iol__calibration_logs(c->calibration)) {
        error = (iol_error){.status = IOL_NOT_A_LOG,
                            .slot = -1,
                            .offset = IOL_NO_OFFSET,
                            .message = "no log could be read: there is nothing to propose"};
        if (c->args->given[OPT_JSON]) print_unreadable(NULL, &error);
        tell_stderr("%s", error.message);
        return c->status;
    }
    return write_config(c);
}

int cmd_calibrate(const iol__args *args) {
    calibrating c = {.args = args};
    size_t least = LEAST_LOGS, threads = usable_processors();
    if (!args->n_operands && !argument_value(args, OPT_INDEXED))
        return usage_error(args, "logs are needed, or a directory of logs");
    int status = read_calibrate_count(args, OPT_LEAST, &least);
    if (status == EXIT_DONE) status = read_calibrate_count(args, OPT_THREADS, &threads);
    if (status == EXIT_DONE) status = calibrate(&c, least, threads);
    iol__calibration_free(c.calibration);
    iol__rulebook_free(c.book);
    free_logs(&c.logs);
    return status;
}
