/* Reading a body of columns back into rows. Every count is checked against the length of the block before anything is
   done with it: nothing here takes more memory than the block itself.

     lanes -> runs -> for each lane its columns: described in the head, their bytes in the planes */
#include "log/archive/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "log/archive/columns_internal.h"

const char iol__no_memory[] = "out of memory";

/* Bytes ------------------------------------------------------------------------------------------------------------ */

bool iol__body_put(iol__body *body, const void *bytes, size_t length) {
    if (length == 0) return true;
    if (body->room - body->length < length) {
        size_t room = body->room + body->room / 2 + length + 4096;
        uint8_t *grown = realloc(body->bytes, room);
        if (!grown) return false;
        body->bytes = grown;
        body->room = room;
    }
    memcpy(body->bytes + body->length, bytes, length);
    body->length += length;
    return true;
}

bool iol__body_varint(iol__body *body, uint64_t value) {
    uint8_t bytes[10];
    size_t n = 0;
    do {
        bytes[n] = (uint8_t)(value & 127);
        value >>= 7;
        if (value) bytes[n] |= 128;
        n++;
    } while (value);
    return iol__body_put(body, bytes, n);
}

const uint8_t *iol__cursor_take(iol__cursor *cursor, size_t length) {
    if (cursor->bad || length > (size_t)(cursor->end - cursor->at)) {
        cursor->bad = true;
        return NULL;
    }
    const uint8_t *at = cursor->at;
    cursor->at += length;
    return at;
}

uint64_t iol__cursor_varint(iol__cursor *cursor) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const uint8_t *byte = iol__cursor_take(cursor, 1);
        if (!byte) return 0;
        value |= (uint64_t)(*byte & 127) << shift;
        if (!(*byte & 128)) return value;
    }
    cursor->bad = true;
    return 0;
}

static uint64_t little_u64(const uint8_t *bytes) {
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--) value = value << 8 | bytes[i];
    return value;
}

static uint64_t cursor_u64(iol__cursor *cursor) {
    const uint8_t *bytes = iol__cursor_take(cursor, 8);
    return bytes ? little_u64(bytes) : 0;
}

/* Lanes ------------------------------------------------------------------------------------------------------------ */

typedef struct lane {
    size_t columns, rows;
    size_t runs_rows; /* rows that the runs give it */
    uint64_t *words;  /* column after column */
    size_t next;      /* row to be delivered */
} lane;

typedef struct columns_column {
    const uint8_t *index; /* COLUMN_FEW */
    size_t few;
    int form;
    double scale;          /* FORM_BINARY */
    const uint8_t *others; /* FORM_ID: ids that have no name */
    size_t n_others;
} columns_column;

typedef struct decoder {
    iol__cursor head, planes;
    const iol__id_list *ids;
    bool swap;
    lane lanes[IOL_LANES_MOST];
    size_t n_lanes;
    iol__cursor runs;
    uint64_t n_runs;
    uint64_t *words;
    columns_column columns[COLUMNS_MOST];
} decoder;

static const char *read_lanes(decoder *d, size_t raw_length) {
    uint64_t n = iol__cursor_varint(&d->head), total = 0;
    if (n == 0 || n > IOL_LANES_MOST) return "a block of columns with an impossible number of row widths";
    d->n_lanes = (size_t)n;
    for (size_t i = 0; i < n; i++) {
        uint64_t width = iol__cursor_varint(&d->head), rows = iol__cursor_varint(&d->head);
        if (width == 0 || width > IOL_ROW_MOST || width % 8 || rows == 0 || rows > raw_length / width)
            return "a block of columns with impossible rows";
        total += width * rows;
        d->lanes[i] = (lane){.columns = (size_t)width / 8, .rows = (size_t)rows};
    }
    return total == raw_length ? NULL : "a block of columns whose rows do not add up";
}

/* Run n of the list, from its cursor; false if it does not exist. */
static bool read_run(const decoder *d, iol__cursor *runs, size_t *number, uint64_t *rows) {
    uint64_t which = iol__cursor_varint(runs);
    *rows = iol__cursor_varint(runs);
    *number = (size_t)which;
    return !runs->bad && which < d->n_lanes;
}

static const char *check_runs(decoder *d) {
    d->n_runs = iol__cursor_varint(&d->head);
    d->runs = d->head;
    for (uint64_t i = 0; i < d->n_runs; i++) {
        size_t number;
        uint64_t rows;
        if (!read_run(d, &d->head, &number, &rows)) return "a block of columns with a damaged order of rows";
        lane *l = &d->lanes[number];
        if (rows > l->rows - l->runs_rows) return "a block of columns with more rows than it has";
        l->runs_rows += (size_t)rows;
    }
    for (size_t i = 0; i < d->n_lanes; i++)
        if (d->lanes[i].runs_rows != d->lanes[i].rows) return "a block of columns with fewer rows than it has";
    return NULL;
}

