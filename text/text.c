/* Names for people. Every character becomes one cell (what to print, how wide it is), so that escaping,
   measuring and cutting are the same walk. */
#include "text/text.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

/* A thread that makes a page has a locale of its own while it does. */
static _Thread_local locale_t page_locale, locale_before;

void iol__text_utf8_begin(void) {
    page_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (page_locale) locale_before = uselocale(page_locale);
}

void iol__text_utf8_end(void) {
    if (!page_locale) return;
    uselocale(locale_before);
    freelocale(page_locale);
    page_locale = (locale_t)0;
}

bool iol__text_utf8(void) {
    static int known = -1;
    if (page_locale) return true;
    if (known < 0) {
        setlocale(LC_CTYPE, "");
        known = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    }
    return known;
}

/* Characters --------------------------------------------------------------------------------------------------- */

size_t iol__utf8_decode(const char *text, int32_t *code) {
    static const int32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    *code = *at;
    if (*at < 0x80) return 1;
    size_t length = *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : 2;
    int32_t value = *at & (0x7f >> length);
    bool good = *at >= 0xc2 && *at <= 0xf4;
    for (size_t i = 1; good && i < length; i++) { /* stops at a NUL, which is not a continuation byte */
        good = (at[i] & 0xc0) == 0x80;
        value = value << 6 | (at[i] & 0x3f);
    }
    good = good && value >= smallest[length] && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
    *code = good ? value : -1;
    return good ? length : 1;
}

bool iol__utf8_valid(const char *text) {
    int32_t code = 0;
    for (; *text && code >= 0; text += iol__utf8_decode(text, &code))
        ;
    return code >= 0;
}

