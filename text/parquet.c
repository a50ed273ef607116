/* Apache Parquet: a row group per block of rows, a page per column in it, compressed by zlib, and behind everything the
   metadata, in Thrift's compact form. */
#include <stdlib.h>
#include <zlib.h>

#include "text/sheet_internal.h"

/* Numbers of the format. */
enum {
    THRIFT_I32 = 5,
    THRIFT_I64 = 6,
    THRIFT_BINARY = 8,
    THRIFT_LIST = 9,
    THRIFT_STRUCT = 12,
    TYPE_INT64 = 2,
    TYPE_DOUBLE = 5,
    TYPE_BYTES = 6,
    CONVERTED_UTF8 = 0,
    CONVERTED_UINT64 = 14,
    OPTIONAL = 1,
    ENCODING_PLAIN = 0,
    ENCODING_RLE = 3,
    CODEC_GZIP = 2,
    PAGE_DATA = 0,
};

/* A column of a row group. */
typedef struct parquet_place {
    uint64_t at, raw, packed, rows;
} parquet_place;

/* Thrift ------------------------------------------------------------------------------------------------------- */

static void put_varint(iol__pile *pile, uint64_t value) {
    uint8_t bytes[10];
    size_t count = 0;
    do {
        bytes[count++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value);
    iol__pile_put(pile, bytes, count);
}

static void put_parquet_byte(iol__pile *pile, unsigned value) {
    const uint8_t byte = (uint8_t)value;
    iol__pile_put(pile, &byte, 1);
}

static void put_zigzag(iol__pile *pile, int64_t value) {
    put_varint(pile, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

/* Fields come in ascending order; `*last` is the one before. */
static void put_parquet_field(iol__pile *pile, int *last, int field, unsigned type) {
    put_parquet_byte(pile, (unsigned)(field - *last) << 4 | type);
    *last = field;
}

static void put_parquet_number(iol__pile *pile, int *last, int field, unsigned type, int64_t value) {
    put_parquet_field(pile, last, field, type);
    put_zigzag(pile, value);
}

static void put_binary(iol__pile *pile, const char *text) {
    put_varint(pile, strlen(text));
    iol__pile_put(pile, text, strlen(text));
}

static void put_parquet_list(iol__pile *pile, int *last, int field, unsigned type, size_t count) {
    put_parquet_field(pile, last, field, THRIFT_LIST);
    if (count < 15) {
        put_parquet_byte(pile, (unsigned)count << 4 | type);
    } else {
        put_parquet_byte(pile, 0xf0 | type);
        put_varint(pile, count);
    }
}

/* Pages -------------------------------------------------------------------------------------------------------- */

/* Which rows have a value: a run of bits, and how many bytes it takes. */
static void put_levels(iol__pile *page, const iol__sheet *sheet, const iol__block_column *column) {
    iol__pile run = {0};
    put_varint(&run, (uint64_t)column->valid.length << 1 | 1);
    const uint32_t length = (uint32_t)(run.length + column->valid.length);
    iol__pile_put(page, &length, 4);
    iol__pile_put(page, run.bytes, run.length);
    iol__pile_put(page, column->valid.bytes, column->valid.length);
    page->failed |= run.failed;
    free(run.bytes);
    (void)sheet;
}

static bool is_valid(const iol__block_column *column, size_t row) {
    return column->valid.bytes[row / 8] >> row % 8 & 1;
}

/* Nulls take no place. */
static void put_parquet_values(iol__pile *page, const iol__sheet *sheet, const iol__block_column *column) {
    for (size_t row = 0; row < sheet->rows; row++) {
        uint32_t ends[2];
        if (!is_valid(column, row)) continue;
        if (column->is.kind != IOL_SHEET_TEXT) {
            iol__pile_put(page, column->cells.bytes + 8 * row, 8);
            continue;
        }
        memcpy(ends, column->offsets.bytes + 4 * row, sizeof ends);
        const uint32_t length = ends[1] - ends[0];
        iol__pile_put(page, &length, 4);
        iol__pile_put(page, column->cells.bytes + ends[0], length);
    }
}

static bool pack_page(const iol__pile *page, iol__pile *packed) {
    z_stream stream = {.next_in = page->bytes, .avail_in = (uInt)page->length};
    if (page->failed || deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return false;
    const size_t room = deflateBound(&stream, page->length);
    packed->bytes = malloc(room);
    stream.next_out = packed->bytes;
    stream.avail_out = (uInt)room;
    const bool good = packed->bytes && deflate(&stream, Z_FINISH) == Z_STREAM_END;
    packed->length = stream.total_out;
    deflateEnd(&stream);
    return good;
}

static void put_page_head(iol__pile *head, size_t rows, size_t raw, size_t packed) {
    int last = 0, inner = 0;
    put_parquet_number(head, &last, 1, THRIFT_I32, PAGE_DATA);
    put_parquet_number(head, &last, 2, THRIFT_I32, (int64_t)raw);
    put_parquet_number(head, &last, 3, THRIFT_I32, (int64_t)packed);
    put_parquet_field(head, &last, 5, THRIFT_STRUCT);
    put_parquet_number(head, &inner, 1, THRIFT_I32, (int64_t)rows);
    put_parquet_number(head, &inner, 2, THRIFT_I32, ENCODING_PLAIN);
    put_parquet_number(head, &inner, 3, THRIFT_I32, ENCODING_RLE);
    put_parquet_number(head, &inner, 4, THRIFT_I32, ENCODING_RLE);
    put_parquet_byte(head, 0);
    put_parquet_byte(head, 0);
}

static void put_parquet_column(iol__sheet *sheet, const iol__block_column *column) {
    iol__pile page = {0}, packed = {0}, head = {0};
    parquet_place place = {.at = sheet->written, .rows = sheet->rows};
    put_levels(&page, sheet, column);
    put_parquet_values(&page, sheet, column);
    sheet->failed |= !pack_page(&page, &packed);
    put_page_head(&head, sheet->rows, page.length, packed.length);
    sheet->failed |= head.failed;
    if (!sheet->failed) {
        iol__sheet_put(sheet, head.bytes, head.length);
        iol__sheet_put(sheet, packed.bytes, packed.length);
        place.raw = head.length + page.length;
        place.packed = head.length + packed.length;
        iol__pile_put(&sheet->places, &place, sizeof place);
    }
    free(page.bytes);
    free(packed.bytes);
    free(head.bytes);
}

void iol__parquet_begin(iol__sheet *sheet) { iol__sheet_put(sheet, "PAR1", 4); }

void iol__parquet_block(iol__sheet *sheet) {
    for (size_t i = 0; i < sheet->n_columns; i++) put_parquet_column(sheet, &sheet->columns[i]);
    sheet->n_places++;
}

/* Metadata ----------------------------------------------------------------------------------------------------- */

static int parquet_type_of(iol__sheet_kind kind) {
    return kind == IOL_SHEET_TEXT ? TYPE_BYTES : kind == IOL_SHEET_REAL ? TYPE_DOUBLE : TYPE_INT64;
}

static void put_parquet_schema(iol__pile *meta, const iol__sheet *sheet) {
    int last = 0;
    put_parquet_field(meta, &last, 4, THRIFT_BINARY);
    put_binary(meta, "schema");
    put_parquet_number(meta, &last, 5, THRIFT_I32, (int64_t)sheet->n_columns);
    put_parquet_byte(meta, 0);
    for (size_t i = 0; i < sheet->n_columns; i++) {
        const iol__sheet_column *column = &sheet->columns[i].is;
        last = 0;
        put_parquet_number(meta, &last, 1, THRIFT_I32, parquet_type_of(column->kind));
        put_parquet_number(meta, &last, 3, THRIFT_I32, OPTIONAL);
        put_parquet_field(meta, &last, 4, THRIFT_BINARY);
        put_binary(meta, column->name);
        if (column->kind == IOL_SHEET_TEXT) put_parquet_number(meta, &last, 6, THRIFT_I32, CONVERTED_UTF8);
        if (column->kind == IOL_SHEET_UINT) put_parquet_number(meta, &last, 6, THRIFT_I32, CONVERTED_UINT64);
        put_parquet_byte(meta, 0);
    }
}

static void put_parquet_chunk(iol__pile *meta, const iol__sheet_column *column, const parquet_place *place) {
    int last = 0, inner = 0;
    put_parquet_number(meta, &last, 2, THRIFT_I64, (int64_t)place->at);
    put_parquet_field(meta, &last, 3, THRIFT_STRUCT);
    put_parquet_number(meta, &inner, 1, THRIFT_I32, parquet_type_of(column->kind));
    put_parquet_list(meta, &inner, 2, THRIFT_I32, 2);
    put_zigzag(meta, ENCODING_PLAIN);
    put_zigzag(meta, ENCODING_RLE);
    put_parquet_list(meta, &inner, 3, THRIFT_BINARY, 1);
    put_binary(meta, column->name);
    put_parquet_number(meta, &inner, 4, THRIFT_I32, CODEC_GZIP);
    put_parquet_number(meta, &inner, 5, THRIFT_I64, (int64_t)place->rows);
    put_parquet_number(meta, &inner, 6, THRIFT_I64, (int64_t)place->raw);
    put_parquet_number(meta, &inner, 7, THRIFT_I64, (int64_t)place->packed);
    put_parquet_number(meta, &inner, 9, THRIFT_I64, (int64_t)place->at);
    put_parquet_byte(meta, 0);
    put_parquet_byte(meta, 0);
}

static void put_parquet_group(iol__pile *meta, const iol__sheet *sheet, const uint8_t *places) {
    int last = 0;
    uint64_t raw = 0;
    parquet_place place = {0};
    put_parquet_list(meta, &last, 1, THRIFT_STRUCT, sheet->n_columns);
    for (size_t i = 0; i < sheet->n_columns; i++) {
        memcpy(&place, places + i * sizeof place, sizeof place);
        put_parquet_chunk(meta, &sheet->columns[i].is, &place);
        raw += place.raw;
    }
    put_parquet_number(meta, &last, 2, THRIFT_I64, (int64_t)raw);
    put_parquet_number(meta, &last, 3, THRIFT_I64, (int64_t)place.rows);
    put_parquet_byte(meta, 0);
}

void iol__parquet_end(iol__sheet *sheet) {
    iol__pile meta = {0};
    int last = 0;
    put_parquet_number(&meta, &last, 1, THRIFT_I32, 1);
    put_parquet_list(&meta, &last, 2, THRIFT_STRUCT, sheet->n_columns + 1);
    put_parquet_schema(&meta, sheet);
    put_parquet_number(&meta, &last, 3, THRIFT_I64, (int64_t)sheet->all_rows);
    put_parquet_list(&meta, &last, 4, THRIFT_STRUCT, sheet->n_places);
    for (size_t i = 0; i < sheet->n_places; i++)
        put_parquet_group(&meta, sheet, sheet->places.bytes + i * sheet->n_columns * sizeof(parquet_place));
    put_parquet_field(&meta, &last, 6, THRIFT_BINARY);
    put_binary(&meta, "iolite");
    put_parquet_byte(&meta, 0);
    const uint32_t length = (uint32_t)meta.length;
    sheet->failed |= meta.failed;
    iol__sheet_put(sheet, meta.bytes, meta.length);
    iol__sheet_put(sheet, &length, 4);
    iol__sheet_put(sheet, "PAR1", 4);
    free(meta.bytes);
}
