/* The comparison on a terminal: the answer in the first lines, then what can make it doubtful, then times, findings
   and facts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/compare/compare.h"
#include "text/text.h"

enum { LEAST_COLUMNS = 60, MOST_COLUMNS = 120, LABEL = 28 };

typedef struct compare_text_page {
    iol__out *out;
    const iol__contrast *c;
    bool colour;
    size_t columns, top;
} compare_text_page;

static const char bold[] = "\033[1m", faint[] = "\033[2m", green[] = "\033[32m", red[] = "\033[31m",
                  amber[] = "\033[38;5;214m", ended[] = "\033[0m";

static void compare_text_paint(const compare_text_page *p, const char *code) {
    if (p->colour) iol__out_text(p->out, code);
}

static void compare_text_paragraph(const compare_text_page *p, const char *colour, const char *lead, const char *text) {
    if (!*text) return;
    compare_text_paint(p, colour);
    iol__out_text(p->out, lead);
    iol__out_wrapped(p->out, p->columns, strlen(lead), strlen(lead), text);
    compare_text_paint(p, ended);
}

static void title(const compare_text_page *p, const char *text) {
    iol__out_char(p->out, '\n');
    compare_text_paint(p, faint);
    iol__out_text(p->out, text);
    compare_text_paint(p, ended);
    iol__out_char(p->out, '\n');
}

/* The answer ---------------------------------------------------------------------------------------------------- */

static void compare_text_answer(const compare_text_page *p) {
    char text[IOL_ANSWERS][IOL_SENTENCE];
    iol__answer_text(text, p->c);
    compare_text_paint(p, bold);
    compare_text_paragraph(p,
                           p->c->claim == IOL_CLAIM_FASTER   ? green
                           : p->c->claim == IOL_CLAIM_SLOWER ? red
                                                             : "",
                           "", text[0]);
    compare_text_paint(p, ended);
    for (int i = 1; i < IOL_ANSWERS; i++) compare_text_paragraph(p, "", "", text[i]);
    for (size_t i = 0; i < p->c->n_warnings; i++) compare_text_paragraph(p, amber, "! ", p->c->warnings[i]);
}

static void compare_text_runs(const compare_text_page *p) {
    iol__out_char(p->out, '\n');
    for (int g = 0; g < 2; g++) {
        const iol__job_group *group = &p->c->group[g];
        const iol__job_run *run = &group->runs[0];
        char count[80], number[2][IOL_HUMAN];
        size_t used =
            (size_t)snprintf(count, sizeof count, "%c  %s run%s, %s process%s: ", "AB"[g],
                             iol__human_number(number[0], (double)group->used), group -> used == 1 ? "" : "s",
                             iol__human_number(number[1], (double)run->processes), run->processes == 1 ? "" : "es");
        iol__out_text(p->out, count);
        used += iol__out_fitted(p->out, *run->program ? run->program : "(unknown program)", 24, IOL_CUT_END);
        iol__out_text(p->out, "  ");
        compare_text_paint(p, faint);
        iol__out_fitted(p->out, run->log, p->columns - used - 2 - (group->n > 1 ? 4 : 0), IOL_CUT_MIDDLE);
        if (group->n > 1) iol__out_text(p->out, " ...");
        compare_text_paint(p, ended);
        iol__out_char(p->out, '\n');
    }
}

/* Times --------------------------------------------------------------------------------------------------------- */

static const char *compare_text_colour_of(const iol__change *c, iol__better better) {
    if (!c->significant || better == IOL_BETTER_NEITHER) return "";
    bool less = c->side[1].mean < c->side[0].mean;
    return less == (better == IOL_BETTER_LESS) ? green : red;
}

static void pair_title(const compare_text_page *p, const char *name) {
    char text[100];
    snprintf(text, sizeof text, "%-*s %15s    %-15s %10s", LABEL, name, "A", "B", "CHANGE");
    title(p, text);
}

static void spread_title(const compare_text_page *p, const char *name) {
    char text[100];
    snprintf(text, sizeof text, "%-22s   %3s %10s %10s %10s %10s %7s", name, "N", "MEAN", "MEDIAN", "MIN", "MAX",
             "CHANGE");
    title(p, text);
}

