/* Conditions are expressions of the rule language; here are their names and what they mean for a job. */
#include "site/alert/expression.h"

#include <math.h>
#include <string.h>

#include "base/count.h"
#include "insight/language/expression.h"
#include "insight/language/rule.h"
#include "insight/language/rule_eval.h"

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

static const iol__expression_names *condition_names(void) {
    static const char *const numbers[IOL_ALERT_FIELDS + 1] = {
#define FIELD(name, sql, factor, meaning) [IOL_ALERT_##name] = #name,
#include "site/alert/fields.def"
#undef FIELD
        [IOL_ALERT_slowdown] = "slowdown",
        [IOL_ALERT_earlier_runs] = "earlier_runs",
    };
    static const char *const texts[IOL_ALERT_TEXTS + 1] = {"user", "program", "account"};
    static const iol__expression_names names = {numbers, texts, "`iolite alert --list-fields` prints the names"};
    return &names;
}

const iol__expr *iol__condition_parse(iol__arena *arena, const char *text, char why[200]) {
    return iol__expression_parse(arena, text, condition_names(), why);
}

/* Asking ----------------------------------------------------------------------------------------------------------------- */

static bool is_true(double value) { return value != 0 && !isnan(value); }

/* Unlike in rules, a comparison with what is not known is false, and so its contrary is true. */
static double condition_value(const iol__expr *e, const iol__alert_subject *subject) {
    switch (e->op) {
    case IOL_OP_NUMBER: return e->number;
    case IOL_OP_VARIABLE: return subject->numbers[e->index];
    case IOL_OP_TEXT: return subject->texts[e->index] && strcmp(subject->texts[e->index], e->text) == 0;
    case IOL_OP_FIRED: return subject->finding && subject->finding(subject->context, e->text);
    default: break;
    }
    const double a = condition_value(e->a, subject), b = e->b ? condition_value(e->b, subject) : NAN;
    switch (e->op) {
    case IOL_OP_NEGATE: return -a;
    case IOL_OP_ABS: return fabs(a);
    case IOL_OP_KNOWN: return !isnan(a);
    case IOL_OP_NOT: return !is_true(a);
    case IOL_OP_AND: return is_true(a) && is_true(b);
    case IOL_OP_OR: return is_true(a) || is_true(b);
    case IOL_OP_LESS:
    case IOL_OP_LESS_EQUAL:
    case IOL_OP_GREATER:
    case IOL_OP_GREATER_EQUAL:
    case IOL_OP_EQUAL:
    case IOL_OP_UNEQUAL: return is_true(iol__eval_compare(e->op, a, b));
    case IOL_OP_CLAMP: return iol__eval_clamp(a, b, condition_value(e->c, subject));
    default: return iol__eval_compute(e->op, a, b);
    }
}

bool iol__condition_holds(const iol__expr *condition, const iol__alert_subject *subject) {
    return is_true(condition_value(condition, subject));
}

void iol__condition_patterns(const iol__expr *e, void (*take)(void *context, const char *pattern), void *context) {
    if (!e) return;
    if (e->op == IOL_OP_FIRED) take(context, e->text);
    iol__condition_patterns(e->a, take, context);
    iol__condition_patterns(e->b, take, context);
    iol__condition_patterns(e->c, take, context);
}

bool iol__condition_uses(const iol__expr *e, iol__alert_field field) {
    if (!e) return false;
    if (e->op == IOL_OP_VARIABLE && e->index == (int)field) return true;
    return iol__condition_uses(e->a, field) || iol__condition_uses(e->b, field) || iol__condition_uses(e->c, field);
}
