/* The diagnosis on a terminal: the job in a few lines, then findings, worst first, with what they cost and what to
   do. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "log/trailer/regions.h"
#include "report/where.h"
#include "report/findings/findings.h"
#include "report/figures_text.h"
#include "report/ink.h"
#include "text/number.h"
#include "text/text.h"

enum { INDENT = 6, LEAST_COLUMNS = 40, MOST_COLUMNS = 120 };

typedef struct findings_text_page {
    iol__out *out;
    const iol__findings_style *style;
    size_t columns;
} findings_text_page;

static void findings_text_paint(const findings_text_page *p, iol__ink ink) {
    if (p->style->colour) iol__out_text(p->out, iol__ink_sequence(ink, p->style->light));
}

static void findings_text_paragraph(const findings_text_page *p, size_t indent, const char *lead, const char *text) {
    iol__out_repeat(p->out, ' ', indent);
    iol__out_text(p->out, lead);
    size_t used = indent + strlen(lead);
    iol__out_wrapped(p->out, p->columns, used, used, text);
}

/* The head ---------------------------------------------------------------------------------------------------- */

static void findings_text_head(const findings_text_page *p, const iol__diagnosis *d) {
    char id[32] = "unknown job", time[IOL_HUMAN], processes[IOL_HUMAN], nodes[IOL_HUMAN], text[300];
    findings_text_paint(p, IOL_INK_STRONG);
    iol__out_fitted(p->out, *d->exe ? d->exe : "(unknown program)", p->columns, IOL_CUT_END);
    findings_text_paint(p, IOL_INK_PLAIN);
    iol__out_char(p->out, '\n');
    if (d->job_id_known) snprintf(id, sizeof id, "job %lld", (long long)d->job_id);
    snprintf(text, sizeof text, "%s, %s process%s, %s node%s%s, run time %s", id,
             iol__human_number(processes, (double)d->processes), d->processes == 1 ? "" : "es",
             iol__human_number(nodes, d->nodes), d->nodes == 1 ? "" : "s",
             strcmp(d->nodes_from, "guess") == 0 ? " (guessed)" : "", iol__human_seconds(time, d->run_time));
    findings_text_paragraph(p, 0, "", text);
    iol__figures_line(text, d->figures, d->io_waited);
    findings_text_paragraph(p, 0, "", text);
    if (*iol__maps_line(text, d->figures)) findings_text_paragraph(p, 0, "", text);
    for (size_t i = 0; i < d->n_quality; i++) findings_text_paragraph(p, 0, "! ", d->quality[i]);
}

/* "in checkpoint: 82% of the I/O time, in read: 12%": the regions that matter, most first. */
static void regions(const findings_text_page *p, const iol__diagnosis *d) {
    enum { SHOWN = 4 };
    iol__out text;
    char share[IOL_HUMAN];
    iol__out_open(&text, -1);
    for (size_t i = 0, shown = 0; i < d->n_regions && shown < SHOWN; i++) {
        const iol__marked_region *r = &d->regions[i];
        if (!(r->io_share >= 0.005)) continue;
        iol__out_printf(&text, "%sin %.60s: %s%s", shown ? ", " : "", r->name, iol__human_share(share, r->io_share),
                        shown ? "" : " of the I/O time");
        shown++;
    }
    iol__out_char(&text, '\0');
    if (text.length > 1) findings_text_paragraph(p, 0, "", text.buffer);
    iol__out_close(&text);
}

static void totals(const findings_text_page *p, const iol__diagnosis *d) {
    size_t high = d->count[IOL_LEVEL_HIGH], warn = d->count[IOL_LEVEL_WARN];
    iol__out_char(p->out, '\n');
    if (!high && !warn) {
        findings_text_paint(p, d->damaged ? IOL_INK_WARN : IOL_INK_GOOD);
        iol__out_text(p->out, d->damaged ? "Nothing serious was found in what could be read of this damaged log."
                                         : "Nothing serious was found.");
        findings_text_paint(p, IOL_INK_PLAIN);
        iol__out_char(p->out, '\n');
        return;
    }
    char text[120];
    snprintf(text, sizeof text, "%zu serious, %zu worth a look; costs are rough estimates", high, warn);
    findings_text_paragraph(p, 0, "", text);
}

/* One finding ------------------------------------------------------------------------------------------------- */

static void findings_text_level_word(const findings_text_page *p, iol__level level) {
    static const char *const words[IOL_LEVELS] = {"INFO", "OK  ", "WARN", "HIGH"};
    static const iol__ink inks[IOL_LEVELS] = {IOL_INK_FAINT, IOL_INK_GOOD, IOL_INK_WARN, IOL_INK_BAD};
    findings_text_paint(p, inks[level]);
    iol__out_text(p->out, words[level]);
    findings_text_paint(p, IOL_INK_PLAIN);
    iol__out_text(p->out, "  ");
}