static void short_row(const compare_text_page *p, int metric) {
    char a[IOL_HUMAN], b[IOL_HUMAN], change[IOL_HUMAN];
    const iol__change *c = &p->c->changes[metric];
    iol__change_texts(a, b, metric, c);
    iol__out_printf(p->out, "%-*s %15s -> %-15s %10s\n", LABEL, iol__compare_metrics[metric].label, a, b,
                    iol__human_change(change, c->side[0].mean, c->side[1].mean));
}

static void spread_row(const compare_text_page *p, int metric, int g, const char *label) {
    char v[4][IOL_HUMAN], change[IOL_HUMAN] = "";
    iol__compare_unit unit = iol__compare_metrics[metric].unit;
    const iol__change *c = &p->c->changes[metric];
    const iol__spread *s = &c->side[g];
    if (g) iol__human_change(change, c->side[0].mean, c->side[1].mean);
    iol__out_printf(p->out, "%-22.22s %c %3zu %10s %10s %10s %10s", label, "AB"[g], s -> n,
                    iol__value_text(v[0], unit, s->mean), iol__value_text(v[1], unit, s->median),
                    iol__value_text(v[2], unit, s->min), iol__value_text(v[3], unit, s->max));
    if (g) {
        compare_text_paint(p, compare_text_colour_of(c, iol__compare_metrics[metric].better));
        iol__out_printf(p->out, " %7s", change);
        compare_text_paint(p, ended);
    }
    iol__out_char(p->out, '\n');
}

static void test_row(const compare_text_page *p, const iol__change *c) {
    char low[IOL_HUMAN], high[IOL_HUMAN], holm[IOL_HUMAN], ranks[IOL_HUMAN], text[IOL_SENTENCE];
    if (!c->tested) {
        snprintf(text, sizeof text, "no test: %s", c->no_test);
    } else {
        int n = snprintf(text, sizeof text, "%s", c->significant ? "beyond chance" : "may be chance");
        if (c->has_welch)
            n += snprintf(text + n, sizeof text - (size_t)n, ": %s to %s (95%%)",
                          iol__human_change(low, 1, c->welch.low), iol__human_change(high, 1, c->welch.high));
        snprintf(text + n, sizeof text - (size_t)n, "; p %s (Holm), ranks p %s", iol__p_text(holm, c->holm),
                 iol__p_text(ranks, c->ranks.p));
    }
    compare_text_paragraph(p, faint, "  ", text);
}

static void spread_rows(const compare_text_page *p, int metric) {
    spread_row(p, metric, 0, iol__compare_metrics[metric].label);
    spread_row(p, metric, 1, "");
    test_row(p, &p->c->changes[metric]);
}

static bool single_runs(const compare_text_page *p) { return p->c->group[0].used == 1 && p->c->group[1].used == 1; }

/* Also counts that vary from run to run: for those the spread matters as it does for times. */
static void compare_text_times(const compare_text_page *p) {
    if (single_runs(p))
        pair_title(p, "TIMES");
    else
        spread_title(p, "TIMES");
    for (int m = 0; m < IOL_METRICS; m++) {
        const iol__change *c = &p->c->changes[m];
        bool timed = iol__compare_metrics[m].aspect == IOL_ASPECT_TIME;
        if (!timed && (c->fact || !c->differs)) continue;
        if (!c->side[0].n || !c->side[1].n || (c->side[0].max == 0 && c->side[1].max == 0)) continue;
        if (single_runs(p))
            short_row(p, m);
        else
            spread_rows(p, m);
    }
}

/* Findings ------------------------------------------------------------------------------------------------------ */

static void foretold_lines(const compare_text_page *p, const iol__finding_change *change) {
    char text[IOL_SENTENCE], line[IOL_SENTENCE + 80];
    for (size_t i = 0; i < change->n_foretold; i++) {
        const iol__foretold *f = &change->foretold[i];
        if (!f->advice_came) continue;
        iol__foretold_text(text, p->c, f);
        snprintf(line, sizeof line, "as its advice predicted (%s): %s", f->action, text);
        compare_text_paragraph(p, "", "           ", line);
    }
}

