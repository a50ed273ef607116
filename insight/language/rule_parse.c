/* Statements of the rule language. A rule with a mistake is left out with a message that names the line; parsing goes
   on with the next one. Grammar and meaning: docs/rules.md. */
#include "insight/language/rule_parse.h"

#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "insight/findings/advice.h"
#include "insight/findings/costs.h"
#include "insight/findings/variables.h"
#include "insight/language/rule_split.h"
#include "log/trailer/where.h"

/* The state of parsing ---------------------------------------------------------------------------------------- */

void iol__parser_next(iol__parser *parser) {
    parser->last_line = parser->token.line;
    parser->token = iol__lex(&parser->lexer);
}

bool iol__parser_take(iol__parser *parser, const char *text) {
    if (iol__parser_at_statement(parser) || !iol__token_is(&parser->token, text)) return false;
    iol__parser_next(parser);
    return true;
}

void iol__parser_wrong(iol__parser *parser, const char *format, ...) {
    if (parser->failed) return;
    parser->failed = true;
    va_list args;
    va_start(args, format);
    const char *what = iol__arena_vprint(parser->arena, format, args);
    va_end(args);
    if (parser->token.kind == IOL_TOKEN_WRONG) what = parser->token.text; /* whatever it was taken for */
    /* What is missing at the end of a statement is missing on its line, not where the next one begins. */
    bool over = parser->token.kind == IOL_TOKEN_END || iol__parser_at_statement(parser);
    int line = over && parser->last_line ? parser->last_line : parser->token.line;
    if (parser->names)
        parser->wrong = what;
    else if (parser->rule && parser->rule->id)
        iol__rulebook_say(parser->book, parser->name, line, "%s; rule %s is left out", what, parser->rule->id);
    else
        iol__rulebook_say(parser->book, parser->name, line, "%s", what);
}

const char *iol__parser_shown(iol__parser *parser, const iol__token *token) {
    if (token->kind == IOL_TOKEN_END) return "the end";
    char text[44];
    size_t n = 0;
    for (size_t i = 0; i < token->length && n < sizeof text - 4; i++)
        text[n++] = token->text[i] > 31 && token->text[i] < 127 ? token->text[i] : '?';
    text[n] = 0;
    return iol__arena_print(parser->arena, "'%s'", text);
}

static char *token_copy(iol__parser *parser) {
    return iol__arena_text(parser->arena, parser->token.text, parser->token.length);
}

/* A word of the rule: NULL and a message if something else is there. */
static const char *take_word(iol__parser *parser, const char *what) {
    if (parser->token.kind != IOL_TOKEN_WORD || iol__parser_at_statement(parser)) {
        iol__parser_wrong(parser, "%s is missing before %s", what, iol__parser_shown(parser, &parser->token));
        return NULL;
    }
    const char *word = token_copy(parser);
    iol__parser_next(parser);
    return word;
}

/* Statements of a rule ---------------------------------------------------------------------------------------- */

/* Words with commas between them, or none. */
static void parse_words(iol__parser *parser, const char **list, int room) {
    int n = 0;
    while (n < room && list[n]) n++;
    do {
        const char *word = take_word(parser, "a name");
        if (!word) return;
        if (n == room) {
            iol__parser_wrong(parser, "too many names");
            return;
        }
        list[n++] = word;
    } while (iol__parser_take(parser, ","));
}

static void parse_alias(iol__parser *parser) { parse_words(parser, parser->rule->aliases, IOL_IDS); }
static void parse_suppresses(iol__parser *parser) { parse_words(parser, parser->rule->suppresses, IOL_IDS); }
static void parse_related(iol__parser *parser) { parse_words(parser, parser->rule->related, IOL_IDS); }

