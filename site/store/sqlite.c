/* The index in one SQLite file. Write-ahead logging, so that readers do not wait for the writer and a killed writer
   costs nothing but its own last transaction. Statements are prepared once and kept. */
#if IOL_HAVE_SQLITE
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "base/deadline.h"
#include "site/store/rows.h"
#include "site/store/store.h"
#include "site/sqlite_cut.h"

enum { PATIENCE_MS = 60000, CACHED = 64, STEPS_BETWEEN_LOOKS = 20000 };

typedef struct prepared {
    const char *given; /* the text it was asked with, which most callers ask with again */
    char *sql;
    sqlite3_stmt *statement;
} prepared;

typedef struct sqlite_store {
    iol__store base;
    sqlite3 *db;
    char *path;
    sqlite3_stmt *puts[IOL_TABLES];
    prepared cache[CACHED];
    size_t n_cached;
} sqlite_store;

static sqlite_store *own(iol__store *store) { return (sqlite_store *)store; }

/* What SQLite says, in words that tell what to do. */
static iol_status fail(sqlite_store *s, const char *doing) {
    int code = sqlite3_errcode(s->db) & 0xff;
    const char *help = code == SQLITE_BUSY || code == SQLITE_LOCKED
                           ? "another process is writing to it and does not end"
                       : code == SQLITE_INTERRUPT ? "the answer took too long"
                       : code == SQLITE_FULL      ? "the disk is full"
                       : code == SQLITE_NOTADB    ? "this is not an index: the file is something else"
                       : code == SQLITE_READONLY  ? "it may only be read here"
                       : code == SQLITE_CANTOPEN  ? "it cannot be opened"
                                                  : sqlite3_errmsg(s->db);
    return iol__store_fail(&s->base.error, code == SQLITE_NOTADB ? IOL_NOT_A_LOG : IOL_SYSTEM, "%.200s: %s (%s)",
                           s->path, help, doing);
}

/* IOLITE_STORE_TIMEOUT: seconds to wait for other writers. */
static int wait_for_others(void *data, int tries) {
    const sqlite_store *s = data;
    const char *own = getenv("IOLITE_STORE_TIMEOUT");
    if (iol__is_past(s->base.deadline)) return 0;
    if (tries * 10 > (own ? atoi(own) * 1000 : PATIENCE_MS)) return 0;
    usleep(10000);
    return 1;
}

/* Statements ---------------------------------------------------------------------------------------------------- */

static int bind_one(sqlite3_stmt *statement, int place, const iol__cell *value) {
    switch (value->kind) {
    case IOL_CELL_INT: return sqlite3_bind_int64(statement, place, value->as.integer);
    case IOL_CELL_REAL: return sqlite3_bind_double(statement, place, value->as.real);
    case IOL_CELL_TEXT: return sqlite3_bind_text(statement, place, value->as.text, -1, SQLITE_STATIC);
    case IOL_CELL_NULL: break;
    }
    return sqlite3_bind_null(statement, place);
}

static iol_status run_put(sqlite_store *s, sqlite3_stmt *statement, const iol__cell *values, size_t count) {
    int code = SQLITE_OK;
    for (size_t i = 0; i < count && code == SQLITE_OK; i++) code = bind_one(statement, (int)i + 1, &values[i]);
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    iol_status status = code == SQLITE_DONE ? IOL_OK : fail(s, "writing");
    sqlite3_reset(statement);
    return status;
}

static sqlite3_stmt *put_statement(sqlite_store *s, iol__table_id table) {
    if (s->puts[table]) return s->puts[table];
    iol__rows sql = {0};
    const size_t width = iol__table_width(table);
    iol__rows_text(&sql, "INSERT OR REPLACE INTO ");
    iol__rows_text(&sql, iol__tables[table].name);
    for (size_t i = 0; i < width; i++) { /* a column that was added later stands elsewhere in the file */
        iol__rows_text(&sql, i ? ", " : " (");
        iol__rows_text(&sql, iol__tables[table].columns[i].name);
    }
    for (size_t i = 0; i < width; i++) iol__rows_text(&sql, i ? ", ?" : ") VALUES (?");
    iol__rows_text(&sql, ")");
    if (!sql.failed &&
        sqlite3_prepare_v3(s->db, sql.bytes, -1, SQLITE_PREPARE_PERSISTENT, &s->puts[table], NULL) != SQLITE_OK)
        s->puts[table] = NULL;
    iol__rows_free(&sql);
    return s->puts[table];
}

