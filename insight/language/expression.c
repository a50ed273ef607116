/* The parser of rules, without a rule. */
#include "insight/language/expression.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "insight/language/rule_parse.h"

/* Of the token, from 1. The text of some tokens is not that of the expression: then where reading stopped. */
static int character_of(const iol__parser *parser, const char *text) {
    const uintptr_t start = (uintptr_t)text, at = (uintptr_t)parser->token.text, stop = (uintptr_t)parser->lexer.at;
    return (int)((at >= start && at <= stop ? at : stop) - start) + 1;
}

const iol__expr *iol__expression_parse(iol__arena *arena, const char *text, const iol__expression_names *names,
                                       char why[200]) {
    iol__parser parser = {.arena = arena, .names = names, .lexer = {.at = text, .end = text + strlen(text), .line = 1}};
    why[0] = 0;
    iol__parser_next(&parser);
    const iol__expr *expression = iol__parse_any(&parser);
    if (expression && parser.token.kind != IOL_TOKEN_END)
        iol__parser_wrong(&parser, "%s is too much", iol__parser_shown(&parser, &parser.token));
    if (!parser.failed) return expression;
    snprintf(why, 200, "at character %d: %s", character_of(&parser, text), parser.wrong);
    return NULL;
}