static void parse_layer(iol__parser *parser) {
    static const struct {
        const char *name;
        iol__rule_records records;
    } layers[] = {{"job", IOL_RECORDS_ANY},         {"posix", IOL_RECORDS_ANY},     {"stdio", IOL_RECORDS_STDIO},
                  {"mpiio", IOL_RECORDS_MPIIO},     {"hdf5", IOL_RECORDS_ANY}, /* also by name */
                  {"pnetcdf", IOL_RECORDS_PNETCDF}, {"lustre", IOL_RECORDS_LUSTRE}, {"trace", IOL_RECORDS_ANY},
                  {"mpi", IOL_RECORDS_ANY},         {"data", IOL_RECORDS_ANY},      {"history", IOL_RECORDS_ANY},
                  {"site", IOL_RECORDS_ANY}};
    parser->rule->layer = take_word(parser, "a layer");
    for (size_t i = 0; parser->rule->layer && i < IOL_COUNT(layers); i++) {
        if (strcmp(parser->rule->layer, layers[i].name) != 0) continue;
        parser->rule->records = layers[i].records;
        return;
    }
    iol__parser_wrong(parser, "no layer is called '%s'", parser->rule->layer ? parser->rule->layer : "");
}

static int place_in(const char *const *list, size_t count, const char *word) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], word) == 0) return (int)i;
    return -1;
}

/* Layers and kinds of calls, in any order. */
static void parse_lines(iol__parser *parser) {
    const char *words[IOL_WHERE_LAYERS + IOL_WHERE_KINDS + 1] = {0};
    parse_words(parser, words, (int)IOL_COUNT(words) - 1);
    for (size_t i = 0; words[i]; i++) {
        const int layer = place_in(iol__where_layers, IOL_WHERE_LAYERS, words[i]);
        const int kind = place_in(iol__where_kinds, IOL_WHERE_KINDS, words[i]);
        if (layer >= 0)
            parser->rule->line_layers |= 1u << layer;
        else if (kind >= 0)
            parser->rule->lines |= 1u << kind;
        else
            iol__parser_wrong(parser, "no calls are called '%s'", words[i]);
    }
}

static void parse_audience(iol__parser *parser) {
    const char *words[4] = {0};
    parse_words(parser, words, 3);
    char text[64] = "";
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], "user") != 0 && strcmp(words[i], "developer") != 0 && strcmp(words[i], "system") != 0) {
            iol__parser_wrong(parser, "an audience is user, developer or system");
            return;
        }
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i ? "," : "", words[i]);
    }
    parser->rule->audience = iol__arena_copy(parser->arena, text);
}

/* A pair is written as a product: file * phase. */
static int take_scope(iol__parser *parser) {
    static const char *const scopes[] = {"job", "file", "files", "phase"};
    if (iol__parser_take(parser, "rank"))
        return iol__parser_take(parser, "*") && iol__parser_take(parser, "phase") ? IOL_SCOPE_RANK_PHASE : -1;
    const char *word = take_word(parser, "a scope");
    int scope = -1;
    for (int i = 0; word && i < 4; i++)
        if (strcmp(word, scopes[i]) == 0) scope = i;
    if (scope != IOL_SCOPE_FILE || !iol__parser_take(parser, "*")) return scope;
    return iol__parser_take(parser, "phase") ? IOL_SCOPE_FILE_PHASE : -1;
}

static void parse_scope(iol__parser *parser) {
    iol__rule *rule = parser->rule;
    int scope = take_scope(parser);
    if (scope < 0) {
        iol__parser_wrong(parser, "a scope is job, file, files, phase, file * phase or rank * phase");
        return;
    }
    if (rule->n_lets || rule->when) {
        iol__parser_wrong(parser, "'scope' must come before 'let' and 'when'");
        return;
    }
    rule->scope = (iol__scope)scope;
    parser->per_file = rule->scope == IOL_SCOPE_FILE || rule->scope == IOL_SCOPE_FILES;
    parser->by_file = parser->per_file || rule->scope == IOL_SCOPE_FILE_PHASE;
    if (iol__parser_take(parser, "where")) {
        if (rule->scope == IOL_SCOPE_JOB) iol__parser_wrong(parser, "the job has no 'where'");
        rule->where = iol__parse_expression(parser, IOL_TYPE_TRUTH);
    }
    parser->per_file = rule->scope == IOL_SCOPE_FILE;
}

