/* iolite compare --by-counters: what differs between two logs, on one page. The figures come from report/two_logs; this
   file only lays them out, A and B side by side with the change between them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/diagnose/compare.h"
#include "report/compare/two_logs.h"
#include "report/compare/two_logs_json.h"
#include "report/files_table.h"
#include "text/number.h"
#include "text/text.h"

enum { COLUMNS = 80, TOP = 5, TOP_WITH_MANY_LAYERS = 3, MANY_LAYERS = 5 };

typedef struct compare_counters_page {
    iol__out out;
    bool colour;
    const iol__two_logs *c;
    size_t top; /* rows of files, and of counters */
} compare_counters_page;

static const char bold[] = "\033[1m", faint[] = "\033[2m", warn[] = "\033[33m";

static void compare_counters_begin(compare_counters_page *p, const char *paint) {
    if (p->colour) iol__out_text(&p->out, paint);
}

static void compare_counters_end(compare_counters_page *p) {
    if (p->colour) iol__out_text(&p->out, "\033[0m");
}

static void compare_counters_line(compare_counters_page *p, const char *paint, const char *text) {
    compare_counters_begin(p, paint);
    iol__out_text(&p->out, text);
    compare_counters_end(p);
    iol__out_char(&p->out, '\n');
}

/* Head and job ----------------------------------------------------------------------------------------------------- */

static void compare_counters_head(compare_counters_page *p) {
    const iol_log *const logs[] = {p->c->a->log, p->c->b->log};
    for (int i = 0; i < 2; i++) {
        char job[40];
        snprintf(job, sizeof job, "  job %lld", (long long)iol_log_job(logs[i])->job_id);
        compare_counters_begin(p, bold);
        iol__out_text(&p->out, i ? "B  " : "A  ");
        iol__out_fitted(&p->out, iol_log_info(logs[i])->path, COLUMNS - 3 - strlen(job), IOL_CUT_MIDDLE);
        compare_counters_end(p);
        iol__out_printf(&p->out, "%s\n", job);
    }
}

static void fact_row(compare_counters_page *p, iol__fact fact) {
    static const char *const labels[IOL_FACTS] = {
        [IOL_FACT_PROCESSES] = "processes", [IOL_FACT_RUN_TIME] = "run time", [IOL_FACT_USER] = "user"};
    char b[3][IOL_HUMAN];
    iol__compared_pair pair = p->c->facts[fact];
    if (!iol__pair_differs(pair)) return;
    const char *(*text)(char[IOL_HUMAN], double) = fact == IOL_FACT_RUN_TIME ? iol__human_seconds : iol__human_number;
    iol__out_printf(&p->out, "%-30s %15s %15s %16s\n", labels[fact], text(b[0], pair.a), text(b[1], pair.b),
                    fact == IOL_FACT_USER ? "another" : iol__pair_text(b[2], pair));
}

static void command_rows(compare_counters_page *p) {
    const iol_log *const logs[] = {p->c->a->log, p->c->b->log};
    if (!p->c->exe_differs) return;
    for (int i = 0; i < 2; i++) {
        iol__out_printf(&p->out, "%-13s%c  ", i ? "" : "command line", "AB"[i]);
        iol__out_fitted(&p->out, iol_log_job(logs[i])->exe, COLUMNS - 16, IOL_CUT_END);
        iol__out_char(&p->out, '\n');
    }
}

static void compare_counters_job(compare_counters_page *p) {
    bool any = p->c->exe_differs;
    for (int i = 0; i < IOL_FACTS; i++) any |= iol__pair_differs(p->c->facts[i]);
    if (!any) return;
    compare_counters_line(p, faint,
                          "\nJOB                                          A               B           CHANGE");
    for (int i = 0; i < IOL_FACTS; i++) fact_row(p, (iol__fact)i);
    command_rows(p);
}

/* Layers ----------------------------------------------------------------------------------------------------------- */

