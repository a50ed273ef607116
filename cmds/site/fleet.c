/* iolite fleet: the table of findings over all logs, the three metrics, and coverage. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/log/sheets.h"
#include "cmds/cmd.h"
#include "cmds/site/fleet_export.h"
#include "cmds/site/site_options.h"
#include "text/json.h"
#include "text/number.h"
#include "text/text.h"
#include "site/query/fleet_json.h"

typedef struct showing {
    const iol__args *args;
    const iol__fleet *fleet;
    bool native, compat;
} showing;

static double share(int64_t part, int64_t all) { return all > 0 ? (double)part / (double)all : NAN; }

/* Text ---------------------------------------------------------------------------------------------------------- */

static void heading(iol__out *out, const char *text) { iol__out_printf(out, "\n%s\n", text); }

/* Within 80 columns; codes of the compatible mode have longer names and no costs. */
static void finding_line(iol__out *out, const iol__fleet *f, const char *level, int interface, const char *id,
                         int width, int64_t logs, const char *lost) {
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN];
    iol__out_printf(out, "  %-5s %-6s %-*.*s %9s %7s %8s %s\n", level,
                    interface < 0 ? "-" : iol__fleet_interfaces[interface], width, width, id,
                    iol__human_number(a, (double)logs), iol__human_share(b, share(logs, f->logs)),
                    interface < 0 ? "-" : iol__human_share(c, share(logs, f->interface[interface])), lost);
}

static void finding_head(iol__out *out, const char *title, const char *what, int width, const char *last) {
    heading(out, title);
    iol__out_printf(out, "  %-5s %-6s %-*s %9s %7s %8s %s\n", "level", "layer", width, what, "logs", "of all",
                    "of layer", last);
}

static void text_native(iol__out *out, const iol__fleet *f) {
    char buffer[IOL_HUMAN];
    finding_head(out, "Findings", "rule", 27, "node time");
    for (size_t i = 0; i < f->n_findings; i++) {
        const iol__fleet_finding *one = &f->findings[i];
        const char *lost = one->node_time ? iol__human_seconds(buffer, (double)one->node_time / 1e6) : "";
        finding_line(out, f, one->level, iol__fleet_interface(one->rule), one->rule, 27, one->logs, lost);
    }
}

/* With the native rule of the same name beside it. */
static void text_compat(iol__out *out, const showing *s) {
    const iol__fleet *f = s->fleet;
    char buffer[IOL_HUMAN];
    finding_head(out, "Codes of the compatible mode", "code", 31, s->native ? "native" : "");
    for (int code = 0; code < IOL_COMPAT_CODES; code++) {
        const iol__compat_rule *rule = &iol__compat_rules[code];
        const int64_t native = s->native ? iol__fleet_native(f, rule->id) : 0;
        char id[64], beside[32];
        snprintf(id, sizeof id, "%s %s", rule->code, rule->id);
        snprintf(beside, sizeof beside, "%6s", native ? iol__human_count(buffer, (double)native) : "");
        if (f->compat[code] || native)
            finding_line(out, f, iol__level_name(rule->level), iol__fleet_interface(rule->id), id, 31, f->compat[code],
                         s->native ? beside : "");
    }
}

static void text_findings(iol__out *out, const showing *s) {
    if (s->native) text_native(out, s->fleet);
    if (s->compat) text_compat(out, s);
}

static const char *figure_text(char buffer[IOL_HUMAN], const iol__fleet_metric *m, int metric) {
    static const char *(*const words[IOL_METRICS])(char *, double) = {iol__human_bytes, iol__human_share,
                                                                      iol__human_count};
    return m->top ? words[metric](buffer, iol__fleet_figure(m->top, metric)) : "-";
}