/* The expression from a token up to the one that is next now, with one blank between words, comments left out. */
static const char *expression_text(iol__parser *parser, iol__lexer lexer, iol__token token) {
    char text[400];
    size_t n = 0;
    bool word = false, tight = true; /* of the token before */
    for (; token.kind != IOL_TOKEN_END && token.text != parser->token.text; token = iol__lex(&lexer)) {
        const bool opens = iol__token_is(&token, "(");
        if (n + token.length + 2 >= sizeof text) break;
        if (!tight && !(opens && word) && !iol__token_is(&token, ")") && !iol__token_is(&token, ",")) text[n++] = ' ';
        if (token.kind == IOL_TOKEN_PATH) text[n++] = '$';
        memcpy(text + n, token.text, token.length);
        n += token.length;
        tight = opens;
        word = token.kind == IOL_TOKEN_WORD;
    }
    return iol__arena_text(&parser->book->arena, text, n);
}

static void parse_let(iol__parser *parser) {
    iol__rule *rule = parser->rule;
    const char *name = take_word(parser, "a name");
    if (!name) return;
    if (iol__variable_find(name) >= 0) {
        iol__parser_wrong(parser, "'%s' is the name of a variable already", name);
        return;
    }
    if (rule->n_lets == IOL_LETS || !iol__parser_take(parser, "=")) {
        iol__parser_wrong(parser, rule->n_lets == IOL_LETS ? "too many lets" : "expected '=' after the name");
        return;
    }
    const iol__lexer lexer = parser->lexer;
    const iol__token token = parser->token;
    const iol__expr *value = iol__parse_any(parser);
    if (!value) return;
    rule->lets[rule->n_lets++] =
        (iol__let){.name = name, .value = value, .text = expression_text(parser, lexer, token)};
}

static void parse_when(iol__parser *parser) { parser->rule->when = iol__parse_expression(parser, IOL_TYPE_TRUTH); }
static void parse_unless(iol__parser *parser) { parser->rule->unless = iol__parse_expression(parser, IOL_TYPE_TRUTH); }
static void parse_order(iol__parser *parser) { parser->rule->order = iol__parse_expression(parser, IOL_TYPE_NUMBER); }

/* MODEL(read), MODEL(direction=write), seconds(BEST[, LOW, HIGH]). */
static void parse_cost(iol__parser *parser) {
    iol__rule *rule = parser->rule;
    const char *name = take_word(parser, "a cost model");
    int model = name ? iol__model_find(name) : -1;
    if (model < 0 || !iol__parser_take(parser, "(")) {
        iol__parser_wrong(parser, model < 0 ? "no such cost model" : "expected '(' after the cost model");
        return;
    }
    rule->model = (iol__model)model;
    if (rule->model == IOL_MODEL_SECONDS) {
        int n = 0;
        do rule->cost[n] = iol__parse_expression(parser, IOL_TYPE_NUMBER);
        while (++n < 3 && !parser->failed && iol__parser_take(parser, ","));
    } else {
        if (iol__parser_take(parser, "direction") && !iol__parser_take(parser, "="))
            iol__parser_wrong(parser, "expected '=' after 'direction'");
        if (iol__parser_take(parser, "read"))
            rule->direction = 1;
        else if (iol__parser_take(parser, "write"))
            rule->direction = 2;
    }
    if (iol__model_needs_direction(rule->model) && !rule->direction)
        iol__parser_wrong(parser, "this cost model needs a direction, read or write");
    if (!parser->failed && !iol__parser_take(parser, ")"))
        iol__parser_wrong(parser, "expected ')' after the cost model");
    if (!parser->failed && rule->model != IOL_MODEL_SECONDS && iol__parser_take(parser, "beyond"))
        rule->cost[0] = iol__parse_expression(parser, IOL_TYPE_NUMBER);
}

static bool take_level(iol__parser *parser, iol__level *level) {
    const char *word = take_word(parser, "a level");
    if (word && iol__level_find(word, level)) return true;
    iol__parser_wrong(parser, "a level is info, ok, warn or high");
    return false;
}