/* "cost roughly 12 to 40 s (10% of the run), confidence medium" */
static void cost_line(const findings_text_page *p, const iol__finding *f) {
    if (!f->costed || f->level == IOL_LEVEL_OK) return;
    char low[IOL_HUMAN], high[IOL_HUMAN], share[IOL_HUMAN], text[160];
    if (!f->cost.known) {
        snprintf(text, sizeof text, "cost unknown: the log has no times to go by");
    } else if (f->cost.high < 0.001) {
        snprintf(text, sizeof text, "costs next to nothing");
    } else {
        iol__human_seconds(low, f->cost.low);
        iol__human_seconds(high, f->cost.high);
        bool alike = strcmp(low, high) == 0;
        int n = snprintf(text, sizeof text, "costs roughly %s%s%s", low, alike ? "" : " to ", alike ? "" : high);
        if (!isnan(f->cost.share) && n > 0)
            n += snprintf(text + n, sizeof text - (size_t)n, ", %s of the run", iol__human_share(share, f->cost.share));
        if (n > 0) snprintf(text + n, sizeof text - (size_t)n, "; confidence %s", f->confidence.label);
    }
    findings_text_paint(p, IOL_INK_FAINT);
    iol__out_repeat(p->out, ' ', INDENT);
    iol__out_wrapped(p->out, p->columns, INDENT, INDENT, text);
    findings_text_paint(p, IOL_INK_PLAIN);
}

/* "in checkpoint: 82% of the I/O time" */
static void region_line(const findings_text_page *p, const iol__finding *f) {
    char share[IOL_HUMAN], text[200];
    if (!f->region || isnan(f->region->io_share)) return;
    snprintf(text, sizeof text, "in %.100s: %s of the I/O time", f->region->name,
             iol__human_share(share, f->region->io_share));
    findings_text_paint(p, IOL_INK_FAINT);
    iol__out_repeat(p->out, ' ', INDENT);
    iol__out_wrapped(p->out, p->columns, INDENT, INDENT, text);
    findings_text_paint(p, IOL_INK_PLAIN);
}

/* "at checkpoint.c:112 write_row: 83% of it, 1,572,864 calls", and what stands there, where the source is at hand. */
static void place_lines(const findings_text_page *p, const iol__finding *f) {
    char share[IOL_HUMAN], calls[IOL_HUMAN], source[160];
    if (p->style->names == IOL_NAMES_HASH) return;
    for (size_t i = 0; i < f->n_places; i++) {
        const iol__finding_place *at = &f->places[i];
        iol__out_repeat(p->out, ' ', INDENT);
        iol__out_text(p->out, "at ");
        iol__out_safe(p->out, at->text);
        iol__out_printf(p->out, ": %s of it, %s call%s\n", iol__human_share(share, at->share),
                        iol__human_number(calls, at->calls), at->calls == 1 ? "" : "s");
        if (!iol__source_line(at->file, at->line, source, sizeof source)) continue;
        iol__out_repeat(p->out, ' ', INDENT + 4);
        iol__out_fitted(p->out, source, p->columns > INDENT + 14 ? p->columns - INDENT - 4 : 10, IOL_CUT_END);
        iol__out_char(p->out, '\n');
    }
}

const char *iol__shown_name(const iol__findings_style *style, const char *name, uint64_t id,
                            char number[IOL_NUMBER_NAME]) {
    if (!name || !*name || style->names == IOL_NAMES_HASH) {
        snprintf(number, IOL_NUMBER_NAME, "file %llu", (unsigned long long)id);
        return number;
    }
    const char *slash = strrchr(name, '/');
    return style->names == IOL_NAMES_BASE && slash && slash[1] ? slash + 1 : name;
}

static void evidence_line(const findings_text_page *p, const iol__evidence *e) {
    char number[IOL_NUMBER_NAME], a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN], text[200];
    const char *name = iol__shown_name(p->style, e->name, e->file_id, number);
    text[0] = 0;
    if (e->kind == IOL_EVIDENCE_FILE && !isnan(e->lost_s))
        snprintf(text, sizeof text, "  %s", iol__human_seconds(a, e->lost_s));
    if (e->kind == IOL_EVIDENCE_SEGMENT)
        snprintf(text, sizeof text, "  rank %lld %s %s bytes at %lld, %s to %s", (long long)e->rank,
                 e->is_write ? "wrote" : "read", iol__human_number(c, (double)e->length), (long long)e->offset,
                 iol__human_seconds(a, e->t0), iol__human_seconds(b, e->t1));
    if (e->kind == IOL_EVIDENCE_RECORD)
        snprintf(text, sizeof text, "  %s record, rank %lld", e->module, (long long)e->rank);
    if (e->kind == IOL_EVIDENCE_TIMERANGE) {
        if (!e->name) name = "time";
        int used =
            snprintf(text, sizeof text, "  %s to %s", iol__human_seconds(a, e->t0), iol__human_seconds(b, e->t1));
        if (strcmp(e->ranks, "all") != 0)
            snprintf(text + used, sizeof text - (size_t)used, ", rank(s) %.40s", e->ranks);
    }
    size_t room = p->columns > INDENT + 2 + strlen(text) + 10 ? p->columns - INDENT - 2 - strlen(text) : 10;
    iol__out_repeat(p->out, ' ', INDENT);
    iol__out_text(p->out, "- ");
    iol__out_fitted(p->out, name, room, IOL_CUT_MIDDLE);
    iol__out_text(p->out, text);
    iol__out_char(p->out, '\n');
}