static void text_limits(iol__out *out, const iol__metric_limits *l) {
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN];
    iol__out_printf(out, "  1  %s: more than %s read again\n", iol__fleet_metrics[0],
                    iol__human_bytes(a, l->redundant_bytes));
    iol__out_printf(out, "  2  %s: at least %s of the I/O time and %s processes,\n     more than %s per process\n",
                    iol__fleet_metrics[1], iol__human_share(a, l->meta_ratio), iol__human_number(b, l->meta_processes),
                    iol__human_seconds(c, l->meta_seconds));
    iol__out_printf(out, "  3  %s: more than %s, no collective write\n", iol__fleet_metrics[2],
                    iol__human_number(a, l->small_writes));
}

static void text_metrics(iol__out *out, const iol__fleet *f) {
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN];
    heading(out, "Jobs that deserve a look");
    text_limits(out, &f->limits);
    iol__out_printf(out, "  %-3s %9s %8s %12s %11s %11s %11s\n", "", "jobs", "users", "largest", "and by 1", "and by 2",
                    "and by 3");
    for (int m = 0; m < IOL_METRICS; m++) {
        iol__out_printf(out, "  %-3d %9s %8s %12s", m + 1, iol__human_number(a, (double)f->metrics[m].jobs),
                        iol__human_number(b, (double)f->metrics[m].users), figure_text(c, &f->metrics[m], m));
        for (int n = 0; n < IOL_METRICS; n++)
            iol__out_printf(out, " %11s", n == m ? "" : iol__human_number(a, (double)f->overlap[m][n]));
        iol__out_char(out, '\n');
    }
    for (int m = 0; m < IOL_METRICS; m++) {
        if (!f->metrics[m].paragraph) continue;
        iol__out_printf(out, "  The worst by %s:\n    ", iol__fleet_metrics[m]);
        iol__out_wrapped(out, 78, 4, 4, f->metrics[m].paragraph);
        iol__out_char(out, '\n');
    }
}

static void coverage_line(iol__out *out, const char *what, const iol__coverage *all) {
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN], d[IOL_HUMAN], e[IOL_HUMAN], g[IOL_HUMAN];
    iol__out_printf(out, "  %-10s %10s %9s %8s %9s %14s %9s\n", what, iol__human_number(e, (double)all->jobs),
                    iol__human_share(a, share(all->logged, all->jobs)), iol__human_number(c, (double)all->users),
                    iol__human_share(b, share(all->users_logged, all->users)),
                    iol__human_number(g, round((double)all->core_time / 3.6e9)),
                    iol__human_share(d, share(all->core_time_logged, all->core_time)));
}

static void text_causes(iol__out *out, const iol__fleet *f) {
    char a[IOL_HUMAN], b[IOL_HUMAN];
    if (f->n_causes) iol__out_printf(out, "  %-44s %10s %14s\n", "no log, because", "jobs", "core hours");
    for (size_t i = 0; i < f->n_causes; i++) {
        iol__out_text(out, "    ");
        iol__out_left(out, f->causes[i].name, 42, IOL_CUT_END);
        iol__out_printf(out, " %10s %14s\n", iol__human_number(a, (double)f->causes[i].jobs),
                        iol__human_number(b, round((double)f->causes[i].core_time / 3.6e9)));
    }
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
    for (size_t i = 0; i < f->n_entries; i++) {
        const iol__fleet_count *e = &f->entries[i];
        coverage_line(out, e->name,
                      &(iol__coverage){.jobs = e->jobs,
                                       .logged = e->logged,
                                       .users = e->users,
                                       .users_logged = e->users_logged,
                                       .core_time = e->core_time,
                                       .core_time_logged = e->core_time_logged});
    }
    text_causes(out, f);
}

static void text_months(iol__out *out, const iol__fleet *f) {
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN], d[IOL_HUMAN], e[IOL_HUMAN];
    heading(out, "By month and machine");
    iol__out_printf(out, "  %-7s %-12s %10s %9s %9s %9s %14s\n", "", "", "logs", "jobs", "read", "written",
                    "node time lost");
    for (size_t i = 0; i < f->n_months; i++) {
        const iol__fleet_month *m = &f->months[i];
        char month[32] = "unknown";
        if (m->month)
            snprintf(month, sizeof month, "%lld-%02lld", (long long)m->month / 100, (long long)m->month % 100);
        iol__out_printf(out, "  %-7s %-12.12s %10s %9s %9s %9s %14s\n", month, m->cluster,
                        iol__human_number(d, (double)m->logs), iol__human_number(e, (double)m->jobs),
                        iol__human_bytes(a, (double)m->bytes_read), iol__human_bytes(b, (double)m->bytes_written),
                        iol__human_seconds(c, (double)m->node_time / 1e6));
    }
}