/* level LEVEL | level by_cost fallback LEVEL [at_most LEVEL] */
static void parse_level(iol__parser *parser) {
    iol__rule *rule = parser->rule;
    rule->by_cost = iol__parser_take(parser, "by_cost");
    if (rule->by_cost && !iol__parser_take(parser, "fallback")) {
        iol__parser_wrong(parser, "'by_cost' needs 'fallback LEVEL' for logs without times");
        return;
    }
    if (!take_level(parser, &rule->level)) return;
    rule->ceiling = iol__parser_take(parser, "at_most");
    if (rule->ceiling) take_level(parser, &rule->most);
}

/* trust attribution 0.8 model 1 names */
static void parse_trust(iol__parser *parser) {
    for (;;) {
        if (iol__parser_take(parser, "names")) {
            parser->rule->uses_names = true;
            continue;
        }
        double *target = iol__token_is(&parser->token, "attribution") ? &parser->rule->attribution
                         : iol__token_is(&parser->token, "model")     ? &parser->rule->model_trust
                                                                      : NULL;
        if (!target || iol__parser_at_statement(parser)) return;
        iol__parser_next(parser);
        if (parser->token.kind != IOL_TOKEN_NUMBER || parser->token.number <= 0 || parser->token.number > 1) {
            iol__parser_wrong(parser, "trust is a number above 0, at most 1");
            return;
        }
        *target = parser->token.number;
        iol__parser_next(parser);
    }
}

static void add_sentence(iol__parser *parser, iol__sentence *list, int *count) {
    if (*count == IOL_SENTENCES) {
        iol__parser_wrong(parser, "too many texts");
        return;
    }
    if (iol__parse_sentence(parser, &list[*count])) ++*count;
}

static void parse_title(iol__parser *parser) { add_sentence(parser, parser->rule->titles, &parser->rule->n_titles); }
static void parse_note(iol__parser *parser) { add_sentence(parser, parser->rule->notes, &parser->rule->n_notes); }

/* figures n, share = n / writes "part of 1": a unit stands where no variable has it. */
static void parse_figures(iol__parser *parser) {
    iol__rule *rule = parser->rule;
    do {
        if (rule->n_figures == IOL_FIGURES) {
            iol__parser_wrong(parser, "too many figures");
            return;
        }
        iol__named *figure = &rule->figures[rule->n_figures];
        iol__lexer lexer = parser->lexer;
        iol__token token = parser->token;
        figure->name = take_word(parser, "a name");
        if (!figure->name) return;
        const bool alone = !iol__parser_take(parser, "="); /* then it is its own value */
        if (alone) {
            parser->lexer = lexer;
            parser->token = token;
        }
        lexer = parser->lexer;
        token = parser->token;
        figure->value = iol__parse_any(parser);
        if (!figure->value) return;
        figure->text = alone ? figure->name : expression_text(parser, lexer, token);
        if (parser->token.kind == IOL_TOKEN_STRING && !iol__parser_at_statement(parser)) {
            figure->unit = token_copy(parser);
            iol__parser_next(parser);
        }
        rule->n_figures++;
    } while (iol__parser_take(parser, ","));
}

/* Counters that the evidence shows; all of one module. */
static void parse_counters(iol__parser *parser) {
    iol__rule *rule = parser->rule;
    parse_words(parser, rule->counters, IOL_COUNTERS);
    for (int i = 0; rule->counters[i]; i++) {
        int slot, counter;
        if (!iol__counter_by_name(rule->counters[i], &slot, &counter)) {
            iol__parser_wrong(parser, "no counter is called '%s'", rule->counters[i]);
            return;
        }
        if (rule->slot >= 0 && rule->slot != slot) {
            iol__parser_wrong(parser, "the counters of the evidence must be of one module");
            return;
        }
        rule->slot = slot;
    }
}

static void parse_advise(iol__parser *parser) {
    iol__rule *rule = parser->rule;
    const char *name = take_word(parser, "an advice");
    if (!name) return;
    int recipe = iol__recipe_find(name);
    if (recipe < 0 || rule->n_advise == IOL_ADVISES) {
        iol__parser_wrong(parser, recipe < 0 ? "no advice is called '%s'" : "too many advices: '%s'", name);
        return;
    }
    iol__advise *advise = &rule->advise[rule->n_advise++];
    advise->recipe = recipe;
    if (iol__parser_take(parser, "if")) advise->condition = iol__parse_expression(parser, IOL_TYPE_TRUTH);
}

