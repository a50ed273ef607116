/* Definitions: every name in an answer that stands for a number comes with its unit and what it is, so that an assistant does
   not have to guess. Figures, counters, columns of the index and figures of rules are defined where they are; other keys in
   terms.def. */
#include <stdio.h>
#include <stdlib.h>

#include "base/count.h"
#include "base/grow.h"
#include "base/idmap.h"
#include "mcp/mcp.h"
#include "log/figures/figures.h"
#include "schema/schema.h"
#include "site/store/schema.h"

/* A key, and the keys that it is below. Lists have none. */
typedef struct key_place {
    const char *key;
    const struct key_place *outer;
    uint64_t hash; /* of all of them */
} key_place;

/* A figure of findings: several rules may call one the same. */
typedef struct rule_figure {
    const char *name, *unit, *meaning, *rule;
} rule_figure;

typedef struct defining {
    iol__json *json;
    const iol__mcp_names *of;
    iol__idmap places, names; /* that were looked at; that are defined */
    rule_figure *figures;
    size_t n_figures, figures_room;
} defining;

static const struct term {
    iol__mcp_words words;
    const char *name, *unit, *definition;
} terms[] = {
#define TERM(words, name, unit, definition) {IOL_MCP_WORDS_##words, name, unit, definition},
#include "mcp/terms.def"
#undef TERM
};

static const char rule_figures[] = "findings.figures.*";

static uint64_t hash_text(uint64_t hash, const char *text) {
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (hash ^ '.') * 0x100000001b3u;
}

/* Whether a hash was not met before. Without memory nothing was. */
static bool is_new(iol__idmap *map, uint64_t hash) {
    const size_t before = map->count, number = iol__idmap_add(map, hash);
    return number == before || number == IOL_IDMAP_NONE;
}

static void put_definition(defining *d, const char *name, const char *unit, const char *definition) {
    if (!is_new(&d->names, hash_text(0, name))) return;
    iol__json_put_open(d->json, name, '{');
    iol__json_put_text(d->json, "unit", *unit ? unit : "number");
    iol__json_put_text(d->json, "definition", definition);
    iol__json_close(d->json, '}');
}

static bool same_key(const char *part, size_t length, const char *key) {
    return (length == 1 && *part == '*') || (strncmp(part, key, length) == 0 && !key[length]);
}

/* Whether a name, of `length` bytes, means this place. */
static bool name_fits(const char *name, size_t length, const key_place *at) {
    const char *part = name + length;
    while (part > name && part[-1] != '.') part--;
    if (!same_key(part, length - (size_t)(part - name), at->key)) return false;
    if (part == name) return true;
    const size_t rest = (size_t)(part - name) - 1;
    for (const key_place *outer = at->outer; outer; outer = outer->outer)
        if (name_fits(name, rest, outer)) return true;
    return false;
}

static size_t count_keys(const char *name) {
    size_t keys = 1;
    for (; *name; name++) keys += *name == '.';
    return keys;
}

/* The term with most keys, or NULL. */
static const struct term *find_term(iol__mcp_words words, const key_place *at) {
    const struct term *best = NULL;
    if (words == IOL_MCP_WORDS_RECORDS) words = IOL_MCP_WORDS_LOG;
    for (size_t i = 0; i < IOL_COUNT(terms); i++)
        if (terms[i].words == words && (!best || count_keys(terms[i].name) > count_keys(best->name)) &&
            name_fits(terms[i].name, strlen(terms[i].name), at))
            best = &terms[i];
    return best;
}

static bool define_figure(defining *d, const char *key) {
    for (int i = 0; i < IOL_JOB_FIGURES; i++) {
        const iol__figure_info *info = &iol__figure_infos[i];
        if (strcmp(info->name, key) != 0) continue;
        put_definition(d, key, iol__figure_units[info->unit], info->formula);
        return true;
    }
    return false;
}

static bool define_counter(defining *d, const char *key) {
    iol_counter counter;
    for (int slot = 0; *key >= 'A' && *key <= 'Z' && slot < 64; slot++) {
        const int index = iol_counter_find(slot, key);
        if (index < 0 || iol_counter_at(slot, (size_t)index, &counter) != IOL_OK) continue;
        put_definition(d, key, counter.unit, counter.meaning);
        return true;
    }
    return false;
}

/* Columns of records and of their parts that are no counters. */
static const struct record_column {
    const char *name, *unit, *meaning;
} record_columns[] = {
#define COLUMN(identifier, table, modules, name, kind, unit, meaning, value) {name, unit, meaning},
#include "log/figures/table.def"
#undef COLUMN
};

