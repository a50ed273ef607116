/* What the writers of tables share: a block of rows, column by column. */
#ifndef IOL_TEXT_SHEET_INTERNAL_H
#define IOL_TEXT_SHEET_INTERNAL_H

#include "text/sheet.h"

/* Bytes that grow. When there is no memory, `failed` is set and nothing more is added. */
typedef struct iol__pile {
    uint8_t *bytes;
    size_t length, room;
    bool failed;
} iol__pile;

void iol__pile_put(iol__pile *pile, const void *bytes, size_t length);

typedef struct iol__block_column {
    iol__sheet_column is;
    iol__pile valid;   /* a bit per row, lowest first */
    iol__pile cells;   /* 8 bytes per row, or the bytes of all texts */
    iol__pile offsets; /* of texts: where each begins, 4 bytes, and the end of the last */
    size_t nulls;
} iol__block_column;

struct iol__sheet {
    iol__out *out;
    iol__sheet_form form;
    size_t n_columns, at; /* `at`: the column of the next cell */
    size_t rows;          /* of the block */
    uint64_t all_rows;
    uint64_t written; /* bytes of the file so far */
    bool failed;
    iol__pile places; /* of the blocks that were written, as the form wants them */
    size_t n_places;
    iol__block_column *columns;
};

/* Bytes of the file, counted. */
void iol__sheet_put(iol__sheet *sheet, const void *bytes, size_t length);

/* The forms: the beginning, a block, the end. */
void iol__arrow_begin(iol__sheet *sheet);
void iol__arrow_block(iol__sheet *sheet);
void iol__arrow_end(iol__sheet *sheet);
void iol__parquet_begin(iol__sheet *sheet);
void iol__parquet_block(iol__sheet *sheet);
void iol__parquet_end(iol__sheet *sheet);

#endif