static bool has_traffic(const iol__layer_change *change) {
    return (change->a && change->a->traffic) || (change->b && change->b->traffic);
}

static iol__compared_pair compare_counters_calls_of(const iol__layer_change *change) {
    iol__compared_pair reads = change->figures[IOL_FIGURE_READS], writes = change->figures[IOL_FIGURE_WRITES];
    return (iol__compared_pair){reads.a + writes.a, reads.b + writes.b};
}

/* One log's line of a layer: `side` is 0 for A, 1 for B. */
static void layer_row(compare_counters_page *p, const char *label, const char *which, const iol__layer_change *change,
                      int side) {
    char b[5][IOL_HUMAN];
    double v[IOL_FIGURES];
    for (int i = 0; i < IOL_FIGURES; i++) v[i] = side ? change->figures[i].b : change->figures[i].a;
    iol__compared_pair calls = compare_counters_calls_of(change);
    iol__out_printf(&p->out, "%-12s %-9s %11s %10s %10s %8s %12s\n", label, which,
                    iol__human_seconds(b[1], v[IOL_FIGURE_TIME]), iol__human_bytes(b[2], v[IOL_FIGURE_BYTES_READ]),
                    iol__human_bytes(b[3], v[IOL_FIGURE_BYTES_WRITTEN]),
                    iol__human_count(b[4], side ? calls.b : calls.a), iol__human_rate(b[0], v[IOL_FIGURE_RATE]));
}

static void layer_rows(compare_counters_page *p, const iol__layer_change *change) {
    char b[5][IOL_HUMAN];
    const char *name = (change->a ? change->a : change->b)->module.name;
    if (!change->a || !change->b) {
        layer_row(p, name, change->a ? "only in A" : "only in B", change, change->b != NULL);
        return;
    }
    if (!change->differs) {
        layer_row(p, name, "both", change, 0);
        return;
    }
    layer_row(p, name, "A", change, 0);
    layer_row(p, "", "B", change, 1);
    iol__out_printf(&p->out, "%-12s %-9s %11s %10s %10s %8s %12s\n", "", "change",
                    iol__pair_text(b[0], change->figures[IOL_FIGURE_TIME]),
                    iol__pair_text(b[1], change->figures[IOL_FIGURE_BYTES_READ]),
                    iol__pair_text(b[2], change->figures[IOL_FIGURE_BYTES_WRITTEN]),
                    iol__pair_text(b[3], compare_counters_calls_of(change)),
                    iol__pair_text(b[4], change->figures[IOL_FIGURE_RATE]));
}

static void other_module(iol__out *list, const iol__layer_change *change) {
    const iol_module *module = &(change->a ? change->a : change->b)->module;
    iol__compared_pair records = change->figures[IOL_FIGURE_RECORDS];
    iol__out_text(list, list->length ? ", " : "");
    if (module->name)
        iol__out_text(list, module->name);
    else
        iol__out_printf(list, "slot %d", module->slot);
    char a[IOL_HUMAN], b[IOL_HUMAN];
    if (!change->a || !change->b)
        iol__out_printf(list, " (only in %c)", change->a ? 'A' : 'B');
    else
        iol__out_printf(list, " (%s records in A, %s in B)", iol__human_number(a, records.a),
                        iol__human_number(b, records.b));
}

/* Modules that move no bytes are only named, where they differ. */
static void other_modules(compare_counters_page *p) {
    iol__out list;
    iol__out_open(&list, -1);
    for (size_t i = 0; i < p->c->n_layers; i++) {
        const iol__layer_change *change = &p->c->layers[i];
        if (change->differs && !has_traffic(change)) other_module(&list, change);
    }
    if (list.length) {
        iol__out_char(&list, '\0');
        compare_counters_begin(p, faint);
        iol__out_text(&p->out, "also differ: ");
        iol__out_fitted(&p->out, list.buffer, COLUMNS - 13, IOL_CUT_END);
        compare_counters_end(p);
        iol__out_char(&p->out, '\n');
    }
    iol__out_close(&list);
}

