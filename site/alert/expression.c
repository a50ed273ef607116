/* A parser by recursive descent that writes a program for a stack of numbers; depth and length are bounded. */
#include "site/alert/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"

typedef enum op {
    NUMBER,
    FIELD_OF,
    TEXT_IS, /* index: which text; 1 or 0 */
    FINDING,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    NEGATE,
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
    EQUAL,
    UNEQUAL,
    AND,
    OR,
    NOT,
} op;

typedef struct expression_step {
    op op;
    int index;
    double number;
    const char *text;
} expression_step;

enum { STEPS = 256, DEEPEST = 32 };

struct iol__condition {
    expression_step steps[STEPS];
    size_t count;
};

static const struct {
    const char *name, *meaning;
} fields[] = {
#define FIELD(name, sql, factor, meaning) {#name, meaning},
#include "site/alert/fields.def"
#undef FIELD
    {"slowdown", "how many times slower than the median of up to 60 earlier runs of this program, user and size"},
    {"earlier_runs", "how many of them there are"},
};
_Static_assert(IOL_COUNT(fields) == IOL_ALERT_FIELDS, "a name for each field");

bool iol__alert_field_at(size_t index, const char **name, const char **meaning) {
    if (index >= IOL_ALERT_FIELDS) return false;
    *name = fields[index].name;
    *meaning = fields[index].meaning;
    return true;
}

/* Parsing ---------------------------------------------------------------------------------------------------------------- */

typedef struct expression_parser {
    iol__arena *arena;
    iol__condition *to;
    const char *start, *at;
    char *why;
    int depth;
} expression_parser;

static bool expression_wrong(expression_parser *p, const char *what) {
    if (!*p->why) snprintf(p->why, 200, "at character %d: %s", (int)(p->at - p->start) + 1, what);
    return false;
}

static void expression_skip(expression_parser *p) {
    while (isspace((unsigned char)*p->at)) p->at++;
}

static bool expression_emit(expression_parser *p, expression_step s) {
    if (p->to->count == STEPS) return expression_wrong(p, "the condition is too long");
    p->to->steps[p->to->count++] = s;
    return true;
}

static bool expression_sign(expression_parser *p, const char *text) {
    expression_skip(p);
    if (strncmp(p->at, text, strlen(text)) != 0) return false;
    p->at += strlen(text);
    return true;
}

static bool expression_is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool expression_word(expression_parser *p, const char *text) {
    expression_skip(p);
    const size_t length = strlen(text);
    if (strncmp(p->at, text, length) != 0 || expression_is_word(p->at[length])) return false;
    p->at += length;
    return true;
}

static const char *expression_quoted(expression_parser *p) {
    expression_skip(p);
    const char *end = *p->at == '"' ? strchr(p->at + 1, '"') : NULL;
    if (!end) {
        expression_wrong(p, "a text in quotation marks is expected");
        return NULL;
    }
    const char *text = iol__arena_text(p->arena, p->at + 1, (size_t)(end - p->at - 1));
    p->at = end + 1;
    return text;
}

static bool disjunction(expression_parser *p);

static bool number(expression_parser *p) {
    static const char units[] = "kMGTP";
    char *end;
    double value = strtod(p->at, &end);
    if (end == p->at || !isfinite(value)) return expression_wrong(p, "a number, a field or '(' is expected");
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (unit) {
        for (int i = 0; i <= unit - units; i++) value *= 1000;
        end++;
    }
    p->at = end;
    return expression_emit(p, (expression_step){.op = NUMBER, .number = value});
}

/* A text and what it is compared with. */
static bool text_test(expression_parser *p, iol__alert_text which) {
    const bool equal = expression_sign(p, "==");
    if (!equal && !expression_sign(p, "!=")) return expression_wrong(p, "== or != is expected behind a text");
    const char *text = expression_quoted(p);
    if (!text || !expression_emit(p, (expression_step){.op = TEXT_IS, .index = (int)which, .text = text})) return false;
    return equal || expression_emit(p, (expression_step){.op = NOT});
}

static bool name(expression_parser *p) {
    static const char *const texts[IOL_ALERT_TEXTS] = {"user", "program", "account"};
    for (int i = 0; i < IOL_ALERT_TEXTS; i++)
        if (expression_word(p, texts[i])) return text_test(p, (iol__alert_text)i);
    for (int i = 0; i < IOL_ALERT_FIELDS; i++)
        if (expression_word(p, fields[i].name))
            return expression_emit(p, (expression_step){.op = FIELD_OF, .index = i});
    if (expression_word(p, "finding")) {
        if (!expression_sign(p, "(")) return expression_wrong(p, "'(' is expected behind finding");
        const char *pattern = expression_quoted(p);
        if (!pattern) return false;
        return expression_sign(p, ")") ? expression_emit(p, (expression_step){.op = FINDING, .text = pattern})
                                       : expression_wrong(p, "')' is expected");
    }
    return expression_wrong(p, "there is no such field; `iolite alert --list-fields` prints them");
}

