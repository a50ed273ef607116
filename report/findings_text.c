/* The diagnosis on a terminal: the job in a few lines, then findings, worst first, with what they cost and what to
   do. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/findings.h"
#include "report/text.h"

enum { INDENT = 6, LEAST_COLUMNS = 40, MOST_COLUMNS = 120 };

typedef struct page {
    iol__out *out;
    const iol__findings_style *style;
    size_t columns;
} page;

static void paint(const page *p, const char *code) {
    if (p->style->colour) iol__out_text(p->out, code);
}

/* Words in lines that fit, each behind `indent` columns; the first line is behind `used` already. Text from a log is
   escaped word by word. */
static void wrapped(const page *p, size_t indent, size_t used, const char *text) {
    size_t column = used;
    bool first = true;
    while (*text) {
        size_t length = strcspn(text, " ");
        iol__out word;
        iol__out_open(&word, -1);
        char piece[400];
        size_t kept = length < sizeof piece - 1 ? length : sizeof piece - 1;
        memcpy(piece, text, kept);
        piece[kept] = 0;
        size_t width = iol__out_fitted(&word, piece, p->columns - indent, IOL_CUT_MIDDLE);
        if (!first && column + 1 + width > p->columns) {
            iol__out_char(p->out, '\n');
            iol__out_repeat(p->out, ' ', indent);
            column = indent;
        } else if (!first) {
            iol__out_char(p->out, ' ');
            column++;
        }
        iol__out_bytes(p->out, word.buffer, word.length);
        iol__out_close(&word);
        column += width;
        first = false;
        text += length + (text[length] == ' ');
    }
    iol__out_char(p->out, '\n');
}

static void paragraph(const page *p, size_t indent, const char *lead, const char *text) {
    iol__out_repeat(p->out, ' ', indent);
    iol__out_text(p->out, lead);
    size_t used = indent + strlen(lead);
    wrapped(p, used, used, text);
}

/* The head ---------------------------------------------------------------------------------------------------- */

static void head(const page *p, const iol__diagnosis *d) {
    char time[IOL_HUMAN], bytes[IOL_HUMAN], share[IOL_HUMAN], text[300];
    paint(p, "\033[1m");
    iol__out_fitted(p->out, *d->exe ? d->exe : "(unknown program)", p->columns, IOL_CUT_END);
    paint(p, "\033[0m");
    iol__out_char(p->out, '\n');
    snprintf(text, sizeof text, "job %lld, %lld process%s, %.0f node%s%s, run time %s", (long long)d->job_id,
             (long long)d->processes, d->processes == 1 ? "" : "es", d->nodes, d->nodes == 1 ? "" : "s",
             strcmp(d->nodes_from, "guess") == 0 ? " (guessed)" : "", iol__human_seconds(time, d->run_time));
    paragraph(p, 0, "", text);
    int n = snprintf(text, sizeof text, "I/O %s", iol__human_seconds(time, d->io_time));
    if (!isnan(d->io_share))
        n += snprintf(text + n, sizeof text - (size_t)n, ", %s of the run", iol__human_share(share, d->io_share));
    n += snprintf(text + n, sizeof text - (size_t)n, ", %s", iol__human_bytes(bytes, d->bytes_read + d->bytes_written));
    if (!isnan(d->rate)) snprintf(text + n, sizeof text - (size_t)n, ", %s/s", iol__human_bytes(bytes, d->rate));
    paragraph(p, 0, "", text);
    for (size_t i = 0; i < d->n_quality; i++) paragraph(p, 0, "! ", d->quality[i]);
}

static void totals(const page *p, const iol__diagnosis *d) {
    size_t high = d->count[IOL_LEVEL_HIGH], warn = d->count[IOL_LEVEL_WARN];
    iol__out_char(p->out, '\n');
    if (!high && !warn) {
        paint(p, "\033[32m");
        iol__out_text(p->out, "Nothing serious was found.");
        paint(p, "\033[0m");
        iol__out_char(p->out, '\n');
        return;
    }
    char text[120];
    snprintf(text, sizeof text, "%zu serious, %zu worth a look; costs are rough estimates", high, warn);
    paragraph(p, 0, "", text);
}

/* One finding ------------------------------------------------------------------------------------------------- */

static void level_word(const page *p, iol__level level) {
    static const char *const words[IOL_LEVELS] = {"INFO", "OK  ", "WARN", "HIGH"};
    static const char *const colours[IOL_LEVELS] = {"\033[2m", "\033[32m", "\033[38;5;214m", "\033[1;31m"};
    paint(p, colours[level]);
    iol__out_text(p->out, words[level]);
    paint(p, "\033[0m");
    iol__out_text(p->out, "  ");
}

/* "cost roughly 12 to 40 s (10% of the run), confidence medium" */
static void cost_line(const page *p, const iol__finding *f) {
    if (!f->costed || f->level == IOL_LEVEL_OK) return;
    char low[IOL_HUMAN], high[IOL_HUMAN], share[IOL_HUMAN], text[160];
    if (!f->cost.known) {
        snprintf(text, sizeof text, "cost unknown: the log has no times to go by");
    } else if (f->cost.high < 0.001) {
        snprintf(text, sizeof text, "costs next to nothing");
    } else {
        iol__human_seconds(low, f->cost.low);
        iol__human_seconds(high, f->cost.high);
        int n = snprintf(text, sizeof text, "costs roughly %s to %s", low, high);
        if (!isnan(f->cost.share) && n > 0)
            n += snprintf(text + n, sizeof text - (size_t)n, ", %s of the run", iol__human_share(share, f->cost.share));
        if (n > 0) snprintf(text + n, sizeof text - (size_t)n, "; confidence %s", f->confidence.label);
    }
    paint(p, "\033[2m");
    iol__out_repeat(p->out, ' ', INDENT);
    wrapped(p, INDENT, INDENT, text);
    paint(p, "\033[0m");
}

