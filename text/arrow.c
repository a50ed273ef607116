/* Apache Arrow, the IPC file format (also known as Feather, version 2): a schema, a record batch per block of rows, and a footer
   that says where they are. Not compressed, so that readers can map it. */
#include <stdlib.h>

#include "text/flatbuffer.h"
#include "text/sheet_internal.h"

/* Numbers of the format. */
enum {
    VERSION_5 = 4,
    HEADER_SCHEMA = 1,
    HEADER_BATCH = 3,
    TYPE_INT = 2,
    TYPE_FLOAT = 3,
    TYPE_UTF8 = 5,
    PRECISION_DOUBLE = 2,
};

typedef struct arrow_place {
    uint64_t at, body;
    uint32_t head;
} arrow_place;

static size_t padded(size_t length) { return (length + 7) / 8 * 8; }

static void put_padding(iol__sheet *sheet, size_t length) {
    static const uint8_t zeros[8];
    iol__sheet_put(sheet, zeros, padded(length) - length);
}

/* Metadata ----------------------------------------------------------------------------------------------------- */

static size_t make_type(iol__flat *flat, iol__sheet_kind kind, uint8_t *type) {
    *type = kind == IOL_SHEET_TEXT ? TYPE_UTF8 : kind == IOL_SHEET_REAL ? TYPE_FLOAT : TYPE_INT;
    iol__flat_table(flat);
    if (*type == TYPE_FLOAT) iol__flat_number(flat, 0, PRECISION_DOUBLE, 2);
    if (*type == TYPE_INT) {
        iol__flat_number(flat, 0, 64, 4);
        iol__flat_number(flat, 1, kind == IOL_SHEET_INT, 1);
    }
    return iol__flat_table_end(flat);
}

static size_t make_field(iol__flat *flat, const iol__sheet_column *column) {
    uint8_t type;
    const size_t name = iol__flat_text(flat, column->name), children = iol__flat_references(flat, NULL, 0),
                 made = make_type(flat, column->kind, &type);
    iol__flat_table(flat);
    iol__flat_reference(flat, 0, name);
    iol__flat_number(flat, 1, 1, 1); /* there may be nulls */
    iol__flat_number(flat, 2, type, 1);
    iol__flat_reference(flat, 3, made);
    iol__flat_reference(flat, 5, children);
    return iol__flat_table_end(flat);
}

static size_t make_arrow_schema(iol__flat *flat, const iol__sheet *sheet) {
    size_t *fields = calloc(sheet->n_columns + 1, sizeof *fields), made = 0;
    if (!fields) flat->failed = true;
    for (size_t i = 0; fields && i < sheet->n_columns; i++) fields[i] = make_field(flat, &sheet->columns[i].is);
    if (fields) {
        const size_t list = iol__flat_references(flat, fields, sheet->n_columns);
        iol__flat_table(flat);
        iol__flat_reference(flat, 1, list);
        made = iol__flat_table_end(flat);
    }
    free(fields);
    return made;
}

/* A message: its length, the metadata, and after it comes the body. How long all of that is, but for the body. */
static size_t put_arrow_message(iol__sheet *sheet, iol__flat *flat, uint8_t kind, size_t header, uint64_t body) {
    iol__flat_table(flat);
    iol__flat_number(flat, 3, body, 8);
    iol__flat_reference(flat, 2, header);
    iol__flat_number(flat, 1, kind, 1);
    iol__flat_number(flat, 0, VERSION_5, 2);
    const uint8_t *bytes = iol__flat_finish(flat, iol__flat_table_end(flat));
    const uint32_t mark = UINT32_MAX, length = (uint32_t)padded(flat->used);
    sheet->failed |= !bytes;
    if (bytes) {
        iol__sheet_put(sheet, &mark, 4);
        iol__sheet_put(sheet, &length, 4);
        iol__sheet_put(sheet, bytes, flat->used);
        put_padding(sheet, flat->used);
    }
    free(flat->bytes);
    return 8 + length;
}

/* Blocks ------------------------------------------------------------------------------------------------------- */

static size_t buffers_of(const iol__block_column *column, const iol__pile *buffers[3]) {
    buffers[0] = &column->valid;
    buffers[1] = column->is.kind == IOL_SHEET_TEXT ? &column->offsets : &column->cells;
    buffers[2] = &column->cells;
    return column->is.kind == IOL_SHEET_TEXT ? 3 : 2;
}

