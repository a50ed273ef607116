/* Fields of comma-separated values. */
#include "text/csv.h"

#include <math.h>
#include <string.h>

#include "text/text.h"

/* One field whose characters are all to be shown. */
static void field(iol__out *out, const char *text) {
    if (!text[strcspn(text, ",\"")]) {
        iol__out_text(out, text);
        return;
    }
    iol__out_char(out, '"');
    for (size_t part; *text; text += part) {
        part = strcspn(text, "\"");
        if (text[part] == '"') part++;
        iol__out_bytes(out, text, part);
        if (text[part - 1] == '"') iol__out_char(out, '"');
    }
    iol__out_char(out, '"');
}

static bool plain(const char *text) {
    while (*text >= 0x20 && *text < 0x7f) text++;
    return !*text;
}

void iol__csv_text(iol__out *out, const char *text) {
    if (!text) return;
    if (plain(text)) {
        field(out, text);
        return;
    }
    iol__out safe;
    iol__out_open(&safe, -1);
    for (size_t left = strlen(text), taken; left; text += taken, left -= taken)
        taken = iol__out_visible(&safe, text, left);
    iol__out_char(&safe, '\0');
    field(out, safe.buffer);
    iol__out_close(&safe);
}

/* A spreadsheet would take it for a formula, and do what it says. An apostrophe in front makes it a text there. */
static bool is_formula(const char *text) { return *text && strchr("=+-@", *text) && text[1]; }

void iol__csv_sheet_text(iol__out *out, const char *text) {
    if (!text || !is_formula(text)) {
        iol__csv_text(out, text);
        return;
    }
    iol__out marked;
    iol__out_open(&marked, -1);
    iol__out_char(&marked, '\'');
    iol__out_text(&marked, text);
    iol__out_char(&marked, '\0');
    iol__csv_text(out, marked.buffer);
    iol__out_close(&marked);
}

/* The next character as it is shown; returns how many bytes of the text it took. */
static size_t shown(iol__out *out, const char *text) {
    int32_t code;
    size_t taken = iol__utf8_decode(text, &code);
    if (code < 0)
        iol__out_text(out, "\xef\xbf\xbd"); /* U+FFFD */
    else if (code < 0x20 || code == 0x7f)
        iol__out_printf(out, "\\x%02x", (unsigned)code);
    else if ((code > 0x7f && code < 0xa0) || iol__text_deceptive(code))
        iol__out_printf(out, "\\u{%x}", (unsigned)code);
    else
        iol__out_bytes(out, text, taken);
    return taken;
}

void iol__csv_words(iol__out *out, const char *text) {
    if (!text) return;
    iol__out safe;
    iol__out_open(&safe, -1);
    while (*text) text += shown(&safe, text);
    iol__out_char(&safe, '\0');
    field(out, safe.buffer);
    iol__out_close(&safe);
}

void iol__csv_real(iol__out *out, double value) {
    if (isfinite(value)) iol__out_double(out, value);
}
