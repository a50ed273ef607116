/* Databases: what all kinds share, and SQLite. */
#include "site/connect/database.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/plain_file.h"

struct iol__db_rows {
    const iol__db_driver *driver;
    void *rows;
};

/* SQLite ----------------------------------------------------------------------------------------------------------- */

#if IOL_HAVE_SQLITE
#include <sqlite3.h>

#include "site/sqlite_cut.h"

static void lite_close(void *handle) { sqlite3_close(handle); }

static void *lite_ask(void *handle, const char *query, const char *const *values) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(handle, query, -1, &statement, NULL) != SQLITE_OK) return NULL;
    for (int i = 0; values && values[i]; i++) sqlite3_bind_text(statement, i + 1, values[i], -1, SQLITE_TRANSIENT);
    return statement;
}

static bool lite_next(void *rows) { return sqlite3_step(rows) == SQLITE_ROW; }
static const char *lite_text(void *rows, int column) { return (const char *)sqlite3_column_text(rows, column); }
static int lite_columns(void *rows) { return sqlite3_column_count(rows); }
static const char *lite_column(void *rows, int column) { return sqlite3_column_name(rows, column); }
static void lite_done(void *rows) { sqlite3_finalize(rows); }

static const char *lite_error(void *handle) {
    int code = sqlite3_errcode(handle);
    return code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE ? NULL : sqlite3_errmsg(handle);
}

static const iol__db_driver lite = {lite_close,   lite_ask,    lite_next,  lite_text,
                                    lite_columns, lite_column, lite_error, lite_done};

static iol_status lite_refuse(iol__request *request, const char *path, int state) {
    return iol__refuse(request, IOL_DAMAGED, "%.250s: %s", path, sqlite3_errstr(state));
}

/* A compressed database is decompressed in memory. What can be read of a broken one is not a database. */
static iol_status lite_unpack(iol__request *request, const char *path, sqlite3 *database, int64_t *size) {
    iol__feed feed;
    if (iol__feed_open(path, &feed, request->why) != IOL_OK) return IOL_DAMAGED;
    bool whole = !*request->why;
    unsigned char *copy = whole ? sqlite3_malloc64(feed.length) : NULL;
    int state = SQLITE_NOMEM;
    if (copy) {
        memcpy(copy, feed.bytes, feed.length);
        state = sqlite3_deserialize(database, "main", copy, (sqlite3_int64)feed.length, (sqlite3_int64)feed.length,
                                    SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY);
    }
    *size = (int64_t)feed.length;
    iol__feed_close(&feed);
    if (!whole) return iol__refuse(request, IOL_DAMAGED, "%.250s: the compressed database is not whole", path);
    return state == SQLITE_OK ? IOL_OK : lite_refuse(request, path, state);
}

static iol_status lite_open(iol__request *request, const char *path, iol__db *sql) {
    sqlite3 *database = NULL;
    int64_t size = 0;
    struct stat info = {0};
    bool there = stat(path, &info) == 0;
    if (there && S_ISDIR(info.st_mode))
        return iol__refuse(request, IOL_DAMAGED, "%.250s: this is a directory; expected a database of SQLite", path);
    bool packed = iol__feed_packed(path);
    int state =
        packed ? sqlite3_open(":memory:", &database) : sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL);
    if (!packed && there) size = info.st_size;
    iol_status status = state == SQLITE_OK ? IOL_OK : lite_refuse(request, path, state);
    if (packed && status == IOL_OK) status = lite_unpack(request, path, database, &size);
    if (status == IOL_OK) {
        sqlite3_busy_timeout(database, 5000);
        state = sqlite3_exec(database, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
        if (state != SQLITE_OK) status = lite_refuse(request, path, state);
    }
    if (status == IOL_OK && iol__sqlite_cut(database, size))
        status = iol__refuse(request, IOL_DAMAGED, "%.250s: this database is cut off in the middle of a page", path);
    *sql = (iol__db){&lite, database};
    if (status != IOL_OK) sqlite3_close(database);
    return status;
}

