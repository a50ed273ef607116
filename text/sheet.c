/* Rows become blocks of columns; the writer of the form gets a block when it is full. */
#include "text/sheet.h"

#include <math.h>
#include <stdlib.h>

#include "text/sheet_internal.h"
#include "text/text.h"

enum { ROWS_MOST = 65536, TEXTS_MOST = 32 << 20 };

void iol__pile_put(iol__pile *pile, const void *bytes, size_t length) {
    if (pile->failed || !length) return;
    if (pile->room - pile->length < length) {
        const size_t least = pile->length + length, room = 2 * pile->room > least ? 2 * pile->room : least + 64;
        uint8_t *grown = realloc(pile->bytes, room);
        if (!grown) {
            pile->failed = true;
            return;
        }
        pile->bytes = grown;
        pile->room = room;
    }
    memcpy(pile->bytes + pile->length, bytes, length);
    pile->length += length;
}

static void append_zeros(iol__pile *pile, size_t count) {
    static const uint8_t zeros[64];
    for (; count > sizeof zeros; count -= sizeof zeros) iol__pile_put(pile, zeros, sizeof zeros);
    iol__pile_put(pile, zeros, count);
}

void iol__sheet_put(iol__sheet *sheet, const void *bytes, size_t length) {
    if (length) iol__out_bytes(sheet->out, bytes, length);
    sheet->written += length;
}

static const struct {
    void (*begin)(iol__sheet *), (*block)(iol__sheet *), (*end)(iol__sheet *);
} forms[] = {
    [IOL_SHEET_ARROW] = {iol__arrow_begin, iol__arrow_block, iol__arrow_end},
    [IOL_SHEET_PARQUET] = {iol__parquet_begin, iol__parquet_block, iol__parquet_end},
};

static void clear_block(iol__sheet *sheet) {
    for (size_t i = 0; i < sheet->n_columns; i++) {
        iol__block_column *column = &sheet->columns[i];
        column->valid.length = column->cells.length = column->offsets.length = column->nulls = 0;
        if (column->is.kind == IOL_SHEET_TEXT) append_zeros(&column->offsets, 4);
    }
    sheet->rows = 0;
}

iol__sheet *iol__sheet_begin(iol__out *out, iol__sheet_form form, const iol__sheet_column *columns, size_t count) {
    iol__sheet *sheet = calloc(1, sizeof *sheet);
    if (!sheet) return NULL;
    sheet->columns = calloc(count ? count : 1, sizeof *sheet->columns);
    if (!sheet->columns) {
        free(sheet);
        return NULL;
    }
    sheet->out = out;
    sheet->form = form;
    sheet->n_columns = count;
    for (size_t i = 0; i < count; i++) sheet->columns[i].is = columns[i];
    clear_block(sheet);
    forms[form].begin(sheet);
    return sheet;
}

static void write_block(iol__sheet *sheet) {
    for (size_t i = 0; i < sheet->n_columns; i++) {
        const iol__block_column *column = &sheet->columns[i];
        sheet->failed |= column->valid.failed || column->cells.failed || column->offsets.failed;
    }
    if (!sheet->failed && sheet->rows) forms[sheet->form].block(sheet);
    clear_block(sheet);
}

/* The bit of the cell; at the end of a row, the block may be full. */
static void end_cell(iol__sheet *sheet, iol__block_column *column, bool valid) {
    if (sheet->rows % 8 == 0) append_zeros(&column->valid, 1);
    if (valid && !column->valid.failed) column->valid.bytes[sheet->rows / 8] |= (uint8_t)(1U << sheet->rows % 8);
    column->nulls += !valid;
    if (++sheet->at < sheet->n_columns) return;
    bool full = ++sheet->rows == ROWS_MOST;
    sheet->all_rows++;
    sheet->at = 0;
    for (size_t i = 0; i < sheet->n_columns; i++) full |= sheet->columns[i].cells.length > TEXTS_MOST;
    if (full) write_block(sheet);
}

static void put_sheet_cell(iol__sheet *sheet, const void *value, bool valid) {
    iol__block_column *column = &sheet->columns[sheet->at];
    iol__pile_put(&column->cells, value, 8);
    end_cell(sheet, column, valid);
}

void iol__sheet_int(iol__sheet *sheet, int64_t value) { put_sheet_cell(sheet, &value, true); }
void iol__sheet_uint(iol__sheet *sheet, uint64_t value) { put_sheet_cell(sheet, &value, true); }
void iol__sheet_real(iol__sheet *sheet, double value) { put_sheet_cell(sheet, &value, isfinite(value)); }

static void end_sheet_text(iol__sheet *sheet, iol__block_column *column, bool valid) {
    const uint32_t end = (uint32_t)column->cells.length;
    iol__pile_put(&column->offsets, &end, sizeof end);
    end_cell(sheet, column, valid);
}

void iol__sheet_text(iol__sheet *sheet, const char *text) {
    iol__block_column *column = &sheet->columns[sheet->at];
    static const uint8_t replacement[] = {0xef, 0xbf, 0xbd};
    for (const char *at = text; at && *at;) {
        int32_t code;
        const size_t length = iol__utf8_decode(at, &code);
        iol__pile_put(&column->cells, code < 0 ? (const char *)replacement : at,
                      code < 0 ? sizeof replacement : length);
        at += length;
    }
    end_sheet_text(sheet, column, text != NULL);
}

void iol__sheet_null(iol__sheet *sheet) {
    static const uint64_t nothing;
    iol__block_column *column = &sheet->columns[sheet->at];
    if (column->is.kind == IOL_SHEET_TEXT)
        end_sheet_text(sheet, column, false);
    else
        put_sheet_cell(sheet, &nothing, false);
}

bool iol__sheet_end(iol__sheet *sheet) {
    if (!sheet) return false;
    write_block(sheet);
    if (!sheet->failed) forms[sheet->form].end(sheet);
    const bool good = !sheet->failed && !sheet->places.failed;
    for (size_t i = 0; i < sheet->n_columns; i++) {
        free(sheet->columns[i].valid.bytes);
        free(sheet->columns[i].cells.bytes);
        free(sheet->columns[i].offsets.bytes);
    }
    free(sheet->places.bytes);
    free(sheet->columns);
    free(sheet);
    return good;
}