/* Columns ---------------------------------------------------------------------------------------------------------- */

static bool fill_from(uint64_t *to, size_t rows, const uint8_t *index, const uint8_t *values, size_t n) {
    uint64_t table[FEW_MOST];
    for (size_t i = 0; i < n; i++) table[i] = little_u64(values + 8 * i);
    for (size_t r = 0; r < rows; r++) {
        if (index[r] >= n) return false;
        to[r] = table[index[r]];
    }
    return true;
}

static bool read_few(decoder *d, columns_column *c, uint64_t *to, size_t rows) {
    const uint8_t *count = iol__cursor_take(&d->head, 1);
    if (!count) return false;
    c->few = (size_t)*count + 1;
    const uint8_t *values = iol__cursor_take(&d->head, 8 * c->few);
    c->index = iol__cursor_take(&d->planes, rows);
    return values && c->index && fill_from(to, rows, c->index, values, c->few);
}

static bool read_follows(decoder *d, size_t number, uint64_t *to, size_t rows) {
    uint64_t leader = iol__cursor_varint(&d->head);
    if (leader >= number || !d->columns[leader].index) return false;
    const columns_column *l = &d->columns[leader];
    const uint8_t *values = iol__cursor_take(&d->head, 8 * l->few);
    return values && fill_from(to, rows, l->index, values, l->few);
}

static bool read_form(decoder *d, columns_column *c, size_t rows) {
    uint64_t form = iol__cursor_varint(&d->head), more;
    c->form = (int)(form & 3);
    if (form > FORM_DECIMAL) return false;
    if (form == FORM_BINARY) {
        more = iol__cursor_varint(&d->head);
        c->scale = ldexp(1, -(int)(more & 63));
        return more <= BINARY_MOST;
    }
    if (form == FORM_ID) {
        more = iol__cursor_varint(&d->head);
        if (more > rows || !d->ids) return false;
        c->n_others = (size_t)more;
        c->others = iol__cursor_take(&d->head, 8 * c->n_others);
    }
    return true;
}

/* The differences, from those bytes of each that are stored. */
static bool read_planes(decoder *d, uint64_t *to, size_t rows) {
    const uint8_t *mask = iol__cursor_take(&d->head, 1);
    if (!mask) return false;
    memset(to, 0, 8 * rows);
    for (unsigned i = 0; i < 8; i++) {
        if (!(*mask >> i & 1)) continue;
        const uint8_t *plane = iol__cursor_take(&d->planes, rows);
        if (!plane) return false;
        for (size_t r = 0; r < rows; r++) to[r] |= (uint64_t)plane[r] << 8 * i;
    }
    for (size_t r = 0; r < rows; r++) to[r] = to[r] >> 1 ^ (0 - (to[r] & 1));
    return true;
}

static bool read_columns_numbers(decoder *d, const lane *l, size_t number) {
    uint64_t *to = l->words + number * l->rows;
    if (!read_form(d, &d->columns[number], l->rows)) return false;
    uint64_t prediction = iol__cursor_varint(&d->head);
    uint64_t other = prediction == PREDICT_COLUMN ? iol__cursor_varint(&d->head) : 0;
    uint64_t base = prediction == PREDICT_NOTHING ? 0 : cursor_u64(&d->head);
    if (prediction > PREDICT_COLUMN || (prediction == PREDICT_COLUMN && other >= number)) return false;
    if (!read_planes(d, to, l->rows)) return false;
    if (prediction == PREDICT_ROW) {
        for (size_t r = 0; r < l->rows; r++) base = to[r] += base;
    } else if (prediction == PREDICT_COLUMN) {
        const uint64_t *from = l->words + (size_t)other * l->rows;
        for (size_t r = 0; r < l->rows; r++) to[r] += from[r] + base;
    }
    return true;
}

static bool read_column(decoder *d, const lane *l, size_t number) {
    uint64_t *to = l->words + number * l->rows;
    d->columns[number] = (columns_column){.form = FORM_PLAIN};
    uint64_t kind = iol__cursor_varint(&d->head), value = 0;
    switch (kind) {
    case COLUMN_EQUAL: value = cursor_u64(&d->head); /* fall through */
    case COLUMN_ZERO:
        for (size_t r = 0; r < l->rows; r++) to[r] = value;
        return true;
    case COLUMN_FEW: return read_few(d, &d->columns[number], to, l->rows);
    case COLUMN_FOLLOWS: return read_follows(d, number, to, l->rows);
    case COLUMN_NUMBERS: return read_columns_numbers(d, l, number);
    default: return false;
    }
}

