/* One writer for three forms. */
#include "serve/output.h"

#include <math.h>
#include <string.h>

#include "text/csv.h"

static void head_of_csv(iol__output *s) {
    iol__out *out = &s->x->body;
    for (const iol__field *f = s->schema->fields; f->name; f++)
        iol__out_printf(out, "%s%s", f == s->schema->fields ? "" : ",", f->name);
    iol__out_text(out, "\n");
}

void iol__output_begin(iol__output *s, iol__exchange *x, int schema) {
    const char *format = iol__param_choice(x, "format");
    *s = (iol__output){.x = x, .schema = &iol__schemas[schema]};
    s->form = !format || *format == 'j' ? IOL_OUTPUT_JSON : *format == 'c' ? IOL_OUTPUT_CSV : IOL_OUTPUT_NDJSON;
    if (s->form == IOL_OUTPUT_CSV) {
        x->type = "text/csv; charset=utf-8";
        head_of_csv(s);
    } else if (s->form == IOL_OUTPUT_NDJSON) {
        x->type = "application/x-ndjson";
        iol__json_start(&x->json, &x->body, 0);
    } else {
        iol__json_start(&x->json, &x->body, 2);
        iol__json_open(&x->json, '{');
        iol__json_put_open(&x->json, "items", '[');
    }
}

void iol__output_end(iol__output *s, const char *next, int64_t total) {
    iol__exchange *x = s->x;
    if (s->form != IOL_OUTPUT_JSON) {
        if (next) iol__header_add(x, "X-Next", next);
        return;
    }
    iol__json_close(&x->json, ']');
    iol__json_put_text(&x->json, "next", next);
    iol__json_key(&x->json, "total");
    if (total < 0)
        iol__json_text(&x->json, NULL);
    else
        iol__json_i64(&x->json, total);
    iol__json_close(&x->json, '}');
    iol__json_finish(&x->json);
}

void iol__output_within(iol__output *s, iol__exchange *x, const char *key, int schema) {
    *s = (iol__output){.x = x, .schema = &iol__schemas[schema], .form = IOL_OUTPUT_JSON};
    iol__json_put_open(&x->json, key, '[');
}

void iol__output_within_end(iol__output *s) { iol__json_close(&s->x->json, ']'); }

void iol__output_one(iol__output *s, iol__exchange *x, const char *key, int schema) {
    *s = (iol__output){.x = x, .schema = &iol__schemas[schema], .form = IOL_OUTPUT_JSON};
    iol__json_key(&x->json, key);
    iol__output_row(s);
}

void iol__output_one_end(iol__output *s) { iol__output_row_end(s); }

void iol__output_row(iol__output *s) {
    s->field = s->schema->fields;
    s->rows++;
    if (s->form != IOL_OUTPUT_CSV) iol__json_open(&s->x->json, '{');
}

void iol__output_row_end(iol__output *s) {
    if (s->form == IOL_OUTPUT_CSV) {
        iol__out_char(&s->x->body, '\n');
        return;
    }
    iol__json_close(&s->x->json, '}');
    if (s->form == IOL_OUTPUT_NDJSON) iol__json_finish(&s->x->json);
}

/* Values ---------------------------------------------------------------------------------------------------------- */

void iol__put_key(iol__output *s) {
    if (s->form == IOL_OUTPUT_CSV) {
        if (s->field != s->schema->fields) iol__out_char(&s->x->body, ',');
    } else {
        iol__json_key(&s->x->json, s->field->name);
    }
    s->field++;
}

void iol__put_text(iol__output *s, const char *text) {
    iol__put_key(s);
    if (s->form == IOL_OUTPUT_CSV)
        iol__csv_text(&s->x->body, text);
    else
        iol__json_text(&s->x->json, text);
}

void iol__put_int(iol__output *s, int64_t value) {
    iol__put_key(s);
    if (s->form == IOL_OUTPUT_CSV)
        iol__out_i64(&s->x->body, value);
    else
        iol__json_i64(&s->x->json, value);
}

void iol__put_real(iol__output *s, double value) {
    iol__put_key(s);
    if (s->form == IOL_OUTPUT_CSV)
        iol__csv_real(&s->x->body, value);
    else
        iol__json_real(&s->x->json, value);
}

void iol__put_flag(iol__output *s, bool value) {
    iol__put_key(s);
    if (s->form == IOL_OUTPUT_CSV)
        iol__out_text(&s->x->body, value ? "1" : "0");
    else
        iol__json_bool(&s->x->json, value);
}

void iol__put_null(iol__output *s) { iol__put_text(s, NULL); }

void iol__put_cell(iol__output *s, const iol__cell *cell) {
    switch (cell->kind) {
    case IOL_CELL_INT: iol__put_int(s, cell->as.integer); break;
    case IOL_CELL_REAL: iol__put_real(s, cell->as.real); break;
    case IOL_CELL_TEXT: iol__put_text(s, cell->as.text); break;
    case IOL_CELL_NULL: iol__put_null(s); break;
    }
}

void iol__put_seconds(iol__output *s, const iol__cell *cell) {
    iol__put_real(s, cell->kind == IOL_CELL_NULL ? NAN : iol__cell_real(cell) / 1e6);
}

void iol__put_count(iol__output *s, const iol__cell *cell) { iol__put_int(s, iol__cell_integer(cell)); }
