/* Rows on their way to a server: of each table a text that grows until it is sent. */
#ifndef IOL_SITE_STORE_ROWS_H
#define IOL_SITE_STORE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct iol__rows {
    char *bytes;
    size_t length, room, count;
    bool failed; /* out of memory */
} iol__rows;

void iol__rows_add(iol__rows *rows, const char *bytes, size_t length);
void iol__rows_text(iol__rows *rows, const char *text);
/* A text for lines with tabs between their fields: backslash, tab and line ends are written with a backslash. */
void iol__rows_escaped(iol__rows *rows, const char *text);
/* Numbers as bytes, the least significant first; lengths in groups of seven bits. */
void iol__rows_u64(iol__rows *rows, uint64_t value);
void iol__rows_counted(iol__rows *rows, const char *text);
/* Empty again; the memory stays unless it is much. */
void iol__rows_clear(iol__rows *rows);
void iol__rows_free(iol__rows *rows);

#endif
