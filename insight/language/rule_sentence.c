/* Sentences of a rule: text in quotes with values in braces, "{n} of {writes} writes, {bytes:mean} each". */
#include <string.h>

#include "base/count.h"
#include "insight/language/rule_parse.h"
#include "insight/findings/variables.h"

enum { MOST_PIECES = 24 };

static const struct {
    const char *name;
    iol__number_shape form;
} forms[] = {{"bytes", IOL_SHAPE_BYTES},     {"percent", IOL_SHAPE_PERCENT},
             {"seconds", IOL_SHAPE_SECONDS}, {"times", IOL_SHAPE_TIMES},
             {"rate", IOL_SHAPE_RATE},       {"number", IOL_SHAPE_NUMBER},
             {"about", IOL_SHAPE_ABOUT},     {"id", IOL_SHAPE_ID}};

/* "bytes:" in front of an expression. */
static const char *take_form(const char *at, const char *end, iol__number_shape *form) {
    *form = IOL_SHAPE_NUMBER;
    const char *colon = memchr(at, ':', (size_t)(end - at));
    if (!colon) return at;
    for (size_t i = 0; i < IOL_COUNT(forms); i++) {
        size_t length = strlen(forms[i].name);
        if (length != (size_t)(colon - at) || memcmp(at, forms[i].name, length) != 0) continue;
        *form = forms[i].form;
        return colon + 1;
    }
    return NULL;
}

/* What is between the braces, parsed as an expression of its own. */
static bool parse_braces(iol__parser *parser, const char *at, const char *end, iol__sentence_piece *piece) {
    piece->label = iol__label_find(at, (size_t)(end - at));
    if (piece->label >= 0) {
        piece->form = IOL_SHAPE_LABEL;
        return true;
    }
    const char *start = take_form(at, end, &piece->form);
    if (!start) {
        iol__parser_wrong(parser, "'{%.*s}' asks for a form that is not known", (int)(end - at), at);
        return false;
    }
    iol__lexer lexer = parser->lexer;
    iol__token token = parser->token;
    parser->lexer = (iol__lexer){.at = start, .end = end, .line = token.line};
    iol__parser_next(parser);
    piece->value = iol__parse_expression(parser, IOL_TYPE_NUMBER);
    if (piece->value && parser->token.kind != IOL_TOKEN_END)
        iol__parser_wrong(parser, "'{%.*s}' is not one value", (int)(end - at), at);
    parser->lexer = lexer;
    parser->token = token;
    return !parser->failed;
}

/* Backslashes go; nothing else in a rule needs them but quotes. */
static char *rule_sentence_unescape(iol__arena *arena, const char *text, size_t length) {
    char *copy = iol__arena_alloc(arena, length + 1, 1);
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\' && i + 1 < length) i++;
        copy[n++] = text[i];
    }
    return copy;
}

static bool rule_sentence_split(iol__parser *parser, iol__sentence *sentence) {
    const char *at = parser->token.text, *end = at + parser->token.length;
    iol__sentence_piece *pieces = iol__arena_alloc(parser->arena, MOST_PIECES, sizeof *pieces);
    for (;;) {
        iol__sentence_piece *piece = &pieces[sentence->count];
        const char *brace = memchr(at, '{', (size_t)(end - at));
        piece->text = rule_sentence_unescape(parser->arena, at, (size_t)((brace ? brace : end) - at));
        if (!brace) {
            piece->last = true;
            sentence->count++;
            sentence->pieces = pieces;
            return true;
        }
        const char *close = memchr(brace, '}', (size_t)(end - brace));
        if (!close || sentence->count + 2 > MOST_PIECES) {
            iol__parser_wrong(parser, close ? "too many values in one text" : "'{' without '}'");
            return false;
        }
        if (!parse_braces(parser, brace + 1, close, piece)) return false;
        sentence->count++;
        at = close + 1;
    }
}

/* Strings one after the other are one text, with a blank between them, as in `meaning`. */
static void join_strings(iol__parser *parser) {
    for (;;) {
        iol__lexer ahead = parser->lexer;
        iol__token next = iol__lex(&ahead);
        if (next.kind != IOL_TOKEN_STRING) return;
        parser->token.text = iol__arena_print(parser->arena, "%.*s %.*s", (int)parser->token.length, parser->token.text,
                                              (int)next.length, next.text);
        parser->token.length += 1 + next.length;
        parser->lexer = ahead;
    }
}

bool iol__parse_sentence(iol__parser *parser, iol__sentence *sentence) {
    *sentence = (iol__sentence){0};
    if (parser->token.kind != IOL_TOKEN_STRING) {
        iol__parser_wrong(parser, "%s",
                          parser->token.kind == IOL_TOKEN_WRONG ? parser->token.text : "a text in quotes is missing");
        return false;
    }
    join_strings(parser);
    if (!rule_sentence_split(parser, sentence)) return false;
    iol__parser_next(parser);
    if (!iol__parser_take(parser, "if")) return true;
    sentence->condition = iol__parse_expression(parser, IOL_TYPE_TRUTH);
    return sentence->condition != NULL;
}
