/* Reading goes forward over one buffer and never past its end; texts get shorter when they are unescaped, so that they
   stay where they were. */
#include "log/trailer/plain_json.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 16 };

/* Printing -------------------------------------------------------------------------------------------------------- */

/* The length of the character that begins here, 0 if it is no UTF-8: overlong forms, surrogates and what is above
   U+10FFFF are not. */
static size_t utf8_length(const char *text) {
    const unsigned char *b = (const unsigned char *)text;
    if (b[0] < 0x80) return 1;
    size_t length = b[0] >= 0xc2 && b[0] < 0xe0   ? 2
                    : b[0] >= 0xe0 && b[0] < 0xf0 ? 3
                    : b[0] >= 0xf0 && b[0] < 0xf5 ? 4
                                                  : 0;
    for (size_t i = 1; i < length; i++)
        if ((b[i] & 0xc0) != 0x80) return 0;
    if ((b[0] == 0xe0 && b[1] < 0xa0) || (b[0] == 0xed && b[1] > 0x9f)) return 0;
    if ((b[0] == 0xf0 && b[1] < 0x90) || (b[0] == 0xf4 && b[1] > 0x8f)) return 0;
    return length;
}

bool iol__plain_utf8(const char *text) {
    for (size_t length; *text; text += length)
        if ((length = utf8_length(text)) == 0) return false;
    return true;
}

void iol__plain_print_text(FILE *to, const char *text) {
    putc('"', to);
    while (*text) {
        size_t length = utf8_length(text);
        unsigned char c = (unsigned char)*text;
        if (length == 0)
            fputs("\xef\xbf\xbd", to);
        else if (c == '"' || c == '\\')
            fprintf(to, "\\%c", c);
        else if (c < ' ' || c == 127)
            fprintf(to, "\\u%04x", c);
        else
            fwrite(text, 1, length, to);
        text += length ? length : 1;
    }
    putc('"', to);
}

void iol__plain_print_hex(FILE *to, const char *text) {
    putc('"', to);
    for (; *text; text++) fprintf(to, "%02x", (unsigned char)*text);
    putc('"', to);
}

void iol__plain_print_seconds(FILE *to, double seconds) {
    if (!(fabs(seconds) < 1e9)) {
        fputs("null", to);
        return;
    }
    long long nanoseconds = llround(fabs(seconds) * 1e9);
    fprintf(to, "%s%lld.%09lld", seconds < 0 ? "-" : "", nanoseconds / 1000000000, nanoseconds % 1000000000);
}

/* Reading --------------------------------------------------------------------------------------------------------- */

static void skip_space(iol__plain_json *json) {
    while (json->at < json->end && strchr(" \t\r\n", *json->at) && *json->at) json->at++;
}

bool iol__plain_take(iol__plain_json *json, char c) {
    skip_space(json);
    if (json->at == json->end || *json->at != c) return false;
    json->at++;
    return true;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Four digits; 0 if they are not, which no text may contain anyway. */
static uint32_t code_unit(iol__plain_json *json) {
    uint32_t code = 0;
    if (json->end - json->at < 4) return 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(json->at[i]);
        if (digit < 0) return 0;
        code = code << 4 | (uint32_t)digit;
    }
    json->at += 4;
    return code;
}

static char *put_plain_json_utf8(char *to, uint32_t code) {
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(lead[more] | code >> 6 * more);
    while (more-- > 0) *to++ = (char)(0x80 | (code >> 6 * more & 0x3f));
    return to;
}

/* What stands behind a backslash; NULL if that is nothing known. */
static char *plain_json_unescape(iol__plain_json *json, char *to) {
    static const char from[] = "\"\\/bfnrt", become[] = "\"\\/\b\f\n\r\t";
    if (json->at == json->end || !*json->at) return NULL;
    char c = *json->at++;
    const char *found = strchr(from, c);
    if (found) {
        *to++ = become[found - from];
        return to;
    }
    uint32_t code = c == 'u' ? code_unit(json) : 0;
    if (code >= 0xd800 && code < 0xdc00 && json->end - json->at >= 6 && json->at[0] == '\\' && json->at[1] == 'u') {
        json->at += 2;
        uint32_t low = code_unit(json);
        code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : 0;
    }
    return code == 0 || (code >= 0xd800 && code < 0xe000) ? NULL : put_plain_json_utf8(to, code);
}

bool iol__plain_text(iol__plain_json *json, char **text) {
    if (!iol__plain_take(json, '"')) return false;
    char *to = *text = json->at;
    while (json->at < json->end && *json->at && *json->at != '"') {
        char c = *json->at++;
        if (c != '\\') {
            *to++ = c;
        } else if (!(to = plain_json_unescape(json, to))) {
            return false;
        }
    }
    if (json->at == json->end || *json->at != '"') return false;
    json->at++;
    *to = 0;
    return true;
}

