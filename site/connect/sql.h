/* SQLite databases that are only read: LMT's and those of jobs. Without the library everything fails with a reason. */
#ifndef IOL_SITE_CONNECT_SQL_H
#define IOL_SITE_CONNECT_SQL_H

#include "site/connect/connect.h"

typedef struct iol__sql iol__sql;
typedef struct iol__rows iol__rows;

iol_status iol__sql_open(iol__request *request, const char *path, iol__sql **sql);
void iol__sql_close(iol__sql *sql);
/* A query with values for its question marks: texts, or NULL at the end. */
iol_status iol__sql_ask(iol__request *request, iol__sql *sql, const char *query, const char *const *values,
                        iol__rows **rows);
/* The next row; false after the last. Columns are numbered from 0. */
bool iol__sql_next(iol__rows *rows);
int64_t iol__sql_integer(iol__rows *rows, int column);
double iol__sql_real(iol__rows *rows, int column); /* NAN for NULL */
const char *iol__sql_text(iol__rows *rows, int column);
/* Ends a query; an error that came up on the way is told here. */
iol_status iol__sql_done(iol__request *request, iol__sql *sql, iol__rows *rows);

#endif