static size_t compare_counters_layers(compare_counters_page *p) {
    size_t shown = 0;
    bool any = false;
    for (size_t i = 0; i < p->c->n_layers; i++) any |= p->c->layers[i].differs;
    if (!any) return 0;
    iol__out_char(&p->out, '\n');
    for (size_t i = 0; i < p->c->n_layers; i++) {
        if (!has_traffic(&p->c->layers[i])) continue;
        if (!shown++)
            compare_counters_line(p, faint,
                                  "LAYER                         TIME       READ    WRITTEN    CALLS    BANDWIDTH");
        layer_rows(p, &p->c->layers[i]);
    }
    other_modules(p);
    return shown;
}

/* Files and counters ----------------------------------------------------------------------------------------------- */

static void compare_counters_file_row(compare_counters_page *p, const iol__file_change *file) {
    char b[3][IOL_HUMAN], number[32];
    const iol__file_total *cost = iol__changed_file(file);
    iol__compared_pair time = iol__file_time(file);
    const char *name = iol__file_name((file->a ? p->c->a : p->c->b)->log, cost->id, number);
    const char *change = iol__pair_text(b[2], time);
    /* A table that ran full has dropped cheap files: what is not in it may have been there. */
    if (!file->b) change = p->c->b->top_lossy ? "-" : "only in A";
    if (!file->a) change = p->c->a->top_lossy ? "-" : "only in B";
    iol__out_left(&p->out, name, 39, IOL_CUT_MIDDLE);
    iol__out_printf(&p->out, " %-7s %10s %10s %10s\n", iol__modules[cost->slot].name, iol__human_seconds(b[0], time.a),
                    iol__human_seconds(b[1], time.b), change);
}

static void compare_counters_more(compare_counters_page *p, size_t all, size_t shown, const char *what) {
    char text[64], left[IOL_HUMAN];
    if (all <= shown) return;
    snprintf(text, sizeof text, "... and %s more %s", iol__human_number(left, (double)(all - shown)), what);
    compare_counters_line(p, faint, text);
}

static void compare_counters_files(compare_counters_page *p) {
    const iol__two_logs *c = p->c;
    if (!c->n_files_differ || !p->top) return;
    compare_counters_line(p, faint,
                          "\nFILES BY CHANGE IN TIME                 LAYER            A          B     CHANGE");
    size_t rows = c->n_files_differ < p->top ? c->n_files_differ : p->top;
    for (size_t i = 0; i < rows; i++) compare_counters_file_row(p, &c->files[i]);
    compare_counters_more(p, c->n_files_differ, rows, "files that differ");
}

static const char *counter_text(char buffer[IOL_HUMAN], const iol__counter *counter, double value) {
    if (strncmp(counter->unit, "byte", 4) == 0) return iol__human_bytes(buffer, value);
    if (strcmp(counter->unit, "s") == 0) return iol__human_seconds(buffer, value);
    return iol__human_count(buffer, value);
}

static void counter_row(compare_counters_page *p, const iol__counter_change *change) {
    char b[3][IOL_HUMAN];
    iol__out_printf(&p->out, "%-44.44s %11s %11s %11s\n", change->counter->name,
                    counter_text(b[0], change->counter, change->value.a),
                    counter_text(b[1], change->counter, change->value.b), iol__pair_text(b[2], change->value));
}

static void diagnose_compare_counters_counters(compare_counters_page *p) {
    size_t all = 0, rows = 0;
    for (size_t i = 0; i < p->c->n_counters_differ; i++) {
        const iol__counter_change *change = &p->c->counters[i];
        if (!iol__counter_is_amount(change->counter) || !p->top) continue;
        if (!all++)
            compare_counters_line(p, faint,
                                  "\nCOUNTERS BY RELATIVE CHANGE, ALL FILES                 A           B      CHANGE");
        if (rows < p->top) counter_row(p, change);
        rows += rows < p->top;
    }
    compare_counters_more(p, all, rows, "counters that differ");
}