static bool primary(expression_parser *p) {
    expression_skip(p);
    if (expression_sign(p, "(")) {
        if (++p->depth > DEEPEST) return expression_wrong(p, "too many brackets");
        const bool good = disjunction(p) && (expression_sign(p, ")") || expression_wrong(p, "')' is expected"));
        p->depth--;
        return good;
    }
    if (expression_sign(p, "-")) {
        if (++p->depth > DEEPEST) return expression_wrong(p, "too many signs");
        return primary(p) && expression_emit(p, (expression_step){.op = NEGATE});
    }
    return isalpha((unsigned char)*p->at) ? name(p) : number(p);
}

static bool expression_product(expression_parser *p) {
    if (!primary(p)) return false;
    for (;;) {
        const op next = expression_sign(p, "*") ? MULTIPLY : expression_sign(p, "/") ? DIVIDE : NUMBER;
        if (next == NUMBER) return true;
        if (!primary(p) || !expression_emit(p, (expression_step){.op = next})) return false;
    }
}

static bool expression_sum(expression_parser *p) {
    if (!expression_product(p)) return false;
    for (;;) {
        const op next = expression_sign(p, "+") ? ADD : expression_sign(p, "-") ? SUBTRACT : NUMBER;
        if (next == NUMBER) return true;
        if (!expression_product(p) || !expression_emit(p, (expression_step){.op = next})) return false;
    }
}

static bool expression_comparison(expression_parser *p) {
    static const struct {
        const char *sign;
        op op;
    } signs[] = {{"<=", LESS_EQUAL}, {">=", GREATER_EQUAL}, {"==", EQUAL},
                 {"!=", UNEQUAL},    {"<", LESS},           {">", GREATER}};
    if (expression_word(p, "not")) {
        if (++p->depth > DEEPEST) return expression_wrong(p, "too many nots");
        return expression_comparison(p) && expression_emit(p, (expression_step){.op = NOT});
    }
    if (!expression_sum(p)) return false;
    for (size_t i = 0; i < IOL_COUNT(signs); i++)
        if (expression_sign(p, signs[i].sign))
            return expression_sum(p) && expression_emit(p, (expression_step){.op = signs[i].op});
    return true;
}

static bool conjunction(expression_parser *p) {
    if (!expression_comparison(p)) return false;
    while (expression_word(p, "and"))
        if (!expression_comparison(p) || !expression_emit(p, (expression_step){.op = AND})) return false;
    return true;
}

static bool disjunction(expression_parser *p) {
    if (!conjunction(p)) return false;
    while (expression_word(p, "or"))
        if (!conjunction(p) || !expression_emit(p, (expression_step){.op = OR})) return false;
    return true;
}

const iol__condition *iol__condition_parse(iol__arena *arena, const char *text, char why[200]) {
    expression_parser p = {.arena = arena, .start = text, .at = text, .why = why};
    p.to = iol__arena_alloc(arena, 1, sizeof *p.to);
    *p.to = (iol__condition){.count = 0};
    why[0] = 0;
    if (!disjunction(&p)) return NULL;
    expression_skip(&p);
    if (*p.at) expression_wrong(&p, "this is too much");
    return *why ? NULL : p.to;
}

/* Asking ----------------------------------------------------------------------------------------------------------------- */

static double expression_compute(op what, double a, double b) {
    switch (what) {
    case ADD: return a + b;
    case SUBTRACT: return a - b;
    case MULTIPLY: return a * b;
    case DIVIDE: return b != 0 ? a / b : NAN;
    case LESS: return a < b;
    case LESS_EQUAL: return a <= b;
    case GREATER: return a > b;
    case GREATER_EQUAL: return a >= b;
    case EQUAL: return a == b;
    case UNEQUAL: return a < b || a > b;
    case AND: return a != 0 && !isnan(a) && b != 0 && !isnan(b);
    case OR: return (a != 0 && !isnan(a)) || (b != 0 && !isnan(b));
    default: return NAN;
    }
}

static double expression_value_of(const expression_step *s, const iol__alert_subject *subject) {
    switch (s->op) {
    case FIELD_OF: return subject->numbers[s->index];
    case TEXT_IS: return subject->texts[s->index] && strcmp(subject->texts[s->index], s->text) == 0;
    case FINDING: return subject->finding && subject->finding(subject->context, s->text);
    default: return s->number;
    }
}

bool iol__condition_holds(const iol__condition *c, const iol__alert_subject *subject) {
    double stack[STEPS];
    size_t top = 0;
    for (size_t i = 0; i < c->count; i++) {
        const expression_step *s = &c->steps[i];
        if (s->op <= FINDING) {
            stack[top++] = expression_value_of(s, subject);
        } else if (s->op == NEGATE) {
            stack[top - 1] = -stack[top - 1];
        } else if (s->op == NOT) {
            stack[top - 1] = stack[top - 1] == 0 || isnan(stack[top - 1]);
        } else {
            top--;
            stack[top - 1] = expression_compute(s->op, stack[top - 1], stack[top]);
        }
    }
    return top == 1 && stack[0] != 0 && !isnan(stack[0]);
}

void iol__condition_patterns(const iol__condition *c, void (*take)(void *context, const char *pattern), void *context) {
    for (size_t i = 0; i < c->count; i++)
        if (c->steps[i].op == FINDING) take(context, c->steps[i].text);
}

bool iol__condition_uses(const iol__condition *c, iol__alert_field field) {
    for (size_t i = 0; i < c->count; i++)
        if (c->steps[i].op == FIELD_OF && c->steps[i].index == (int)field) return true;
    return false;
}
