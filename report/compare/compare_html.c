/* The comparison as one page that needs nothing else: the answer first, then the single runs of each side as dots, so
   that the eye can check what the test says, then tables. No script. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/compare/compare.h"
#include "text/escape.h"
#include "text/text.h"

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--soft:#5b6470;--paper:#fff;--line:#d8dde3;--a:#6b7785;--b:#2563a8;"
    "--good:#1a7f37;--bad:#b42318;--warn:#8a5a00}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e9ed;--soft:#9aa5b1;--paper:#14171b;--line:#333a42;--a:#9aa5b1;"
    "--b:#6cb0f5;--good:#56c271;--bad:#ff7b6b;--warn:#e0b050}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;"
    "padding:0 1rem}\n"
    "h1{font-size:1.5rem;line-height:1.3}h2{font-size:1.1rem;margin:2rem 0 .5rem}\n"
    "table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{padding:.25rem .6rem;text-align:right;"
    "border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;vertical-align:top;white-space:nowrap}\n"
    "th{color:var(--soft);font-weight:600}th:first-child,td:first-child,.text{text-align:left}\n"
    "td.text,td:first-child{white-space:normal}td.text{overflow-wrap:anywhere}.soft{color:var(--soft)}.warn{color:var(-"
    "-warn)}.good{color:var(--good)}"
    ".bad{color:var(--bad)}\n"
    ".scroll{overflow-x:auto}.scroll table{min-width:38rem}svg{display:block;width:100%;max-width:26rem;height:2.6rem}"
    "circle.a{fill:var(--a)}circle.b{fill:var(--b)}circle{fill-opacity:.75}line{stroke:var(--line)}"
    "svg text{fill:var(--soft);font-size:11px}\n"
    "@media print{body{margin:0;max-width:none}}\n";

typedef struct compare_html_page {
    iol__out *out;
    const iol__contrast *c;
} compare_html_page;

static void compare_html_raw(const compare_html_page *p, const char *markup) { iol__out_text(p->out, markup); }

static void element(const compare_html_page *p, const char *open, const char *text, const char *close) {
    compare_html_raw(p, open);
    iol__out_markup(p->out, text);
    compare_html_raw(p, close);
}

/* A sentence of ours, with arrows that stay with what is before them. */
static void prose(const compare_html_page *p, const char *open, const char *text, const char *close) {
    compare_html_raw(p, open);
    for (const char *arrow; (arrow = strstr(text, " -> ")); text = arrow + 4) {
        iol__out_markup_bytes(p->out, text, (size_t)(arrow - text));
        compare_html_raw(p, "&nbsp;&rarr; ");
    }
    element(p, "", text, close);
}

static void compare_html_cell(const compare_html_page *p, const char *text) { element(p, "<td>", text, "</td>"); }

/* The answer ---------------------------------------------------------------------------------------------------- */

static const char *claim_class(iol__claim claim) {
    return claim == IOL_CLAIM_FASTER ? "good" : claim == IOL_CLAIM_SLOWER ? "bad" : "";
}

static void compare_html_answer(const compare_html_page *p) {
    char text[IOL_ANSWERS][IOL_SENTENCE];
    iol__answer_text(text, p->c);
    iol__out_printf(p->out, "<h1 class=\"%s\">", claim_class(p->c->claim));
    prose(p, "", text[0], "</h1>\n");
    for (int i = 1; i < IOL_ANSWERS; i++)
        if (*text[i]) element(p, "<p>", text[i], "</p>\n");
    for (size_t i = 0; i < p->c->n_warnings; i++) element(p, "<p class=\"warn\">", p->c->warnings[i], "</p>\n");
}

/* Times --------------------------------------------------------------------------------------------------------- */

enum { PLOT_WIDTH = 400, PLOT_LEFT = 14, PLOT_RIGHT = 392, ROW_A = 11, ROW_B = 29 };

static double compare_html_place(double value, double low, double high) {
    if (high <= low) return (PLOT_LEFT + PLOT_RIGHT) / 2.0;
    return PLOT_LEFT + (PLOT_RIGHT - PLOT_LEFT) * (value - low) / (high - low);
}

static void dots(const compare_html_page *p, int metric, int g, double low, double high) {
    const iol__job_group *group = &p->c->group[g];
    for (size_t i = 0; i < group->n; i++) {
        double value = group->runs[i].values[metric];
        char text[IOL_HUMAN];
        if (group->runs[i].left_out || !isfinite(value)) continue;
        iol__out_printf(p->out, "<circle class=\"%c\" cx=\"", "ab"[g]);
        iol__out_fixed(p->out, compare_html_place(value, low, high), 1);
        iol__out_printf(p->out, "\" cy=\"%d\" r=\"4\"><title>%c: ", g ? ROW_B : ROW_A, "AB"[g]);
        element(p, "", iol__value_text(text, iol__compare_metrics[metric].unit, value), "</title></circle>");
    }
}