/* One or more texts; they are joined. */
static void parse_meaning(iol__parser *parser) {
    iol__rule *rule = parser->rule;
    while (parser->token.kind == IOL_TOKEN_STRING) {
        const char *text = token_copy(parser);
        rule->meaning = rule->meaning ? iol__arena_print(parser->arena, "%s %s", rule->meaning, text) : text;
        iol__parser_next(parser);
    }
    if (!rule->meaning) iol__parser_wrong(parser, "a text in quotes is missing");
}

static const struct {
    const char *word;
    void (*parse)(iol__parser *parser);
} statements[] = {
    {"alias", parse_alias},     {"layer", parse_layer},     {"audience", parse_audience},
    {"scope", parse_scope},     {"let", parse_let},         {"when", parse_when},
    {"unless", parse_unless},   {"cost", parse_cost},       {"level", parse_level},
    {"trust", parse_trust},     {"lines", parse_lines},     {"title", parse_title},
    {"note", parse_note},       {"figures", parse_figures}, {"counters", parse_counters},
    {"advise", parse_advise},   {"order", parse_order},     {"suppresses", parse_suppresses},
    {"related", parse_related}, {"meaning", parse_meaning},
};

bool iol__parser_at_statement(const iol__parser *parser) {
    if (!parser->token.first) return false;
    for (size_t i = 0; i < IOL_COUNT(statements); i++)
        if (iol__token_is(&parser->token, statements[i].word)) return true;
    return iol__token_is(&parser->token, "rule") || iol__token_is(&parser->token, "end") ||
           iol__token_is(&parser->token, "threshold") || iol__token_is(&parser->token, "set");
}

/* Whole rules ------------------------------------------------------------------------------------------------- */

static void parse_statement(iol__parser *parser) {
    for (size_t i = 0; i < IOL_COUNT(statements); i++) {
        if (!iol__token_is(&parser->token, statements[i].word)) continue;
        iol__parser_next(parser);
        statements[i].parse(parser);
        if (!parser->failed && parser->token.kind == IOL_TOKEN_WRONG)
            iol__parser_wrong(parser, "%s", parser->token.text);
        if (!parser->failed && !parser->token.first && parser->token.kind != IOL_TOKEN_END)
            iol__parser_wrong(parser, "%s is one too many", iol__parser_shown(parser, &parser->token));
        if (!parser->failed && parser->token.kind != IOL_TOKEN_END && !iol__parser_at_statement(parser))
            iol__parser_wrong(parser, "%s begins no statement", iol__parser_shown(parser, &parser->token));
        return;
    }
    iol__parser_wrong(parser, "%s begins no statement", iol__parser_shown(parser, &parser->token));
}

static bool rule_exists(const iol__rulebook *book, const char *id) {
    for (size_t i = 0; i < book->n_rules; i++)
        if (strcmp(book->rules[i]->id, id) == 0) return true;
    return false;
}

/* "rule ID vN" */
static void parse_head(iol__parser *parser) {
    iol__rule *rule = parser->rule;
    rule->line = parser->token.line;
    iol__parser_next(parser);
    if (parser->token.kind != IOL_TOKEN_WORD || parser->token.first) {
        iol__parser_wrong(parser, "a rule needs an id");
        return;
    }
    rule->id = token_copy(parser);
    if (rule_exists(parser->book, rule->id)) iol__parser_wrong(parser, "there is a rule of this name already");
    iol__parser_next(parser);
    rule->version = 1;
    if (parser->token.kind == IOL_TOKEN_WORD && !parser->token.first) {
        if (sscanf(token_copy(parser), "v%d", &rule->version) != 1 || rule->version < 1)
            iol__parser_wrong(parser, "expected a version, as in v1");
        iol__parser_next(parser);
    }
}

