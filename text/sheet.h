/* Tables for programs that work on columns: Apache Arrow's IPC file format and Apache Parquet, written as rows come, a
   block of them at a time. Every column may have nulls. docs/tables.md has what they look like from outside;
   docs/dependencies.md says why there is no library for it. */
#ifndef IOL_TEXT_SHEET_H
#define IOL_TEXT_SHEET_H

#include "text/out.h"

typedef enum iol__sheet_form { IOL_SHEET_ARROW, IOL_SHEET_PARQUET } iol__sheet_form;
typedef enum iol__sheet_kind { IOL_SHEET_INT, IOL_SHEET_UINT, IOL_SHEET_REAL, IOL_SHEET_TEXT } iol__sheet_kind;

typedef struct iol__sheet_column {
    const char *name;
    iol__sheet_kind kind;
} iol__sheet_column;

typedef struct iol__sheet iol__sheet;

/* Begin a sheet; names must stay until its end. NULL without memory. `out` is written to alone until then. */
iol__sheet *iol__sheet_begin(iol__out *out, iol__sheet_form form, const iol__sheet_column *columns, size_t count);
/* Cells of a row, column by column; a row is complete with its last cell. */
void iol__sheet_int(iol__sheet *sheet, int64_t value);
void iol__sheet_uint(iol__sheet *sheet, uint64_t value);
void iol__sheet_real(iol__sheet *sheet, double value);     /* null if it is not a number */
void iol__sheet_text(iol__sheet *sheet, const char *text); /* null for NULL; what is no UTF-8 becomes U+FFFD */
void iol__sheet_null(iol__sheet *sheet);
/* End it. False: there was no memory, and what was written is of no use. */
bool iol__sheet_end(iol__sheet *sheet);

/* A sheet from CSV with a head line. Columns whose names are `known` have that kind, so that tables of one kind fit
   together, whatever is in them; others are whole numbers, numbers or texts by what is in them. Empty cells are null.
   False for what is no CSV, or without memory. */
bool iol__sheet_from_csv(iol__out *out, iol__sheet_form form, const char *csv, size_t length,
                         const iol__sheet_column *known, size_t n_known);

#endif