/* Only where logs with lines were indexed. */
static void text_lines(iol__out *out, const iol__ranking *lines) {
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN];
    if (!lines->count) return;
    heading(out, "Lines of code by node time in I/O calls");
    for (size_t i = 0; i < lines->count; i++) {
        const iol__ranked *one = &lines->list[i];
        iol__out_printf(out, "  %9s %7s %9s logs  ", iol__human_seconds(a, (double)one->value / 1e6),
                        iol__human_share(b, share(one->value, lines->total)), iol__human_number(c, (double)one->logs));
        iol__out_printf(out, "%s, %s", one->key[0] ? one->key[0] : "UNKNOWN", one->key[1] ? one->key[1] : "UNKNOWN");
        iol__out_printf(out, one->key[2] ? " (%.8s)\n" : "\n", one->key[2]);
    }
}

static void fleet_text(iol__out *out, const showing *s) {
    const iol__fleet *f = s->fleet;
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN];
    iol__out_printf(out, "%s logs of %s jobs and %s users", iol__human_number(a, (double)f->logs),
                    iol__human_number(b, (double)f->jobs), iol__human_number(c, (double)f->users));
    if (f->jobs)
        iol__out_printf(out, "\nlogs per job: mean %s, median %s, most %s", iol__human_number(a, f->mean_logs),
                        iol__human_number(b, f->median_logs), iol__human_number(c, (double)f->most_logs));
    iol__out_printf(out, "\n%s with POSIX, ", iol__human_number(a, (double)f->interface[0]));
    iol__out_printf(out, "%s with MPI-IO, %s with STDIO\n", iol__human_number(a, (double)f->interface[1]),
                    iol__human_number(b, (double)f->interface[2]));
    if (!isnan(f->took[0])) {
        char t[4][IOL_HUMAN];
        for (int i = 0; i < 4; i++) iol__human_seconds(t[i], f->took[i]);
        iol__out_printf(out, "time per log: least %s, mean %s, third quartile %s, most %s\n", t[0], t[1], t[2], t[3]);
    }
    text_findings(out, s);
    text_metrics(out, f);
    text_coverage(out, s);
    text_months(out, f);
    text_lines(out, &f->lines);
}

/* The command --------------------------------------------------------------------------------------------------- */

static int show(const iol__args *args, iol__store *store, const char *mode) {
    int64_t since, until;
    iol__fleet fleet;
    if (!read_day(args, OPT_SINCE, &since) || !read_day(args, OPT_UNTIL, &until))
        return usage_error(args, "dates are YYYY-MM-DD, YYYY-MM or YYYY");
    const char *directory = argument_value(args, OPT_EXPORT);
    if (directory) return export_fleet(args, store, since, until, directory);
    if (args->given[OPT_EXPORT_LOGS]) return usage_error(args, "--logs goes with --export");
    if (sheets_given(args)) return usage_error(args, "--arrow and --parquet go with --export");
    if (iol__fleet_make(store, since, until, &fleet) != IOL_OK) return store_trouble(store);
    showing s = {.args = args, .fleet = &fleet};
    s.native = !mode || strcmp(mode, "compat") != 0;
    s.compat = !mode || strcmp(mode, "native") != 0;
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    if (args->given[OPT_SITE_JSON]) {
        iol__json json;
        iol__json_start(&json, &out, 2);
        iol__fleet_json(&json, &fleet, s.native, s.compat);
        iol__json_finish(&json);
    } else {
        fleet_text(&out, &s);
    }
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