static void check_whole(iol__parser *parser) {
    const iol__rule *rule = parser->rule;
    if (!rule->when) iol__parser_wrong(parser, "a rule needs 'when'");
    if (!rule->n_titles) iol__parser_wrong(parser, "a rule needs a title");
    if (!rule->layer) iol__parser_wrong(parser, "a rule needs a layer");
    if (rule->by_cost && rule->model == IOL_MODEL_NONE) iol__parser_wrong(parser, "'level by_cost' needs a cost model");
}

/* Past the mistake: to the end of this rule, or the beginning of the next. */
static void skip_rule(iol__parser *parser) {
    while (parser->token.kind != IOL_TOKEN_END) {
        if (parser->token.first && iol__token_is(&parser->token, "rule")) return;
        bool over = parser->token.first && iol__token_is(&parser->token, "end");
        iol__parser_next(parser);
        if (over) return;
    }
}

static void parse_rule(iol__parser *parser) {
    iol__rulebook *book = parser->book;
    iol__rule *rule = iol__arena_alloc(&book->arena, 1, sizeof *rule);
    *rule = (iol__rule){
        .slot = -1, .level = IOL_LEVEL_INFO, .audience = "developer", .origin = parser->origin, .file = parser->name};
    parser->rule = rule;
    parser->failed = parser->by_file = parser->per_file = false;
    const char *start = parser->token.text;
    parse_head(parser);
    while (!parser->failed && parser->token.kind != IOL_TOKEN_END && !iol__token_is(&parser->token, "end"))
        parse_statement(parser);
    if (!parser->failed && parser->token.kind == IOL_TOKEN_END) iol__parser_wrong(parser, "the rule has no 'end'");
    if (!parser->failed) check_whole(parser);
    if (parser->failed) {
        skip_rule(parser);
    } else {
        rule->source = iol__arena_text(&book->arena, start, (size_t)(parser->token.text - start) + strlen("end"));
        book->rules = iol__arena_grow(&book->arena, book->rules, book->n_rules, sizeof *book->rules);
        book->rules[book->n_rules++] = rule;
        iol__rule_split(book, rule);
        iol__parser_next(parser);
    }
    parser->rule = NULL;
}

/* Thresholds -------------------------------------------------------------------------------------------------- */

/* "= VALUE" with an optional unit word, on one line. */
static bool take_setting(iol__parser *parser, double *value) {
    bool negative = false;
    if (parser->token.first || !iol__token_is(&parser->token, "=")) {
        iol__parser_wrong(parser, "expected '=' and a number");
        return false;
    }
    iol__parser_next(parser);
    if (!parser->token.first && iol__token_is(&parser->token, "-")) {
        negative = true;
        iol__parser_next(parser);
    }
    if (parser->token.kind != IOL_TOKEN_NUMBER || parser->token.first) {
        iol__parser_wrong(parser, "expected a number before %s", iol__parser_shown(parser, &parser->token));
        return false;
    }
    *value = negative ? -parser->token.number : parser->token.number;
    iol__parser_next(parser);
    return true;
}

/* threshold PATH = VALUE "meaning": sites may add their own for their own rules. */
static void parse_threshold(iol__parser *parser) {
    iol__rulebook *book = parser->book;
    iol__parser_next(parser);
    iol__threshold new = {.origin = parser->built_in ? "built-in" : parser->origin, .meaning = ""};
    new.path = take_word(parser, "the name of the threshold");
    if (!new.path || !take_setting(parser, &new.value)) return;
    new.standard = new.value;
    if (parser->token.kind == IOL_TOKEN_STRING && !parser->token.first) {
        new.meaning = token_copy(parser);
        iol__parser_next(parser);
    }
    if (iol__threshold_find(book, new.path) >= 0) {
        iol__parser_wrong(parser, "there is a threshold '%s' already; 'set' changes it", new.path);
        return;
    }
    book->thresholds = iol__arena_grow(&book->arena, book->thresholds, book->n_thresholds, sizeof new);
    book->thresholds[book->n_thresholds++] = new;
}