/* From numbers to what they stand for. */
static const char *finish_ids(const decoder *d, const columns_column *c, uint64_t *values, size_t rows) {
    size_t used = 0;
    for (size_t r = 0; r < rows; r++) {
        if (values[r] & 1) {
            if (used == c->n_others) return "a block of columns lacks record ids";
            values[r] = little_u64(c->others + 8 * used++);
        } else {
            if (values[r] / 2 >= d->ids->count) return "a record refers to a name that could not be read";
            values[r] = d->ids->ids[values[r] / 2];
        }
    }
    return NULL;
}

static const char *finish_column(const decoder *d, const columns_column *c, uint64_t *values, size_t rows) {
    if (c->form == FORM_PLAIN) return NULL;
    if (c->form == FORM_ID) return finish_ids(d, c, values, rows);
    for (size_t r = 0; r < rows; r++) {
        double number = (double)(int64_t)values[r];
        double value = c->form == FORM_BINARY ? number * c->scale : number / NANOSECONDS;
        memcpy(&values[r], &value, sizeof value);
    }
    return NULL;
}

static const char *read_lane(decoder *d, const lane *l) {
    for (size_t i = 0; i < l->columns; i++)
        if (!read_column(d, l, i) || d->head.bad) return "a block of columns is damaged";
    for (size_t i = 0; i < l->columns; i++) {
        const char *wrong = finish_column(d, &d->columns[i], l->words + i * l->rows, l->rows);
        if (wrong) return wrong;
    }
    return NULL;
}

/* Rows ------------------------------------------------------------------------------------------------------------- */

static uint8_t *put_columns_rows(const decoder *d, lane *l, size_t rows, uint8_t *to) {
    size_t width = 8 * l->columns;
    for (size_t c = 0; c < l->columns; c++) {
        const uint64_t *from = l->words + c * l->rows + l->next;
        uint8_t *at = to + 8 * c;
        for (size_t r = 0; r < rows; r++, at += width) {
            uint64_t value = d->swap ? __builtin_bswap64(from[r]) : from[r];
            memcpy(at, &value, 8);
        }
    }
    l->next += rows;
    return to + rows * width;
}

/* Few rows at a time, so that they stay in the cache while one column after the other is put into them. */
static void columns_put_all(decoder *d, uint8_t *to) {
    enum { AT_ONCE = 32 };
    for (uint64_t i = 0; i < d->n_runs; i++) {
        size_t number;
        uint64_t rows;
        if (!read_run(d, &d->runs, &number, &rows)) return;
        for (uint64_t part; rows > 0; rows -= part) {
            part = rows < AT_ONCE ? rows : AT_ONCE;
            to = put_columns_rows(d, &d->lanes[number], (size_t)part, to);
        }
    }
}

static const char *columns_decode(decoder *d, uint8_t *raw, size_t raw_length) {
    const char *wrong = read_lanes(d, raw_length);
    if (!wrong) wrong = check_runs(d);
    if (wrong) return wrong;
    d->words = malloc(raw_length);
    if (!d->words) return iol__no_memory;
    uint64_t *words = d->words;
    for (size_t i = 0; i < d->n_lanes; i++) {
        d->lanes[i].words = words;
        words += d->lanes[i].columns * d->lanes[i].rows;
        wrong = read_lane(d, &d->lanes[i]);
        if (wrong) return wrong;
    }
    columns_put_all(d, raw);
    return NULL;
}

const char *iol__columns_decode(const uint8_t *body, size_t length, const iol__id_list *ids, bool swap, uint8_t *raw,
                                size_t raw_length) {
    iol__cursor all = {body, body + length, false};
    uint64_t head = iol__cursor_varint(&all);
    if (all.bad || head > (uint64_t)(all.end - all.at)) return "a block of columns without a description";
    decoder *d = calloc(1, sizeof *d);
    if (!d) return iol__no_memory;
    d->head = (iol__cursor){all.at, all.at + head, false};
    d->planes = (iol__cursor){all.at + head, all.end, false};
    d->ids = ids;
    d->swap = swap;
    const char *wrong = columns_decode(d, raw, raw_length);
    free(d->words);
    free(d);
    return wrong;
}
