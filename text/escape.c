/* Escaping for HTML and XML. It decides by character alone and knows no locale: pages are UTF-8 everywhere. */
#include "text/escape.h"

#include "text/text.h"

static const char *entity(char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;"; /* &apos; is not in every HTML */
    default: return NULL;
    }
}

static bool escape_plain(char c) { return (c >= 0x20 && c < 0x7f && !entity(c)) || c == '\n' || c == '\t'; }

/* XML has no way to say the last two code points of a plane. */
static bool escape_shown(int32_t code) {
    return code >= 0xa0 && !iol__text_deceptive(code) && (code & 0xfffe) != 0xfffe &&
           !(code >= 0xfdd0 && code <= 0xfdef);
}

/* The character at the beginning, which is not a plain one; returns how many bytes it takes. */
static size_t special(iol__out *out, const char *text, size_t length) {
    char copy[5] = {0}; /* the decoder wants a NUL to stop at */
    memcpy(copy, text, length < 4 ? length : 4);
    int32_t code;
    size_t taken = iol__utf8_decode(copy, &code);
    const char *name = entity(*text);
    if (name)
        iol__out_text(out, name);
    else if (escape_shown(code))
        iol__out_bytes(out, text, taken);
    else if (code >= 0x80)
        iol__out_printf(out, "\\u{%x}", (unsigned)code);
    else
        iol__out_printf(out, "\\x%02x", (unsigned)(unsigned char)*text);
    return taken;
}

void iol__out_markup_bytes(iol__out *out, const char *text, size_t length) {
    while (length) {
        size_t n = 0;
        while (n < length && escape_plain(text[n])) n++;
        iol__out_bytes(out, text, n);
        if (n < length) n += special(out, text + n, length - n);
        text += n;
        length -= n;
    }
}

void iol__out_markup(iol__out *out, const char *text) { iol__out_markup_bytes(out, text, strlen(text)); }