static const char *shown_name(const page *p, const char *name, uint64_t id, char number[32]) {
    if (!name || p->style->names == IOL_NAMES_HASH) {
        snprintf(number, 32, "file %llu", (unsigned long long)id);
        return number;
    }
    const char *slash = strrchr(name, '/');
    return p->style->names == IOL_NAMES_BASE && slash && slash[1] ? slash + 1 : name;
}

static void evidence_line(const page *p, const iol__evidence *e) {
    char number[32], a[IOL_HUMAN], b[IOL_HUMAN], text[200];
    const char *name = shown_name(p, e->name, e->file_id, number);
    text[0] = 0;
    if (e->kind == IOL_EVIDENCE_FILE && !isnan(e->lost_s))
        snprintf(text, sizeof text, "  %s", iol__human_seconds(a, e->lost_s));
    if (e->kind == IOL_EVIDENCE_SEGMENT)
        snprintf(text, sizeof text, "  rank %lld %s %lld bytes at %lld, %s to %s", (long long)e->rank,
                 e->is_write ? "wrote" : "read", (long long)e->length, (long long)e->offset,
                 iol__human_seconds(a, e->t0), iol__human_seconds(b, e->t1));
    if (e->kind == IOL_EVIDENCE_RECORD)
        snprintf(text, sizeof text, "  %s record, rank %lld", e->module, (long long)e->rank);
    if (e->kind == IOL_EVIDENCE_TIMERANGE) {
        name = "time";
        snprintf(text, sizeof text, "  %s to %s", iol__human_seconds(a, e->t0), iol__human_seconds(b, e->t1));
    }
    size_t room = p->columns > INDENT + 2 + strlen(text) + 10 ? p->columns - INDENT - 2 - strlen(text) : 10;
    iol__out_repeat(p->out, ' ', INDENT);
    iol__out_text(p->out, "- ");
    iol__out_fitted(p->out, name, room, IOL_CUT_MIDDLE);
    iol__out_text(p->out, text);
    iol__out_char(p->out, '\n');
}

static void snippet(const page *p, const iol__advice *a) {
    iol__out_char(p->out, '\n');
    for (const char *at = a->code; *at;) {
        size_t n = strcspn(at, "\n");
        char line[600];
        size_t kept = n < sizeof line - 1 ? n : sizeof line - 1;
        memcpy(line, at, kept);
        line[kept] = 0;
        if (kept) iol__out_repeat(p->out, ' ', INDENT + 4);
        /* Code keeps its backslashes; quoting for its language has left nothing else that a terminal could take amiss,
           but for names in UTF-8 and control characters inside shell quotes. */
        for (const char *c = line; *c; c++) iol__out_char(p->out, (unsigned char)*c < 32 || *c == 127 ? '?' : *c);
        iol__out_char(p->out, '\n');
        at += n + (at[n] == '\n');
    }
    iol__out_char(p->out, '\n');
}

static void finding(const page *p, const iol__finding *f) {
    iol__out_char(p->out, '\n');
    level_word(p, f->level);
    size_t used = INDENT;
    if (p->style->ids) {
        iol__out_text(p->out, f->id);
        iol__out_text(p->out, ": ");
        used += strlen(f->id) + 2;
    }
    wrapped(p, INDENT, used, f->title);
    if (f->note) paragraph(p, INDENT, "", f->note);
    cost_line(p, f);
    for (size_t i = 0; i < f->n_evidence; i++)
        if (p->style->details || f->evidence[i].kind == IOL_EVIDENCE_SEGMENT ||
            (f->evidence[i].kind == IOL_EVIDENCE_FILE && f->subject_count > 1 && i < 3))
            evidence_line(p, &f->evidence[i]);
    if (p->style->no_advice || f->level == IOL_LEVEL_OK) return;
    for (size_t i = 0; i < f->n_advice; i++) {
        paragraph(p, INDENT, "> ", f->advice[i].text);
        if (p->style->snippets && f->advice[i].code) snippet(p, &f->advice[i]);
    }
}

/* Facts and good habits are one line each. */
static void short_line(const page *p, const iol__finding *f) {
    level_word(p, f->level);
    size_t used = INDENT;
    if (p->style->ids) {
        iol__out_text(p->out, f->id);
        iol__out_text(p->out, ": ");
        used += strlen(f->id) + 2;
    }
    wrapped(p, INDENT, used, f->title);
}

void iol__findings_text(iol__out *out, const iol__diagnosis *d, const iol__findings_style *style) {
    size_t columns = style->columns ? style->columns : 80;
    if (columns < LEAST_COLUMNS) columns = LEAST_COLUMNS;
    if (columns > MOST_COLUMNS) columns = MOST_COLUMNS;
    page p = {out, style, columns};
    head(&p, d);
    totals(&p, d);
    size_t i = 0;
    for (; i < d->n_findings && d->findings[i].level >= IOL_LEVEL_WARN; i++) finding(&p, &d->findings[i]);
    if (i < d->n_findings) iol__out_char(out, '\n');
    for (; i < d->n_findings; i++) {
        if (style->details)
            finding(&p, &d->findings[i]);
        else
            short_line(&p, &d->findings[i]);
    }
    if (!d->n_cannot_tell) return;
    iol__out_text(out, "\nWhat this log cannot tell\n");
    for (i = 0; i < d->n_cannot_tell; i++) paragraph(&p, 0, "- ", d->cannot_tell[i]);
}