/* Lines of code keep their length: they are to be copied. */
static void snippet(const findings_text_page *p, const iol__advice *a) {
    iol__out_char(p->out, '\n');
    for (const char *at = a->code; *at;) {
        size_t n = strcspn(at, "\n");
        char line[600];
        size_t kept = n < sizeof line - 1 ? n : sizeof line - 1;
        memcpy(line, at, kept);
        line[kept] = 0;
        if (kept) {
            iol__out_repeat(p->out, ' ', INDENT + 4);
            findings_text_paint(p, IOL_INK_CODE);
            iol__out_code(p->out, line);
            findings_text_paint(p, IOL_INK_PLAIN);
        }
        iol__out_char(p->out, '\n');
        at += n + (at[n] == '\n');
    }
    iol__out_char(p->out, '\n');
}

/* All that there is of facts and good habits. */
static void title_line(const findings_text_page *p, const iol__finding *f) {
    findings_text_level_word(p, f->level);
    size_t used = INDENT;
    if (p->style->ids) {
        iol__out_text(p->out, f->id);
        iol__out_text(p->out, ": ");
        used += strlen(f->id) + 2;
    }
    iol__out_wrapped(p->out, p->columns, INDENT, used, f->title);
}

/* The branches of the tree of causes below a finding, each behind its cause. */
static void symptom_lines(const findings_text_page *p, const iol__finding *f) {
    for (size_t i = 0; i < f->n_symptoms; i++) {
        findings_text_paint(p, IOL_INK_FAINT);
        findings_text_paragraph(p, INDENT + 2 * (size_t)(f->symptoms[i].depth - 1), "explains: ", f->symptoms[i].title);
        findings_text_paint(p, IOL_INK_PLAIN);
    }
}

static void findings_text_finding(const findings_text_page *p, const iol__finding *f) {
    iol__out_char(p->out, '\n');
    title_line(p, f);
    if (f->note) findings_text_paragraph(p, INDENT, "", f->note);
    cost_line(p, f);
    region_line(p, f);
    place_lines(p, f);
    for (size_t i = 0; i < f->n_evidence; i++)
        if (p->style->details || f->evidence[i].kind == IOL_EVIDENCE_SEGMENT ||
            (f->evidence[i].kind == IOL_EVIDENCE_FILE && f->subject_count > 1 && i < 3))
            evidence_line(p, &f->evidence[i]);
    symptom_lines(p, f);
    if (p->style->no_advice || f->level == IOL_LEVEL_OK) return;
    for (size_t i = 0; i < f->n_advice; i++) {
        findings_text_paragraph(p, INDENT, "> ", f->advice[i].text);
        if (p->style->snippets && f->advice[i].code) snippet(p, &f->advice[i]);
    }
}

static void section(const findings_text_page *p, const char *title) {
    iol__out_char(p->out, '\n');
    findings_text_paint(p, IOL_INK_STRONG);
    iol__out_text(p->out, title);
    findings_text_paint(p, IOL_INK_PLAIN);
    iol__out_char(p->out, '\n');
}

static void findings_text_thresholds(const findings_text_page *p, const iol__diagnosis *d) {
    section(p, "Thresholds");
    for (size_t i = 0; i < iol__rulebook_thresholds(d->rulebook); i++) {
        const iol__threshold *t = iol__rulebook_threshold(d->rulebook, i);
        iol__out_printf(p->out, "%-28s ", t->path);
        iol__out_double(p->out, d->thresholds[i]);
        iol__out_char(p->out, '\n');
    }
}

void iol__findings_text(iol__out *out, const iol__diagnosis *d, const iol__findings_style *style) {
    size_t columns = style->columns ? style->columns : 80;
    if (columns < LEAST_COLUMNS) columns = LEAST_COLUMNS;
    if (columns > MOST_COLUMNS) columns = MOST_COLUMNS;
    findings_text_page p = {out, style, columns};
    findings_text_head(&p, d);
    regions(&p, d);
    totals(&p, d);
    size_t i = 0;
    for (; i < d->n_findings && d->findings[i].level >= IOL_LEVEL_WARN; i++) findings_text_finding(&p, &d->findings[i]);
    if (i < d->n_findings) iol__out_char(out, '\n');
    for (; i < d->n_findings; i++) {
        if (style->details)
            findings_text_finding(&p, &d->findings[i]);
        else
            title_line(&p, &d->findings[i]);
    }
    if (d->n_cannot_tell) section(&p, "What this log cannot tell");
    for (i = 0; i < d->n_cannot_tell; i++) findings_text_paragraph(&p, 0, "- ", d->cannot_tell[i]);
    if (style->thresholds) findings_text_thresholds(&p, d);
}
