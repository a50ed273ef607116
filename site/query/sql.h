/* A statement that is put together piece by piece, with its values. */
#ifndef IOL_SITE_SQL_H
#define IOL_SITE_SQL_H

#include <stdio.h>

#include "site/store/store.h"

enum { IOL_SQL_VALUES = 2200, IOL_SQL_LIST = 1024 };

typedef struct iol__sql {
    FILE *to;
    char *text;
    size_t length;
    iol__cell values[IOL_SQL_VALUES];
    char *owned[256]; /* texts made here */
    size_t count, n_owned;
    bool where;                  /* there is a condition already */
    const iol__column *selected; /* what it asks for, by query.h; NULL: by hand */
    bool failed;
} iol__sql;

void iol__sql_start(iol__sql *sql);
void iol__sql_add(iol__sql *sql, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* " WHERE" or " AND". */
void iol__sql_and(iol__sql *sql);
void iol__sql_value(iol__sql *sql, iol__cell value);
/* Conditions on a column: one of the patterns of SQL matches, or none does. Letter case does not matter. `or_column` NULL:
   only the one. */
void iol__sql_like(iol__sql *sql, const char *column, const char *or_column, const char *const *patterns, size_t count,
                   bool negate);
/* The column is one of `count` values, at most IOL_SQL_LIST. */
void iol__sql_in(iol__sql *sql, const char *column, const iol__cell *values, size_t count);
/* Days from and to, of the column `day`. 0: any. */
void iol__sql_days(iol__sql *sql, const char *column, int64_t since, int64_t until);
/* Asks and frees. Rows of queries by hand, whose list of columns the caller has and goes through; else see query.h. */
iol_status iol__sql_ask(iol__sql *sql, iol__store *store, iol__store_row row, void *context);

/* The one number that it gives; `missing` if it gives none. */
iol_status iol__sql_number(iol__sql *sql, iol__store *store, int64_t missing, int64_t *number);

#endif