static bool define_record_column(defining *d, const char *key) {
    for (size_t i = 0; i < IOL_COUNT(record_columns); i++) {
        if (strcmp(record_columns[i].name, key) != 0) continue;
        put_definition(d, key, record_columns[i].unit, record_columns[i].meaning);
        return true;
    }
    return false;
}

/* Counters of a component of a layout, which are no counters of the record. */
static bool define_component(defining *d, const char *key) {
    for (size_t i = 0; i < IOL_LUSTRE_COMP_INTS; i++) {
        if (strcmp(iol__lustre_component[i].name, key) != 0) continue;
        put_definition(d, key, iol__lustre_component[i].unit, iol__counter_meaning(IOL_SLOT_LUSTRE, i));
        return true;
    }
    return false;
}

static const char *column_unit(const iol__column *column) {
    static const char *const units[] = {
        [IOL_SHOWN_COUNT] = "number", [IOL_SHOWN_BYTES] = "bytes", [IOL_SHOWN_SHARE] = "part of 1"};
    if (column->type == IOL_TYPE_TIME) return "microseconds";
    return column->type == IOL_TYPE_WHEN ? "microseconds since 1970" : units[column->unit];
}

static bool define_column(defining *d, const char *key) {
    const iol__column *columns[IOL_WIDEST];
    const size_t count = iol__job_shown(IOL_VIEW_JOBS, columns);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(columns[i]->jobs.name, key) != 0 || !*columns[i]->meaning) continue;
        put_definition(d, key, column_unit(columns[i]), columns[i]->meaning);
        return true;
    }
    return false;
}

/* What tables say of a key, wherever it is. */
static bool define_everywhere(defining *d, const char *key) {
    if (d->of->words == IOL_MCP_WORDS_INDEX) return define_column(d, key);
    if (d->of->words == IOL_MCP_WORDS_RECORDS)
        return define_counter(d, key) || define_component(d, key) || define_record_column(d, key);
    return define_figure(d, key) || define_counter(d, key);
}

/* Defined by itself: a figure of a rule, or a metric of a comparison. */
static bool defined_apart(const defining *d, const key_place *at) {
    char name[200];
    if (d->of->rules && name_fits(rule_figures, sizeof rule_figures - 1, at)) return true;
    snprintf(name, sizeof name, "values.%s", at->key);
    return at->outer && strcmp(at->outer->key, "values") == 0 &&
           iol__idmap_find(&d->names, hash_text(0, name)) != IOL_IDMAP_NONE;
}

static void define_place(defining *d, const key_place *at) {
    const struct term *term = find_term(d->of->words, at);
    if (defined_apart(d, at)) return;
    if (term && strchr(term->name, '.'))
        put_definition(d, term->name, term->unit, term->definition);
    else if (!define_everywhere(d, at->key) && term)
        put_definition(d, term->name, term->unit, term->definition);
}

static void define_below(defining *d, const iol__tree *tree, const key_place *outer) {
    for (const iol__tree *item = tree->first; item; item = item->next) {
        if (item->key && iol__mcp_listed(d->of->left_out, item->key)) continue;
        if (!item->key) {
            define_below(d, item, outer);
            continue;
        }
        const key_place at = {item->key, outer, hash_text(outer ? outer->hash : 0, item->key)};
        if (is_new(&d->places, at.hash)) define_place(d, &at);
        define_below(d, item, &at);
    }
}

/* Figures of findings ------------------------------------------------------------------------------------------- */

static void add_rule_figure(defining *d, const rule_figure *figure) {
    for (size_t i = 0; i < d->n_figures; i++)
        if (strcmp(d->figures[i].name, figure->name) == 0 && strcmp(d->figures[i].meaning, figure->meaning) == 0)
            return;
    if (IOL_GROW(d->figures, d->figures_room, d->n_figures)) d->figures[d->n_figures++] = *figure;
}

static void add_figures_of_rule(defining *d, const iol__tree *rule) {
    const char *id = iol__tree_text(iol__tree_member(rule, "id"));
    const iol__tree *figures = iol__tree_member(rule, "figures");
    for (const iol__tree *is = figures ? figures->first : NULL; id && is; is = is->next) {
        const rule_figure figure = {.name = iol__tree_text(iol__tree_member(is, "name")),
                                    .unit = iol__tree_text(iol__tree_member(is, "unit")),
                                    .meaning = iol__tree_text(iol__tree_member(is, "meaning")),
                                    .rule = id};
        if (figure.name && figure.unit && figure.meaning) add_rule_figure(d, &figure);
    }
}

