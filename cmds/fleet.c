/* iolite fleet: the table of findings over all logs, the three metrics, and coverage. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/site_options.h"
#include "insight/metrics.h"
#include "text/json.h"
#include "text/text.h"
#include "site/fleet.h"

typedef struct showing {
    const iol__args *args;
    const iol__fleet *fleet;
    bool native, compat;
} showing;

/* Interfaces ---------------------------------------------------------------------------------------------------- */

static const char *const interfaces[3] = {"POSIX", "MPI-IO", "STDIO"};

/* Of a rule or code by its id; -1: of none. "mpiio.absent" is about logs without the interface. */
static int interface_of(const char *id) {
    if (strcmp(id, "mpiio.absent") == 0) return -1;
    if (strncmp(id, "posix.", 6) == 0) return 0;
    if (strncmp(id, "mpiio.", 6) == 0) return 1;
    return strncmp(id, "stdio.", 6) == 0 ? 2 : -1;
}

static double share(int64_t part, int64_t all) { return all > 0 ? (double)part / (double)all : NAN; }

/* Text ---------------------------------------------------------------------------------------------------------- */

static void heading(iol__out *out, const char *text) { iol__out_printf(out, "\n%s\n", text); }

static const char *percent(char buffer[16], double value) {
    if (isnan(value)) return "-";
    snprintf(buffer, 16, "%.2f%%", 100 * value);
    return buffer;
}

/* Within 80 columns; codes of the compatible mode have longer names and no costs. */
static void finding_line(iol__out *out, const iol__fleet *f, const char *level, int interface, const char *id,
                         int width, int64_t logs, const char *lost) {
    char a[32], b[16], c[16];
    iol__out_printf(out, "  %-5s %-6s %-*.*s %9s %7s %8s %s\n", level, interface < 0 ? "-" : interfaces[interface],
                    width, width, id, with_commas(a, (uint64_t)logs), percent(b, share(logs, f->logs)),
                    interface < 0 ? "-" : percent(c, share(logs, f->interface[interface])), lost);
}

static void finding_head(iol__out *out, const char *title, const char *what, int width, const char *last) {
    heading(out, title);
    iol__out_printf(out, "  %-5s %-6s %-*s %9s %7s %8s %s\n", "level", "layer", width, what, "logs", "of all",
                    "of layer", last);
}

static void text_findings(iol__out *out, const showing *s) {
    const iol__fleet *f = s->fleet;
    char buffer[IOL_HUMAN];
    if (s->native) finding_head(out, "Findings", "rule", 27, "node time");
    for (size_t i = 0; s->native && i < f->n_findings; i++) {
        const iol__fleet_finding *one = &f->findings[i];
        const char *lost = one->node_time ? iol__human_seconds(buffer, (double)one->node_time / 1e6) : "";
        finding_line(out, f, one->level, interface_of(one->rule), one->rule, 27, one->logs, lost);
    }
    if (s->compat) finding_head(out, "Codes of the compatible mode", "code", 33, "");
    for (int code = 0; s->compat && code < IOL_COMPAT_CODES; code++) {
        const iol__compat_rule *rule = &iol__compat_rules[code];
        char id[64];
        snprintf(id, sizeof id, "%s %s", rule->code, rule->id);
        if (f->compat[code])
            finding_line(out, f, iol__level_name(rule->level), interface_of(rule->id), id, 33, f->compat[code], "");
    }
}

static const char *const metric_names[IOL_METRICS] = {"redundant reads", "metadata", "small writes to shared files"};

