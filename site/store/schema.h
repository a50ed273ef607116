/* The tables of the index as C knows them, made from schema.def: enums, descriptions of columns, and for each table a struct
   of its rows, iol__TABLE_row, whose members are its columns. */
#ifndef IOL_SITE_STORE_SCHEMA_H
#define IOL_SITE_STORE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Raised when tables of an older version need more than new columns; migrations.def says how they get here. Columns that
   are only new are added by themselves. */
enum { IOL_SCHEMA_VERSION = 5 };

typedef enum iol__table_id {
#define TABLE(name, keys, meaning) IOL_TABLE_##name,
#define COLUMN(table, name, type, ...)
#define MAYBE(table, name, type, ...)
#define INDEX(name, table, columns)
#include "site/store/schema.def"
#undef TABLE
#undef COLUMN
#undef MAYBE
#undef INDEX
    IOL_TABLES
} iol__table_id;

/* All columns in one sequence: IOL_AT(log, bytes_read) is the place of one in its table. */
enum {
#define TABLE(name, keys, meaning) IOL_FIRST_##name, IOL_BEFORE_##name = IOL_FIRST_##name - 1,
#define COLUMN(table, name, type, ...) IOL_COLUMN_##table##_##name,
#define MAYBE(table, name, type, ...) IOL_COLUMN_##table##_##name,
#define INDEX(name, table, columns)
#include "site/store/schema.def"
#undef TABLE
#undef COLUMN
#undef MAYBE
#undef INDEX
    IOL_COLUMNS
};
#define IOL_AT(table, column) (IOL_COLUMN_##table##_##column - IOL_FIRST_##table)

typedef enum iol__column_type {
    IOL_TYPE_KEY,
    IOL_TYPE_INT,
    IOL_TYPE_TIME,
    IOL_TYPE_WHEN,
    IOL_TYPE_REAL,
    IOL_TYPE_TEXT,
    IOL_TYPES
} iol__column_type;

/* Type of a column, and whether it may be NULL, for tables of queries: IOL_TYPE_OF_log_start, IOL_NULL_IN_log_start. */
enum {
#define TABLE(name, keys, meaning)
#define COLUMN(table, name, type, ...) \
    IOL_TYPE_OF_##table##_##name = IOL_TYPE_##type, IOL_NULL_IN_##table##_##name = false,
#define MAYBE(table, name, type, ...) \
    IOL_TYPE_OF_##table##_##name = IOL_TYPE_##type, IOL_NULL_IN_##table##_##name = true,
#define INDEX(name, table, columns)
#include "site/store/schema.def"
#undef TABLE
#undef COLUMN
#undef MAYBE
#undef INDEX
};

/* Rows ---------------------------------------------------------------------------------------------------------- */

/* A number of a column that may be NULL. Texts that are not known are NULL pointers, reals are NAN. */
typedef struct iol__maybe {
    int64_t value; /* 0 if it is not known */
    bool known;
} iol__maybe;

static inline iol__maybe iol__known(int64_t value) { return (iol__maybe){value, true}; }
static inline int64_t iol__known_or(iol__maybe number, int64_t otherwise) {
    return number.known ? number.value : otherwise;
}

/* What a member of a row is, by the type of its column. */
#define IOL_MEMBER_KEY int64_t
#define IOL_MEMBER_INT int64_t
#define IOL_MEMBER_TIME int64_t
#define IOL_MEMBER_WHEN int64_t
#define IOL_MEMBER_REAL double
#define IOL_MEMBER_TEXT const char *
#define IOL_MAYBE_KEY iol__maybe
#define IOL_MAYBE_INT iol__maybe
#define IOL_MAYBE_TIME iol__maybe
#define IOL_MAYBE_WHEN iol__maybe
#define IOL_MAYBE_REAL double
#define IOL_MAYBE_TEXT const char *

/* clang-format off */
struct iol__before_first_row { int none;
#define TABLE(name, keys, meaning) }; struct iol__##name##_row {
#define COLUMN(table, name, type, ...) IOL_MEMBER_##type name;
#define MAYBE(table, name, type, ...) IOL_MAYBE_##type name;
#define INDEX(name, table, columns)
#include "site/store/schema.def"
};
#undef TABLE
#undef COLUMN
#undef MAYBE
#define TABLE(name, keys, meaning) typedef struct iol__##name##_row iol__##name##_row;
#define COLUMN(table, name, type, ...)
#define MAYBE(table, name, type, ...)
#include "site/store/schema.def"
#undef TABLE
#undef COLUMN
#undef MAYBE
#undef INDEX
/* clang-format on */

/* Descriptions -------------------------------------------------------------------------------------------------- */

typedef enum iol__shown_unit { IOL_SHOWN_COUNT, IOL_SHOWN_BYTES, IOL_SHOWN_SHARE } iol__shown_unit;

/* A place in a list that people see; without a name it is not in the list. */
typedef struct iol__shown {
    int order;
    const char *name;
    int width, place; /* of `iolite jobs` */
} iol__shown;

typedef struct iol__column {
    const char *name;
    iol__column_type type;
    bool maybe; /* may be NULL */
    const char *meaning;
    size_t offset;   /* of the member in the struct of a row */
    const char *sql; /* what a query asks for; NULL: the column itself */
    iol__shown jobs, api, portal;
    const char *metric;
    iol__shown_unit unit;
    bool of_logs; /* 0 in the table where a job has no log, and not known to whoever is shown it */
} iol__column;

typedef struct iol__table {
    const char *name;
    const char *keys; /* columns with commas between */
    const char *meaning;
    const iol__column *columns;
} iol__table;

extern const iol__table iol__tables[IOL_TABLES];
size_t iol__table_width(iol__table_id table);

/* Columns of `job` that one of its lists shows, in the order of the list. How many there are; at most IOL_WIDEST. */
/* Columns of the portal from this place on are shown when they are chosen. */
enum { IOL_PORTAL_CHOSEN = 1000 };
typedef enum iol__job_view { IOL_VIEW_JOBS, IOL_VIEW_API, IOL_VIEW_PORTAL } iol__job_view;
size_t iol__job_shown(iol__job_view view, const iol__column **columns);

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