/* The command ------------------------------------------------------------------------------------------------------ */

static void print_page(compare_counters_page *p, bool top_given) {
    const iol__two_logs *c = p->c;
    compare_counters_head(p);
    if (!c->differs) compare_counters_line(p, "", "\nNothing differs: job, layers, files and counters are the same.");
    compare_counters_job(p);
    size_t shown = compare_counters_layers(p);
    if (!top_given) p->top = shown > MANY_LAYERS ? TOP_WITH_MANY_LAYERS : TOP;
    compare_counters_files(p);
    diagnose_compare_counters_counters(p);
    if (c->differs && !c->n_counters_differ && !c->n_files_differ)
        compare_counters_line(p, faint, "\nNo file and no counter that both logs know differs.");
    if (c->a->top_lossy || c->b->top_lossy)
        compare_counters_line(p, warn, "\nVery many files: only the costliest were compared.");
    if (iol_log_error_count(c->a->log) || iol_log_error_count(c->b->log))
        compare_counters_line(p, warn, "\nDamaged: only what could be read was compared.");
}

typedef struct inputs {
    iol_log *logs[2];
    iol__summary summaries[2];
    int status;
} inputs;

/* Every file is wanted, because any of them may be the one that changed. */
static bool read_inputs(inputs *in, char *const *paths, bool json) {
    iol__progress progress;
    iol__progress_start(&progress, false);
    for (int i = 0; i < 2; i++) {
        iol_error error;
        if (iol_log_open(paths[i], &in->logs[i], &error) == IOL_OK) continue;
        if (json && in->status == EXIT_DONE) print_unreadable(paths[i], &error);
        in->status = report_open_error(&error);
    }
    for (size_t i = 0; i < 2 && in->status == EXIT_DONE; i++) {
        iol__progress_part(&progress, i, 2);
        if (iol__summary_make(in->logs[i], SIZE_MAX, &progress, &in->summaries[i])) continue;
        fputs("iolite: out of memory\n", stderr);
        in->status = EXIT_TROUBLE;
    }
    iol__progress_end(&progress);
    return in->status == EXIT_DONE;
}

static int print_comparison(inputs *in, bool json_wanted, const char *top) {
    iol__two_logs comparison;
    if (!iol__two_logs_compare(&in->summaries[0], &in->summaries[1], &comparison)) {
        fputs("iolite: out of memory\n", stderr);
        return EXIT_TROUBLE;
    }
    compare_counters_page p = {.c = &comparison, .colour = use_colour(STDOUT_FILENO)};
    iol__out_open(&p.out, STDOUT_FILENO);
    if (top) p.top = (size_t)strtoull(top, NULL, 10);
    if (json_wanted) {
        iol__json json;
        iol__json_start(&json, &p.out, 2);
        iol__json_two_logs(&json, &comparison);
        iol__json_finish(&json);
    } else {
        print_page(&p, top != NULL);
    }
    int status = comparison.differs ? EXIT_FOUND : EXIT_DONE;
    iol__two_logs_free(&comparison);
    return finish_output(&p.out, status);
}

int compare_counters(const iol__args *args) {
    inputs in = {.status = EXIT_DONE};
    const char *top = argument_value(args, OPT_TOP_CHANGES);
    int status = read_inputs(&in, args->operands, args->given[OPT_JSON])
                     ? print_comparison(&in, args->given[OPT_JSON], top)
                     : in.status;
    for (int i = 0; i < 2; i++) {
        if (in.logs[i] && report_log_errors(in.logs[i]) == EXIT_INPUT && status < EXIT_INPUT) status = EXIT_INPUT;
        iol__summary_free(&in.summaries[i]);
        iol_log_close(in.logs[i]);
    }
    return status;
}
