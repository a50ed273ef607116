/* SQLite, read only. */
#include "site/connect/sqlite_read.h"

#include <math.h>
#include <stdlib.h>

#if IOL_HAVE_SQLITE
#include <sqlite3.h>

iol_status iol__lite_open(iol__request *request, const char *path, iol__lite **sql) {
    sqlite3 *database = NULL;
    int state = sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL);
    if (state == SQLITE_OK) sqlite3_busy_timeout(database, 5000);
    if (state == SQLITE_OK) state = sqlite3_exec(database, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
    *sql = (iol__lite *)database;
    if (state == SQLITE_OK) return IOL_OK;
    iol_status status = iol__refuse(request, IOL_DAMAGED, "%.250s: %s", path, sqlite3_errstr(state));
    sqlite3_close(database);
    return status;
}

void iol__lite_close(iol__lite *sql) { sqlite3_close((sqlite3 *)sql); }

iol_status iol__lite_ask(iol__request *request, iol__lite *sql, const char *query, const char *const *values,
                         iol__lite_rows **rows) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2((sqlite3 *)sql, query, -1, &statement, NULL) != SQLITE_OK)
        return iol__refuse(request, IOL_DAMAGED, "the database: %s", sqlite3_errmsg((sqlite3 *)sql));
    for (int i = 0; values && values[i]; i++) sqlite3_bind_text(statement, i + 1, values[i], -1, SQLITE_TRANSIENT);
    *rows = (iol__lite_rows *)statement;
    return IOL_OK;
}

bool iol__lite_next(iol__lite_rows *rows) { return sqlite3_step((sqlite3_stmt *)rows) == SQLITE_ROW; }
int64_t iol__lite_integer(iol__lite_rows *rows, int column) {
    return sqlite3_column_int64((sqlite3_stmt *)rows, column);
}
double iol__lite_real(iol__lite_rows *rows, int column) {
    sqlite3_stmt *statement = (sqlite3_stmt *)rows;
    return sqlite3_column_type(statement, column) == SQLITE_NULL ? NAN : sqlite3_column_double(statement, column);
}
const char *iol__lite_text(iol__lite_rows *rows, int column) {
    return (const char *)sqlite3_column_text((sqlite3_stmt *)rows, column);
}

iol_status iol__lite_done(iol__request *request, iol__lite *sql, iol__lite_rows *rows) {
    int state = sqlite3_finalize((sqlite3_stmt *)rows);
    if (state == SQLITE_OK) return IOL_OK;
    return iol__refuse(request, IOL_DAMAGED, "the database: %s", sqlite3_errmsg((sqlite3 *)sql));
}

#else

iol_status iol__lite_open(iol__request *request, const char *path, iol__lite **sql) {
    *sql = NULL;
    return iol__refuse(request, IOL_UNSUPPORTED, "%.250s: this build has no SQLite", path);
}
void iol__lite_close(iol__lite *sql) { (void)sql; }
iol_status iol__lite_ask(iol__request *request, iol__lite *sql, const char *query, const char *const *values,
                         iol__lite_rows **rows) {
    (void)sql, (void)query, (void)values;
    *rows = NULL;
    return iol__refuse(request, IOL_UNSUPPORTED, "this build has no SQLite");
}
bool iol__lite_next(iol__lite_rows *rows) { return (void)rows, false; }
int64_t iol__lite_integer(iol__lite_rows *rows, int column) { return (void)rows, column; }
double iol__lite_real(iol__lite_rows *rows, int column) { return (void)rows, (void)column, NAN; }
const char *iol__lite_text(iol__lite_rows *rows, int column) { return (void)rows, (void)column, NULL; }
iol_status iol__lite_done(iol__request *request, iol__lite *sql, iol__lite_rows *rows) {
    (void)request, (void)sql, (void)rows;
    return IOL_UNSUPPORTED;
}
#endif