static uint64_t body_bytes(const iol__sheet *sheet) {
    const iol__pile *buffers[3];
    uint64_t bytes = 0;
    for (size_t i = 0; i < sheet->n_columns; i++)
        for (size_t b = 0, count = buffers_of(&sheet->columns[i], buffers); b < count; b++)
            bytes += padded(buffers[b]->length);
    return bytes;
}

/* Where the buffers are in the body; vectors are pushed from their end. */
static size_t make_buffers(iol__flat *flat, const iol__sheet *sheet, uint64_t end) {
    const iol__pile *buffers[3];
    size_t all = 0;
    for (size_t i = 0; i < sheet->n_columns; i++) all += buffers_of(&sheet->columns[i], buffers);
    iol__flat_align(flat, 8, 16 * all);
    for (size_t i = sheet->n_columns; i-- > 0;)
        for (size_t b = buffers_of(&sheet->columns[i], buffers); b-- > 0;) {
            end -= padded(buffers[b]->length);
            iol__flat_push(flat, buffers[b]->length, 8);
            iol__flat_push(flat, end, 8);
        }
    return iol__flat_vector(flat, all);
}

static size_t make_nodes(iol__flat *flat, const iol__sheet *sheet) {
    iol__flat_align(flat, 8, 16 * sheet->n_columns);
    for (size_t i = sheet->n_columns; i-- > 0;) {
        iol__flat_push(flat, sheet->columns[i].nulls, 8);
        iol__flat_push(flat, sheet->rows, 8);
    }
    return iol__flat_vector(flat, sheet->n_columns);
}

void iol__arrow_block(iol__sheet *sheet) {
    iol__flat flat = {0};
    const iol__pile *buffers[3];
    const uint64_t body = body_bytes(sheet);
    arrow_place place = {.at = sheet->written, .body = body};
    const size_t list = make_buffers(&flat, sheet, body), nodes = make_nodes(&flat, sheet);
    iol__flat_table(&flat);
    iol__flat_number(&flat, 0, sheet->rows, 8);
    iol__flat_reference(&flat, 1, nodes);
    iol__flat_reference(&flat, 2, list);
    place.head = (uint32_t)put_arrow_message(sheet, &flat, HEADER_BATCH, iol__flat_table_end(&flat), body);
    for (size_t i = 0; i < sheet->n_columns; i++)
        for (size_t b = 0, count = buffers_of(&sheet->columns[i], buffers); b < count; b++) {
            iol__sheet_put(sheet, buffers[b]->bytes, buffers[b]->length);
            put_padding(sheet, buffers[b]->length);
        }
    iol__pile_put(&sheet->places, &place, sizeof place);
    sheet->n_places++;
}

/* The file ----------------------------------------------------------------------------------------------------- */

void iol__arrow_begin(iol__sheet *sheet) {
    iol__flat flat = {0};
    iol__sheet_put(sheet, "ARROW1\0\0", 8);
    put_arrow_message(sheet, &flat, HEADER_SCHEMA, make_arrow_schema(&flat, sheet), 0);
}

static size_t make_places(iol__flat *flat, const iol__sheet *sheet) {
    iol__flat_align(flat, 8, 24 * sheet->n_places);
    for (size_t i = sheet->n_places; i-- > 0;) {
        arrow_place place;
        memcpy(&place, sheet->places.bytes + i * sizeof place, sizeof place);
        iol__flat_push(flat, place.body, 8);
        iol__flat_push(flat, 0, 4);
        iol__flat_push(flat, place.head, 4);
        iol__flat_push(flat, place.at, 8);
    }
    return iol__flat_vector(flat, sheet->n_places);
}

void iol__arrow_end(iol__sheet *sheet) {
    static const uint32_t end[] = {UINT32_MAX, 0};
    iol__flat flat = {0};
    iol__sheet_put(sheet, end, sizeof end);
    const size_t schema = make_arrow_schema(&flat, sheet), places = make_places(&flat, sheet),
                 dictionaries = iol__flat_references(&flat, NULL, 0);
    iol__flat_table(&flat);
    iol__flat_number(&flat, 0, VERSION_5, 2);
    iol__flat_reference(&flat, 1, schema);
    iol__flat_reference(&flat, 2, dictionaries);
    iol__flat_reference(&flat, 3, places);
    const uint8_t *bytes = iol__flat_finish(&flat, iol__flat_table_end(&flat));
    const uint32_t length = (uint32_t)flat.used;
    sheet->failed |= !bytes;
    if (bytes) {
        iol__sheet_put(sheet, bytes, flat.used);
        iol__sheet_put(sheet, &length, 4);
        iol__sheet_put(sheet, "ARROW1", 6);
    }
    free(flat.bytes);
}
