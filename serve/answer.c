/* One writer for three forms. */
#include "serve/answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "serve/api/parts.h"
#include "text/csv.h"

static void head_of_csv(iol__answer *s) {
    iol__out *out = &s->x->body;
    const iol__field *first = iol__fields_of(s->schema);
    for (const iol__field *f = first; f->name; f++) iol__out_printf(out, "%s%s", f == first ? "" : ",", f->name);
    iol__out_text(out, "\n");
}

void iol__answer_begin(iol__answer *s, iol__exchange *x, int schema) {
    const char *format = iol__param_choice(x, "format");
    *s = (iol__answer){.x = x, .schema = &iol__schemas[schema]};
    s->form = !format || *format == 'j' ? IOL_ANSWER_JSON : *format == 'c' ? IOL_ANSWER_CSV : IOL_ANSWER_NDJSON;
    if (s->form == IOL_ANSWER_CSV) {
        x->type = "text/csv; charset=utf-8";
        head_of_csv(s);
    } else if (s->form == IOL_ANSWER_NDJSON) {
        x->type = "application/x-ndjson";
        iol__json_start(&x->json, &x->body, 0);
    } else {
        iol__json_start(&x->json, &x->body, 2);
        iol__json_open(&x->json, '{');
        iol__json_put_open(&x->json, "items", '[');
    }
}

void iol__answer_end(iol__answer *s, const char *next, int64_t total) {
    iol__exchange *x = s->x;
    if (s->form != IOL_ANSWER_JSON) {
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

void iol__answer_within(iol__answer *s, iol__exchange *x, const char *key, int schema) {
    *s = (iol__answer){.x = x, .schema = &iol__schemas[schema], .form = IOL_ANSWER_JSON};
    iol__json_put_open(&x->json, key, '[');
}

void iol__answer_within_end(iol__answer *s) { iol__json_close(&s->x->json, ']'); }

void iol__answer_one(iol__answer *s, iol__exchange *x, const char *key, int schema) {
    *s = (iol__answer){.x = x, .schema = &iol__schemas[schema], .form = IOL_ANSWER_JSON};
    iol__json_key(&x->json, key);
}

void iol__answer_row(iol__answer *s) {
    s->field = iol__fields_of(s->schema);
    s->rows++;
    if (s->form != IOL_ANSWER_CSV) iol__json_open(&s->x->json, '{');
}

void iol__answer_row_end(iol__answer *s) {
    if (s->form == IOL_ANSWER_CSV) {
        iol__out_char(&s->x->body, '\n');
        return;
    }
    iol__json_close(&s->x->json, '}');
    if (s->form == IOL_ANSWER_NDJSON) iol__json_finish(&s->x->json);
}

/* Values ---------------------------------------------------------------------------------------------------------- */

void iol__put_key(iol__answer *s) {
    if (s->form == IOL_ANSWER_CSV) {
        if (s->field != iol__fields_of(s->schema)) iol__out_char(&s->x->body, ',');
    } else {
        iol__json_key(&s->x->json, s->field->name);
    }
    s->field++;
}

static void put_text(iol__answer *s, const char *text) {
    iol__put_key(s);
    if (s->form == IOL_ANSWER_CSV)
        iol__csv_sheet_text(&s->x->body, text);
    else
        iol__json_text(&s->x->json, text);
}

static void put_int(iol__answer *s, int64_t value) {
    iol__put_key(s);
    if (s->form == IOL_ANSWER_CSV)
        iol__out_i64(&s->x->body, value);
    else
        iol__json_i64(&s->x->json, value);
}

static void put_real(iol__answer *s, double value) {
    iol__put_key(s);
    if (s->form == IOL_ANSWER_CSV)
        iol__csv_real(&s->x->body, value);
    else
        iol__json_real(&s->x->json, value);
}

static void put_flag(iol__answer *s, bool value) {
    iol__put_key(s);
    if (s->form == IOL_ANSWER_CSV)
        iol__out_text(&s->x->body, value ? "1" : "0");
    else
        iol__json_bool(&s->x->json, value);
}

/* Rows ------------------------------------------------------------------------------------------------------------ */

void iol__answer_rest(iol__answer *s, iol__exchange *x, int schema) {
    *s = (iol__answer){.x = x, .schema = &iol__schemas[schema], .form = IOL_ANSWER_JSON};
    s->field = iol__fields_of(s->schema);
}

static void put_name(iol__answer *s, int64_t number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    put_text(s, digits);
}

static void put_member(iol__answer *s, const iol__column *column, const void *row) {
    const iol__cell own = column->of_logs ? iol__job_cell(column, row) : iol__row_cell(column, row);
    const iol__cell cell = iol__shown_cell(column, own);
    const bool time = column->type == IOL_TYPE_TIME || column->type == IOL_TYPE_WHEN;
    if (column->type == IOL_TYPE_KEY)
        put_name(s, iol__cell_integer(&cell));
    else if (time && cell.kind == IOL_CELL_INT)
        put_real(s, (double)cell.as.integer / 1e6);
    else if (cell.kind == IOL_CELL_INT)
        put_int(s, cell.as.integer);
    else if (cell.kind == IOL_CELL_REAL)
        put_real(s, cell.as.real);
    else
        put_text(s, iol__cell_text(&cell));
}

/* What a handler filled in. */
iol__maybe_real iol__unless_nan(double value) { return (iol__maybe_real){value, !isnan(value)}; }
iol__maybe_real iol__in_seconds(int64_t microseconds) { return (iol__maybe_real){(double)microseconds / 1e6, true}; }

static void put_filled_real(iol__answer *s, const char *at) {
    const iol__maybe_real *number = (const iol__maybe_real *)(const void *)at;
    if (s->field->maybe)
        put_real(s, number->known ? number->value : NAN);
    else
        put_real(s, *(const double *)(const void *)at);
}

static void put_filled_int(iol__answer *s, const char *at) {
    const iol__maybe *number = (const iol__maybe *)(const void *)at;
    if (s->field->maybe && !number->known)
        put_text(s, NULL);
    else
        put_int(s, s->field->maybe ? number->value : *(const int64_t *)(const void *)at);
}

static void put_filled_flag(iol__answer *s, const char *at) {
    const iol__maybe *flag = (const iol__maybe *)(const void *)at;
    if (s->field->maybe && !flag->known)
        put_text(s, NULL);
    else
        put_flag(s, s->field->maybe ? flag->value != 0 : *(const bool *)at);
}

static void put_filled(iol__answer *s, const void *filled) {
    const char *at = (const char *)filled + s->field->filled;
    switch (s->field->type) {
    case IOL_FIELD_TEXT: put_text(s, *(const char *const *)(const void *)at); break;
    case IOL_FIELD_INT: put_filled_int(s, at); break;
    case IOL_FIELD_FLAG: put_filled_flag(s, at); break;
    default: put_filled_real(s, at); break;
    }
}

void iol__put_members(iol__answer *s, const void *row, const void *filled) {
    while (s->field->name) {
        if (s->field->column)
            put_member(s, s->field->column, row);
        else if (s->field->made)
            put_real(s, s->field->made(row));
        else if (s->field->filled != IOL_NOT_FILLED && filled)
            put_filled(s, filled);
        else
            return;
    }
}

void iol__put_whole_row(iol__answer *s, const void *row, const void *filled) {
    iol__answer_row(s);
    iol__put_members(s, row, filled);
    iol__answer_row_end(s);
}
