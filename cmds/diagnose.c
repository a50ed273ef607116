/* iolite diagnose: what in a job's I/O deserves a look. One table says which ways of judging there are; each takes an
   open log and leaves text or JSON. The compatible one is laid out here: panels as users of Drishti know them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/diagnose.h"
#include "insight/compat.h"
#include "report/log_json.h"
#include "report/text.h"

enum { COLUMNS = 80, INDENT = 11 };

typedef struct diagnosing {
    iol__out out;
    iol__json json;
    bool as_json, colour;
} diagnosing;

static const char *const level_words[IOL_LEVELS] = {
    [IOL_LEVEL_INFO] = "info", [IOL_LEVEL_OK] = "ok", [IOL_LEVEL_WARN] = "warn", [IOL_LEVEL_HIGH] = "high"};
static const char *const panel_words[IOL_PANELS] = {
    [IOL_PANEL_METADATA] = "metadata", [IOL_PANEL_OPERATIONS] = "operations"};

/* Text ---------------------------------------------------------------------------------------------------------- */

static void paint(diagnosing *d, const char *code) {
    if (d->colour) iol__out_text(&d->out, code);
}

static void level_word(diagnosing *d, iol__level level) {
    static const char *const colours[IOL_LEVELS] = {[IOL_LEVEL_INFO] = "",
                                                    [IOL_LEVEL_OK] = "\033[32m",
                                                    [IOL_LEVEL_WARN] = "\033[38;5;214m",
                                                    [IOL_LEVEL_HIGH] = "\033[31m"};
    static const char *const words[IOL_LEVELS] = {
        [IOL_LEVEL_INFO] = "INFO", [IOL_LEVEL_OK] = "OK  ", [IOL_LEVEL_WARN] = "WARN", [IOL_LEVEL_HIGH] = "HIGH"};
    paint(d, colours[level]);
    iol__out_text(&d->out, words[level]);
    if (*colours[level]) paint(d, "\033[0m");
}

static bool is_share(const char *name) {
    size_t length = strlen(name);
    return length >= 5 && strcmp(name + length - 5, "share") == 0;
}

/* "consecutive share 55%", "requests 12345" */
static void figure_words(iol__out *out, const iol__figure *figure) {
    char value[IOL_HUMAN];
    for (const char *c = figure->name; *c; c++) iol__out_char(out, *c == '_' ? ' ' : *c);
    iol__out_char(out, ' ');
    if (is_share(figure->name))
        iol__out_printf(out, "%.1f%%", 100 * figure->value);
    else if (strcmp(figure->name, "bytes") == 0)
        iol__out_text(out, iol__human_bytes(value, figure->value));
    else if (strcmp(figure->name, "seconds") == 0)
        iol__out_printf(out, "over %.0f", figure->value);
    else
        iol__out_printf(out, "%.0f", figure->value);
}

/* Words in lines of at most 80 columns; the first one already stands at the margin. */
static void wrapped(iol__out *out, size_t margin, const char *text) {
    size_t column = margin;
    for (size_t word; (word = strcspn(text, " ")) > 0; text += word + (text[word] == ' ')) {
        bool fits = column + 1 + word <= COLUMNS;
        if (column > margin && !fits) {
            iol__out_char(out, '\n');
            iol__out_repeat(out, ' ', margin);
            column = margin;
        } else if (column > margin) {
            iol__out_char(out, ' ');
            column++;
        }
        iol__out_bytes(out, text, word);
        column += word;
    }
    iol__out_char(out, '\n');
}

static const char *name_or_id(iol_log *log, uint64_t id, char number[32]) {
    const char *name = iol_log_name(log, id);
    if (name && *name) return name;
    snprintf(number, 32, "record %llu", (unsigned long long)id);
    return number;
}

