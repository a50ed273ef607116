/* Expressions: names are resolved and types checked while parsing, so that a rule which loads can be evaluated.
   Depth and size are limited, because a rule file may be anything and evaluation is recursive. */
#include "insight/language/rule_parse.h"

#include <fnmatch.h>
#include <string.h>

#include "base/count.h"
#include "insight/findings/variables.h"

enum { MOST_DEPTH = 40, MOST_NODES = 400 };

static const char *const type_names[] = {"a number", "a condition", "a kind of sharing"};

static iol__expr *new_node(iol__parser *parser, iol__op op, iol__type type) {
    if (++parser->nodes > MOST_NODES) iol__parser_wrong(parser, "the expression is too large");
    iol__expr *node = iol__arena_alloc(parser->arena, 1, sizeof *node);
    node->op = op;
    node->type = type;
    return node;
}

static iol__expr *parse_or(iol__parser *parser);

static iol__expr *expect_type(iol__parser *parser, iol__expr *node, iol__type type, const char *where) {
    if (!node || parser->failed) return NULL;
    if (node->type == type || parser->names) return node; /* numbers are truths in an expression by itself */
    iol__parser_wrong(parser, "%s must be %s, not %s", where, type_names[type], type_names[node->type]);
    return NULL;
}

static bool expect(iol__parser *parser, const char *mark) {
    if (iol__parser_take(parser, mark)) return true;
    iol__parser_wrong(parser, "expected '%s' before %s", mark, iol__parser_shown(parser, &parser->token));
    return false;
}

/* Functions --------------------------------------------------------------------------------------------------- */

static iol__expr *parse_has(iol__parser *parser) {
    iol__expr *node = new_node(parser, IOL_OP_HAS, IOL_TYPE_TRUTH);
    const char *name = iol__parser_shown(parser, &parser->token);
    node->index = iol__module_by_word(parser->token.text, parser->token.length);
    if (parser->token.kind != IOL_TOKEN_WORD || node->index < 0) {
        iol__parser_wrong(parser, "no module is called %s", name);
        return NULL;
    }
    iol__parser_next(parser);
    return expect(parser, ")") ? node : NULL;
}

/* fired("glob") of the whole job, fired("glob", file) of the file that is being looked at. */
static iol__expr *parse_fired(iol__parser *parser) {
    iol__expr *node = new_node(parser, IOL_OP_FIRED, IOL_TYPE_TRUTH);
    if (parser->token.kind != IOL_TOKEN_STRING) {
        iol__parser_wrong(parser, "fired() needs the id of a rule in quotes");
        return NULL;
    }
    node->text = iol__arena_text(parser->arena, parser->token.text, parser->token.length);
    iol__parser_next(parser);
    if (iol__parser_take(parser, ",")) {
        if (!expect(parser, "file")) return NULL;
        node->index = 1;
        if (!parser->per_file) {
            iol__parser_wrong(parser, "fired(..., file) makes sense only where one file is looked at");
            return NULL;
        }
    }
    bool found = false;
    for (size_t i = 0; i < parser->book->n_rules; i++) {
        const iol__rule *rule = parser->book->rules[i];
        if (fnmatch(node->text, rule->id, 0) != 0) continue;
        found = found || !node->index || rule->scope == IOL_SCOPE_FILE;
    }
    if (!found)
        iol__parser_wrong(parser, "no earlier rule%s is called \"%s\"", node->index ? " about files" : "", node->text);
    return !parser->failed && expect(parser, ")") ? node : NULL;
}