/* Saving */

static void database_bind(sqlite3_stmt *to, int number, const char *text) {
    char *end;
    if (!text) {
        sqlite3_bind_null(to, number);
        return;
    }
    errno = 0;
    long long whole = strtoll(text, &end, 10);
    if (end != text && !*end && errno == 0) {
        sqlite3_bind_int64(to, number, whole);
        return;
    }
    double real = strtod(text, &end);
    if (end != text && !*end && strpbrk(text, ".eE"))
        sqlite3_bind_double(to, number, real);
    else
        sqlite3_bind_text(to, number, text, -1, SQLITE_TRANSIENT);
}

static iol_status save_table(iol__request *request, iol__db *from, sqlite3 *to, const iol__db_copy *copy) {
    iol__arena *arena = request->arena;
    iol__db_rows *rows;
    iol_status status = iol__db_ask(request, from, copy->query, copy->values, &rows);
    if (status != IOL_OK || !rows) return copy->optional ? IOL_OK : status;
    char *names = NULL, *marks = NULL;
    int columns = rows->driver->columns(rows->rows);
    for (int i = 0; i < columns; i++) {
        names = iol__arena_print(arena, "%s%s\"%s\"", names ? names : "", names ? "," : "",
                                 rows->driver->column(rows->rows, i));
        marks = iol__arena_print(arena, "%s?", marks ? iol__arena_print(arena, "%s,", marks) : "");
    }
    sqlite3_stmt *insert = NULL;
    bool good = sqlite3_exec(to,
                             iol__arena_print(arena, "CREATE TABLE IF NOT EXISTS %s (%s, PRIMARY KEY (%s))",
                                              copy->table, names ? names : "", copy->key),
                             NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(to,
                                   iol__arena_print(arena, "INSERT OR REPLACE INTO %s (%s) VALUES (%s)", copy->table,
                                                    names ? names : "", marks ? marks : ""),
                                   -1, &insert, NULL) == SQLITE_OK;
    while (good && iol__db_next(rows)) {
        for (int i = 0; i < columns; i++) database_bind(insert, i + 1, iol__db_text(rows, i));
        good = sqlite3_step(insert) == SQLITE_DONE;
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    status = iol__db_done(request, from, rows);
    return good ? status : iol__refuse(request, IOL_SYSTEM, "%s: %s", copy->table, sqlite3_errmsg(to));
}

iol_status iol__db_save(iol__request *request, iol__db *from, const char *path, const iol__db_copy *copies,
                        size_t count) {
    sqlite3 *to = NULL;
    iol_status status = IOL_OK;
    if (sqlite3_open(path, &to) != SQLITE_OK || sqlite3_busy_timeout(to, 5000) != SQLITE_OK ||
        sqlite3_exec(to, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
        status = iol__refuse(request, IOL_SYSTEM, "%.250s: %s", path, to ? sqlite3_errmsg(to) : "out of memory");
    for (size_t i = 0; i < count && status == IOL_OK; i++) status = save_table(request, from, to, &copies[i]);
    if (status == IOL_OK && sqlite3_exec(to, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        status = iol__refuse(request, IOL_SYSTEM, "%.250s: %s", path, sqlite3_errmsg(to));
    sqlite3_close(to);
    return status;
}

#else

static iol_status lite_open(iol__request *request, const char *path, iol__db *sql) {
    (void)sql;
    return iol__refuse(request, IOL_UNSUPPORTED, "%.250s: no SQLite in this build", path);
}

iol_status iol__db_save(iol__request *request, iol__db *from, const char *path, const iol__db_copy *copies,
                        size_t count) {
    (void)from, (void)copies, (void)count;
    return iol__refuse(request, IOL_UNSUPPORTED, "%.250s: no SQLite in this build", path);
}

#endif

/* All kinds -------------------------------------------------------------------------------------------------------- */

static bool is_server(const char *address) {
    return strncmp(address, "mysql://", 8) == 0 || strncmp(address, "mariadb://", 10) == 0;
}

iol_status iol__db_open(iol__request *request, const char *address, const char *prefix, iol__db **sql) {
    iol__db opened = {0};
    iol_status status = is_server(address) ? iol__mariadb_open(request, address, prefix, &opened)
                                           : lite_open(request, address, &opened);
    *sql = NULL;
    if (status != IOL_OK) return status;
    *sql = iol__arena_alloc(request->arena, 1, sizeof **sql);
    **sql = opened;
    return IOL_OK;
}

const char *iol__db_address(iol__arena *arena, const char *prefix) {
    const char *host = getenv(iol__arena_print(arena, "%s_HOST", prefix)),
               *user = getenv(iol__arena_print(arena, "%s_USER", prefix)),
               *name = getenv(iol__arena_print(arena, "%s_DB", prefix));
    if (!host || !*host) return NULL;
    return iol__arena_print(arena, "mysql://%s%s%s/%s", user ? user : "", user ? "@" : "", host, name ? name : "");
}

void iol__db_close(iol__db *sql) {
    if (sql) sql->driver->close(sql->handle);
}

iol_status iol__db_ask(iol__request *request, iol__db *sql, const char *query, const char *const *values,
                       iol__db_rows **rows) {
    void *asked = sql->driver->ask(sql->handle, query, values);
    *rows = NULL;
    if (!asked) {
        const char *error = sql->driver->error(sql->handle);
        return iol__refuse(request, IOL_DAMAGED, "the database: %.300s", error ? error : "out of memory");
    }
    *rows = iol__arena_alloc(request->arena, 1, sizeof **rows);
    **rows = (iol__db_rows){sql->driver, asked};
    return IOL_OK;
}

bool iol__db_next(iol__db_rows *rows) { return rows->driver->next(rows->rows); }
const char *iol__db_text(iol__db_rows *rows, int column) { return rows->driver->text(rows->rows, column); }

int64_t iol__db_integer(iol__db_rows *rows, int column) {
    const char *text = iol__db_text(rows, column);
    return text ? strtoll(text, NULL, 10) : 0;
}

double iol__db_real(iol__db_rows *rows, int column) {
    const char *text = iol__db_text(rows, column);
    char *end;
    double value = text ? strtod(text, &end) : NAN;
    return text && end != text && !*end ? value : NAN;
}

iol_status iol__db_done(iol__request *request, iol__db *sql, iol__db_rows *rows) {
    const char *error = sql->driver->error(sql->handle);
    iol_status status = error ? iol__refuse(request, IOL_DAMAGED, "the database: %.300s", error) : IOL_OK;
    rows->driver->done(rows->rows);
    return status;
}

/* Secrets ---------------------------------------------------------------------------------------------------------- */

bool iol__secret(iol__request *request, const char *name, const char **secret) {
    const char *path = getenv(iol__arena_print(request->arena, "%s_FILE", name));
    *secret = getenv(name);
    if (*secret || !path || !*path) return true;
    struct stat info;
    char line[4097];
    int fd = iol__plain_file_open(path, INT64_MAX);
    ssize_t length = fd >= 0 && fstat(fd, &info) == 0 ? read(fd, line, sizeof line - 1) : -1;
    int reason = errno;
    if (fd >= 0) close(fd);
    if (length < 0) {
        iol__refuse(request, IOL_SYSTEM, "%.250s: %s", path, iol__plain_file_trouble(reason));
        return false;
    }
    if (info.st_mode & 077) {
        iol__refuse(request, IOL_INVALID, "%.250s: others can read this file; make its mode 0600", path);
        return false;
    }
    line[length] = 0;
    line[strcspn(line, "\r\n")] = 0;
    *secret = iol__arena_copy(request->arena, line);
    return true;
}
