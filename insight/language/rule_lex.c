/* The lexer. It works on any bytes, and never reads past the end it was given. */
#include "insight/language/rule_lex.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "insight/language/rule.h"

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_inside(char c) { return is_letter(c) || is_digit(c) || c == '.'; }

static const struct {
    const char *name;
    double factor;
} units[] = {{"%", 0.01}, {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0},
             {"kB", 1e3}, {"MB", 1e6},     {"GB", 1e9},        {"TB", 1e12},          {"k", 1e3},
             {"M", 1e6},  {"G", 1e9},      {"T", 1e12},        {"P", 1e15},           {"ms", 1e-3},
             {"s", 1.0}};

static bool unit_factor(const char *text, size_t length, double *factor) {
    for (size_t i = 0; i < IOL_COUNT(units); i++) {
        if (strlen(units[i].name) != length || memcmp(units[i].name, text, length) != 0) continue;
        *factor = units[i].factor;
        return true;
    }
    return false;
}

static void skip_blank(iol__lexer *lexer) {
    for (; lexer->at < lexer->end; lexer->at++) {
        char c = *lexer->at;
        if (c == '#') {
            while (lexer->at < lexer->end && *lexer->at != '\n') lexer->at++;
            if (lexer->at == lexer->end) return;
            c = '\n';
        }
        if (c == '\n') {
            lexer->line++;
            lexer->fresh = true;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
    }
}

/* Digits, a point and an exponent; *used says how many bytes they are, also where they make no number. strtod alone would also take "inf", "0x1" and the user's decimal comma. */
static bool plain_number(const char *text, size_t length, double *value, size_t *used) {
    char digits[64];
    size_t n = 0;
    while (n < length && (is_digit(text[n]) || text[n] == '.')) n++;
    if (n + 1 < length && (text[n] == 'e' || text[n] == 'E')) {
        size_t sign = text[n + 1] == '-' || text[n + 1] == '+';
        size_t after = n + 1 + sign;
        if (after < length && is_digit(text[after]))
            for (n = after; n < length && is_digit(text[n]);) n++;
    }
    *used = n;
    if (n == 0 || n >= sizeof digits) return false;
    memcpy(digits, text, n);
    digits[n] = 0;
    char *end;
    *value = strtod(digits, &end);
    return end == digits + n && *value - *value == 0;
}

static iol__token lex_number(iol__lexer *lexer, iol__token token) {
    size_t used, left = (size_t)(lexer->end - lexer->at);
    if (!plain_number(lexer->at, left, &token.number, &used)) {
        lexer->at += used; /* all of it: to look at the rest again for each digit would take the square of the time */
        token.kind = IOL_TOKEN_WRONG;
        token.text = "a number that makes no sense";
        return token;
    }
    lexer->at += used;
    const char *unit = lexer->at;
    while (lexer->at < lexer->end && (is_letter(*lexer->at) || *lexer->at == '%')) lexer->at++;
    token.kind = IOL_TOKEN_NUMBER;
    double factor = 1;
    if (lexer->at > unit && !unit_factor(unit, (size_t)(lexer->at - unit), &factor)) {
        token.kind = IOL_TOKEN_WRONG;
        token.text = "a unit that is not known (%, k, KiB, MiB, GiB, TiB, kB, MB, GB, TB, ms, s)";
        return token;
    }
    token.number *= factor;
    token.length = (size_t)(lexer->at - token.text);
    return token;
}

static iol__token lex_string(iol__lexer *lexer, iol__token token) {
    token.text = ++lexer->at;
    while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n')
        lexer->at += *lexer->at == '\\' && lexer->at + 1 < lexer->end && lexer->at[1] != '\n' ? 2 : 1;
    if (lexer->at >= lexer->end || *lexer->at != '"') {
        if (lexer->at > lexer->end) lexer->at = lexer->end;
        token.kind = IOL_TOKEN_WRONG;
        token.text = "a text whose closing quote is not on its line";
        return token;
    }
    token.kind = IOL_TOKEN_STRING;
    token.length = (size_t)(lexer->at++ - token.text);
    return token;
}

static iol__token lex_mark(iol__lexer *lexer, iol__token token) {
    static const char times[] = "×";
    size_t left = (size_t)(lexer->end - lexer->at);
    token.kind = IOL_TOKEN_MARK;
    token.length = 1;
    if (left >= sizeof times - 1 && memcmp(lexer->at, times, sizeof times - 1) == 0) {
        lexer->at += sizeof times - 1;
        token.text = "*";
        return token;
    }
    char c = *lexer->at++;
    if (strchr("(),+-*/", c) && c) return token;
    if (!strchr("<>=!", c) || !c) {
        token.kind = IOL_TOKEN_WRONG;
        token.text = "a character that has no place here";
        return token;
    }
    if (lexer->at < lexer->end && *lexer->at == '=') {
        lexer->at++;
        token.length = 2;
    } else if (c == '!') {
        token.kind = IOL_TOKEN_WRONG;
        token.text = "'!' without '='";
    }
    return token;
}

iol__token iol__lex(iol__lexer *lexer) {
    skip_blank(lexer);
    iol__token token = {.kind = IOL_TOKEN_END, .text = lexer->at, .line = lexer->line, .first = lexer->fresh};
    if (lexer->at >= lexer->end) return token;
    lexer->fresh = false;
    char c = *lexer->at;
    if (is_digit(c)) return lex_number(lexer, token);
    if (c == '"') return lex_string(lexer, token);
    if (c != '$' && !is_letter(c)) return lex_mark(lexer, token);
    token.kind = c == '$' ? IOL_TOKEN_PATH : IOL_TOKEN_WORD;
    if (c == '$') token.text = ++lexer->at;
    while (lexer->at < lexer->end && is_inside(*lexer->at)) lexer->at++;
    token.length = (size_t)(lexer->at - token.text);
    return token;
}

bool iol__token_is(const iol__token *token, const char *text) {
    if (token->kind != IOL_TOKEN_WORD && token->kind != IOL_TOKEN_MARK) return false;
    return token->length && *token->text == *text && strncmp(token->text, text, token->length) == 0 &&
           !text[token->length];
}

bool iol__parse_value(const char *text, double *value) {
    while (*text == ' ') text++;
    bool negative = *text == '-';
    if (negative) text++;
    size_t used;
    if (!is_digit(*text) || !plain_number(text, strlen(text), value, &used)) return false;
    const char *unit = text + used;
    while (*unit == ' ') unit++;
    size_t length = strlen(unit);
    while (length && (unit[length - 1] == ' ' || unit[length - 1] == '\r')) length--;
    double factor = 1;
    if (length && !unit_factor(unit, length, &factor)) return false;
    *value *= negative ? -factor : factor;
    return true;
}
