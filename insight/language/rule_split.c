/* What a rule asks of every file, made ready once when the rule is read. `where` is taken apart at its outermost `and`s into tests
   that must all hold. Rules ask much the same (reads > 0, sharing != unique): equal tests share a number, so that the
   answer of one rule serves the others. */
#include "insight/language/rule_split.h"

#include <string.h>

#include "insight/findings/variables.h"

/* What an expression depends on. */
enum { ON_FILE = 1, ON_THRESHOLD = 2, ON_EARLIER = 4 };

static int depends_on(const iol__expr *e) {
    if (!e) return 0;
    switch (e->op) {
    case IOL_OP_NUMBER: return 0;
    case IOL_OP_THRESHOLD: return ON_THRESHOLD;
    case IOL_OP_VARIABLE: return iol__variables[e->index].kind == IOL_VARIABLE_JOB ? 0 : ON_FILE;
    case IOL_OP_LET:
    case IOL_OP_FIRED: return ON_FILE | ON_EARLIER;
    case IOL_OP_RAW:
    case IOL_OP_COUNTER:
    case IOL_OP_HAS:
    case IOL_OP_SUM:
    case IOL_OP_COUNT:
    case IOL_OP_MEAN:
    case IOL_OP_QUANTILE: return ON_FILE | depends_on(e->a) | depends_on(e->b) | depends_on(e->c);
    default: return depends_on(e->a) | depends_on(e->b) | depends_on(e->c);
    }
}

static bool is_same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool is_same(const iol__expr *a, const iol__expr *b) {
    if (a == b) return true;
    if (!a || !b || a->op != b->op || a->type != b->type || a->index != b->index) return false;
    if (a->number != b->number || !is_same_text(a->text, b->text)) return false;
    return is_same(a->a, b->a) && is_same(a->b, b->b) && is_same(a->c, b->c);
}

static int shared_number(iol__rulebook *book, const iol__expr *e) {
    for (size_t i = 0; i < book->n_tests; i++)
        if (is_same(book->tests[i], e)) return (int)i;
    book->tests = iol__arena_grow(&book->arena, book->tests, book->n_tests, sizeof *book->tests);
    book->tests[book->n_tests] = e;
    return (int)book->n_tests++;
}

static void add_test(iol__rulebook *book, iol__rule *rule, const iol__expr *e) {
    const int on = depends_on(e);
    rule->tests = iol__arena_grow(&book->arena, rule->tests, rule->n_tests, sizeof *rule->tests);
    rule->tests[rule->n_tests++] = (iol__test){.condition = e,
                                               .by_job = !(on & ON_FILE),
                                               .by_mount = on & ON_THRESHOLD,
                                               .shared = on & ON_EARLIER ? -1 : shared_number(book, e)};
}

static void split(iol__rulebook *book, iol__rule *rule, const iol__expr *e) {
    if (e->op == IOL_OP_AND) {
        split(book, rule, e->a);
        split(book, rule, e->b);
    } else {
        add_test(book, rule, e);
    }
}

void iol__rule_split(iol__rulebook *book, iol__rule *rule) {
    if (rule->where && (rule->scope == IOL_SCOPE_FILE || rule->scope == IOL_SCOPE_FILES))
        split(book, rule, rule->where);
}
