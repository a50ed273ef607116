/* The compatible way of judging: the codes that Drishti 0.6 gives, in panels as its users know them. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "cmds/diagnose/diagnose.h"
#include "report/ink.h"
#include "report/log_json.h"
#include "text/number.h"
#include "text/text.h"

enum { INDENT = 11, LEAST_COLUMNS = 60, MOST_COLUMNS = 120 };

static const char *const panel_words[IOL_PANELS] = {
    [IOL_PANEL_METADATA] = "metadata", [IOL_PANEL_OPERATIONS] = "operations"};

/* Judging ------------------------------------------------------------------------------------------------------- */

static iol_status diagnose_compat_judge(const diagnose_settings *settings, diagnosed *d) {
    (void)settings;
    d->facts = calloc(1, sizeof *d->facts);
    d->compat = calloc(1, sizeof *d->compat);
    if (!d->facts || !d->compat || !iol__facts_make(d->log, NULL, NULL, d->facts)) {
        free(d->facts);
        d->facts = NULL;
        snprintf(d->error.message, sizeof d->error.message, "out of memory");
        return IOL_SYSTEM;
    }
    iol__compat_make(d->facts, d->compat);
    return IOL_OK;
}

static void diagnose_compat_release(diagnosed *d) {
    if (d->facts) iol__facts_free(d->facts);
    free(d->facts);
    free(d->compat);
}

static void diagnose_compat_count(const diagnosed *d, size_t found[IOL_LEVELS]) {
    for (size_t i = 0; i < d->compat->count; i++) found[d->compat->finding[i].rule->level]++;
}

static bool means(const char *glob, const iol__compat_rule *rule) {
    return fnmatch(glob, rule->code, FNM_CASEFOLD) == 0 || fnmatch(glob, rule->id, FNM_CASEFOLD) == 0;
}

static bool diagnose_compat_knows(const diagnose_settings *settings, const char *glob) {
    (void)settings;
    for (int i = 0; i < IOL_COMPAT_CODES; i++)
        if (means(glob, &iol__compat_rules[i])) return true;
    return false;
}

static bool in_globs(const char *const *globs, const iol__compat_rule *rule) {
    for (; globs && *globs; globs++)
        if (means(*globs, rule)) return true;
    return false;
}

/* What --only, --skip and --min-level leave. The totals stay those of the whole, as they are what is compared. */
static bool diagnose_compat_wanted(const diagnose_settings *s, const iol__compat_rule *rule) {
    const iol__diagnose_options *o = &s->options;
    if (rule->level < o->min_level || in_globs(o->skip, rule)) return false;
    return !o->only || !o->only[0] || in_globs(o->only, rule);
}

static uint64_t details_shown(const diagnose_settings *s, const iol__compat_finding *finding) {
    uint64_t most =
        s->options.evidence && s->options.evidence < IOL_FACTS_DETAILS ? s->options.evidence : IOL_FACTS_DETAILS;
    return finding->n_details < most ? finding->n_details : most;
}

/* Text ---------------------------------------------------------------------------------------------------------- */

typedef struct diagnose_compat_page {
    iol__out *out;
    const iol__findings_style *style;
    const diagnose_settings *settings;
    const diagnosed *d;
    size_t columns;
} diagnose_compat_page;

static void diagnose_compat_paint(const diagnose_compat_page *p, iol__ink ink) {
    if (p->style->colour) iol__out_text(p->out, iol__ink_sequence(ink, p->style->light));
}

static void level_word(const diagnose_compat_page *p, iol__level level) {
    static const iol__ink inks[IOL_LEVELS] = {IOL_INK_PLAIN, IOL_INK_GOOD, IOL_INK_WARN, IOL_INK_BAD};
    static const char *const words[IOL_LEVELS] = {
        [IOL_LEVEL_INFO] = "INFO", [IOL_LEVEL_OK] = "OK  ", [IOL_LEVEL_WARN] = "WARN", [IOL_LEVEL_HIGH] = "HIGH"};
    if (inks[level] != IOL_INK_PLAIN) diagnose_compat_paint(p, inks[level]);
    iol__out_text(p->out, words[level]);
    if (inks[level] != IOL_INK_PLAIN) diagnose_compat_paint(p, IOL_INK_PLAIN);
}

static bool is_share(const char *name) {
    size_t length = strlen(name);
    return length >= 5 && strcmp(name + length - 5, "share") == 0;
}

/* "consecutive share 55%", "requests 12,345" */
static void figure_words(iol__out *out, const iol__figure *figure) {
    char value[IOL_HUMAN];
    for (const char *c = figure->name; *c; c++) iol__out_char(out, *c == '_' ? ' ' : *c);
    iol__out_char(out, ' ');
    if (is_share(figure->name))
        iol__out_text(out, iol__human_share(value, figure->value));
    else if (strcmp(figure->name, "bytes") == 0)
        iol__out_text(out, iol__human_bytes(value, figure->value));
    else if (strcmp(figure->name, "seconds") == 0)
        iol__out_printf(out, "over %s", iol__human_number(value, figure->value));
    else
        iol__out_text(out, iol__human_number(value, figure->value));
}