static void detail_lines(diagnosing *d, iol_log *log, const iol__compat_finding *finding) {
    char number[32], count[32] = "";
    uint64_t shown = finding->n_details < IOL_FACTS_DETAILS ? finding->n_details : IOL_FACTS_DETAILS;
    for (uint64_t i = 0; i < shown; i++) {
        const iol__compat_detail *detail = &finding->detail[i];
        iol__out_repeat(&d->out, ' ', INDENT);
        size_t used = iol__out_fitted(&d->out, name_or_id(log, detail->id, number), 46, IOL_CUT_MIDDLE);
        iol__out_repeat(&d->out, ' ', 46 - used);
        if (detail->count >= 0) snprintf(count, sizeof count, "%lld", (long long)detail->count);
        iol__out_printf(&d->out, " %13s %7.2f%%\n", count, detail->percent);
    }
    if (finding->n_details > shown)
        iol__out_printf(&d->out, "%*sand %llu more\n", INDENT, "", (unsigned long long)(finding->n_details - shown));
}

static void title_words(iol__out *out, const iol__compat_finding *finding) {
    iol__out text;
    iol__out_open(&text, -1);
    iol__out_text(&text, finding->rule->title);
    for (int i = 0; i < IOL_COMPAT_FIGURES && finding->figure[i].name; i++) {
        iol__out_text(&text, i ? ", " : ": ");
        figure_words(&text, &finding->figure[i]);
    }
    iol__out_char(&text, '\0');
    wrapped(out, INDENT, text.buffer);
    iol__out_close(&text);
}

static void finding_lines(diagnosing *d, iol_log *log, const iol__compat_finding *finding) {
    level_word(d, finding->rule->level);
    iol__out_printf(&d->out, "  %s  ", finding->rule->code);
    title_words(&d->out, finding);
    detail_lines(d, log, finding);
    for (unsigned i = 0; i < finding->advice; i++) {
        iol__out_printf(&d->out, "%*s> ", INDENT, "");
        wrapped(&d->out, INDENT + 2, finding->rule->advice[i]);
    }
}

static void panel(diagnosing *d, iol_log *log, const iol__compat *compat, iol__compat_panel which) {
    static const char *const titles[IOL_PANELS] = {"METADATA", "OPERATIONS"};
    bool any = false;
    for (size_t i = 0; i < compat->count; i++) {
        if (compat->finding[i].rule->panel != which) continue;
        if (!any) iol__out_printf(&d->out, "\n%s\n", titles[which]);
        any = true;
        finding_lines(d, log, &compat->finding[i]);
    }
}

static void count_words(iol__out *out, unsigned count, const char *one, const char *end) {
    iol__out_printf(out, "%u %s%s%s", count, one, count == 1 ? "" : "s", end);
}

static void compat_text(diagnosing *d, const iol__facts *facts, const iol__compat *compat) {
    const char *exe = facts->job->exe;
    paint(d, "\033[1m");
    iol__out_fitted(&d->out, exe && *exe ? exe : "(unknown program)", COLUMNS, IOL_CUT_END);
    paint(d, "\033[0m");
    iol__out_char(&d->out, '\n');
    count_words(&d->out, compat->high, "critical issue", ", ");
    count_words(&d->out, compat->warn, "warning", ", ");
    count_words(&d->out, compat->recommendations, "recommendation", "\n");
    panel(d, facts->log, compat, IOL_PANEL_METADATA);
    panel(d, facts->log, compat, IOL_PANEL_OPERATIONS);
}

/* JSON ---------------------------------------------------------------------------------------------------------- */

