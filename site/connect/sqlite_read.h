/* SQLite databases that are only read: LMT's and those of jobs. Without the library everything fails with a reason. */
#ifndef IOL_SITE_CONNECT_SQLITE_READ_H
#define IOL_SITE_CONNECT_SQLITE_READ_H

#include "site/connect/connect.h"

typedef struct iol__lite iol__lite;
typedef struct iol__lite_rows iol__lite_rows;

iol_status iol__lite_open(iol__request *request, const char *path, iol__lite **sql);
void iol__lite_close(iol__lite *sql);
/* A query with values for its question marks: texts, or NULL at the end. */
iol_status iol__lite_ask(iol__request *request, iol__lite *sql, const char *query, const char *const *values,
                         iol__lite_rows **rows);
/* The next row; false after the last. Columns are numbered from 0. */
bool iol__lite_next(iol__lite_rows *rows);
int64_t iol__lite_integer(iol__lite_rows *rows, int column);
double iol__lite_real(iol__lite_rows *rows, int column); /* NAN for NULL */
const char *iol__lite_text(iol__lite_rows *rows, int column);
/* Ends a query; an error that came up on the way is told here. */
iol_status iol__lite_done(iol__request *request, iol__lite *sql, iol__lite_rows *rows);

#endif
