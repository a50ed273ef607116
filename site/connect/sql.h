/* SQLite databases that are only read: LMT's and those of jobs. Without the library everything fails with a reason. */
#ifndef IOL_SITE_CONNECT_SQL_H
#define IOL_SITE_CONNECT_SQL_H

#include "site/connect/connect.h"

typedef struct iol__db iol__db;
typedef struct iol__rows iol__rows;

iol_status iol__db_open(iol__request *request, const char *path, iol__db **sql);
void iol__db_close(iol__db *sql);
/* A query with values for its question marks: texts, or NULL at the end. */
iol_status iol__db_ask(iol__request *request, iol__db *sql, const char *query, const char *const *values,
                        iol__rows **rows);
/* The next row; false after the last. Columns are numbered from 0. */
bool iol__db_next(iol__rows *rows);
int64_t iol__db_integer(iol__rows *rows, int column);
double iol__db_real(iol__rows *rows, int column); /* NAN for NULL */
const char *iol__db_text(iol__rows *rows, int column);
/* Ends a query; an error that came up on the way is told here. */
iol_status iol__db_done(iol__request *request, iol__db *sql, iol__rows *rows);

#endif