static iol_status sqlite_put(iol__store *store, iol__table_id table, const iol__cell *values) {
    sqlite_store *s = own(store);
    sqlite3_stmt *statement = put_statement(s, table);
    return statement ? run_put(s, statement, values, iol__table_width(table)) : fail(s, "writing");
}

/* The statement of a query that was asked before, or a new one; those beyond the first few are not kept. */
static sqlite3_stmt *statement_of(sqlite_store *s, const char *sql, bool *kept) {
    *kept = true;
    for (size_t i = 0; i < s->n_cached; i++)
        if (s->cache[i].given == sql && strcmp(s->cache[i].sql, sql) == 0 && !sqlite3_stmt_busy(s->cache[i].statement))
            return s->cache[i].statement;
    for (size_t i = 0; i < s->n_cached; i++)
        if (strcmp(s->cache[i].sql, sql) == 0 && !sqlite3_stmt_busy(s->cache[i].statement))
            return s->cache[i].statement;
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL) != SQLITE_OK) return NULL;
    char *copy = s->n_cached < CACHED ? strdup(sql) : NULL;
    *kept = copy != NULL;
    if (copy) s->cache[s->n_cached++] = (prepared){sql, copy, statement};
    return statement;
}

static iol__cell column(sqlite3_stmt *statement, int i) {
    switch (sqlite3_column_type(statement, i)) {
    case SQLITE_INTEGER: return iol__integer(sqlite3_column_int64(statement, i));
    case SQLITE_FLOAT: return iol__real(sqlite3_column_double(statement, i));
    case SQLITE_TEXT: return iol__text((const char *)sqlite3_column_text(statement, i));
    default: return iol__null();
    }
}

static int take_rows(sqlite3_stmt *statement, iol__store_row row, void *context) {
    iol__cell values[IOL_WIDEST];
    int code, count = sqlite3_column_count(statement);
    if (count > IOL_WIDEST) count = IOL_WIDEST;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (!row) continue;
        for (int i = 0; i < count; i++) values[i] = column(statement, i);
        if (!row(context, values, (size_t)count)) return SQLITE_DONE;
    }
    return code;
}

static iol_status sqlite_ask(iol__store *store, const char *sql, const iol__cell *values, size_t count,
                             iol__store_row row, void *context) {
    sqlite_store *s = own(store);
    bool kept;
    sqlite3_stmt *statement = statement_of(s, sql, &kept);
    if (!statement) return fail(s, sql);
    int code = SQLITE_OK;
    for (size_t i = 0; i < count && code == SQLITE_OK; i++) code = bind_one(statement, (int)i + 1, &values[i]);
    if (code == SQLITE_OK) code = take_rows(statement, row, context);
    iol_status status = code == SQLITE_DONE ? IOL_OK : fail(s, "asking");
    if (kept) {
        sqlite3_reset(statement);
        sqlite3_clear_bindings(statement);
    } else {
        sqlite3_finalize(statement);
    }
    return status;
}

static iol_status sqlite_begin(iol__store *store) { return sqlite_ask(store, "BEGIN IMMEDIATE", NULL, 0, NULL, NULL); }
static iol_status sqlite_commit(iol__store *store) { return sqlite_ask(store, "COMMIT", NULL, 0, NULL, NULL); }
static void sqlite_rollback(iol__store *store) {
    iol_error before = store->error; /* the reason, which the rollback does not change */
    if (!sqlite3_get_autocommit(own(store)->db)) sqlite_ask(store, "ROLLBACK", NULL, 0, NULL, NULL);
    store->error = before;
}

/* Limits -------------------------------------------------------------------------------------------------------- */

static int is_late(void *data) { return iol__is_past(((const sqlite_store *)data)->base.deadline); }

/* It works in the asker's own thread, so that the deadline alone ends it. */
static iol_status sqlite_limit(iol__store *store, double seconds) {
    (void)seconds;
    sqlite3_progress_handler(own(store)->db, STEPS_BETWEEN_LOOKS, is_late, store);
    return IOL_OK;
}