/* What an analyst would write about the worst job of a metric. */
static void paragraph(iol__out *out, int metric, const iol__fleet_job *j) {
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN], line[600];
    const char *program = j->exename ? j->exename : "its program";
    int n = snprintf(line, sizeof line, "Job %.40s of %.40s ran %.60s on %lld processes", j->jobid, j->owner, program,
                     (long long)j->nprocs);
    size_t at = n > 0 && (size_t)n < sizeof line ? (size_t)n : 0;
    if (metric == 0) {
        double once = (double)j->bytes_read - (double)j->redundant;
        snprintf(line + at, sizeof line - at,
                 " and read %s, of which %s had been read before: every byte %.0f times on average. "
                 "Reading once and sharing the data among the ranks, or keeping it in memory, would spare the file "
                 "system the rest.",
                 iol__human_bytes(a, (double)j->bytes_read), iol__human_bytes(b, (double)j->redundant),
                 once > 0 ? (double)j->bytes_read / once : NAN);
    } else if (metric == 1) {
        snprintf(line + at, sizeof line - at,
                 " and spent %s of its I/O time in metadata calls, %s per process, to move %s. Fewer and "
                 "larger files, and files that stay open, would help; closing may include the writing of cached data.",
                 iol__human_share(c, j->meta_ratio),
                 iol__human_seconds(a, (double)j->meta_time / 1e6 / (double)(j->nprocs ? j->nprocs : 1)),
                 iol__human_bytes(b, (double)j->bytes_read + (double)j->bytes_written));
    } else {
        snprintf(line + at, sizeof line - at,
                 " and made %s writes of at most 1 MiB to files that its ranks share, none of them collective; "
                 "%s were written. Collective writes would merge them.",
                 iol__human_count(a, (double)j->small_writes), iol__human_bytes(b, (double)j->bytes_written));
    }
    iol__out_text(out, "    ");
    iol__out_wrapped(out, 78, 4, 4, line);
    iol__out_char(out, '\n');
}

static void text_metrics(iol__out *out, const iol__fleet *f) {
    const iol__metric_limits *l = &iol__metric_limits_usual;
    char a[32], b[32];
    heading(out, "Jobs that deserve a look");
    iol__out_printf(out, "  1  %s: more than %s read again\n", metric_names[0],
                    iol__human_bytes(a, l->redundant_bytes));
    iol__out_printf(out,
                    "  2  %s: at least %.0f%% of the I/O time and %.0f processes,\n     more than %.0f s per process\n",
                    metric_names[1], 100 * l->meta_ratio, l->meta_processes, l->meta_seconds);
    iol__out_printf(out, "  3  %s: more than %s, no collective write\n", metric_names[2],
                    with_commas(a, (uint64_t)l->small_writes));
    iol__out_printf(out, "  %-3s %10s %8s %12s %12s %12s\n", "", "jobs", "users", "and by 1", "and by 2", "and by 3");
    for (int m = 0; m < IOL_METRICS; m++)
        iol__out_printf(out, "  %-3d %10s %8s %12lld %12lld %12lld\n", m + 1,
                        with_commas(a, (uint64_t)f->metrics[m].jobs), with_commas(b, (uint64_t)f->metrics[m].users),
                        (long long)f->overlap[m][0], (long long)f->overlap[m][1], (long long)f->overlap[m][2]);
    for (int m = 0; m < IOL_METRICS; m++) {
        if (!f->metrics[m].top) continue;
        iol__out_printf(out, "  The worst by %s:\n", metric_names[m]);
        paragraph(out, m, f->metrics[m].top);
    }
}

static void coverage_line(iol__out *out, const char *what, const iol__coverage *c) {
    char a[16], b[16], d[16];
    iol__out_printf(out, "  %-10s %10lld %9s %8lld %9s %14.0f %9s\n", what, (long long)c->jobs,
                    percent(a, share(c->logged, c->jobs)), (long long)c->users,
                    percent(b, share(c->users_logged, c->users)), (double)c->core_time / 3.6e9,
                    percent(d, share(c->core_time_logged, c->core_time)));
}

