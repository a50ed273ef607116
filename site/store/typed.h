/* Rows of a store as structs. The descriptions of columns (schema.def, and site/query/queries.def for what is not a table) say
   where in a struct the value of each belongs; this is the only code that knows the place of a value in an answer. */
#ifndef IOL_SITE_STORE_TYPED_H
#define IOL_SITE_STORE_TYPED_H

#include "site/store/store.h"

/* From the cells of an answer to members. What is NULL and should not be is 0. Texts live as long as those of the cells. */
void iol__row_read(const iol__column *columns, size_t count, const iol__cell *cells, void *row);
/* One member as a cell. */
iol__cell iol__row_cell(const iol__column *column, const void *row);
/* As people see it: keys of rows cannot be NULL, so a point in time that nobody knows is 0 in the store. */
iol__cell iol__shown_cell(const iol__column *column, iol__cell cell);
/* Texts become copies: `copy` is called for each that is not NULL. */
void iol__row_keep(const iol__column *columns, size_t count, void *row,
                   const char *(*copy)(void *with, const char *text), void *with);

/* A row of a table, all columns, in place of one with the same key: iol__store_put_job(store, &row) and so on. */
#define TABLE(name, keys, meaning) iol_status iol__store_put_##name(iol__store *store, const iol__##name##_row *row);
#define COLUMN(table, name, type, ...)
#define MAYBE(table, name, type, ...)
#define INDEX(name, table, columns)
#include "site/store/schema.def"
#undef TABLE
#undef COLUMN
#undef MAYBE
#undef INDEX

#endif