/* Opening ------------------------------------------------------------------------------------------------------- */

static void sqlite_close(iol__store *store) {
    sqlite_store *s = own(store);
    for (int i = 0; i < IOL_TABLES; i++) sqlite3_finalize(s->puts[i]);
    for (size_t i = 0; i < s->n_cached; i++) {
        sqlite3_finalize(s->cache[i].statement);
        free(s->cache[i].sql);
    }
    sqlite3_close(s->db);
    free(s->path);
    free(s);
}

/* The directories above a file, as `mkdir -p` makes them. */
static void make_parents(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
}

static iol_status sqlite_has_table(iol__store *store, const char *name, bool *there) {
    int64_t found = 0;
    iol__cell value = iol__text(name);
    iol_status status = iol__store_number(store, "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?",
                                          &value, 1, 0, &found);
    *there = found > 0;
    return status;
}

static bool has_table(sqlite_store *s, const char *name) {
    bool there = false;
    return sqlite_has_table(&s->base, name, &there) == IOL_OK && there;
}

static iol_status sqlite_add_column(iol__store *store, iol__table_id table, const iol__column *column) {
    char sql[200];
    int64_t there = 0;
    const iol__cell names[] = {iol__text(iol__tables[table].name), iol__text(column->name)};
    iol_status status =
        iol__store_number(store, "SELECT COUNT(*) FROM pragma_table_info(?) WHERE name = ?", names, 2, 0, &there);
    if (status != IOL_OK || there || !has_table(own(store), iol__tables[table].name)) return status;
    snprintf(sql, sizeof sql, "ALTER TABLE %s ADD COLUMN %s %s", iol__tables[table].name, column->name,
             iol__schema_type(store->driver->dialect, column));
    return iol__store_run(store, sql, NULL, 0);
}

/* The tables of the reference's index, for whoever has queries for them. */
static iol_status make_views(sqlite_store *s) {
    static const char *const views[] = {
        "CREATE VIEW IF NOT EXISTS mounts AS SELECT mount_id AS fs_id, mountpt, fs AS fsname FROM mount",
        "CREATE VIEW IF NOT EXISTS headers AS SELECT log.log_id AS log_id, place.name AS filename, "
        "log.ended / 1000000 AS end_time, log.exe AS exe, log.exename AS exename, log.jobid AS jobid, log.nprocs AS "
        "nprocs, "
        "log.start / 1000000 AS start_time, log.uid AS uid, place.username AS username, log.log_version AS version, "
        "log.ended / 1000000 - log.start / 1000000 + 1 AS walltime FROM log JOIN place ON log.log_id = place.log_id",
        "CREATE VIEW IF NOT EXISTS summaries AS SELECT log_id, mount_id AS fs_id, posix_files, stdio_files"
#define FS_COUNTER(name, posix, stdio) ", " #name
#define FS_TIME(name, counter, least) ", " #name " / 1000000.0 AS " #name
#include "site/fs_counters.def"
#undef FS_COUNTER
#undef FS_TIME
        " FROM log_fs"};
    iol_status status = IOL_OK;
    for (size_t i = 0; status == IOL_OK && i < IOL_COUNT(views); i++)
        status = sqlite_ask(&s->base, views[i], NULL, 0, NULL, NULL);
    return status;
}