static void text_coverage(iol__out *out, const showing *s) {
    const iol__fleet *f = s->fleet;
    heading(out, "Coverage: jobs of the batch system, active users and core hours with a log");
    if (!f->all.jobs) {
        iol__out_text(out, "  The index has no list of the batch system's jobs (iolite index --accounting).\n");
        return;
    }
    iol__out_printf(out, "  %-10s %10s %9s %8s %9s %14s %9s\n", "", "jobs", "logged", "users", "logged", "core hours",
                    "logged");
    coverage_line(out, "all", &f->all);
    for (size_t i = 0; s->args->given[OPT_FLEET_DAYS] && i < f->n_days; i++) {
        char day[32];
        snprintf(day, sizeof day, "%lld-%02lld-%02lld", (long long)f->days[i].day / 10000,
                 (long long)f->days[i].day / 100 % 100, (long long)f->days[i].day % 100);
        coverage_line(out, day, &f->days[i]);
    }
    char a[16];
    iol__out_text(out, "  by the way in:\n");
    for (size_t i = 0; i < f->n_entries; i++)
        iol__out_printf(out, "    %-30s %10lld jobs, %s logged\n", f->entries[i].name, (long long)f->entries[i].jobs,
                        percent(a, share(f->entries[i].logged, f->entries[i].jobs)));
    if (f->n_causes) iol__out_text(out, "  no log, because:\n");
    for (size_t i = 0; i < f->n_causes; i++)
        iol__out_printf(out, "    %-30s %10lld jobs\n", f->causes[i].name, (long long)f->causes[i].jobs);
}

static void text_months(iol__out *out, const iol__fleet *f) {
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN], d[32];
    heading(out, "By month and machine");
    iol__out_printf(out, "  %-7s %-12s %11s %10s %10s %14s\n", "", "", "logs", "read", "written", "node time lost");
    for (size_t i = 0; i < f->n_months; i++) {
        const iol__fleet_month *m = &f->months[i];
        iol__out_printf(out, "  %lld-%02lld %-12.12s %11s %10s %10s %14s\n", (long long)m->month / 100,
                        (long long)m->month % 100, m->cluster, with_commas(d, (uint64_t)m->logs),
                        iol__human_bytes(a, (double)m->bytes_read), iol__human_bytes(b, (double)m->bytes_written),
                        iol__human_seconds(c, (double)m->node_time / 1e6));
    }
}

static void fleet_text(iol__out *out, const showing *s) {
    const iol__fleet *f = s->fleet;
    char a[32], b[32], c[32];
    iol__out_printf(out, "%s logs of %s jobs and %s users", with_commas(a, (uint64_t)f->logs),
                    with_commas(b, (uint64_t)f->jobs), with_commas(c, (uint64_t)f->users));
    if (f->jobs)
        iol__out_printf(out, "\nlogs per job: mean %.1f, median %g, most %lld", f->mean_logs, f->median_logs,
                        (long long)f->most_logs);
    iol__out_printf(out, "\n%s with POSIX, ", with_commas(a, (uint64_t)f->interface[0]));
    iol__out_printf(out, "%s with MPI-IO, %s with STDIO\n", with_commas(a, (uint64_t)f->interface[1]),
                    with_commas(b, (uint64_t)f->interface[2]));
    if (!isnan(f->took[0])) {
        char t[4][IOL_HUMAN];
        for (int i = 0; i < 4; i++) iol__human_seconds(t[i], f->took[i]);
        iol__out_printf(out, "time per log: least %s, mean %s, third quartile %s, most %s\n", t[0], t[1], t[2], t[3]);
    }
    text_findings(out, s);
    text_metrics(out, f);
    text_coverage(out, s);
    text_months(out, f);
}

/* JSON ---------------------------------------------------------------------------------------------------------- */

static void finding_json(iol__json *json, const iol__fleet *f, const char *key, const char *id, const char *level,
                         int64_t logs) {
    int interface = interface_of(id);
    iol__json_put_text(json, key, id);
    iol__json_put_text(json, "level", level);
    iol__json_put_text(json, "interface", interface < 0 ? NULL : interfaces[interface]);
    iol__json_put_i64(json, "logs", logs);
    iol__json_put_real(json, "share", share(logs, f->logs));
    iol__json_put_real(json, "share_of_interface", interface < 0 ? NAN : share(logs, f->interface[interface]));
}