static void json_details(iol__json *json, iol_log *log, const iol__compat_finding *finding) {
    iol__json_put_u64(json, "detail_count", finding->n_details);
    iol__json_put_open(json, "details", '[');
    for (uint64_t i = 0; i < finding->n_details && i < IOL_FACTS_DETAILS; i++) {
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

static void json_finding(iol__json *json, iol_log *log, const iol__compat_finding *finding) {
    const iol__compat_rule *rule = finding->rule;
    iol__json_open(json, '{');
    iol__json_put_text(json, "code", rule->code);
    iol__json_put_text(json, "id", rule->id);
    iol__json_put_text(json, "level", level_words[rule->level]);
    iol__json_put_text(json, "audience", rule->audience);
    iol__json_put_text(json, "panel", panel_words[rule->panel]);
    iol__json_put_text(json, "title", rule->title);
    iol__json_put_open(json, "figures", '{');
    for (int i = 0; i < IOL_COMPAT_FIGURES && finding->figure[i].name; i++)
        iol__json_put_real(json, finding->figure[i].name, finding->figure[i].value);
    iol__json_close(json, '}');
    json_details(json, log, finding);
    iol__json_put_open(json, "advice", '[');
    for (unsigned i = 0; i < finding->advice; i++) iol__json_text(json, rule->advice[i]);
    iol__json_close(json, ']');
    iol__json_close(json, '}');
}

static void compat_json(iol__json *json, const iol__facts *facts, const iol__compat *compat) {
    iol__json_open(json, '{');
    iol__json_log_facts(json, facts->log);
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
    for (size_t i = 0; i < compat->count; i++) json_finding(json, facts->log, &compat->finding[i]);
    iol__json_close(json, ']');
    iol__json_log_errors(json, facts->log);
    iol__json_close(json, '}');
}

/* The command --------------------------------------------------------------------------------------------------- */

/* False without memory. */
static bool diagnose_compat(diagnosing *d, iol_log *log) {
    iol__facts facts;
    iol__compat compat;
    if (!iol__facts_make(log, NULL, NULL, &facts)) return false;
    iol__compat_make(&facts, &compat);
    if (d->as_json)
        compat_json(&d->json, &facts, &compat);
    else
        compat_text(d, &facts, &compat);
    iol__facts_free(&facts);
    return true;
}

typedef struct mode {
    const char *name;
    bool (*diagnose)(diagnosing *d, iol_log *log);
} mode;

/* Ways of judging beside the native one, which is what one gets without asking. */
static const mode modes[] = {
    {"compat", diagnose_compat},
};

static const mode *find_mode(const char *name) {
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].name, name) == 0) return &modes[i];
    return NULL;
}

static int diagnose_log(diagnosing *d, const mode *how, const char *path) {
    iol_log *log;
    iol_error error;
    if (iol_log_open(path, &log, &error) != IOL_OK) return report_open_error(&error);
    int status = EXIT_TROUBLE;
    if (how->diagnose(d, log)) {
        iol__out_flush(&d->out);
        status = report_log_errors(log);
    } else {
        fputs("iolite: out of memory\n", stderr);
    }
    iol_log_close(log);
    return status;
}

static void heading(diagnosing *d, const char *path, bool first) {
    if (!first) iol__out_char(&d->out, '\n');
    paint(d, "\033[1m");
    iol__out_safe(&d->out, path);
    paint(d, "\033[0m");
    iol__out_char(&d->out, '\n');
}

int cmd_diagnose(const iol__args *args) {
    const char *name = argument_value(args, OPT_MODE);
    if (!name || strcmp(name, "native") == 0) return diagnose_native(args);
    if (args->n_operands == 0) return usage_error(args, "which log?");
    const mode *how = find_mode(name);
    if (!how) return usage_error(args, "there is no mode '%s'", name);
    diagnosing d = {.as_json = args->given[OPT_JSON], .colour = use_colour(STDOUT_FILENO)};
    bool several = args->n_operands > 1;
    iol__out_open(&d.out, STDOUT_FILENO);
    iol__json_start(&d.json, &d.out, several ? 3 : 2);
    if (d.as_json && several) iol__json_open(&d.json, '[');
    int status = EXIT_DONE;
    for (size_t i = 0; i < args->n_operands; i++) {
        if (several && !d.as_json) heading(&d, args->operands[i], i == 0);
        int outcome = diagnose_log(&d, how, args->operands[i]);
        if (outcome > status) status = outcome;
    }
    if (d.as_json && several) iol__json_close(&d.json, ']');
    if (d.as_json) iol__json_finish(&d.json);
    return finish_output(&d.out, status);
}
