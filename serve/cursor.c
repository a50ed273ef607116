/* A cursor is base64 of "SIGNATURE" and the values, each as a letter for its kind, its text and a zero byte. */
#include "serve/cursor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "serve/serve.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static char *cursor_encode(iol__arena *arena, const uint8_t *bytes, size_t length) {
    char *text = iol__arena_alloc(arena, length * 4 / 3 + 4, 1), *at = text;
    for (size_t i = 0; i < length; i += 3) {
        uint32_t all = (uint32_t)bytes[i] << 16;
        if (i + 1 < length) all |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < length) all |= bytes[i + 2];
        *at++ = letters[all >> 18];
        *at++ = letters[all >> 12 & 63];
        if (i + 1 < length) *at++ = letters[all >> 6 & 63];
        if (i + 2 < length) *at++ = letters[all & 63];
    }
    return text;
}

static uint8_t *cursor_decode(iol__arena *arena, const char *text, size_t *length) {
    size_t count = strlen(text), n = 0;
    uint8_t *bytes = iol__arena_alloc(arena, count + 4, 1);
    uint32_t all = 0;
    for (size_t i = 0; i < count; i++) {
        const char *letter = strchr(letters, text[i]);
        if (!letter) return NULL;
        all = all << 6 | (uint32_t)(letter - letters);
        if (i % 4) bytes[n++] = (uint8_t)(all >> (6 - 2 * (i % 4)));
    }
    *length = n;
    return bytes;
}

static bool is_about_page(const char *name) {
    static const char *const names[] = {"cursor", "limit", "format", "total"};
    for (size_t i = 0; i < IOL_COUNT(names); i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/* What a cursor belongs to: the viewer, the route and all its parameters but those about the page. */
static void cursor_sign(iol__exchange *x, const uint8_t *values, size_t length, char signature[IOL_SIGNATURE]) {
    iol__out out;
    iol__out_open(&out, -1);
    iol__out_printf(&out, "%u:%s:%s:", x->viewer.role, x->viewer.user, x->route->name);
    for (int i = 0; x->route->params[i].name; i++) {
        const char *name = x->route->params[i].name;
        if (is_about_page(name)) continue;
        iol__out_printf(&out, "%s=", name);
        if (x->params[i]) iol__out_text(&out, x->params[i]);
        iol__out_char(&out, 0);
    }
    iol__out_bytes(&out, values, length);
    iol__sign(&x->serve->tokens, "cursor", out.buffer, out.length, signature);
    iol__out_close(&out);
}

const char *iol__cursor_make(iol__exchange *x, const iol__cell *values, size_t count) {
    iol__out out;
    iol__out_open(&out, -1);
    iol__out_repeat(&out, '0', IOL_SIGNATURE - 1);
    for (size_t i = 0; i < count; i++) {
        if (values[i].kind == IOL_CELL_INT)
            iol__out_printf(&out, "i%lld", (long long)values[i].as.integer);
        else if (values[i].kind == IOL_CELL_REAL)
            iol__out_printf(&out, "r%.17g", values[i].as.real);
        else if (values[i].kind == IOL_CELL_TEXT)
            iol__out_printf(&out, "t%s", values[i].as.text);
        else
            iol__out_char(&out, 'n');
        iol__out_char(&out, 0);
    }
    char signature[IOL_SIGNATURE];
    size_t skip = IOL_SIGNATURE - 1;
    cursor_sign(x, (uint8_t *)out.buffer + skip, out.length - skip, signature);
    memcpy(out.buffer, signature, skip);
    const char *text = cursor_encode(&x->arena, (uint8_t *)out.buffer, out.length);
    iol__out_close(&out);
    return text;
}

static int cursor_parse(const char *at, const char *end, iol__cell values[IOL_CURSOR_VALUES]) {
    int n = 0;
    for (; at < end && n < IOL_CURSOR_VALUES; at += strlen(at) + 1) {
        if (*at == 'i')
            values[n++] = iol__integer(strtoll(at + 1, NULL, 10));
        else if (*at == 'r')
            values[n++] = iol__real(strtod(at + 1, NULL));
        else if (*at == 't')
            values[n++] = iol__text(at + 1);
        else
            values[n++] = iol__null();
    }
    return n;
}

int iol__cursor_read(iol__exchange *x, iol__cell values[IOL_CURSOR_VALUES]) {
    const char *text = iol__param(x, "cursor");
    if (!text) return 0;
    size_t length = 0, skip = IOL_SIGNATURE - 1;
    char signature[IOL_SIGNATURE];
    uint8_t *bytes = cursor_decode(&x->arena, text, &length);
    if (bytes && length > skip) {
        cursor_sign(x, bytes + skip, length - skip, signature);
        if (iol__same_secret(signature, bytes, skip))
            return cursor_parse((char *)bytes + skip, (char *)bytes + length, values);
    }
    iol__answer_param(x, "cursor", "not one that this question has given");
    return -1;
}
