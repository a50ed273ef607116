/* iolite umami and iolite correlate: series of jobs from a table of summaries. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmds/site/site_data.h"
#include "site/analyze/contributors.h"
#include "site/analyze/correlate.h"
#include "site/analyze/job.h"
#include "site/analyze/live.h"
#include "site/analyze/summaries.h"
#include "site/analyze/umami.h"

/* The row of a log, with what the site knows about its time; false if the file is none. */
static bool row_of_log(site_run *run, iol__ranges *ranges, const char *path, iol__value *all) {
    iol__arena scratch = {.exhausted = run->arena.exhausted};
    iol__job_sources from = {.arena = &run->arena,
                             .scratch = &scratch,
                             .site = &run->site,
                             .ranges = ranges,
                             .health = true,
                             .coverage = true};
    iol__value *row;
    char why[400];
    bool is_log = iol__job_of_log(&from, path, &row, why) == IOL_OK;
    if (is_log) iol__list_add(&run->arena, all, row);
    iol__arena_free(&scratch);
    return is_log;
}

/* Rows of a table, or of a log. */
static int add_umami_rows(site_run *run, iol__ranges *ranges, const char *path, iol__value *all) {
    iol__value *rows;
    char why[400];
    if (row_of_log(run, ranges, path, all)) return EXIT_DONE;
    if (iol__summaries_read(&run->arena, path, &rows, why) != IOL_OK) return site_failed(why);
    for (size_t i = 0; i < rows->count; i++) iol__list_add(&run->arena, all, rows->items[i]);
    return EXIT_DONE;
}

static bool selection_of(site_run *run, iol__selection *wanted) {
    const iol__args *args = run->args;
    const char *direction = argument_value(args, OPT_DIRECTION);
    *wanted = (iol__selection){.app = argument_value(args, OPT_APP),
                               .fs = argument_value(args, OPT_SITE_FS),
                               .ranged = run->ranged,
                               .start = run->start,
                               .end = run->end};
    if (direction && strcmp(direction, "read") != 0 && strcmp(direction, "write") != 0) {
        run->status = usage_error(args, "a direction is 'read' or 'write', not '%s'", direction);
        return false;
    }
    if (direction) wanted->direction = *direction == 'w' ? 1 : -1;
    return number_option(run, OPT_LEAST_GIB, &wanted->least_gib);
}

/* The rows of all tables and logs that options let through. `*outcome`: whether some could not be had; NULL if none
   could. */
static const iol__value *selected(site_run *run, int *outcome) {
    const iol__args *args = run->args;
    iol__ranges ranges = {.arena = &run->arena, .site = &run->site};
    iol__selection wanted;
    iol__value *all = iol__value_new(&run->arena, IOL__LIST);
    *outcome = EXIT_DONE;
    if (!selection_of(run, &wanted) || !live_option(run, &ranges.live)) return NULL;
    if (args->n_operands == 0)
        run->status = usage_error(args, "logs are needed, or a table of job summaries, which `iolite job --csv` makes");
    for (size_t i = 0; i < args->n_operands; i++)
        if (add_umami_rows(run, &ranges, args->operands[i], all) != EXIT_DONE) *outcome = EXIT_INPUT;
    if (iol__ranges_partial(&ranges)) *outcome = EXIT_INPUT;
    iol__ranges_close(&ranges);
    if (run->status == EXIT_DONE && !all->count) run->status = *outcome;
    return run->status == EXIT_DONE ? iol__summaries_select(&run->arena, all, &wanted) : NULL;
}

static size_t umami_highlighted(site_run *run, const iol__value *rows) {
    const char *id = argument_value(run->args, OPT_SITE_JOB);
    for (size_t i = 0; id && i < rows->count; i++) {
        const iol__value *is = iol__map_get(rows->items[i], "_jobid");
        if (!is) continue;
        const char *text =
            is->kind == IOL__TEXT ? is->text : iol__arena_print(&run->arena, "%.0f", iol__value_number(is));
        if (strcmp(text, id) == 0) return i;
    }
    if (id) run->status = usage_error(run->args, "job %s is not in the table", id);
    return rows->count - 1;
}

static bool good_or_bad(site_run *run, const char *kind) {
    if (!kind || strcmp(kind, "good") == 0 || strcmp(kind, "bad") == 0) return true;
    run->status = usage_error(run->args, "--contributors: 'bad' or 'good', not '%s'", kind);
    return false;
}

static int umami(site_run *run) {
    const char *kind = argument_value(run->args, OPT_CONTRIBUTORS);
    iol__contributors found = {0};
    site_output to;
    int outcome;
    const iol__value *rows = good_or_bad(run, kind) ? selected(run, &outcome) : NULL;
    if (!rows) return run->status;
    if (rows->count < 2) return site_failed("fewer than two jobs remain, and there is nothing to compare");
    size_t which = umami_highlighted(run, rows);
    if (run->status != EXIT_DONE) return run->status;
    iol__umami made = iol__umami_make(&run->arena, rows, which, NULL);
    if (kind) found = iol__contributors_of(&run->arena, &made, *kind == 'g', run->args->given[OPT_EXTREME]);
    if (run->args->given[OPT_JSON]) {
        iol__value *tree = iol__umami_tree(&run->arena, &made);
        if (kind) iol__map_put(&run->arena, tree, "contributors", iol__contributors_tree(&run->arena, &made, &found));
        int printed = print_tree(run, tree, NULL);
        return printed == EXIT_DONE ? outcome : printed;
    }
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    if (ends_in_svg(to.path)) {
        iol__umami_svg(&to.out, &made);
    } else {
        iol__umami_text(&to.out, &made, !to.path && use_colour(STDOUT_FILENO));
        if (kind) iol__contributors_text(&to.out, &made, &found);
    }
    return close_output(&to, outcome);
}

static bool any_row_has(const iol__value *rows, const char *key) {
    for (size_t i = 0; i < rows->count; i++)
        if (!isnan(iol__summary_metric(rows->items[i], key))) return true;
    return false;
}

static int umami_correlate(site_run *run) {
    int outcome;
    const char *method = argument_value(run->args, OPT_CORRELATE_METHOD);
    if (method && strcmp(method, "pearson") != 0 && strcmp(method, "spearman") != 0)
        return usage_error(run->args, "the method is pearson or spearman, not '%s'", method);
    const iol__value *rows = selected(run, &outcome);
    if (!rows) return run->status;
    const char *keys = argument_value(run->args, OPT_CORRELATE_METRICS);
    for (const char *key = keys; key && *key; key += strcspn(key, ",") + (key[strcspn(key, ",")] == ','))
        if (!any_row_has(rows, iol__arena_text(&run->arena, key, strcspn(key, ","))))
            return usage_error(run->args, "no summary has a number '%.*s'", (int)strcspn(key, ","), key);
    iol__correlating how = {.metrics = keys, .ranks = method && strcmp(method, "spearman") == 0};
    const iol__value *table = iol__correlate(&run->arena, rows, &how);
    if (run->args->given[OPT_JSON]) {
        int printed = print_tree(run, table, NULL);
        return printed == EXIT_DONE ? outcome : printed;
    }
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    if (ends_in_svg(to.path))
        iol__correlate_svg(&to.out, &run->arena, table, &how);
    else
        iol__correlate_text(&to.out, &run->arena, table, &how, !to.path && use_colour(STDOUT_FILENO));
    return close_output(&to, outcome);
}

int cmd_umami(const iol__args *args) { return with_site(args, umami); }
int cmd_correlate(const iol__args *args) { return with_site(args, umami_correlate); }
