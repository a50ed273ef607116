/* Questions with typed answers. For each table of schema.def and each query of queries.def there are

     iol__NAME_row                        a struct with what was asked for, under its names
     iol__select_NAME(&sql)               starts a statement with its SELECT list; the caller goes on with " FROM ..."
     iol__ask_NAME(&sql, store, take, c)  asks and frees; each row comes to `take` as such a struct, until that returns false
     iol__keep_NAME(arena, row)           the row with its texts in an arena; else they live until `take` returns

   For each query there are iol__NAME_sql and iol__select_NAME_with() too, for expressions that are known only when it is asked,
   and for each table iol__NAME_sql and iol__insert_NAME(), for rows that follow from other rows. */
#ifndef IOL_SITE_QUERY_H
#define IOL_SITE_QUERY_H

#include "base/arena.h"
#include "site/query/sql.h"
#include "site/store/typed.h"

/* Rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
struct iol__before_first_query { int none;
#define QUERY(name) }; struct iol__##name##_row {
#define LIKE(query, table, column) __typeof__(((iol__##table##_row *)0)->column) column;
#define CELL(query, member, type, sql) IOL_MEMBER_##type member;
#define MAYBE(query, member, type, sql) IOL_MAYBE_##type member;
#include "site/query/queries.def"
};
#undef QUERY
#undef LIKE
#undef CELL
#undef MAYBE

/* Expressions in place of columns, or of those of queries.def; NULL: that one. */
struct iol__before_first_table_sql { int none;
#define TABLE(name, keys, meaning) }; struct iol__##name##_sql {
#define COLUMN(table, name, type, ...) const char *name;
#define MAYBE(table, name, type, ...) const char *name;
#define INDEX(name, table, columns)
#include "site/store/schema.def"
};
#undef TABLE
#undef COLUMN
#undef MAYBE
#undef INDEX

struct iol__before_first_sql { int none;
#define QUERY(name) }; struct iol__##name##_sql {
#define LIKE(query, table, column) const char *column;
#define CELL(query, member, type, sql) const char *member;
#define MAYBE(query, member, type, sql) const char *member;
#include "site/query/queries.def"
};
#undef QUERY
#undef LIKE
#undef CELL
#undef MAYBE
/* clang-format on */

/* The descriptions of all members, and which is which: iol__query_cells[IOL_CELL_fs_use_opens]. */
extern const iol__column iol__query_cells[];
enum {
#define QUERY(name) IOL_FIRST_OF_##name, IOL_IN_FRONT_OF_##name = IOL_FIRST_OF_##name - 1,
#define LIKE(query, table, column) IOL_CELL_##query##_##column,
#define CELL(query, member, type, sql) IOL_CELL_##query##_##member,
#define MAYBE(query, member, type, sql) IOL_CELL_##query##_##member,
#include "site/query/queries.def"
#undef QUERY
#undef LIKE
#undef CELL
#undef MAYBE
    IOL_QUERY_CELLS
};

/* Type of a member, and whether it may be NULL: IOL_TYPE_IN_fs_use_opens, IOL_NULLS_IN_fs_use_opens. */
enum {
#define QUERY(name)
#define LIKE(query, table, column)                                        \
    IOL_TYPE_IN_##query##_##column = (int)IOL_TYPE_OF_##table##_##column, \
    IOL_NULLS_IN_##query##_##column = (int)IOL_NULL_IN_##table##_##column,
#define CELL(query, member, type, sql) \
    IOL_TYPE_IN_##query##_##member = IOL_TYPE_##type, IOL_NULLS_IN_##query##_##member = false,
#define MAYBE(query, member, type, sql) \
    IOL_TYPE_IN_##query##_##member = IOL_TYPE_##type, IOL_NULLS_IN_##query##_##member = true,
#include "site/query/queries.def"
#undef QUERY
#undef LIKE
#undef CELL
#undef MAYBE
};

/* Calls --------------------------------------------------------------------------------------------------------- */

#define IOL_ASKED(name)                                                                                   \
    void iol__select_##name(iol__sql *sql);                                                               \
    iol_status iol__ask_##name(iol__sql *sql, iol__store *store,                                          \
                               bool (*take)(void *context, const iol__##name##_row *row), void *context); \
    iol__##name##_row iol__keep_##name(iol__arena *arena, const iol__##name##_row *row);

/* Starts a statement that inserts what a SELECT list gives: expressions come in the order of the table's columns, and a
   column without one is that of the same name. The caller goes on with " FROM ...". */
#define TABLE(name, keys, meaning)                      \
    typedef struct iol__##name##_sql iol__##name##_sql; \
    IOL_ASKED(name)                                     \
    void iol__insert_##name(iol__sql *sql, const iol__##name##_sql *given);
#define COLUMN(table, name, type, ...)
#define MAYBE(table, name, type, ...)
#define INDEX(name, table, columns)
#include "site/store/schema.def"
#undef TABLE
#undef COLUMN
#undef MAYBE
#undef INDEX

#define QUERY(name)                                     \
    typedef struct iol__##name##_row iol__##name##_row; \
    typedef struct iol__##name##_sql iol__##name##_sql; \
    IOL_ASKED(name)                                     \
    void iol__select_##name##_with(iol__sql *sql, const iol__##name##_sql *given);
#define LIKE(query, table, column)
#define CELL(query, member, type, sql)
#define MAYBE(query, member, type, sql)
#include "site/query/queries.def"
#undef QUERY
#undef LIKE
#undef CELL
#undef MAYBE

#endif
