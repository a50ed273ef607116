/* Reading goes forward and never past the end. */
#include "base/json_scan.h"

#include <stdbool.h>
#include <string.h>

static const char no_end[] = "a text has no end", no_digits[] = "four hexadecimal digits were expected";

/* Texts --------------------------------------------------------------------------------------------------------- */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool scan_code_unit(const char **at, const char *end, unsigned *code) {
    *code = 0;
    for (int i = 0; i < 4; i++, ++*at) {
        const int digit = *at < end ? hex_digit(**at) : -1;
        if (digit < 0) return false;
        *code = *code << 4 | (unsigned)digit;
    }
    return true;
}

static char *put_utf8(char *to, unsigned code) {
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)(lead[more] | code >> (6 * more));
    while (more--) *to++ = (char)(0x80 | ((code >> (6 * more)) & 0x3f));
    return to;
}

/* Behind "\u". */
static const char *scan_unicode(const char **at, const char *end, char **to) {
    unsigned code, low;
    if (!scan_code_unit(at, end, &code)) return no_digits;
    if (code >= 0xd800 && code < 0xdc00 && end - *at >= 2 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        const char *before = *at;
        *at += 2;
        if (!scan_code_unit(at, end, &low)) return no_digits;
        if (low >= 0xdc00 && low < 0xe000) {
            *to = put_utf8(*to, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
            return NULL;
        }
        *at = before;
    }
    *to = put_utf8(*to, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
    return NULL;
}

/* Behind the backslash. */
static const char *scan_escape(const char **at, const char *end, char **to) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (*at == end) return no_end;
    const char c = **at, *found = c ? strchr(letters, c) : NULL;
    if (!found && c != 'u') return "there is no such escape";
    ++*at;
    if (!found) return scan_unicode(at, end, to);
    *(*to)++ = meant[found - letters];
    return NULL;
}

const char *iol__json_scan_text(const char **at, const char *end, char *to, size_t *length) {
    char *const text = to;
    if (*at == end || **at != '"') return "a text in double quotes was expected";
    for (++*at; *at < end && **at != '"';) {
        if ((unsigned char)**at < ' ') return "a control character stands in a text; write it as an escape";
        const char c = *(*at)++;
        const char *wrong = NULL;
        if (c == '\\')
            wrong = scan_escape(at, end, &to);
        else
            *to++ = c;
        if (wrong) return wrong;
    }
    if (*at == end) return no_end;
    ++*at;
    *to = 0;
    *length = (size_t)(to - text);
    return NULL;
}

/* Numbers ------------------------------------------------------------------------------------------------------- */

static bool scan_digits(const char **at, const char *end) {
    const char *before = *at;
    while (*at < end && **at >= '0' && **at <= '9') ++*at;
    return *at > before;
}

static bool scan_one_of(const char **at, const char *end, const char *letters) {
    if (*at == end || !**at || !strchr(letters, **at)) return false;
    ++*at;
    return true;
}

const char *iol__json_scan_number(const char **at, const char *end) {
    scan_one_of(at, end, "-");
    if (!scan_one_of(at, end, "0") && !scan_digits(at, end)) return "a value was expected";
    if (scan_one_of(at, end, ".") && !scan_digits(at, end)) return "digits were expected behind the decimal point";
    if (!scan_one_of(at, end, "eE")) return NULL;
    scan_one_of(at, end, "+-");
    return scan_digits(at, end) ? NULL : "digits were expected in the exponent";
}
