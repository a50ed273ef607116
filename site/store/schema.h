/* The tables of the index as C knows them, made from schema.def. */
#ifndef IOL_SITE_STORE_SCHEMA_H
#define IOL_SITE_STORE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

/* Raised with every change of schema.def; migrations.def says how older stores get there. */
enum { IOL_SCHEMA_VERSION = 4 };

typedef enum iol__table_id {
#define TABLE(name, keys, meaning) IOL_TABLE_##name,
#define COLUMN(table, name, type, meaning)
#define INDEX(name, table, columns)
#include "site/store/schema.def"
#undef TABLE
#undef COLUMN
#undef INDEX
    IOL_TABLES
} iol__table_id;

/* All columns in one sequence: IOL_AT(log, bytes_read) is the place of one in its table. */
enum {
#define TABLE(name, keys, meaning) IOL_FIRST_##name, IOL_BEFORE_##name = IOL_FIRST_##name - 1,
#define COLUMN(table, name, type, meaning) IOL_COLUMN_##table##_##name,
#define INDEX(name, table, columns)
#include "site/store/schema.def"
#undef TABLE
#undef COLUMN
#undef INDEX
    IOL_COLUMNS
};
#define IOL_AT(table, column) (IOL_COLUMN_##table##_##column - IOL_FIRST_##table)

typedef enum iol__column_type {
    IOL_TYPE_KEY,
    IOL_TYPE_INT,
    IOL_TYPE_TIME,
    IOL_TYPE_REAL,
    IOL_TYPE_TEXT
} iol__column_type;

typedef struct iol__column {
    const char *name;
    iol__column_type type;
    const char *meaning;
} iol__column;

typedef struct iol__table {
    const char *name;
    const char *keys; /* columns with commas between */
    const char *meaning;
    const iol__column *columns;
} iol__table;

extern const iol__table iol__tables[IOL_TABLES];
size_t iol__table_width(iol__table_id table);

typedef struct iol__index {
    const char *name, *columns;
    iol__table_id table;
} iol__index;

extern const iol__index iol__indexes[];
extern const size_t iol__indexes_count;

enum { IOL_WIDEST = 96 }; /* columns of the widest table, at most */

typedef enum iol__dialect {
#define DIALECT(name, ...) IOL_DIALECT_##name,
#include "site/store/dialects.def"
#undef DIALECT
    IOL_DIALECTS
} iol__dialect;

/* Whether its rows belong to a log, whose number begins with the month. */
bool iol__table_by_month(iol__table_id table);
/* "CREATE TABLE ..." of a table, "CREATE INDEX ..." of an index. Free them; NULL without memory. */
char *iol__schema_create(iol__dialect dialect, iol__table_id table);
char *iol__schema_index(const iol__index *index);
/* What a column is in this dialect. */
const char *iol__schema_type(iol__dialect dialect, const iol__column *column);

#endif
