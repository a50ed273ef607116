/* Words of the rule language, with the line they stand on and whether they begin it: a statement begins with a keyword
   at the beginning of a line, so that conditions may run over several lines without a mark at their ends. */
#ifndef IOL_INSIGHT_RULE_LEX_H
#define IOL_INSIGHT_RULE_LEX_H

#include <stdbool.h>
#include <stddef.h>

typedef enum iol__token_kind {
    IOL_TOKEN_END,
    IOL_TOKEN_WORD,   /* dots included, as in posix.small.read */
    IOL_TOKEN_NUMBER, /* units applied: 1MiB, 10%, 30s */
    IOL_TOKEN_PATH,   /* $posix.small.ratio, without the sign */
    IOL_TOKEN_STRING, /* without the quotes, escapes still in it */
    IOL_TOKEN_MARK,   /* ( ) , + - * / = < > <= >= == != */
    IOL_TOKEN_WRONG,  /* a character or a string that cannot be; `text` says why */
} iol__token_kind;

typedef struct iol__token {
    iol__token_kind kind;
    const char *text;
    size_t length;
    double number;
    int line;
    bool first; /* on its line */
} iol__token;

typedef struct iol__lexer {
    const char *at, *end;
    int line;
    bool fresh; /* nothing was found on this line yet */
} iol__lexer;

iol__token iol__lex(iol__lexer *lexer);
bool iol__token_is(const iol__token *token, const char *text);

#endif
