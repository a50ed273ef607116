/* Findings as CSV: a line each, or a line for each log with a column for each rule. */
#include <math.h>
#include <string.h>

#include "base/count.h"
#include "log/trailer/regions.h"
#include "text/csv.h"
#include "report/findings/findings.h"

static void comma(iol__out *out) { iol__out_char(out, ','); }

void iol__findings_csv_head(iol__out *out, const iol__rulebook *book, bool wide) {
    if (!wide) {
        iol__out_text(
            out, "log,job,id,alias,level,score,lost_s,lost_s_lo,lost_s_hi,confidence,subject,title,figures,region\n");
        return;
    }
    iol__out_text(out, "log,job");
    iol__rule_info info;
    for (size_t i = 0; iol__rulebook_rule(book, i, &info); i++) {
        comma(out);
        iol__csv_text(out, info.id);
    }
    iol__out_char(out, '\n');
}

/* "a=1 b=2": one field, so that every line has the same number of them. */
static void figures_field(iol__out *out, const iol__finding *f) {
    iol__out text;
    iol__out_open(&text, -1);
    for (size_t i = 0; i < f->n_figures; i++) {
        if (i) iol__out_char(&text, ' ');
        iol__out_text(&text, f->figures[i].name);
        iol__out_char(&text, '=');
        if (f->figures[i].text)
            iol__out_text(&text, f->figures[i].text);
        else if (!isnan(f->figures[i].value))
            iol__out_double(&text, f->figures[i].value);
    }
    iol__out_char(&text, 0);
    iol__csv_words(out, text.buffer);
    iol__out_close(&text);
}

static void findings_csv_line(iol__out *out, const iol__diagnosis *d, const iol__finding *f) {
    bool known = f->costed && f->cost.known;
    iol__csv_words(out, d->log_name);
    comma(out);
    if (d->job_id_known) iol__out_i64(out, d->job_id);
    comma(out);
    iol__csv_words(out, f->id);
    comma(out);
    iol__csv_words(out, f->aliases[0]);
    comma(out);
    iol__csv_words(out, iol__level_name(f->level));
    const double numbers[] = {known ? f->cost.best * f->confidence.value : NAN, known ? f->cost.best : NAN,
                              known ? f->cost.low : NAN, known ? f->cost.high : NAN, f->confidence.value};
    for (size_t i = 0; i < IOL_COUNT(numbers); i++) {
        comma(out);
        iol__csv_real(out, numbers[i]);
    }
    comma(out);
    iol__csv_words(out, f->subject_name ? f->subject_name : f->subject_kind);
    comma(out);
    iol__csv_words(out, f->title);
    comma(out);
    figures_field(out, f);
    comma(out);
    iol__csv_words(out, f->region ? f->region->name : NULL);
    iol__out_char(out, '\n');
}

static void wide_line(iol__out *out, const iol__diagnosis *d) {
    iol__csv_words(out, d->log_name);
    comma(out);
    if (d->job_id_known) iol__out_i64(out, d->job_id);
    iol__rule_info info;
    for (size_t i = 0; iol__rulebook_rule(d->rulebook, i, &info); i++) {
        comma(out);
        for (size_t k = 0; k < d->n_findings; k++)
            if (strcmp(d->findings[k].id, info.id) == 0) iol__out_text(out, iol__level_name(d->findings[k].level));
    }
    iol__out_char(out, '\n');
}

void iol__findings_csv(iol__out *out, const iol__diagnosis *d, bool wide) {
    if (wide) {
        wide_line(out, d);
        return;
    }
    for (size_t i = 0; i < d->n_findings; i++) findings_csv_line(out, d, &d->findings[i]);
}