static void compare_text_finding(const compare_text_page *p, const iol__finding_change *change) {
    static const char *const colours[] = {
        [IOL_FATE_NEW] = red, [IOL_FATE_REMAINING] = amber, [IOL_FATE_FIXED] = green, [IOL_FATE_EASED] = amber};
    char text[IOL_SENTENCE], runs_text[IOL_SENTENCE + 80];
    compare_text_paint(p, colours[change->fate]);
    iol__out_printf(p->out, "%-11s", iol__fate_words[change->fate]);
    compare_text_paint(p, ended);
    iol__out_wrapped(p->out, p->columns, 11, 11, change->title);
    iol__lost_text(text, change);
    snprintf(runs_text, sizeof runs_text, "%s", text);
    if (!single_runs(p))
        snprintf(runs_text, sizeof runs_text, "%s; in %zu of %zu runs of A, %zu of %zu of B", text, change->runs[0],
                 p->c->group[0].used, change->runs[1], p->c->group[1].used);
    compare_text_paragraph(p, faint, "           ", runs_text);
    foretold_lines(p, change);
}

static void compare_text_findings(const compare_text_page *p) {
    char text[IOL_SENTENCE];
    if (!p->c->n_findings) return;
    title(p, "FINDINGS");
    for (size_t i = 0; i < p->c->n_findings; i++) compare_text_finding(p, &p->c->findings[i]);
    if (iol__explanation_text(text, p->c)) compare_text_paragraph(p, "", "", text);
}

/* Facts --------------------------------------------------------------------------------------------------------- */

static void same_line(const compare_text_page *p, const iol__fact_rows *rows) {
    iol__out list;
    iol__out_open(&list, -1);
    for (size_t i = 0; i < rows->n_same; i++) {
        char value[IOL_HUMAN];
        const iol__metric *metric = &iol__compare_metrics[rows->same[i]];
        iol__out_printf(&list, "%s%s %s", i ? ", " : "", metric->label,
                        iol__value_text(value, metric->unit, p->c->changes[rows->same[i]].side[0].mean));
    }
    iol__out_char(&list, '\0');
    if (rows->n_same) compare_text_paragraph(p, faint, "the same:  ", list.buffer);
    iol__out_close(&list);
}

static void compare_text_facts(const compare_text_page *p) {
    iol__fact_rows rows;
    iol__fact_rows_make(&rows, p->c);
    size_t shown = 0, differ = 0;
    pair_title(p, "COUNTED (FACTS)");
    for (size_t i = 0; i < rows.n_differ; i++) {
        if (!p->c->changes[rows.differ[i]].fact) continue;
        if (differ++ < p->top) {
            short_row(p, rows.differ[i]);
            shown++;
        }
    }
    if (differ > shown) iol__out_printf(p->out, "... and %zu more that differ (--top)\n", differ - shown);
    same_line(p, &rows);
}

/* Where both sides recorded them: those whose time changed most. */
static void compare_text_lines(const compare_text_page *p) {
    enum { LINE = 40 };
    const iol__contrast *c = p->c;
    if (!c->lined[0] || !c->lined[1] || !p->top) return;
    iol__out_printf(p->out, "\n%-*s %11s %11s %12s\n", LINE, "LINES OF CODE, TIME AND CALLS OF A RUN", "A", "B",
                    "CALLS");
    for (size_t i = 0; i < c->n_lines && i < p->top; i++) {
        const iol__line_change *l = &c->lines[i];
        char a[IOL_HUMAN], b[IOL_HUMAN], calls[2][IOL_HUMAN];
        iol__out_left(p->out, l->line, LINE, IOL_CUT_END);
        iol__out_printf(p->out, " %11s %11s  %s -> %s\n", l->calls[0] > 0 ? iol__human_seconds(a, l->seconds[0]) : "-",
                        l->calls[1] > 0 ? iol__human_seconds(b, l->seconds[1]) : "gone",
                        iol__human_count(calls[0], l->calls[0]), iol__human_count(calls[1], l->calls[1]));
    }
}

void iol__compare_text(iol__out *out, const iol__contrast *contrast, const iol__compare_style *style) {
    size_t columns = style->columns ? style->columns : 80;
    if (columns < LEAST_COLUMNS) columns = LEAST_COLUMNS;
    if (columns > MOST_COLUMNS) columns = MOST_COLUMNS;
    compare_text_page p = {out, contrast, style->colour, columns, style->top};
    compare_text_answer(&p);
    compare_text_runs(&p);
    compare_text_times(&p);
    compare_text_findings(&p);
    compare_text_facts(&p);
    compare_text_lines(&p);
}
