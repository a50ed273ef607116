/* Texts that grow. */
#include "site/store/rows.h"

#include <stdlib.h>
#include <string.h>

enum { MUCH = 4 << 20 };

void iol__rows_add(iol__rows *rows, const char *bytes, size_t length) {
    if (rows->length + length + 1 > rows->room) {
        size_t room = rows->room ? rows->room : 4096;
        while (room < rows->length + length + 1) room *= 2;
        char *larger = realloc(rows->bytes, room);
        if (!larger) {
            rows->failed = true;
            return;
        }
        rows->bytes = larger;
        rows->room = room;
    }
    memcpy(rows->bytes + rows->length, bytes, length);
    rows->length += length;
    rows->bytes[rows->length] = 0;
}

void iol__rows_text(iol__rows *rows, const char *text) { iol__rows_add(rows, text, strlen(text)); }

void iol__rows_escaped(iol__rows *rows, const char *text) {
    for (;;) {
        size_t plain = strcspn(text, "\\\t\n\r\b\f");
        iol__rows_add(rows, text, plain);
        text += plain;
        if (!*text) return;
        const char escaped[2] = {'\\', *text == '\t'   ? 't'
                                       : *text == '\n' ? 'n'
                                       : *text == '\r' ? 'r'
                                       : *text == '\b' ? 'b'
                                       : *text == '\f' ? 'f'
                                                       : '\\'};
        iol__rows_add(rows, escaped, 2);
        text++;
    }
}

void iol__rows_u64(iol__rows *rows, uint64_t value) {
    char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (char)(value >> 8 * i & 0xff);
    iol__rows_add(rows, bytes, sizeof bytes);
}

void iol__rows_counted(iol__rows *rows, const char *text) {
    size_t length = strlen(text), rest = length;
    char byte;
    for (; rest >= 0x80; rest >>= 7) {
        byte = (char)(rest | 0x80);
        iol__rows_add(rows, &byte, 1);
    }
    byte = (char)rest;
    iol__rows_add(rows, &byte, 1);
    iol__rows_add(rows, text, length);
}

void iol__rows_clear(iol__rows *rows) {
    rows->length = rows->count = 0;
    if (rows->room <= MUCH) return;
    iol__rows_free(rows);
}

void iol__rows_free(iol__rows *rows) {
    free(rows->bytes);
    *rows = (iol__rows){0};
}
