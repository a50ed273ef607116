/* Lists of flat maps, as numbers and bytes of this machine. */
#include "cmds/site/job_rows.h"

#include <string.h>

static void put_job_rows_number(iol__out *out, uint64_t number) {
    iol__out_bytes(out, (const char *)&number, sizeof number);
}

static void put_job_rows_text(iol__out *out, const char *text) {
    put_job_rows_number(out, strlen(text));
    iol__out_bytes(out, text, strlen(text));
}

static void put_job_rows_value(iol__out *out, const iol__value *value) {
    uint64_t bits = 0;
    put_job_rows_number(out, (uint64_t)value->kind);
    if (value->kind == IOL__TEXT) {
        put_job_rows_text(out, value->text);
        return;
    }
    if (value->kind == IOL__FLAG) bits = value->flag;
    if (value->kind == IOL__INTEGER) bits = (uint64_t)value->integer;
    if (value->kind == IOL__REAL) memcpy(&bits, &value->real, sizeof bits);
    put_job_rows_number(out, bits);
}

void write_rows(iol__out *out, const iol__value *rows) {
    put_job_rows_number(out, rows->count);
    for (size_t i = 0; i < rows->count; i++) {
        put_job_rows_number(out, rows->items[i]->count);
        for (size_t k = 0; k < rows->items[i]->count; k++) {
            put_job_rows_text(out, rows->items[i]->keys[k]);
            put_job_rows_value(out, rows->items[i]->items[k]);
        }
    }
}

static bool take_job_rows_number(const char **at, const char *end, uint64_t *number) {
    if ((size_t)(end - *at) < sizeof *number) return false;
    memcpy(number, *at, sizeof *number);
    *at += sizeof *number;
    return true;
}

static char *take_job_rows_text(iol__arena *arena, const char **at, const char *end) {
    uint64_t length;
    if (!take_job_rows_number(at, end, &length) || length > (size_t)(end - *at)) return NULL;
    char *text = iol__arena_text(arena, *at, (size_t)length);
    *at += length;
    return text;
}

static iol__value *take_value(iol__arena *arena, const char **at, const char *end) {
    uint64_t kind, bits;
    double real;
    if (!take_job_rows_number(at, end, &kind)) return NULL;
    if (kind == IOL__TEXT) {
        const char *text = take_job_rows_text(arena, at, end);
        return text ? iol__of_text(arena, text) : NULL;
    }
    if (!take_job_rows_number(at, end, &bits)) return NULL;
    memcpy(&real, &bits, sizeof real);
    return kind == IOL__FLAG      ? iol__of_flag(arena, bits != 0)
           : kind == IOL__INTEGER ? iol__of_integer(arena, (int64_t)bits)
           : kind == IOL__REAL    ? iol__of_real(arena, real)
                                  : iol__value_new(arena, IOL__NOTHING);
}

bool read_rows(iol__arena *arena, const char **at, const char *end, iol__value *rows) {
    uint64_t count, keys;
    if (!take_job_rows_number(at, end, &count)) return false;
    for (uint64_t i = 0; i < count; i++) {
        iol__value *row = iol__value_new(arena, IOL__MAP);
        if (!take_job_rows_number(at, end, &keys)) return false;
        for (uint64_t k = 0; k < keys; k++) {
            const char *key = take_job_rows_text(arena, at, end);
            iol__value *value = key ? take_value(arena, at, end) : NULL;
            if (!value) return false;
            iol__map_put(arena, row, key, value);
        }
        iol__list_add(arena, rows, row);
    }
    return true;
}