/* set PATH = VALUE */
static void parse_set(iol__parser *parser) {
    iol__parser_next(parser);
    double value;
    const char *path = take_word(parser, "the name of the threshold");
    if (!path || !take_setting(parser, &value)) return;
    int index = iol__threshold_find(parser->book, path);
    if (index < 0) {
        iol__parser_wrong(parser, "no threshold is called '%s'", path);
        return;
    }
    iol__rulebook *book = parser->book;
    if (parser->section) {
        const iol__scoped new = {parser->section, parser->pattern, index, value, parser->origin, book->layer};
        book->scoped = iol__arena_grow(&book->arena, book->scoped, book->n_scoped, sizeof new);
        book->scoped[book->n_scoped++] = new;
        return;
    }
    book->thresholds[index].value = value;
    book->thresholds[index].origin = parser->origin;
    book->thresholds[index].layer = book->layer;
}

static void skip_line(iol__parser *parser) {
    do iol__parser_next(parser);
    while (!parser->token.first && parser->token.kind != IOL_TOKEN_END);
}

/* What is left of a line that is done with is one too many. */
static void end_line(iol__parser *parser) {
    if (parser->token.first || parser->token.kind == IOL_TOKEN_END) return;
    iol__parser_wrong(parser, "%s is one too many", iol__parser_shown(parser, &parser->token));
    skip_line(parser);
}

/* mount "/scratch*" ... end, system "name" ... end: `set` lines that hold there only. */
static void parse_section(iol__parser *parser, iol__section section) {
    int line = parser->token.line;
    iol__parser_next(parser);
    bool named = parser->token.kind == IOL_TOKEN_STRING && !parser->token.first && parser->token.length;
    if (!named) {
        iol__parser_wrong(parser, "a section needs a name in quotes, as in mount \"/scratch\"; it is left out");
    } else {
        parser->pattern = token_copy(parser);
        iol__parser_next(parser);
    }
    end_line(parser);
    parser->section = section;
    while (parser->token.kind != IOL_TOKEN_END && !iol__token_is(&parser->token, "end")) {
        parser->failed = !named; /* one message for a section that has no name */
        if (named && iol__token_is(&parser->token, "set")) {
            parse_set(parser);
        } else {
            if (named)
                iol__rulebook_say(parser->book, parser->name, parser->token.line,
                                  "in a section, expected 'set' or 'end' before %s",
                                  iol__parser_shown(parser, &parser->token));
            parser->failed = true;
            skip_line(parser);
        }
        end_line(parser);
    }
    parser->section = IOL_SECTION_NONE;
    if (parser->token.kind == IOL_TOKEN_END)
        iol__rulebook_say(parser->book, parser->name, line, "the section has no 'end'");
    else
        iol__parser_next(parser);
}

void iol__rules_parse(iol__rulebook *book, const char *text, size_t length, const char *name, const char *origin,
                      bool built_in) {
    iol__parser parser = {.book = book, .arena = &book->arena, .name = name, .origin = origin, .built_in = built_in};
    parser.lexer = (iol__lexer){.at = text, .end = text + length, .line = 1, .fresh = true};
    iol__parser_next(&parser);
    while (parser.token.kind != IOL_TOKEN_END) {
        parser.failed = false;
        bool known = parser.token.first;
        if (known && iol__token_is(&parser.token, "rule")) {
            parse_rule(&parser);
            continue;
        }
        if (known && iol__token_is(&parser.token, "threshold")) {
            parse_threshold(&parser);
        } else if (known && iol__token_is(&parser.token, "set")) {
            parse_set(&parser);
        } else if (known && iol__token_is(&parser.token, "mount")) {
            parse_section(&parser, IOL_SECTION_MOUNT);
        } else if (known && iol__token_is(&parser.token, "system")) {
            parse_section(&parser, IOL_SECTION_SYSTEM);
        } else {
            iol__parser_wrong(&parser, "expected 'rule', 'threshold', 'set', 'mount' or 'system' before %s",
                              iol__parser_shown(&parser, &parser.token));
            skip_line(&parser);
        }
        end_line(&parser);
    }
}
