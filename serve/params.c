/* Everything here is input of strangers. What the table does not know is refused, so that a misspelt filter does not
   silently show everything. */
#include "serve/params.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "serve/serve.h"
#include "site/connect/connect.h"
#include "text/text.h"

/* Decoding -------------------------------------------------------------------------------------------------------- */

static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

char *iol__url_decode(iol__arena *arena, const char *text, size_t length, bool query) {
    char *decoded = iol__arena_alloc(arena, length + 1, 1), *at = decoded;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '%') {
            int high = i + 2 < length ? digit_of(text[i + 1]) : -1, low = high < 0 ? -1 : digit_of(text[i + 2]);
            if (low < 0) return NULL;
            c = (unsigned char)(high * 16 + low);
            i += 2;
        } else if (c == '+' && query) {
            c = ' ';
        }
        if (c < ' ' || c == 127) return NULL;
        *at++ = (char)c;
    }
    return iol__utf8_valid(decoded) ? decoded : NULL;
}

void iol__out_url(iol__out *out, const char *text) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
    for (; *text; text++) {
        if (strchr(plain, *text))
            iol__out_char(out, *text);
        else
            iol__out_printf(out, "%%%02X", (unsigned)(unsigned char)*text);
    }
}

const char *iol__query_value(iol__arena *arena, const char *query, const char *name) {
    size_t length = strlen(name);
    for (const char *at = query; at && *at;) {
        size_t piece = strcspn(at, "&");
        if (piece > length && strncmp(at, name, length) == 0 && at[length] == '=')
            return iol__url_decode(arena, at + length + 1, piece - length - 1, true);
        at += piece + (at[piece] == '&');
    }
    return NULL;
}

/* Kinds ----------------------------------------------------------------------------------------------------------- */

static bool params_whole(const char *text, int64_t *number) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    *number = value;
    return *text && (*text == '-' || (*text >= '0' && *text <= '9')) && !*end && !errno;
}

static const char *check_int(const iol__param_row *row, const char *text) {
    int64_t number, least, most;
    const char *colon = strchr(row->values, ':');
    if (!params_whole(text, &number)) return "a whole number is expected";
    least = strtoll(row->values, NULL, 10);
    most = colon ? strtoll(colon + 1, NULL, 10) : INT64_MAX;
    return number < least || number > most ? "out of range" : NULL;
}

static const char *check_choice(const iol__param_row *row, const char *text) {
    size_t length = strlen(text);
    for (const char *at = row->values; *at;) {
        size_t piece = strcspn(at, "|");
        if (piece == length && strncmp(at, text, length) == 0) return NULL;
        at += piece + (at[piece] == '|');
    }
    return "not one of the values that are possible";
}

static bool is_flag(const char *text, bool *truth) {
    *truth = strcmp(text, "1") == 0 || strcmp(text, "true") == 0;
    return *truth || strcmp(text, "0") == 0 || strcmp(text, "false") == 0;
}

/* NULL: it is right. */
static const char *params_check(const iol__param_row *row, const char *text) {
    double real;
    bool truth;
    char *end;
    if (strlen(text) > IOL_PARAM_BYTES) return "too long";
    switch (row->kind) {
    case IOL_PARAM_INT: return check_int(row, text);
    case IOL_PARAM_CHOICE: return check_choice(row, text);
    case IOL_PARAM_TIME:
        return iol__parse_time(text, &real) && fabs(real) < 1e11 ? NULL : "seconds or an ISO date are expected";
    case IOL_PARAM_REAL:
        real = strtod(text, &end);
        return *text && !*end && isfinite(real) ? NULL : "a number is expected";
    case IOL_PARAM_FLAG: return is_flag(text, &truth) ? NULL : "0 or 1 is expected";
    default: return *text || row->kind != IOL_PARAM_PATH ? NULL : "empty";
    }
}

/* Reading --------------------------------------------------------------------------------------------------------- */

static int params_place_of(const iol__route *route, const char *name, size_t length) {
    for (int i = 0; route->params[i].name; i++)
        if (strlen(route->params[i].name) == length && strncmp(route->params[i].name, name, length) == 0) return i;
    return -1;
}

