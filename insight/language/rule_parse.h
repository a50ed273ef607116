/* The parser's state, shared by the files that parse: expressions, sentences, and the statements of a rule. */
#ifndef IOL_INSIGHT_RULE_PARSE_H
#define IOL_INSIGHT_RULE_PARSE_H

#include "insight/language/expression.h"
#include "insight/language/rule.h"
#include "insight/language/rule_lex.h"

typedef struct iol__parser {
    iol__rulebook *book;
    iol__arena *arena;                  /* the book's, or that of an expression by itself */
    const iol__expression_names *names; /* of an expression by itself, which has no book; NULL: those of rules */
    const char *wrong;                  /* in it */
    const char *name, *origin;
    bool built_in;
    iol__lexer lexer;
    iol__token token;     /* not yet used */
    int last_line;        /* of the one before */
    iol__rule *rule;      /* being built */
    iol__section section; /* that `set` lines are in */
    const char *pattern;  /* of its mounts or systems */
    bool by_file;         /* names of file variables stand for one file here */
    bool per_file;        /* inside a condition that is asked of each file: fired(id, file) makes sense */
    bool failed;          /* a message about this rule has been given */
    int depth;            /* of parentheses */
    int nodes;            /* of the expression */
} iol__parser;

void iol__parser_next(iol__parser *parser);
/* Take the token if it is this word or mark. */
bool iol__parser_take(iol__parser *parser, const char *text);
/* Say what is wrong at this token, once for each rule. */
void iol__parser_wrong(iol__parser *parser, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A printable copy of the token for messages. */
const char *iol__parser_shown(iol__parser *parser, const iol__token *token);
/* The token begins a statement, so whatever came before has ended. */
bool iol__parser_at_statement(const iol__parser *parser);

/* NULL, with a message, if there is no expression of that type. */
const iol__expr *iol__parse_expression(iol__parser *parser, iol__type type);
/* The same for any type. */
const iol__expr *iol__parse_any(iol__parser *parser);
/* The string token with its {values}, and an `if` behind it. */
bool iol__parse_sentence(iol__parser *parser, iol__sentence *sentence);

#endif
