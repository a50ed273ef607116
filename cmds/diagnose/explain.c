/* iolite explain: what a name means that another command printed: a figure of the job, a counter, a rule, a threshold or
   a variable of rules. The same name may be several of these; all are explained. */
#include <stdio.h>
#include <strings.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/diagnose/explain.h"
#include "cmds/near.h"
#include "log/figures/figures.h"
#include "report/findings/findings.h"
#include "text/json.h"
#include "text/text.h"
#include "schema/schema.h"

typedef struct explain_explaining {
    iol__out out;
    iol__json json;
    bool as_json;
    size_t columns;
    const iol__rulebook *book;
    const char *name;
    near_name near;
    unsigned found;
} explain_explaining;

/* Is this what was asked for? If not, it may be what was meant. */
static bool is_asked(explain_explaining *e, const char *name) {
    look_at_name(&e->near, name);
    return strcasecmp(name, e->name) == 0;
}

static void sentence(explain_explaining *e, const char *before, const char *text) {
    enum { INDENT = 2 };
    iol__out_text(&e->out, "  ");
    iol__out_text(&e->out, before);
    iol__out_wrapped(&e->out, e->columns, INDENT, INDENT + strlen(before), text);
}

/* One meaning of the name: "io_time: a figure, in s", and below it what it is. */
static void meaning(explain_explaining *e, const char *kind, const char *name, const char *unit, const char *text,
                    const char *unknown) {
    if (e->as_json) {
        iol__json_open(&e->json, '{');
        iol__json_put_text(&e->json, "name", name);
        iol__json_put_text(&e->json, "kind", kind);
        iol__json_put_text(&e->json, "unit", unit);
        iol__json_put_text(&e->json, "meaning", text);
        iol__json_put_text(&e->json, "unknown", unknown);
        iol__json_close(&e->json, '}');
    } else {
        if (e->found) iol__out_char(&e->out, '\n');
        iol__out_printf(&e->out, "%s: a %s%s%s\n", name, kind, unit && *unit ? ", in " : "", unit && *unit ? unit : "");
        sentence(e, "", text);
        if (unknown && strcmp(unknown, "never") != 0) sentence(e, "Not known when: ", unknown);
    }
    e->found++;
}

static void figures(explain_explaining *e) {
    for (int i = 0; i < IOL_JOB_FIGURES; i++) {
        const iol__figure_info *info = &iol__figure_infos[i];
        if (!is_asked(e, info->name)) continue;
        meaning(e, "figure of the job", info->name, iol__figure_units[info->unit], info->formula, info->unknown);
        if (i < IOL_SUMMED_FIGURES && !e->as_json) sentence(e, "", "Also per rank and per file system.");
    }
}

static void explain_counters(explain_explaining *e) {
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        iol_counter counter;
        char kind[64];
        snprintf(kind, sizeof kind, "counter of %s", iol__modules[slot].name);
        for (size_t i = 0; iol_counter_at(slot, i, &counter) == IOL_OK; i++)
            if (is_asked(e, counter.name)) meaning(e, kind, counter.name, counter.unit, counter.meaning, NULL);
    }
}

static void variables(explain_explaining *e) {
    for (size_t i = 0; i < iol__variable_count(); i++) {
        const iol__variable_info *v = iol__variable_at(i);
        if (is_asked(e, v->name)) meaning(e, "variable of rules", v->name, *v->unit ? v->unit : NULL, v->meaning, NULL);
    }
}

static void diagnose_explain_thresholds(explain_explaining *e) {
    for (size_t i = 0; i < iol__rulebook_thresholds(e->book); i++) {
        const iol__threshold *t = iol__rulebook_threshold(e->book, i);
        if (is_asked(e, t->path)) meaning(e, "threshold of rules", t->path, NULL, t->meaning, NULL);
    }
}

static bool is_rule(explain_explaining *e, const iol__rule_info *info) {
    bool known = is_asked(e, info->id);
    for (size_t i = 0; info->aliases[i]; i++) known = known || strcasecmp(info->aliases[i], e->name) == 0;
    return known;
}

static void rules(explain_explaining *e) {
    iol__rule_info info;
    for (size_t i = 0; iol__rulebook_rule(e->book, i, &info); i++) {
        if (!is_rule(e, &info)) continue;
        if (e->as_json) {
            meaning(e, "rule", info.id, NULL, info.meaning, NULL);
            continue;
        }
        if (e->found++) iol__out_char(&e->out, '\n');
        iol__rule_explain(&e->out, e->book, info.id, e->columns);
    }
}

static void list_figures(explain_explaining *e) {
    for (int i = 0; i < IOL_JOB_FIGURES; i++) {
        e->name = e->near.typed = iol__figure_infos[i].name;
        figures(e);
    }
}

/* False if the name has no meaning. */
static bool explain_one(explain_explaining *e, const char *name) {
    const unsigned before = e->found;
    e->name = name;
    e->near = (near_name){.typed = name};
    figures(e);
    explain_counters(e);
    rules(e);
    diagnose_explain_thresholds(e);
    variables(e);
    return e->found > before;
}

bool explain_name(iol__out *out, const iol__rulebook *book, size_t columns, const char *name) {
    explain_explaining e = {.out = *out, .columns = columns, .book = book};
    const bool known = explain_one(&e, name);
    *out = e.out;
    return known;
}

/* How many names had no meaning; each is reported. */
static unsigned explain_names(explain_explaining *e, const iol__args *args) {
    unsigned unknown = 0;
    for (size_t i = 0; i < args->n_operands; i++) {
        if (explain_one(e, args->operands[i])) continue;
        const char *meant = meant_name(&e->near);
        if (meant)
            iol__complain(
                "iolite explain: ", "there is no figure, counter, rule, threshold or variable '%s'. Did you mean '%s'?",
                e->name, meant);
        else
            iol__complain("iolite explain: ",
                          "there is no figure, counter, rule, threshold or variable '%s'; `iolite explain` lists "
                          "the figures, `iolite diagnose --list-rules` the rules",
                          e->name);
        unknown++;
    }
    return unknown;
}

int cmd_explain(const iol__args *args) {
    explain_explaining e = {.as_json = args->given[OPT_JSON], .columns = (size_t)terminal_columns()};
    iol__rulebook *book = NULL;
    iol_error error;
    if (iol__rulebook_new(&book, &error) != IOL_OK || iol__rulebook_load_usual(book, &error) != IOL_OK)
        tell_stderr("%s", error.message);
    if (!book) return EXIT_TROUBLE;
    e.book = book;
    iol__out_open(&e.out, STDOUT_FILENO);
    iol__json_start(&e.json, &e.out, 2);
    if (e.as_json) iol__json_open(&e.json, '[');
    unsigned unknown = 0;
    if (args->n_operands)
        unknown = explain_names(&e, args);
    else
        list_figures(&e);
    if (e.as_json) iol__json_close(&e.json, ']');
    if (e.as_json) iol__json_finish(&e.json);
    iol__rulebook_free(book);
    return finish_output(&e.out, unknown ? EXIT_USAGE : EXIT_DONE);
}