static bool params_take(iol__exchange *x, int place, const char *text, size_t length, bool query) {
    const iol__param_row *row = &x->route->params[place];
    const char *value = iol__url_decode(&x->arena, text, length, query);
    const char *why = !value ? "not well-formed text" : x->params[place] ? "given twice" : params_check(row, value);
    if (why) return iol__answer_param(x, row->name, why), false;
    x->params[place] = value;
    return true;
}

static bool read_path(iol__exchange *x, const iol__piece *pieces) {
    size_t n = 0;
    for (int i = 0; x->route->params[i].name; i++) {
        if (x->route->params[i].kind != IOL_PARAM_PATH) continue;
        const iol__piece *piece = &pieces[n++];
        const char *value = iol__url_decode(&x->arena, piece->text, piece->length, false);
        /* What no name can be does not exist. */
        if (!value || strlen(value) > IOL_PARAM_BYTES) return iol__not_found(x), false;
        x->params[i] = value;
    }
    return true;
}

bool iol__params_read(iol__exchange *x, const iol__piece *pieces) {
    if (!read_path(x, pieces)) return false;
    for (const char *at = x->query; at && *at;) {
        size_t piece = strcspn(at, "&"), name = strcspn(at, "=&");
        int place = params_place_of(x->route, at, name);
        if (piece == 0) {
            at++;
            continue;
        }
        if (place < 0 && x->route->shape == IOL_SHAPE_PAGE) { /* what the portal's script keeps in an address */
            at += piece + (at[piece] == '&');
            continue;
        }
        if (place < 0 || x->route->params[place].kind == IOL_PARAM_PATH) {
            const char *shown = iol__url_decode(&x->arena, at, name < 64 ? name : 64, true);
            return iol__answer_param(x, shown ? shown : "?", "there is no such parameter"), false;
        }
        size_t skip = name < piece ? name + 1 : piece;
        if (!params_take(x, place, at + skip, piece - skip, true)) return false;
        at += piece + (at[piece] == '&');
    }
    return true;
}

/* Values ---------------------------------------------------------------------------------------------------------- */

const char *iol__param(const iol__exchange *x, const char *name) {
    int place = params_place_of(x->route, name, strlen(name));
    const char *text = place < 0 ? NULL : x->params[place];
    return text && *text ? text : NULL;
}

int64_t iol__param_int(const iol__exchange *x, const char *name, int64_t missing) {
    const char *text = iol__param(x, name);
    return text ? strtoll(text, NULL, 10) : missing;
}

double iol__param_real(const iol__exchange *x, const char *name, double missing) {
    const char *text = iol__param(x, name);
    return text ? strtod(text, NULL) : missing;
}

int64_t iol__param_time(const iol__exchange *x, const char *name, int64_t missing) {
    const char *text = iol__param(x, name);
    double seconds;
    return text && iol__parse_time(text, &seconds) ? (int64_t)llround(seconds * 1e6) : missing;
}

const char *iol__param_choice(const iol__exchange *x, const char *name) {
    const char *text = iol__param(x, name);
    int place = params_place_of(x->route, name, strlen(name));
    if (text || place < 0) return text;
    const char *values = x->route->params[place].values;
    return iol__arena_text((iol__arena *)(uintptr_t)&x->arena, values, strcspn(values, "|"));
}

const char *iol__param_form(const iol__exchange *x) {
    static const char *const types[][2] = {
        {"json", "application/json"}, {"svg", "image/svg+xml"}, {"png", "image/png"}, {"csv", "text/csv"}};
    const char *accept = x->headers.accept, *first = NULL, *form = iol__param_choice(x, "format");
    int place = params_place_of(x->route, "format", 6);
    if (!accept || place < 0 || iol__param(x, "format")) return form;
    for (size_t i = 0; i < IOL_COUNT(types); i++) {
        const char *at = strstr(accept, types[i][1]);
        if (!at || (first && at > first) || check_choice(&x->route->params[place], types[i][0])) continue;
        first = at;
        form = types[i][0];
    }
    return form;
}

int iol__param_flag(const iol__exchange *x, const char *name) {
    const char *text = iol__param(x, name);
    bool truth;
    return text && is_flag(text, &truth) ? truth : -1;
}
