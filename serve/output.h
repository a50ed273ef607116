/* Rows of a table, in the form that was asked for: {"items": [...], "next": ..., "total": ...}, CSV, or a JSON object per
   line. Handlers give the values of a row in the order of its schema. */
#ifndef IOL_SERVE_OUTPUT_H
#define IOL_SERVE_OUTPUT_H

#include "serve/exchange.h"

typedef enum iol__output_form { IOL_OUTPUT_JSON, IOL_OUTPUT_CSV, IOL_OUTPUT_NDJSON } iol__output_form;

typedef struct iol__output {
    iol__exchange *x;
    const iol__schema *schema;
    const iol__field *field; /* that comes next */
    iol__output_form form;
    size_t rows;
} iol__output;

/* The answer is this table. */
void iol__output_begin(iol__output *output, iol__exchange *x, int schema);
/* `next` NULL: there is no more; `total` -1: not counted. */
void iol__output_end(iol__output *output, const char *next, int64_t total);
/* The same as an array under a key of the object that is being written; always JSON. */
void iol__output_within(iol__output *output, iol__exchange *x, const char *key, int schema);
void iol__output_within_end(iol__output *output);
/* One object under a key, with its row begun. */
void iol__output_one(iol__output *output, iol__exchange *x, const char *key, int schema);
void iol__output_one_end(iol__output *output);

void iol__output_row(iol__output *output);
void iol__output_row_end(iol__output *output);
/* The next value of the row. */
void iol__put_text(iol__output *output, const char *text); /* NULL: null */
void iol__put_int(iol__output *output, int64_t value);
void iol__put_real(iol__output *output, double value); /* NAN: null */
void iol__put_flag(iol__output *output, bool value);
void iol__put_null(iol__output *output);
/* Cells of a store: as they are; microseconds as seconds. */
void iol__put_cell(iol__output *output, const iol__cell *cell);
void iol__put_seconds(iol__output *output, const iol__cell *cell);
/* A number that is 0 where the store has none. */
void iol__put_count(iol__output *output, const iol__cell *cell);
/* The key of the next value, for what is no single value; JSON only. */
void iol__put_key(iol__output *output);

#endif
