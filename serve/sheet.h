/* Rows of a table, in the form that was asked for: {"items": [...], "next": ..., "total": ...}, CSV, or a JSON object per
   line. Handlers give the values of a row in the order of its schema. */
#ifndef IOL_SERVE_SHEET_H
#define IOL_SERVE_SHEET_H

#include "serve/exchange.h"

typedef enum iol__sheet_form { IOL_SHEET_JSON, IOL_SHEET_CSV, IOL_SHEET_NDJSON } iol__sheet_form;

typedef struct iol__sheet {
    iol__exchange *x;
    const iol__schema *schema;
    const iol__field *field; /* that comes next */
    iol__sheet_form form;
    size_t rows;
} iol__sheet;

/* The answer is this table. */
void iol__sheet_begin(iol__sheet *sheet, iol__exchange *x, int schema);
/* `next` NULL: there is no more; `total` -1: not counted. */
void iol__sheet_end(iol__sheet *sheet, const char *next, int64_t total);
/* The same as an array under a key of the object that is being written; always JSON. */
void iol__sheet_within(iol__sheet *sheet, iol__exchange *x, const char *key, int schema);
void iol__sheet_within_end(iol__sheet *sheet);
/* One object under a key: the caller writes the row. */
void iol__sheet_under(iol__sheet *sheet, iol__exchange *x, const char *key, int schema);
/* The same with the row begun. */
void iol__sheet_one(iol__sheet *sheet, iol__exchange *x, const char *key, int schema);
void iol__sheet_one_end(iol__sheet *sheet);

void iol__sheet_row(iol__sheet *sheet);
void iol__sheet_row_end(iol__sheet *sheet);
/* The next value of the row. */
void iol__put_text(iol__sheet *sheet, const char *text); /* NULL: null */
void iol__put_int(iol__sheet *sheet, int64_t value);
void iol__put_real(iol__sheet *sheet, double value); /* NAN: null */
void iol__put_flag(iol__sheet *sheet, bool value);
void iol__put_null(iol__sheet *sheet);
/* Cells of a store: as they are; microseconds as seconds. */
void iol__put_cell(iol__sheet *sheet, const iol__cell *cell);
void iol__put_seconds(iol__sheet *sheet, const iol__cell *cell);
/* A number that is 0 where the store has none. */
void iol__put_count(iol__sheet *sheet, const iol__cell *cell);
/* The key of the next value, for what is no single value; JSON only. */
void iol__put_key(iol__sheet *sheet);

#endif