static void json_findings(iol__json *json, const showing *s) {
    const iol__fleet *f = s->fleet;
    if (s->native) {
        iol__json_put_open(json, "findings", '[');
        for (size_t i = 0; i < f->n_findings; i++) {
            iol__json_open(json, '{');
            finding_json(json, f, "rule", f->findings[i].rule, f->findings[i].level, f->findings[i].logs);
            iol__json_put_i64(json, "lost_us", f->findings[i].lost);
            iol__json_put_i64(json, "node_us", f->findings[i].node_time);
            iol__json_close(json, '}');
        }
        iol__json_close(json, ']');
    }
    if (!s->compat) return;
    iol__json_put_open(json, "compat", '[');
    for (int code = 0; code < IOL_COMPAT_CODES; code++) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "code", iol__compat_rules[code].code);
        finding_json(json, f, "rule", iol__compat_rules[code].id, iol__level_name(iol__compat_rules[code].level),
                     f->compat[code]);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void job_json(iol__json *json, const iol__fleet_job *j) {
    iol__json_put_open(json, "top", '{');
    iol__json_put_text(json, "cluster", j->cluster);
    iol__json_put_text(json, "job_id", j->jobid);
    iol__json_put_text(json, "user", j->owner);
    iol__json_put_text(json, "program", j->exename);
    iol__json_put_i64(json, "start_us", j->start);
    iol__json_put_i64(json, "nprocs", j->nprocs);
    iol__json_put_i64(json, "bytes_read", j->bytes_read);
    iol__json_put_i64(json, "bytes_written", j->bytes_written);
    iol__json_put_i64(json, "redundant_read_bytes", j->redundant);
    iol__json_put_real(json, "meta_ratio", j->meta_ratio);
    iol__json_put_i64(json, "small_shared_indep_writes", j->small_writes);
    iol__json_close(json, '}');
}

static void json_metrics(iol__json *json, const iol__fleet *f) {
    iol__json_put_open(json, "metrics", '[');
    for (int m = 0; m < IOL_METRICS; m++) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "metric", metric_names[m]);
        iol__json_put_i64(json, "jobs", f->metrics[m].jobs);
        iol__json_put_i64(json, "users", f->metrics[m].users);
        iol__json_put_open(json, "overlap", '[');
        for (int n = 0; n < IOL_METRICS; n++) iol__json_i64(json, f->overlap[m][n]);
        iol__json_close(json, ']');
        if (f->metrics[m].top) job_json(json, f->metrics[m].top);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void coverage_json(iol__json *json, const iol__coverage *c) {
    if (c->day) iol__json_put_i64(json, "day", c->day);
    iol__json_put_i64(json, "jobs", c->jobs);
    iol__json_put_i64(json, "jobs_logged", c->logged);
    iol__json_put_i64(json, "users", c->users);
    iol__json_put_i64(json, "users_logged", c->users_logged);
    iol__json_put_i64(json, "core_us", c->core_time);
    iol__json_put_i64(json, "core_us_logged", c->core_time_logged);
}