static bool plain_json_digits(iol__plain_json *json, uint64_t *value, size_t most, size_t *count) {
    *value = 0;
    for (*count = 0; json->at < json->end && *json->at >= '0' && *json->at <= '9'; json->at++) {
        if (++*count > most) return false;
        *value = *value * 10 + (uint64_t)(*json->at - '0');
    }
    return *count > 0;
}

bool iol__plain_integer(iol__plain_json *json, int64_t *value) {
    uint64_t size;
    size_t count;
    bool negative = iol__plain_take(json, '-');
    if (!plain_json_digits(json, &size, 18, &count)) return false;
    *value = negative ? -(int64_t)size : (int64_t)size;
    return true;
}

bool iol__plain_null(iol__plain_json *json) {
    skip_space(json);
    if (json->end - json->at < 4 || memcmp(json->at, "null", 4) != 0) return false;
    json->at += 4;
    return true;
}

/* Digits beyond those that a double can distinguish only make a number larger, or a fraction longer. */
static bool long_digits(iol__plain_json *json, uint64_t *value, size_t *count, size_t *beyond) {
    enum { MOST = 18 };
    *value = *count = *beyond = 0;
    for (; json->at < json->end && *json->at >= '0' && *json->at <= '9'; json->at++) {
        if (*count == MOST) {
            ++*beyond;
            continue;
        }
        ++*count;
        *value = *value * 10 + (uint64_t)(*json->at - '0');
    }
    return *count > 0;
}

static bool exponent(iol__plain_json *json, double *by) {
    uint64_t size;
    size_t count, beyond;
    *by = 0;
    if (json->at == json->end || (*json->at != 'e' && *json->at != 'E')) return true;
    json->at++;
    bool negative = json->at < json->end && *json->at == '-';
    if (json->at < json->end && (*json->at == '-' || *json->at == '+')) json->at++;
    if (!long_digits(json, &size, &count, &beyond)) return false;
    *by = beyond || size > 9999 ? 9999 : (double)size;
    if (negative) *by = -*by;
    return true;
}

bool iol__plain_number(iol__plain_json *json, double *value) {
    uint64_t whole, part = 0;
    size_t count, beyond, ignored;
    double by;
    *value = NAN;
    if (iol__plain_null(json)) return true;
    bool negative = iol__plain_take(json, '-');
    if (!long_digits(json, &whole, &count, &beyond)) return false;
    double size = (double)whole;
    if (beyond) size *= pow(10, (double)beyond);
    if (json->at < json->end && *json->at == '.') {
        json->at++;
        if (!long_digits(json, &part, &count, &ignored)) return false;
        size += (double)part / pow(10, (double)count);
    }
    if (!exponent(json, &by)) return false;
    if (by != 0 && size != 0) size *= pow(10, by);
    *value = negative ? -size : size;
    return true;
}

bool iol__plain_number_if(iol__plain_json *json, double *value) {
    char *at = json->at;
    if (iol__plain_number(json, value)) return true;
    *value = NAN;
    json->at = at;
    return iol__plain_skip(json);
}

bool iol__plain_text_if(iol__plain_json *json, char **text) {
    skip_space(json);
    if (json->at < json->end && *json->at == '"') return iol__plain_text(json, text);
    *text = NULL;
    return iol__plain_skip(json);
}