/* Every run is a dot on a scale from zero, so that distances are what they look like. */
static void plot(const compare_html_page *p, int metric) {
    const iol__change *c = &p->c->changes[metric];
    double high = fmax(c->side[0].max, c->side[1].max);
    iol__out_printf(p->out,
                    "<svg viewBox=\"0 0 %d 40\" role=\"img\" aria-label=\"single runs\"><line x1=\"%d\" y1=\"%d\" "
                    "x2=\"%d\" y2=\"%d\"/><line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/><text x=\"0\" "
                    "y=\"15\">A</text><text x=\"0\" y=\"33\">B</text>",
                    PLOT_WIDTH, PLOT_LEFT, ROW_A, PLOT_RIGHT, ROW_A, PLOT_LEFT, ROW_B, PLOT_RIGHT, ROW_B);
    for (int g = 0; g < 2; g++) dots(p, metric, g, 0, high);
    compare_html_raw(p, "</svg>");
}

static void test_line(const compare_html_page *p, const iol__change *c) {
    char low[IOL_HUMAN], high[IOL_HUMAN], holm[IOL_HUMAN], ranks[IOL_HUMAN], text[IOL_SENTENCE];
    if (!c->tested) {
        element(p, "<span class=\"soft\">no test: ", c->no_test, "</span>");
        return;
    }
    compare_html_raw(p, c->significant ? "<strong>beyond chance</strong>" : "may be chance");
    if (c->has_welch) {
        snprintf(text, sizeof text, ": %s to %s (95%%)", iol__human_change(low, 1, c->welch.low),
                 iol__human_change(high, 1, c->welch.high));
        iol__out_markup(p->out, text);
    }
    snprintf(text, sizeof text, "p %s (Holm), ranks p %s", iol__p_text(holm, c->holm), iol__p_text(ranks, c->ranks.p));
    element(p, "<br><span class=\"soft\">", text, "</span>");
}

static void spread_cells(const compare_html_page *p, int metric, const iol__spread *s) {
    char text[IOL_HUMAN];
    iol__compare_unit unit = iol__compare_metrics[metric].unit;
    iol__out_printf(p->out, "<td>%zu</td>", s->n);
    compare_html_cell(p, iol__value_text(text, unit, s->mean));
    compare_html_cell(p, iol__value_text(text, unit, s->median));
    element(p, "<td>", iol__value_text(text, unit, s->min), " &ndash; ");
    element(p, "", iol__value_text(text, unit, s->max), "</td>");
}

static void time_rows(const compare_html_page *p, int metric) {
    const iol__change *c = &p->c->changes[metric];
    char change[IOL_HUMAN];
    element(p, "<tr><td rowspan=\"2\">", iol__compare_metrics[metric].label, "");
    plot(p, metric);
    test_line(p, c);
    compare_html_raw(p, "</td><td>A</td>");
    spread_cells(p, metric, &c->side[0]);
    element(p, "<td rowspan=\"2\">", iol__human_change(change, c->side[0].mean, c->side[1].mean), "</td>");
    compare_html_raw(p, "</tr>\n<tr><td>B</td>");
    spread_cells(p, metric, &c->side[1]);
    compare_html_raw(p, "</tr>\n");
}

static void compare_html_times(const compare_html_page *p) {
    compare_html_raw(
        p, "<h2>Times</h2>\n<div class=\"scroll\"><table><thead><tr><th>figure</th><th></th><th>runs</th><th>mean</th>"
           "<th>median</th><th>min &ndash; max</th><th>change</th></tr></thead><tbody>\n");
    for (int m = 0; m < IOL_METRICS; m++) {
        const iol__change *c = &p->c->changes[m];
        bool timed = iol__compare_metrics[m].aspect == IOL_ASPECT_TIME;
        if (!timed && (c->fact || !c->differs)) continue;
        if (c->side[0].n && c->side[1].n && (c->side[0].max > 0 || c->side[1].max > 0)) time_rows(p, m);
    }
    compare_html_raw(p, "</tbody></table></div>\n");
}

/* Findings ------------------------------------------------------------------------------------------------------ */