static void counts_json(iol__json *json, const char *key, const iol__fleet_count *list, size_t n, bool logged) {
    iol__json_put_open(json, key, '[');
    for (size_t i = 0; i < n; i++) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "name", list[i].name);
        iol__json_put_i64(json, "jobs", list[i].jobs);
        if (logged) iol__json_put_i64(json, "jobs_logged", list[i].logged);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void json_coverage(iol__json *json, const iol__fleet *f) {
    iol__json_put_open(json, "coverage", '{');
    coverage_json(json, &f->all);
    counts_json(json, "entries", f->entries, f->n_entries, true);
    counts_json(json, "no_log", f->causes, f->n_causes, false);
    iol__json_put_open(json, "days", '[');
    for (size_t i = 0; i < f->n_days; i++) {
        iol__json_open(json, '{');
        coverage_json(json, &f->days[i]);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    iol__json_close(json, '}');
}

static void json_months(iol__json *json, const iol__fleet *f) {
    iol__json_put_open(json, "months", '[');
    for (size_t i = 0; i < f->n_months; i++) {
        iol__json_open(json, '{');
        iol__json_put_i64(json, "month", f->months[i].month);
        iol__json_put_text(json, "cluster", f->months[i].cluster);
        iol__json_put_i64(json, "logs", f->months[i].logs);
        iol__json_put_i64(json, "bytes_read", f->months[i].bytes_read);
        iol__json_put_i64(json, "bytes_written", f->months[i].bytes_written);
        iol__json_put_i64(json, "node_us", f->months[i].node_time);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void fleet_json(iol__out *out, const showing *s) {
    static const char *const names[] = {"least", "mean", "third_quartile", "most"};
    const iol__fleet *f = s->fleet;
    iol__json json;
    iol__json_start(&json, out, 2);
    iol__json_open(&json, '{');
    iol__json_put_i64(&json, "logs", f->logs);
    iol__json_put_i64(&json, "jobs", f->jobs);
    iol__json_put_i64(&json, "users", f->users);
    iol__json_put_real(&json, "logs_per_job_mean", f->mean_logs);
    iol__json_put_real(&json, "logs_per_job_median", f->median_logs);
    iol__json_put_i64(&json, "logs_per_job_most", f->most_logs);
    iol__json_put_open(&json, "interfaces", '{');
    for (int i = 0; i < 3; i++) iol__json_put_i64(&json, interfaces[i], f->interface[i]);
    iol__json_close(&json, '}');
    iol__json_put_open(&json, "seconds_per_log", '{');
    for (int i = 0; i < 4; i++) iol__json_put_real(&json, names[i], f->took[i]);
    iol__json_close(&json, '}');
    json_findings(&json, s);
    json_metrics(&json, f);
    json_coverage(&json, f);
    json_months(&json, f);
    iol__json_close(&json, '}');
    iol__json_finish(&json);
}

/* The command --------------------------------------------------------------------------------------------------- */

static int show(const iol__args *args, iol__store *store, const char *mode) {
    int64_t since, until;
    iol__fleet fleet;
    if (!read_day(args, OPT_SINCE, &since) || !read_day(args, OPT_UNTIL, &until))
        return usage_error(args, "dates are YYYY-MM-DD, YYYY-MM or YYYY");
    if (iol__fleet_make(store, since, until, &fleet) != IOL_OK) return store_trouble(store);
    showing s = {.args = args, .fleet = &fleet};
    s.native = !mode || strcmp(mode, "compat") != 0;
    s.compat = !mode || strcmp(mode, "native") != 0;
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    (args->given[OPT_SITE_JSON] ? fleet_json : fleet_text)(&out, &s);
    iol__fleet_free(&fleet);
    return finish_output(&out, EXIT_DONE);
}

int cmd_fleet(const iol__args *args) {
    const char *mode = argument_value(args, OPT_FLEET_MODE);
    if (mode && strcmp(mode, "both") == 0) mode = NULL;
    if (mode && strcmp(mode, "native") != 0 && strcmp(mode, "compat") != 0)
        return usage_error(args, "--mode takes native, compat or both");
    if (args->n_operands) return usage_error(args, "no operand is expected; --store names the index");
    iol__site *site;
    iol__store *store;
    if (!open_site(args, &site)) return EXIT_INPUT;
    int outcome = open_store(store_url(args), IOL_STORE_READ, &store);
    if (outcome == EXIT_DONE) {
        outcome = show(args, store, mode);
        iol__store_close(store);
    }
    iol__site_free(site);
    return outcome;
}