static bool skip_word(iol__plain_json *json) {
    char *from = json->at;
    while (json->at < json->end && *json->at && strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", *json->at))
        json->at++;
    return json->at > from;
}

/* Without recursion: what is open is remembered as a bracket each. */
bool iol__plain_skip(iol__plain_json *json) {
    char open[DEEPEST], *text;
    int depth = 0;
    do {
        skip_space(json);
        if (json->at == json->end) return false;
        char c = *json->at;
        if (c == '{' || c == '[') {
            if (depth == DEEPEST) return false;
            open[depth++] = c == '{' ? '}' : ']';
            json->at++;
        } else if (depth && c == open[depth - 1]) {
            depth--;
            json->at++;
        } else if (depth && (c == ',' || c == ':')) {
            json->at++;
        } else if (c == '"' ? !iol__plain_text(json, &text) : !skip_word(json)) {
            return false;
        }
    } while (depth);
    return true;
}

bool iol__plain_unhex(char *text) {
    char *to = text;
    for (; *text; text += 2) {
        int high = hex_digit(text[0]), low = high < 0 ? -1 : hex_digit(text[1]);
        if (low < 0 || high + low == 0) return false;
        *to++ = (char)(high << 4 | low);
    }
    *to = 0;
    return true;
}

bool iol__plain_object(iol__plain_json *json, void *object, bool (*value)(iol__plain_json *, void *, const char *)) {
    char *key;
    if (!iol__plain_take(json, '{')) return false;
    if (iol__plain_take(json, '}')) return true;
    do {
        if (!iol__plain_text(json, &key) || !iol__plain_take(json, ':') || !value(json, object, key)) return false;
    } while (iol__plain_take(json, ','));
    return iol__plain_take(json, '}');
}

/* The letter of the standard -------------------------------------------------------------------------------------- */

typedef struct plain_json_checking {
    const char *at, *end;
} plain_json_checking;

static char plain_json_next_of(const plain_json_checking *c) { return c->at < c->end ? *c->at : 0; }

static bool plain_json_is_digit(const plain_json_checking *c) {
    return plain_json_next_of(c) >= '0' && plain_json_next_of(c) <= '9';
}

static bool pass_digits(plain_json_checking *c) {
    if (!plain_json_is_digit(c)) return false;
    while (plain_json_is_digit(c)) c->at++;
    return true;
}

static bool pass_number(plain_json_checking *c) {
    if (plain_json_next_of(c) == '-') c->at++;
    if (plain_json_next_of(c) == '0')
        c->at++;
    else if (!pass_digits(c))
        return false;
    if (plain_json_next_of(c) == '.') {
        c->at++;
        if (!pass_digits(c)) return false;
    }
    if (plain_json_next_of(c) != 'e' && plain_json_next_of(c) != 'E') return true;
    c->at++;
    if (plain_json_next_of(c) == '-' || plain_json_next_of(c) == '+') c->at++;
    return pass_digits(c);
}

static bool pass_text(plain_json_checking *c) {
    if (plain_json_next_of(c) != '"') return false;
    for (c->at++; c->at < c->end && *c->at != '"'; c->at++) {
        if ((unsigned char)*c->at < ' ') return false;
        if (*c->at != '\\') continue;
        c->at++;
        if (c->at == c->end || !*c->at || !strchr("\"\\/bfnrtu", *c->at)) return false;
        for (int i = 0; *c->at == 'u' && i < 4; i++)
            if (c->end - c->at <= i + 1 || hex_digit(c->at[i + 1]) < 0) return false;
    }
    if (c->at == c->end) return false;
    c->at++;
    return true;
}

static void pass_space(plain_json_checking *c) {
    while (plain_json_next_of(c) && strchr(" \t\r\n", plain_json_next_of(c))) c->at++;
}

static bool pass_word(plain_json_checking *c) {
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(c->end - c->at) < length || memcmp(c->at, words[i], length) != 0) continue;
        c->at += length;
        return true;
    }
    return false;
}

static bool pass_key(plain_json_checking *c) {
    if (!pass_text(c)) return false;
    pass_space(c);
    if (plain_json_next_of(c) != ':') return false;
    c->at++;
    pass_space(c);
    return true;
}

/* Opens a list or an object; what is behind it is its first value, unless it is empty. */
static bool pass_opening(plain_json_checking *c, char *open, int *depth, bool *empty) {
    if (*depth == DEEPEST) return false;
    char close = plain_json_next_of(c) == '{' ? '}' : ']';
    c->at++;
    pass_space(c);
    *empty = plain_json_next_of(c) == close;
    open[(*depth)++] = close;
    return *empty || close == ']' || pass_key(c);
}

/* Behind a value: what is closed here, or the comma and the key of the next one. */
static bool pass_ending(plain_json_checking *c, const char *open, int *depth) {
    pass_space(c);
    while (*depth && plain_json_next_of(c) == open[*depth - 1]) {
        c->at++;
        --*depth;
        pass_space(c);
    }
    if (!*depth) return true;
    if (plain_json_next_of(c) != ',') return false;
    c->at++;
    pass_space(c);
    return open[*depth - 1] == ']' || pass_key(c);
}

static bool pass_document(plain_json_checking *c) {
    char open[DEEPEST];
    int depth = 0;
    pass_space(c);
    if (plain_json_next_of(c) != '{') return false;
    do {
        char first = plain_json_next_of(c);
        bool empty = true;
        if (first == '{' || first == '[') {
            if (!pass_opening(c, open, &depth, &empty)) return false;
            if (!empty) continue;
        } else if (!(first == '"' ? pass_text(c) : pass_word(c) || pass_number(c))) {
            return false;
        }
        if (!pass_ending(c, open, &depth)) return false;
    } while (depth);
    return c->at == c->end;
}

bool iol__plain_is_object(const char *text, size_t length, size_t *wrong) {
    plain_json_checking c = {text, text + length};
    bool good = pass_document(&c);
    *wrong = (size_t)(c.at - text);
    return good;
}