/* sum(EXPR over files where COND), mean(...), quantile(Q, ...), count(files where COND). */
static iol__expr *parse_over(iol__parser *parser, iol__op op) {
    iol__expr *node = new_node(parser, op, IOL_TYPE_NUMBER);
    if (parser->by_file) { /* every file would look at every file */
        iol__parser_wrong(parser, "values over all files can be had only in the scope of the job");
        return NULL;
    }
    if (op == IOL_OP_QUANTILE) {
        node->c = expect_type(parser, parse_or(parser), IOL_TYPE_NUMBER, "the quantile");
        if (!node->c || !expect(parser, ",")) return NULL;
    }
    bool by_file = parser->by_file, per_file = parser->per_file;
    parser->by_file = parser->per_file = true;
    bool good = true;
    if (op != IOL_OP_COUNT) {
        node->a = expect_type(parser, parse_or(parser), IOL_TYPE_NUMBER, "what is added up");
        good = node->a && expect(parser, "over");
    }
    good = good && expect(parser, "files");
    if (good && iol__parser_take(parser, "where")) {
        node->b = expect_type(parser, parse_or(parser), IOL_TYPE_TRUTH, "'where'");
        good = node->b != NULL;
    }
    parser->by_file = by_file;
    parser->per_file = per_file;
    return good && expect(parser, ")") ? node : NULL;
}

/* min and max of any number of values, as a chain of pairs. */
static iol__expr *parse_extreme(iol__parser *parser, iol__op op) {
    iol__expr *left = expect_type(parser, parse_or(parser), IOL_TYPE_NUMBER, "the argument");
    while (left && iol__parser_take(parser, ",")) {
        iol__expr *node = new_node(parser, op, IOL_TYPE_NUMBER);
        node->a = left;
        node->b = expect_type(parser, parse_or(parser), IOL_TYPE_NUMBER, "the argument");
        left = node->b ? node : NULL;
    }
    return left && expect(parser, ")") ? left : NULL;
}

static iol__expr *parse_fixed(iol__parser *parser, iol__op op, int arguments) {
    iol__expr *node = new_node(parser, op, op == IOL_OP_KNOWN ? IOL_TYPE_TRUTH : IOL_TYPE_NUMBER);
    const iol__expr **places[] = {&node->a, &node->b, &node->c};
    for (int i = 0; i < arguments && i < 3; i++) {
        if (i && !expect(parser, ",")) return NULL;
        *places[i] = expect_type(parser, parse_or(parser), IOL_TYPE_NUMBER, "the argument");
        if (!*places[i]) return NULL;
    }
    return expect(parser, ")") ? node : NULL;
}

static iol__expr *parse_finding(iol__parser *parser) {
    iol__expr *node = new_node(parser, IOL_OP_FIRED, IOL_TYPE_TRUTH);
    if (parser->token.kind != IOL_TOKEN_STRING) {
        iol__parser_wrong(parser, "finding() needs the id of a rule in quotes");
        return NULL;
    }
    node->text = iol__arena_text(parser->arena, parser->token.text, parser->token.length);
    iol__parser_next(parser);
    return expect(parser, ")") ? node : NULL;
}

static const struct {
    const char *name;
    iol__op op;
    int arguments; /* of those that take a fixed number; such mean the same in every expression */
} functions[] = {
    {"min", IOL_OP_MIN, 1},     {"max", IOL_OP_MAX, 1},   {"abs", IOL_OP_ABS, 1},           {"clamp", IOL_OP_CLAMP, 3},
    {"known", IOL_OP_KNOWN, 1}, {"has", IOL_OP_HAS, 0},   {"fired", IOL_OP_FIRED, 0},       {"sum", IOL_OP_SUM, 0},
    {"count", IOL_OP_COUNT, 0}, {"mean", IOL_OP_MEAN, 0}, {"quantile", IOL_OP_QUANTILE, 0},
};

static iol__expr *parse_call(iol__parser *parser, const iol__token *name) {
    if (parser->names && iol__token_is(name, "finding")) return parse_finding(parser);
    for (size_t i = 0; i < IOL_COUNT(functions); i++) {
        if (!iol__token_is(name, functions[i].name) || (parser->names && !functions[i].arguments)) continue;
        switch (functions[i].op) {
        case IOL_OP_HAS: return parse_has(parser);
        case IOL_OP_FIRED: return parse_fired(parser);
        case IOL_OP_MIN:
        case IOL_OP_MAX: return parse_extreme(parser, functions[i].op);
        case IOL_OP_ABS:
        case IOL_OP_CLAMP:
        case IOL_OP_KNOWN: return parse_fixed(parser, functions[i].op, functions[i].arguments);
        default: return parse_over(parser, functions[i].op);
        }
    }
    iol__parser_wrong(parser, "no function is called %s", iol__parser_shown(parser, name));
    return NULL;
}

