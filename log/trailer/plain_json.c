/* Reading goes forward over one buffer and never past its end; texts get shorter when they are unescaped, so that they
   stay where they were. */
#include "log/trailer/plain_json.h"

#include <math.h>
#include <string.h>

#include "base/json_scan.h"

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

bool iol__plain_text(iol__plain_json *json, char **text) {
    size_t length;
    skip_space(json);
    if (json->at == json->end) return false;
    *text = json->at + 1;
    const char *at = json->at, *wrong = iol__json_scan_text(&at, json->end, *text, &length);
    json->at += at - json->at;
    return !wrong && !memchr(*text, 0, length);
}

/* Digits beyond those that a double can distinguish only make a number larger, or a fraction longer. */
static uint64_t read_digits(const char **at, const char *end, size_t *count, size_t *beyond) {
    enum { MOST = 18 };
    uint64_t value = 0;
    *count = *beyond = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
        if (*count == MOST) {
            ++*beyond;
            continue;
        }
        ++*count;
        value = value * 10 + (uint64_t)(**at - '0');
    }
    return value;
}

bool iol__plain_integer(iol__plain_json *json, int64_t *value) {
    size_t count, beyond;
    const bool negative = iol__plain_take(json, '-');
    const char *at = json->at;
    const uint64_t size = read_digits(&at, json->end, &count, &beyond);
    if (!count || beyond) return false;
    json->at += at - json->at;
    *value = negative ? -(int64_t)size : (int64_t)size;
    return true;
}

bool iol__plain_null(iol__plain_json *json) {
    skip_space(json);
    if (json->end - json->at < 4 || memcmp(json->at, "null", 4) != 0) return false;
    json->at += 4;
    return true;
}

/* Behind the letter e. */
static double read_exponent(const char *at, const char *end) {
    size_t count, beyond;
    const bool negative = *at == '-';
    if (*at == '-' || *at == '+') at++;
    const uint64_t size = read_digits(&at, end, &count, &beyond);
    const double by = beyond || size > 9999 ? 9999 : (double)size;
    return negative ? -by : by;
}

/* Of a number by the letter of the standard, whatever the locale. */
static double number_value(const char *at, const char *end) {
    size_t count, beyond;
    const bool negative = *at == '-';
    if (negative) at++;
    double size = (double)read_digits(&at, end, &count, &beyond);
    if (beyond) size *= pow(10, (double)beyond);
    if (at < end && *at == '.') {
        at++;
        const uint64_t part = read_digits(&at, end, &count, &beyond);
        size += (double)part / pow(10, (double)count);
    }
    if (at < end && size != 0) size *= pow(10, read_exponent(at + 1, end));
    return negative ? -size : size;
}

bool iol__plain_number(iol__plain_json *json, double *value) {
    *value = NAN;
    if (iol__plain_null(json)) return true;
    const char *at = json->at;
    if (iol__json_scan_number(&at, json->end)) return false;
    *value = number_value(json->at, at);
    json->at += at - json->at;
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