/* The words of each rule that computes a figure of this name in its own way. To be closed. */
static void join_ways(const defining *d, const char *name, bool units, iol__out *text) {
    iol__out_open(text, -1);
    for (size_t i = 0; i < d->n_figures; i++) {
        const rule_figure *way = &d->figures[i];
        if (strcmp(way->name, name) != 0) continue;
        if (text->length) iol__out_text(text, "; ");
        iol__out_printf(text, "%s: %s", way->rule, units ? way->unit : way->meaning);
    }
    iol__out_char(text, '\0');
}

static void put_rule_figure(defining *d, const rule_figure *figure) {
    char name[200];
    bool one_way = true, one_unit = true;
    for (size_t i = 0; i < d->n_figures; i++) {
        if (strcmp(d->figures[i].name, figure->name) != 0) continue;
        one_way &= &d->figures[i] == figure;
        one_unit &= strcmp(d->figures[i].unit, figure->unit) == 0;
    }
    iol__out units, meanings;
    join_ways(d, figure->name, true, &units);
    join_ways(d, figure->name, false, &meanings);
    snprintf(name, sizeof name, "findings.figures.%s", figure->name);
    put_definition(d, name, one_unit ? figure->unit : units.buffer, one_way ? figure->meaning : meanings.buffer);
    iol__out_close(&units);
    iol__out_close(&meanings);
}

static const iol__tree *find_rule(const iol__tree *rules, const char *id) {
    for (const iol__tree *rule = rules->first; rule; rule = rule->next) {
        const char *is = iol__tree_text(iol__tree_member(rule, "id"));
        if (is && strcmp(is, id) == 0) return rule;
    }
    return NULL;
}

static void define_rule_figures(defining *d) {
    const iol__tree *findings = iol__tree_member(d->of->document, "findings");
    for (const iol__tree *finding = findings ? findings->first : NULL; finding; finding = finding->next) {
        const char *id = iol__tree_text(iol__tree_member(finding, "id"));
        const iol__tree *rule = id ? find_rule(d->of->rules, id) : NULL;
        if (rule) add_figures_of_rule(d, rule);
    }
    for (size_t i = 0; i < d->n_figures; i++) put_rule_figure(d, &d->figures[i]);
}

/* Metrics of a comparison say themselves what they are; runs have them under `values`. */
static void define_metrics(defining *d) {
    const iol__tree *metrics = iol__tree_member(d->of->document, "metrics");
    for (const iol__tree *is = metrics ? metrics->first : NULL; is; is = is->next) {
        const char *metric = iol__tree_text(iol__tree_member(is, "metric"));
        const char *unit = iol__tree_text(iol__tree_member(is, "unit"));
        const char *label = iol__tree_text(iol__tree_member(is, "label"));
        char name[200];
        if (!metric || !unit || !label) continue;
        snprintf(name, sizeof name, "values.%s", metric);
        put_definition(d, name, unit, label);
    }
}

/* Modules of others describe their counters in the log. What they say is data of the log as well. */
static void define_modules_of_others(defining *d) {
    const iol__tree *added = iol__tree_member(d->of->log, "added");
    for (const iol__tree *module = added ? added->first : NULL; module; module = module->next) {
        const iol__tree *schema = iol__tree_member(module, "schema");
        for (const iol__tree *is = schema ? schema->first : NULL; is; is = is->next) {
            const char *counter = iol__tree_text(iol__tree_member(is, "name"));
            const char *unit = iol__tree_text(iol__tree_member(is, "unit"));
            const char *meaning = iol__tree_text(iol__tree_member(is, "meaning"));
            char name[200], words[400];
            if (!counter || !unit || !meaning) continue;
            snprintf(name, sizeof name, "counters.%s", counter);
            snprintf(words, sizeof words, "in the words of the recorded program: \"%s\"", meaning);
            put_definition(d, name, unit, words);
        }
    }
}

void iol__mcp_define_names(const iol__mcp_names *of, iol__json *json) {
    defining d = {.json = json, .of = of};
    iol__json_put_open(json, "definitions", '{');
    define_metrics(&d);
    if (of->document) define_below(&d, of->document, NULL);
    if (of->rules) define_rule_figures(&d);
    define_modules_of_others(&d);
    iol__json_close(json, '}');
    iol__idmap_free(&d.places);
    iol__idmap_free(&d.names);
    free(d.figures);
}
