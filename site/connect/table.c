/* CSV, both ways. */
#include "site/connect/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/csv.h"

static void collect_columns(iol__arena *arena, iol__value *columns, const iol__value *row, const char *key) {
    for (size_t i = 0; row->kind == IOL__MAP && i < row->count; i++)
        if (strcmp(row->keys[i], key) != 0 && !iol__map_get(columns, row->keys[i]))
            iol__map_put_integer(arena, columns, row->keys[i], 1);
}

static void table_cell(iol__out *out, iol__arena *arena, const iol__value *value) {
    if (!value || value->kind == IOL__NOTHING) return;
    switch (value->kind) {
    case IOL__FLAG: iol__out_text(out, value->flag ? "True" : "False"); break;
    case IOL__INTEGER: iol__out_i64(out, value->integer); break;
    case IOL__REAL: iol__csv_real(out, value->real); break;
    case IOL__TEXT: iol__csv_text(out, value->text); break;
    case IOL__NOTHING: break;
    case IOL__LIST:
    case IOL__MAP: {
        iol__out text;
        iol__json json;
        iol__out_open(&text, -1);
        iol__json_start(&json, &text, 0);
        iol__value_json(&json, arena, value);
        iol__csv_text(out, iol__arena_text(arena, text.buffer, text.length));
        iol__out_close(&text);
    }
    }
}

/* Documents of Elasticsearch's pages: [[{_source: {...}}]]. */
static const iol__value *flattened(iol__arena *arena, const iol__value *value) {
    iol__value *rows = iol__value_new(arena, IOL__LIST);
    for (size_t i = 0; i < value->count; i++) {
        const iol__value *page = value->items[i];
        if (page->kind != IOL__LIST) return value;
        for (size_t k = 0; k < page->count; k++) {
            iol__value *source = iol__map_get(page->items[k], "_source");
            if (source) iol__list_add(arena, rows, source);
        }
    }
    return rows;
}

bool iol__value_csv(iol__out *out, iol__arena *arena, const iol__value *value, const char *key) {
    if (value->kind == IOL__LIST) value = flattened(arena, value);
    if (value->kind != IOL__LIST && value->kind != IOL__MAP) return false;
    bool keyed = value->kind == IOL__MAP;
    if (!key) key = "key";
    iol__value *columns = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; i < value->count; i++) {
        if (value->items[i]->kind != IOL__MAP) return false;
        collect_columns(arena, columns, value->items[i], keyed ? key : "");
    }
    iol__csv_text(out, keyed ? key : "");
    for (size_t i = 0; i < columns->count; i++) {
        iol__out_char(out, ',');
        iol__csv_text(out, columns->keys[i]);
    }
    iol__out_char(out, '\n');
    for (size_t i = 0; i < value->count; i++) {
        if (keyed)
            iol__csv_text(out, value->keys[i]);
        else
            iol__out_u64(out, i);
        for (size_t c = 0; c < columns->count; c++) {
            iol__out_char(out, ',');
            table_cell(out, arena, iol__map_get(value->items[i], columns->keys[c]));
        }
        iol__out_char(out, '\n');
    }
    return true;
}

/* Reading -------------------------------------------------------------------------------------------------------- */

/* The next field, unquoted in place; `*more` says whether another one follows in the same row. */
static char *table_next_field(char **at, char *end, bool *more) {
    char *from = *at, *to = from, *start = from;
    bool quoted = from < end && *from == '"';
    if (quoted) from++;
    for (; from < end; from++) {
        if (quoted && *from == '"') {
            if (from + 1 < end && from[1] == '"')
                from++;
            else {
                quoted = false;
                continue;
            }
        } else if (!quoted && (*from == ',' || *from == '\n')) {
            break;
        }
        *to++ = *from;
    }
    *more = from < end && *from == ',';
    *at = from < end ? from + 1 : from;
    if (to > start && to[-1] == '\r') to--;
    *to = 0;
    return start;
}

static iol__value *typed(iol__arena *arena, const char *text) {
    char *end;
    if (!*text) return iol__value_new(arena, IOL__NOTHING);
    bool plain = text[strspn(text, "+-0123456789.eE")] == 0;
    if (plain && !strpbrk(text, ".eE")) return iol__value_of_text(arena, text);
    double number = plain ? strtod(text, &end) : 0;
    return plain && !*end && isfinite(number) ? iol__of_real(arena, number) : iol__of_text(arena, text);
}

iol__value *iol__csv_rows(iol__arena *arena, char *bytes, size_t length) {
    iol__value *rows = iol__value_new(arena, IOL__LIST), *columns = iol__value_new(arena, IOL__LIST);
    char *at = bytes, *end = bytes + length;
    bool more = true;
    while (more && at < end) iol__list_add(arena, columns, iol__of_text(arena, table_next_field(&at, end, &more)));
    while (at < end) {
        iol__value *row = iol__value_new(arena, IOL__MAP);
        size_t i = 0;
        for (more = true; more; i++) {
            char *field = table_next_field(&at, end, &more);
            if (i < columns->count) iol__map_put(arena, row, columns->items[i]->text, typed(arena, field));
        }
        if (i > 1 || columns->count == 1) iol__list_add(arena, rows, row);
    }
    return rows;
}