static void detail_lines(const diagnose_compat_page *p, const iol__compat_finding *finding) {
    char number[IOL_NUMBER_NAME];
    uint64_t shown = details_shown(p->settings, finding);
    size_t room = p->columns - INDENT - 23;
    for (uint64_t i = 0; i < shown; i++) {
        const iol__compat_detail *detail = &finding->detail[i];
        const char *name = iol_log_name(p->d->log, detail->id);
        char count[IOL_HUMAN] = "", share[IOL_HUMAN];
        iol__out_repeat(p->out, ' ', INDENT);
        iol__out_left(p->out, iol__shown_name(p->style, name, detail->id, number), room, IOL_CUT_MIDDLE);
        if (detail->count >= 0) iol__human_number(count, (double)detail->count);
        iol__out_printf(p->out, " %13s %8s\n", count, iol__human_share(share, detail->percent / 100));
    }
    if (finding->n_details > shown)
        iol__out_printf(p->out, "%*sand %llu more\n", INDENT, "", (unsigned long long)(finding->n_details - shown));
}

static void title_words(const diagnose_compat_page *p, const iol__compat_finding *finding) {
    iol__out line;
    iol__out_open(&line, -1);
    iol__out_text(&line, finding->rule->title);
    for (int i = 0; i < IOL_COMPAT_FIGURES && finding->figure[i].name; i++) {
        iol__out_text(&line, i ? ", " : ": ");
        figure_words(&line, &finding->figure[i]);
    }
    iol__out_char(&line, '\0');
    iol__out_wrapped(p->out, p->columns, INDENT, INDENT, line.buffer);
    iol__out_close(&line);
}

static void finding_lines(const diagnose_compat_page *p, const iol__compat_finding *finding) {
    level_word(p, finding->rule->level);
    iol__out_printf(p->out, "  %s  ", finding->rule->code);
    title_words(p, finding);
    detail_lines(p, finding);
    for (unsigned i = 0; i < finding->advice && !p->style->no_advice; i++) {
        iol__out_printf(p->out, "%*s> ", INDENT, "");
        iol__out_wrapped(p->out, p->columns, INDENT + 2, INDENT + 2, finding->rule->advice[i]);
    }
}

static void panel(const diagnose_compat_page *p, iol__compat_panel which) {
    static const char *const titles[IOL_PANELS] = {"METADATA", "OPERATIONS"};
    bool any = false;
    for (size_t i = 0; i < p->d->compat->count; i++) {
        const iol__compat_finding *finding = &p->d->compat->finding[i];
        if (finding->rule->panel != which || !diagnose_compat_wanted(p->settings, finding->rule)) continue;
        if (!any) iol__out_printf(p->out, "\n%s\n", titles[which]);
        any = true;
        finding_lines(p, finding);
    }
}

static void diagnose_compat_thresholds(const diagnose_compat_page *p) {
    iol__out_text(p->out, "\nTHRESHOLDS\n");
    for (const iol__figure *t = iol__compat_thresholds; t->name; t++) {
        iol__out_printf(p->out, "%-34s ", t->name);
        iol__out_double(p->out, t->value);
        iol__out_char(p->out, '\n');
    }
}

static void count_words(iol__out *out, unsigned number, const char *one, const char *end) {
    iol__out_printf(out, "%u %s%s%s", number, one, number == 1 ? "" : "s", end);
}

static void diagnose_compat_text(iol__out *out, const iol__findings_style *style, const diagnose_settings *settings,
                                 const diagnosed *d) {
    size_t columns = style->columns ? style->columns : 80;
    if (columns < LEAST_COLUMNS) columns = LEAST_COLUMNS;
    if (columns > MOST_COLUMNS) columns = MOST_COLUMNS;
    diagnose_compat_page p = {out, style, settings, d, columns};
    const char *exe = d->facts->job->exe;
    diagnose_compat_paint(&p, IOL_INK_STRONG);
    iol__out_fitted(out, exe && *exe ? exe : "(unknown program)", columns, IOL_CUT_END);
    diagnose_compat_paint(&p, IOL_INK_PLAIN);
    iol__out_char(out, '\n');
    count_words(out, d->compat->high, "critical issue", ", ");
    count_words(out, d->compat->warn, "warning", ", ");
    count_words(out, d->compat->recommendations, "recommendation", "\n");
    panel(&p, IOL_PANEL_METADATA);
    panel(&p, IOL_PANEL_OPERATIONS);
    if (style->thresholds) diagnose_compat_thresholds(&p);
}

/* JSON ---------------------------------------------------------------------------------------------------------- */