/* Names ------------------------------------------------------------------------------------------------------- */

static int counter_in_book(iol__rulebook *book, int slot, int counter, const char *name) {
    for (size_t i = 0; i < book->n_counters; i++)
        if (book->counters[i].slot == slot && book->counters[i].counter == counter) return (int)i;
    book->counters = iol__arena_grow(&book->arena, book->counters, book->n_counters, sizeof *book->counters);
    book->counters[book->n_counters] = (iol__named_counter){.slot = slot, .counter = counter, .name = name};
    return (int)book->n_counters++;
}

/* user == "alice", behind the name. */
static iol__expr *text_node(iol__parser *parser, int index, const char *name) {
    const bool equal = iol__parser_take(parser, "==");
    if ((!equal && !iol__parser_take(parser, "!=")) || parser->token.kind != IOL_TOKEN_STRING) {
        iol__parser_wrong(parser, "'%s' can be compared by == and != with a text in quotes", name);
        return NULL;
    }
    iol__expr *node = new_node(parser, IOL_OP_TEXT, IOL_TYPE_TRUTH);
    node->index = index;
    node->text = iol__arena_text(parser->arena, parser->token.text, parser->token.length);
    iol__parser_next(parser);
    if (equal) return node;
    iol__expr *other = new_node(parser, IOL_OP_NOT, IOL_TYPE_TRUTH);
    other->a = node;
    return other;
}

static iol__expr *own_name_node(iol__parser *parser, const char *name) {
    const iol__expression_names *names = parser->names;
    for (int i = 0; names->texts[i]; i++)
        if (strcmp(names->texts[i], name) == 0) return text_node(parser, i, name);
    for (int i = 0; names->numbers[i]; i++) {
        if (strcmp(names->numbers[i], name) != 0) continue;
        iol__expr *node = new_node(parser, IOL_OP_VARIABLE, IOL_TYPE_NUMBER);
        node->index = i;
        return node;
    }
    iol__parser_wrong(parser, "nothing is called '%s' (%s)", name, names->listed);
    return NULL;
}

static iol__expr *name_node(iol__parser *parser, const iol__token *token) {
    const char *name = iol__arena_text(parser->arena, token->text, token->length);
    if (parser->names) return own_name_node(parser, name);
    for (int i = 0; parser->rule && i < parser->rule->n_lets; i++) {
        if (strcmp(parser->rule->lets[i].name, name) != 0) continue;
        iol__expr *node = new_node(parser, IOL_OP_LET, parser->rule->lets[i].value->type);
        node->index = i;
        return node;
    }
    int index = iol__variable_find(name);
    if (index >= 0) {
        const iol__variable *variable = &iol__variables[index];
        if (!iol__variable_fits(variable, parser->rule ? parser->rule->scope : IOL_SCOPE_JOB, parser->by_file)) {
            iol__parser_wrong(parser, "'%s' has no meaning in this scope (it is known for: %s)", name,
                              iol__variable_at((size_t)index)->scopes);
            return NULL;
        }
        bool raw = variable->kind == IOL_VARIABLE_RAW;
        iol__expr *node = new_node(parser, raw ? IOL_OP_RAW : IOL_OP_VARIABLE, variable->type);
        node->index = raw ? variable->index : index;
        return node;
    }
    double constant;
    iol__type type;
    if (iol__constant_find(name, &constant, &type)) {
        iol__expr *node = new_node(parser, IOL_OP_NUMBER, type);
        node->number = constant;
        return node;
    }
    int slot, counter;
    if (iol__counter_by_name(name, &slot, &counter)) {
        iol__expr *node = new_node(parser, IOL_OP_COUNTER, IOL_TYPE_NUMBER);
        node->index = counter_in_book(parser->book, slot, counter, name);
        return node;
    }
    iol__parser_wrong(parser, "nothing is called '%s' (iolite diagnose --list-variables has all names)", name);
    return NULL;
}