static iol_status settle(sqlite_store *s, iol__store_mode mode) {
    /* A writer keeps its memory small; a reader's is the page cache. */
    static const char *const for_writers[] = {"PRAGMA journal_mode = WAL",
                                              "PRAGMA synchronous = NORMAL",
                                              "PRAGMA cache_size = -32768",
                                              "PRAGMA temp_store = MEMORY",
                                              "PRAGMA journal_size_limit = 67108864",
                                              "PRAGMA wal_autocheckpoint = 4000",
                                              NULL};
    static const char *const for_readers[] = {"PRAGMA mmap_size = 4294967296", "PRAGMA cache_size = -16384",
                                              "PRAGMA temp_store = MEMORY", NULL};
    sqlite3_busy_handler(s->db, wait_for_others, s);
    sqlite3_extended_result_codes(s->db, 1);
    const iol_status tables_read = sqlite_ask(&s->base, "SELECT COUNT(*) FROM sqlite_master", NULL, 0, NULL, NULL);
    /* The list of tables may have been in what is lacking. */
    const bool readable = tables_read == IOL_OK || (sqlite3_errcode(s->db) & 0xff) == SQLITE_CORRUPT;
    struct stat info;
    if (mode == IOL_STORE_READ && readable && stat(s->path, &info) == 0 && iol__sqlite_cut(s->db, info.st_size))
        return iol__store_fail(&s->base.error, IOL_DAMAGED, "%.200s: this database is cut off in the middle of a page",
                               s->path);
    if (tables_read != IOL_OK) return s->base.error.status;
    bool ours = has_table(s, "meta") && has_table(s, "log");
    s->base.reference = !ours && has_table(s, "headers") && has_table(s, "summaries") && has_table(s, "mounts");
    if (s->base.reference && mode == IOL_STORE_READ) return IOL_OK;
    int64_t tables = 0;
    iol__store_number(&s->base, "SELECT COUNT(*) FROM sqlite_master", NULL, 0, 0, &tables);
    if (!ours && (tables || mode == IOL_STORE_READ))
        return iol__store_fail(&s->base.error, IOL_NOT_A_LOG, "%.200s: this database is not an index of Iolite%s",
                               s->path, s->base.reference ? "; that of the reference can only be read" : "");
    for (const char *const *setting = mode == IOL_STORE_READ ? for_readers : for_writers; *setting; setting++)
        if (sqlite_ask(&s->base, *setting, NULL, 0, NULL, NULL) != IOL_OK) return s->base.error.status;
    iol_status status = iol__store_prepare(&s->base, s->path, mode);
    return status == IOL_OK && mode == IOL_STORE_WRITE ? make_views(s) : status;
}

static iol_status cannot_open(const char *path, int reason, iol_error *error) {
    if (reason == ENOENT)
        return iol__store_fail(error, IOL_SYSTEM, "%.200s: there is no index yet; `iolite index LOGS` makes one", path);
    return iol__store_fail(error, IOL_SYSTEM, "%.200s: %s", path, strerror(reason));
}

/* Users, programs and names of files are nobody's business but the owner's and the group's. SQLite gives the files beside it
   the same mode. */
static void make_private(const char *path) {
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
    if (fd >= 0) close(fd);
}

/* The write-ahead log and its shared memory stay when the last writer leaves: whoever may only read cannot make them. */
static void keep_log(sqlite3 *db) {
    int on = 1;
    sqlite3_file_control(db, "main", SQLITE_FCNTL_PERSIST_WAL, &on);
}

static iol_status sqlite_open(const char *path, iol__store_mode mode, int64_t deadline, iol__store **store,
                              iol_error *error) {
    sqlite_store *s = calloc(1, sizeof *s);
    if (!s || !(s->path = strdup(path))) {
        free(s);
        return iol__store_fail(error, IOL_SYSTEM, "out of memory");
    }
    s->base.driver = &iol__store_sqlite;
    s->base.deadline = deadline;
    bool write = mode == IOL_STORE_WRITE;
    if (write) make_parents(s->path);
    if (write) make_private(s->path);
    /* A reader of a store with a write-ahead log needs its shared memory, which the writers leave there. */
    int flags = SQLITE_OPEN_NOMUTEX | (write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY);
    iol_status status;
    if (access(path, F_OK) != 0 && (!write || errno != ENOENT)) {
        status = cannot_open(path, errno, error);
    } else if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK) {
        status = fail(s, "opening");
        if (error) *error = s->base.error;
    } else {
        if (write) keep_log(s->db);
        status = settle(s, mode);
        if (error) *error = s->base.error;
    }
    if (status == IOL_OK)
        *store = &s->base;
    else
        sqlite_close(&s->base);
    return status;
}

const iol__store_driver iol__store_sqlite = {
    .name = "sqlite",
    .dialect = IOL_DIALECT_SQLITE,
    .atomic = true,
    .local = true,
    .batch = 500,
    .open = sqlite_open,
    .close = sqlite_close,
    .begin = sqlite_begin,
    .commit = sqlite_commit,
    .rollback = sqlite_rollback,
    .put = sqlite_put,
    .ask = sqlite_ask,
    .add_column = sqlite_add_column,
    .has_table = sqlite_has_table,
    .limit = sqlite_limit,
};
#endif