bool iol__text_deceptive(int32_t code) {
    return code == 0xad || code == 0x61c || (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || (code >= 0xe0000 && code <= 0xe0fff);
}

typedef struct text_text_cell {
    char text[12];
    size_t length;
    size_t columns;
} text_text_cell;

/* The next character as it is shown; returns how many bytes of the text it took. */
static size_t next_cell(const char *text, text_text_cell *c) {
    int32_t code;
    size_t taken = iol__utf8_decode(text, &code);
    int width = 1;
    if (code == '\\') {
        c->length = (size_t)snprintf(c->text, sizeof c->text, "\\\\");
    } else if (code >= 0x20 && code < 0x7f) {
        c->text[0] = (char)code;
        c->length = 1;
    } else if (code >= 0xa0 && iol__text_utf8() && !iol__text_deceptive(code) &&
               (width = wcwidth((wchar_t)code)) >= 0) {
        memcpy(c->text, text, taken);
        c->length = taken;
    } else if (code >= 0x80) {
        c->length = (size_t)snprintf(c->text, sizeof c->text, "\\u{%x}", (unsigned)code);
    } else {
        c->length = (size_t)snprintf(c->text, sizeof c->text, "\\x%02x", (unsigned)(unsigned char)*text);
    }
    c->columns = c->text[0] == '\\' ? c->length : (size_t)width;
    return taken;
}

size_t iol__out_visible(iol__out *out, const char *text, size_t length) {
    char copy[5] = {0}; /* the decoder wants a NUL to stop at */
    memcpy(copy, text, length < 4 ? length : 4);
    int32_t code;
    size_t taken = iol__utf8_decode(copy, &code);
    if (code >= 0xa0 && !iol__text_deceptive(code))
        iol__out_bytes(out, text, taken);
    else if (code >= 0x80)
        iol__out_printf(out, "\\u{%x}", (unsigned)code);
    else if (code >= 0x20 && code < 0x7f)
        iol__out_char(out, (char)code);
    else
        iol__out_printf(out, "\\x%02x", (unsigned)(unsigned char)*text);
    return taken;
}

char *iol__put_name(char *to, const char *text, bool guarded) {
    if (!guarded) return stpcpy(to, text);
    for (; *text; text++)
        if (*text == '\n')
            to = stpcpy(to, "\\x0a");
        else if (*text == '\t')
            to = stpcpy(to, "\\x09");
        else
            *to++ = *text;
    *to = '\0';
    return to;
}

void iol__out_name(iol__out *out, const char *text) {
    char *at = iol__out_room(out, 4 * strlen(text) + 1);
    out->length += (size_t)(iol__put_name(at, text, out->guarded) - at);
}

void iol__out_safe(iol__out *out, const char *text) {
    text_text_cell c;
    while (*text) {
        /* Nearly every name is plain ASCII: pass such stretches on whole. */
        size_t plain = 0;
        while (text[plain] >= 0x20 && text[plain] < 0x7f && text[plain] != '\\') plain++;
        iol__out_bytes(out, text, plain);
        text += plain;
        if (!*text) break;
        text += next_cell(text, &c);
        iol__out_bytes(out, c.text, c.length);
    }
}

void iol__out_code(iol__out *out, const char *text) {
    text_text_cell c;
    while (*text) {
        bool backslash = *text == '\\';
        text += next_cell(text, &c);
        iol__out_bytes(out, c.text, backslash ? 1 : c.length);
    }
}

void iol__vcomplain(const char *head, const char *format, va_list list) {
    char *line = NULL;
    const int length = vasprintf(&line, format, list);
    iol__out out;
    iol__out_open(&out, STDERR_FILENO);
    iol__out_text(&out, head);
    iol__out_code(&out, length < 0 ? "out of memory" : line);
    iol__out_char(&out, '\n');
    iol__out_close(&out);
    if (length >= 0) free(line);
}

void iol__complain(const char *head, const char *format, ...) {
    va_list list;
    va_start(list, format);
    iol__vcomplain(head, format, list);
    va_end(list);
}

size_t iol__text_columns(const char *text) {
    text_text_cell c;
    size_t columns = 0;
    while (*text) {
        text += next_cell(text, &c);
        columns += c.columns;
    }
    return columns;
}

size_t iol__out_fitted(iol__out *out, const char *text, size_t columns, iol__cut cut) {
    size_t all = iol__text_columns(text);
    if (all <= columns) {
        iol__out_safe(out, text);
        return all;
    }
    const char *dots = iol__text_utf8() ? "\u2026" : "..";
    size_t dots_columns = iol__text_utf8() ? 1 : 2;
    if (columns < dots_columns) return 0;
    size_t room = columns - dots_columns;
    size_t head = cut == IOL_CUT_END ? room : room / 3; /* the end of a path says more than its beginning */
    size_t tail = room - head;
    text_text_cell c;
    size_t used = 0, seen = 0;
    for (size_t taken; *text; text += taken, seen += c.columns) {
        taken = next_cell(text, &c);
        if (seen + c.columns > head) break;
        iol__out_bytes(out, c.text, c.length);
        used += c.columns;
    }
    iol__out_text(out, dots);
    used += dots_columns;
    while (*text) {
        text += next_cell(text, &c);
        if (seen >= all - tail) {
            iol__out_bytes(out, c.text, c.length);
            used += c.columns;
        }
        seen += c.columns;
    }
    return used;
}

void iol__out_left(iol__out *out, const char *text, size_t columns, iol__cut cut) {
    const size_t used = iol__out_fitted(out, text, columns, cut);
    iol__out_repeat(out, ' ', columns - used);
}

void iol__out_right(iol__out *out, const char *text, size_t columns, iol__cut cut) {
    iol__out fitted;
    iol__out_open(&fitted, -1);
    const size_t used = iol__out_fitted(&fitted, text, columns, cut);
    iol__out_repeat(out, ' ', columns - used);
    iol__out_bytes(out, fitted.buffer, fitted.length);
    iol__out_close(&fitted);
}

void iol__out_wrapped(iol__out *out, size_t columns, size_t indent, size_t used, const char *text) {
    enum { LONGEST = 400 };
    size_t column = used, length;
    iol__out word;
    iol__out_open(&word, -1);
    for (bool first = true; *text; first = false, text += length + (text[length] == ' ')) {
        char piece[LONGEST];
        length = strcspn(text, " ");
        const size_t taken = length < LONGEST ? length : LONGEST - 1;
        memcpy(piece, text, taken);
        piece[taken] = 0;
        word.length = 0;
        const size_t width = iol__out_fitted(&word, piece, columns - indent, IOL_CUT_MIDDLE);
        if (!first && column + 1 + width > columns) {
            iol__out_char(out, '\n');
            iol__out_repeat(out, ' ', indent);
            column = indent;
        } else if (!first) {
            iol__out_char(out, ' ');
            column++;
        }
        iol__out_bytes(out, word.buffer, word.length);
        column += width;
    }
    iol__out_close(&word);
    iol__out_char(out, '\n');
}

bool iol__text_listed(const char *list, const char *name) {
    size_t length = strlen(name);
    while (*list) {
        size_t piece = strcspn(list, ",");
        if (piece == length && strncmp(list, name, length) == 0) return true;
        list += piece + (list[piece] == ',');
    }
    return false;
}