static void compare_html_finding(const compare_html_page *p, const iol__finding_change *f) {
    static const char *const classes[] = {
        [IOL_FATE_NEW] = "bad", [IOL_FATE_REMAINING] = "warn", [IOL_FATE_FIXED] = "good", [IOL_FATE_EASED] = "warn"};
    char text[IOL_SENTENCE];
    iol__out_printf(p->out, "<tr><td class=\"%s\">%s</td>", classes[f->fate], iol__fate_words[f->fate]);
    element(p, "<td class=\"text\">", f->title, "");
    prose(p, "<br><span class=\"soft\">", iol__lost_text(text, f), "</span>");
    for (size_t i = 0; i < f->n_foretold; i++) {
        if (!f->foretold[i].advice_came) continue;
        element(p, "<br>as its advice predicted (", f->foretold[i].action, "): ");
        prose(p, "", iol__foretold_text(text, p->c, &f->foretold[i]), "");
    }
    iol__out_printf(p->out, "</td><td>%zu of %zu</td><td>%zu of %zu</td></tr>\n", f->runs[0], p->c->group[0].used,
                    f->runs[1], p->c->group[1].used);
}

static void compare_html_findings(const compare_html_page *p) {
    char text[IOL_SENTENCE];
    if (!p->c->n_findings) return;
    compare_html_raw(
        p, "<h2>Findings</h2>\n<div class=\"scroll\"><table><thead><tr><th></th><th></th><th>runs of A</th><th>runs of "
           "B</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < p->c->n_findings; i++) compare_html_finding(p, &p->c->findings[i]);
    compare_html_raw(p, "</tbody></table></div>\n");
    if (iol__explanation_text(text, p->c)) element(p, "<p>", text, "</p>\n");
}

/* Facts and runs ------------------------------------------------------------------------------------------------ */

static void compare_html_fact_row(const compare_html_page *p, int metric) {
    char a[IOL_HUMAN], b[IOL_HUMAN], change[IOL_HUMAN];
    const iol__change *c = &p->c->changes[metric];
    iol__change_texts(a, b, metric, c);
    element(p, "<tr><td>", iol__compare_metrics[metric].label, "</td>");
    compare_html_cell(p, a);
    compare_html_cell(p, b);
    compare_html_cell(p, iol__human_change(change, c->side[0].mean, c->side[1].mean));
    compare_html_raw(p, "</tr>\n");
}

static void compare_html_facts(const compare_html_page *p) {
    iol__fact_rows rows;
    iol__fact_rows_make(&rows, p->c);
    compare_html_raw(
        p,
        "<h2>Counted</h2>\n<p class=\"soft\">What the program did. Counts that all runs of a side agree on are facts "
        "and need no test.</p>\n<div class=\"scroll\"><table><thead><tr><th>figure</th><th>A</th><th>B</th>"
        "<th>change</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < rows.n_differ; i++)
        if (p->c->changes[rows.differ[i]].fact) compare_html_fact_row(p, rows.differ[i]);
    for (size_t i = 0; i < rows.n_same; i++) compare_html_fact_row(p, rows.same[i]);
    compare_html_raw(p, "</tbody></table></div>\n");
}

static void run_row(const compare_html_page *p, int g, const iol__job_run *run) {
    char text[IOL_HUMAN];
    iol__out_printf(p->out, "<tr><td>%c</td>", "AB"[g]);
    element(p, "<td class=\"text\">", run->log, "");
    if (run->left_out) compare_html_raw(p, " <span class=\"warn\">damaged, left out</span>");
    element(p, "</td><td class=\"text\">", run->program, "</td>");
    compare_html_cell(p, iol__human_number(text, (double)run->processes));
    compare_html_cell(p, iol__value_text(text, IOL_UNIT_SECONDS, run->values[IOL_METRIC_run_time]));
    compare_html_cell(p, iol__value_text(text, IOL_UNIT_SECONDS, run->values[IOL_METRIC_io_time]));
    compare_html_raw(p, "</tr>\n");
}

static void compare_html_runs(const compare_html_page *p) {
    compare_html_raw(p,
                     "<h2>Runs</h2>\n<div class=\"scroll\"><table><thead><tr><th></th><th class=\"text\">log</th><th "
                     "class=\"text\">program</th><th>processes</th>"
                     "<th>run time</th><th>I/O time</th></tr></thead><tbody>\n");
    for (int g = 0; g < 2; g++)
        for (size_t i = 0; i < p->c->group[g].n; i++) run_row(p, g, &p->c->group[g].runs[i]);
    compare_html_raw(p, "</tbody></table></div>\n");
}

void iol__compare_html(iol__out *out, const iol__contrast *contrast) {
    compare_html_page p = {out, contrast};
    iol__text_utf8_begin();
    compare_html_raw(&p,
                     "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                     "content=\"width=device-width,initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" "
                     "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>");
    element(&p, "", contrast->group[1].runs[0].program, ": runs compared</title>\n<style>\n");
    compare_html_raw(&p, style);
    compare_html_raw(&p, "</style></head><body>\n");
    compare_html_answer(&p);
    compare_html_times(&p);
    compare_html_findings(&p);
    compare_html_facts(&p);
    compare_html_runs(&p);
    compare_html_raw(&p, "</body></html>\n");
    iol__text_utf8_end();
}
