/* iolite umami and iolite correlate: series of jobs from a table of summaries. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmds/site_data.h"
#include "site/analyze/correlate.h"
#include "site/analyze/summaries.h"
#include "site/analyze/umami.h"

/* The rows of all tables that options let through. */
static const iol__value *selected(site_run *run) {
    const iol__args *args = run->args;
    const char *direction = argument_value(args, OPT_DIRECTION);
    iol__selection wanted = {.app = argument_value(args, OPT_APP),
                             .fs = argument_value(args, OPT_SITE_FS),
                             .ranged = run->ranged,
                             .start = run->start,
                             .end = run->end};
    if (direction && strcmp(direction, "read") != 0 && strcmp(direction, "write") != 0) {
        run->status = usage_error(args, "a direction is 'read' or 'write', not '%s'", direction);
        return NULL;
    }
    if (direction) wanted.direction = *direction == 'w' ? 1 : -1;
    if (!number_option(run, OPT_LEAST_GIB, &wanted.least_gib)) return NULL;
    iol__value *all = iol__value_new(&run->arena, IOL__LIST), *rows;
    char why[400];
    if (args->n_operands == 0)
        run->status = usage_error(args, "which table of job summaries? `iolite job --csv` makes one");
    for (size_t i = 0; i < args->n_operands; i++) {
        if (iol__summaries_read(&run->arena, args->operands[i], &rows, why) != IOL_OK)
            run->status = site_failed(why);
        else
            for (size_t k = 0; k < rows->count; k++) iol__list_add(&run->arena, all, rows->items[k]);
    }
    return run->status == EXIT_DONE ? iol__summaries_select(&run->arena, all, &wanted) : NULL;
}

static size_t highlighted(site_run *run, const iol__value *rows) {
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

static bool ends_in_svg(const char *path) {
    size_t length = path ? strlen(path) : 0;
    return length > 4 && strcmp(path + length - 4, ".svg") == 0;
}

static int umami(site_run *run) {
    const iol__value *rows = selected(run);
    if (!rows) return run->status;
    if (rows->count < 2) return site_failed("fewer than two jobs remain, and there is nothing to compare");
    size_t which = highlighted(run, rows);
    if (run->status != EXIT_DONE) return run->status;
    iol__umami made = iol__umami_make(&run->arena, rows, which);
    if (run->args->given[OPT_JSON]) return print_tree(run, iol__umami_tree(&run->arena, &made), NULL);
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    if (ends_in_svg(to.path))
        iol__umami_svg(&to.out, &made);
    else
        iol__umami_text(&to.out, &made, !to.path && use_colour(STDOUT_FILENO));
    return close_output(&to, EXIT_DONE);
}

static int correlate(site_run *run) {
    const iol__value *rows = selected(run);
    if (!rows) return run->status;
    const iol__value *table = iol__correlate(&run->arena, rows);
    if (run->args->given[OPT_JSON]) return print_tree(run, table, NULL);
    site_output to;
    if (!open_output(run, OPT_SITE_OUTPUT, &to)) return run->status;
    iol__correlate_text(&to.out, &run->arena, table, !to.path && use_colour(STDOUT_FILENO));
    return close_output(&to, EXIT_DONE);
}

int cmd_umami(const iol__args *args) { return with_site(args, umami); }
int cmd_correlate(const iol__args *args) { return with_site(args, correlate); }