/* A rule remembers its thresholds, to show them with what it found. */
static void note_threshold(iol__rule *rule, int index) {
    for (int i = 0; i < rule->n_thresholds; i++)
        if (rule->thresholds[i] == index) return;
    if (rule->n_thresholds < IOL_RULE_THRESHOLDS) rule->thresholds[rule->n_thresholds++] = index;
}

static iol__expr *path_node(iol__parser *parser, const iol__token *token) {
    const char *path = iol__arena_text(parser->arena, token->text, token->length);
    iol__expr *node = new_node(parser, IOL_OP_THRESHOLD, IOL_TYPE_NUMBER);
    node->index = parser->names ? -1 : iol__threshold_find(parser->book, path);
    if (node->index >= 0) {
        note_threshold(parser->rule, node->index);
        return node;
    }
    iol__parser_wrong(parser, "no threshold is called $%s", path);
    return NULL;
}

/* Operators, from the tightest -------------------------------------------------------------------------------- */

static iol__expr *parse_parenthesis(iol__parser *parser) {
    iol__expr *inner = parse_or(parser);
    return inner && expect(parser, ")") ? inner : NULL;
}

static iol__expr *parse_value(iol__parser *parser) {
    iol__token token = parser->token;
    if (token.kind == IOL_TOKEN_WRONG) {
        iol__parser_wrong(parser, "%s", token.text);
        return NULL;
    }
    if (iol__parser_at_statement(parser) || token.kind == IOL_TOKEN_END || token.kind == IOL_TOKEN_STRING) {
        iol__parser_wrong(parser, "a value is missing before %s", iol__parser_shown(parser, &token));
        return NULL;
    }
    iol__parser_next(parser);
    if (token.kind == IOL_TOKEN_NUMBER) {
        iol__expr *node = new_node(parser, IOL_OP_NUMBER, IOL_TYPE_NUMBER);
        node->number = token.number;
        return node;
    }
    if (token.kind == IOL_TOKEN_PATH) return path_node(parser, &token);
    if (iol__token_is(&token, "(")) return parse_parenthesis(parser);
    if (token.kind == IOL_TOKEN_WORD)
        return iol__parser_take(parser, "(") ? parse_call(parser, &token) : name_node(parser, &token);
    iol__parser_wrong(parser, "a value is missing before %s", iol__parser_shown(parser, &token));
    return NULL;
}

static iol__expr *parse_sign(iol__parser *parser) {
    if (parser->failed || ++parser->depth > MOST_DEPTH) {
        iol__parser_wrong(parser, "the expression is nested too deeply");
        return NULL;
    }
    iol__expr *node;
    if (iol__parser_take(parser, "-")) {
        iol__expr *inner = expect_type(parser, parse_sign(parser), IOL_TYPE_NUMBER, "what follows '-'");
        node = inner ? new_node(parser, IOL_OP_NEGATE, IOL_TYPE_NUMBER) : NULL;
        if (node) node->a = inner;
    } else {
        node = parse_value(parser);
    }
    parser->depth--;
    return node;
}

typedef struct operator{
    const char *mark;
    iol__op op;
}
operator;

static const operator products[] = {{"*", IOL_OP_MULTIPLY}, {"/", IOL_OP_DIVIDE}, {NULL, 0}};
static const operator sums[] = {{"+", IOL_OP_ADD}, {"-", IOL_OP_SUBTRACT}, {NULL, 0}};
static const operator comparisons[] = {
    {"<=", IOL_OP_LESS_EQUAL}, {">=", IOL_OP_GREATER_EQUAL}, {"<", IOL_OP_LESS}, {">", IOL_OP_GREATER},
    {"==", IOL_OP_EQUAL},      {"!=", IOL_OP_UNEQUAL},       {NULL, 0}};