static void json_details(iol__json *json, const diagnose_settings *s, iol_log *log,
                         const iol__compat_finding *finding) {
    iol__json_put_u64(json, "detail_count", finding->n_details);
    iol__json_put_open(json, "details", '[');
    for (uint64_t i = 0; i < details_shown(s, finding); i++) {
        const iol__compat_detail *detail = &finding->detail[i];
        iol__json_open(json, '{');
        iol__json_put_id(json, "id", detail->id);
        iol__json_put_text(json, "name", iol_log_name(log, detail->id));
        iol__json_put_i64(json, "rank", detail->rank);
        if (detail->count >= 0) iol__json_put_i64(json, "requests", detail->count);
        iol__json_put_real(json, "percent", detail->percent);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void finding_members(iol__json *json, const diagnose_settings *s, iol_log *log,
                            const iol__compat_finding *finding) {
    const iol__compat_rule *rule = finding->rule;
    iol__json_put_text(json, "code", rule->code);
    iol__json_put_text(json, "id", rule->id);
    iol__json_put_text(json, "level", iol__level_name(rule->level));
    iol__json_put_text(json, "audience", rule->audience);
    iol__json_put_text(json, "panel", panel_words[rule->panel]);
    iol__json_put_text(json, "title", rule->title);
    iol__json_put_open(json, "figures", '{');
    for (int i = 0; i < IOL_COMPAT_FIGURES && finding->figure[i].name; i++)
        iol__json_put_real(json, finding->figure[i].name, finding->figure[i].value);
    iol__json_close(json, '}');
    json_details(json, s, log, finding);
    iol__json_put_open(json, "advice", '[');
    for (unsigned i = 0; i < finding->advice; i++) iol__json_text(json, rule->advice[i]);
    iol__json_close(json, ']');
}

static void print_diagnose_compat_json(diagnose_output *output, const diagnosed *d) {
    iol__json *json = &output->json;
    const iol__compat *compat = d->compat;
    iol__json_open(json, '{');
    iol__json_log_facts(json, d->log);
    iol__json_put_text(json, "mode", "compat");
    iol__json_put_open(json, "totals", '{');
    iol__json_put_u64(json, "high", compat->high);
    iol__json_put_u64(json, "warn", compat->warn);
    iol__json_put_u64(json, "recommendations", compat->recommendations);
    iol__json_close(json, '}');
    iol__json_put_open(json, "codes", '[');
    for (size_t i = 0; i < compat->count; i++) iol__json_text(json, compat->finding[i].rule->code);
    iol__json_close(json, ']');
    iol__json_put_open(json, "findings", '[');
    for (size_t i = 0; i < compat->count; i++) {
        if (!diagnose_compat_wanted(output->settings, compat->finding[i].rule)) continue;
        iol__json_open(json, '{');
        finding_members(json, output->settings, d->log, &compat->finding[i]);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    iol__json_log_errors(json, d->log);
    iol__json_close(json, '}');
}

static void print_ndjson(diagnose_output *output, const diagnosed *d) {
    for (size_t i = 0; i < d->compat->count; i++) {
        if (!diagnose_compat_wanted(output->settings, d->compat->finding[i].rule)) continue;
        iol__json json;
        iol__json_start(&json, &output->out, 0);
        iol__json_open(&json, '{');
        iol__json_put_text(&json, "path", d->shown);
        iol__json_put_i64(&json, "job_id", d->facts->job->job_id);
        finding_members(&json, output->settings, d->log, &d->compat->finding[i]);
        iol__json_close(&json, '}');
        iol__json_finish(&json);
    }
}

/* The old table: one line per job, whether each code was found ------------------------------------------------------- */

/* In the old order. Some of them are never found in a profile, and have their column all the same. */
static const char *const columns[] = {"S01", "P01", "P02", "P03", "P04", "P05", "P06", "P07", "P08", "P09", "P10",
                                      "P11", "P12", "P13", "P14", "P15", "P16", "P17", "P18", "P19", "P21", "P22",
                                      "M01", "M02", "M03", "M04", "M05", "M06", "M07", "M08", "M09", "M10"};
enum { COLUMNS = IOL_COUNT(columns) };

static void print_diagnose_compat_row(diagnose_output *output, const diagnosed *d) {
    iol__out_i64(&output->out, d->facts->job->job_id);
    for (int column = 0; column < COLUMNS; column++) {
        bool found = false;
        for (size_t i = 0; i < d->compat->count; i++)
            found = found || strcmp(d->compat->finding[i].rule->code, columns[column]) == 0;
        iol__out_text(&output->out, found ? ",True" : ",False");
    }
    iol__out_char(&output->out, '\n');
}

static void begin_table(diagnose_output *output) {
    iol__out_text(&output->out, "JOB");
    for (int column = 0; column < COLUMNS; column++) iol__out_printf(&output->out, ",%s", columns[column]);
    iol__out_char(&output->out, '\n');
}

static const diagnose_writer writers[FORMS] = {
    DIAGNOSE_TEXT_FORMS,
    [FORM_JSON] = DIAGNOSE_JSON_FORM(print_diagnose_compat_json),
    [FORM_NDJSON] = {.print = print_ndjson, .unreadable = unreadable_ndjson_output},
    [FORM_CSV] = {.begin = begin_table, .print = print_diagnose_compat_row},
};

const diagnose_mode diagnose_compat = {"compat",
                                       writers,
                                       diagnose_compat_knows,
                                       diagnose_compat_judge,
                                       diagnose_compat_release,
                                       diagnose_compat_count,
                                       diagnose_compat_text};