static const operator* take_operator(iol__parser *parser, const operator* table) {
    if (iol__parser_at_statement(parser)) return NULL;
    for (; table->mark; table++)
        if (iol__parser_take(parser, table->mark)) return table;
    return NULL;
}

static iol__expr *join(iol__parser *parser, iol__op op, iol__type type, iol__expr *left, iol__expr *right) {
    if (!left || !right || parser->failed) return NULL;
    iol__expr *node = new_node(parser, op, type);
    node->a = left;
    node->b = right;
    return node;
}

static iol__expr *parse_chain(iol__parser *parser, const operator* table, iol__expr *(*inner)(iol__parser *)) {
    iol__expr *left = inner(parser);
    for (const operator* found; left && (found = take_operator(parser, table));) {
        left = expect_type(parser, left, IOL_TYPE_NUMBER, "what is computed with");
        iol__expr *right = left ? expect_type(parser, inner(parser), IOL_TYPE_NUMBER, "what is computed with") : NULL;
        left = join(parser, found->op, IOL_TYPE_NUMBER, left, right);
    }
    return left;
}

static iol__expr *parse_product(iol__parser *parser) { return parse_chain(parser, products, parse_sign); }
static iol__expr *parse_sum(iol__parser *parser) { return parse_chain(parser, sums, parse_product); }

static iol__expr *parse_comparison(iol__parser *parser) {
    iol__expr *left = parse_sum(parser);
    const operator* found = left ? take_operator(parser, comparisons) : NULL;
    if (!found) return left;
    bool order = found->op != IOL_OP_EQUAL && found->op != IOL_OP_UNEQUAL;
    if (order && !expect_type(parser, left, IOL_TYPE_NUMBER, "what is compared")) return NULL;
    iol__expr *right = expect_type(parser, parse_sum(parser), left->type, "the other side of the comparison");
    return join(parser, found->op, IOL_TYPE_TRUTH, left, right);
}

static iol__expr *parse_not(iol__parser *parser) {
    if (!iol__parser_take(parser, "not")) return parse_comparison(parser);
    if (++parser->depth > MOST_DEPTH) {
        iol__parser_wrong(parser, "the expression is nested too deeply");
        return NULL;
    }
    iol__expr *inner = expect_type(parser, parse_not(parser), IOL_TYPE_TRUTH, "what follows 'not'");
    parser->depth--;
    iol__expr *node = inner ? new_node(parser, IOL_OP_NOT, IOL_TYPE_TRUTH) : NULL;
    if (node) node->a = inner;
    return node;
}

static iol__expr *parse_logic(iol__parser *parser, const char *word, iol__op op, iol__expr *(*inner)(iol__parser *)) {
    iol__expr *left = inner(parser);
    while (left && iol__parser_take(parser, word)) {
        left = expect_type(parser, left, IOL_TYPE_TRUTH, "the condition");
        iol__expr *right = left ? expect_type(parser, inner(parser), IOL_TYPE_TRUTH, "the condition") : NULL;
        left = join(parser, op, IOL_TYPE_TRUTH, left, right);
    }
    return left;
}

static iol__expr *parse_and(iol__parser *parser) { return parse_logic(parser, "and", IOL_OP_AND, parse_not); }

static iol__expr *parse_or(iol__parser *parser) {
    if (parser->failed || ++parser->depth > MOST_DEPTH) {
        iol__parser_wrong(parser, "the expression is nested too deeply");
        return NULL;
    }
    iol__expr *node = parse_logic(parser, "or", IOL_OP_OR, parse_and);
    parser->depth--;
    return node;
}

const iol__expr *iol__parse_expression(iol__parser *parser, iol__type type) {
    parser->depth = parser->nodes = 0;
    return expect_type(parser, parse_or(parser), type, "the expression");
}

const iol__expr *iol__parse_any(iol__parser *parser) {
    parser->depth = parser->nodes = 0;
    iol__expr *node = parse_or(parser);
    return parser->failed ? NULL : node;
}
