/* What all stores have in common: URLs, values, and the version of the tables. */
#include "site/store/store.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values -------------------------------------------------------------------------------------------------------- */

iol__cell iol__real(double value) {
    if (!isfinite(value)) return iol__null();
    return (iol__cell){.kind = IOL_CELL_REAL, .as.real = value};
}

int64_t iol__cell_integer(const iol__cell *value) {
    if (value->kind == IOL_CELL_INT) return value->as.integer;
    if (value->kind == IOL_CELL_REAL && fabs(value->as.real) < 0x1p63) return (int64_t)value->as.real;
    return 0;
}

double iol__cell_real(const iol__cell *value) {
    if (value->kind == IOL_CELL_REAL) return value->as.real;
    return value->kind == IOL_CELL_INT ? (double)value->as.integer : NAN;
}

const char *iol__cell_text(const iol__cell *value) { return value->kind == IOL_CELL_TEXT ? value->as.text : NULL; }

/* URLs ---------------------------------------------------------------------------------------------------------- */

iol_status iol__store_fail(iol_error *error, iol_status status, const char *format, ...) {
    if (!error) return status;
    *error = (iol_error){.status = status, .slot = -1, .offset = IOL_NO_OFFSET};
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return status;
}

char *iol__store_usual(void) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    char *url = NULL;
    if (data && *data == '/') return asprintf(&url, "sqlite:%s/iolite/index.db", data) < 0 ? NULL : url;
    if (!home || *home != '/') return NULL;
    return asprintf(&url, "sqlite:%s/.local/share/iolite/index.db", home) < 0 ? NULL : url;
}

static iol_status open_url(const char *url, iol__store_mode mode, iol__store **store, iol_error *error) {
    static const char *const later[] = {"postgresql:", "postgres:", "clickhouse:", "clickhouses:"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (strncmp(url, later[i], strlen(later[i])) == 0)
            return iol__store_fail(error, IOL_UNSUPPORTED,
                                   "%.200s: this Iolite has no store of this kind; it has sqlite", url);
#if IOL_HAVE_SQLITE
    if (strncmp(url, "sqlite:", 7) == 0) url += 7;
    if (strncmp(url, "//", 2) == 0) url += 2; /* sqlite:///path */
    return iol__store_sqlite.open(url, mode, store, error);
#else
    (void)mode, (void)store;
    return iol__store_fail(error, IOL_UNSUPPORTED, "%.200s: this Iolite was built without SQLite (libsqlite3-dev)",
                           url);
#endif
}

iol_status iol__store_open(const char *url, iol__store_mode mode, iol__store **store, iol_error *error) {
    *store = NULL;
    if (url && *url) return open_url(url, mode, store, error);
    char *usual = iol__store_usual();
    if (!usual) return iol__store_fail(error, IOL_SYSTEM, "there is no home directory for the index; use --store");
    iol_status status = open_url(usual, mode, store, error);
    free(usual);
    return status;
}

void iol__store_close(iol__store *store) {
    if (store) store->driver->close(store);
}

const char *iol__store_error(const iol__store *store) { return store->error.message; }

/* Calls --------------------------------------------------------------------------------------------------------- */

iol_status iol__store_begin(iol__store *store) { return store->driver->begin(store); }
iol_status iol__store_commit(iol__store *store) { return store->driver->commit(store); }
void iol__store_rollback(iol__store *store) { store->driver->rollback(store); }

iol_status iol__store_put(iol__store *store, iol__table_id table, const iol__cell *values) {
    return store->driver->put(store, table, values);
}

iol_status iol__store_ask(iol__store *store, const char *sql, const iol__cell *values, size_t count, iol__store_row row,
                          void *context) {
    return store->driver->ask(store, sql, values, count, row, context);
}

iol_status iol__store_run(iol__store *store, const char *sql, const iol__cell *values, size_t count) {
    return store->driver->ask(store, sql, values, count, NULL, NULL);
}

static bool take_number(void *context, const iol__cell *values, size_t count) {
    if (count && values->kind != IOL_CELL_NULL) *(int64_t *)context = iol__cell_integer(values);
    return false;
}

iol_status iol__store_number(iol__store *store, const char *sql, const iol__cell *values, size_t count, int64_t missing,
                             int64_t *number) {
    *number = missing;
    return iol__store_ask(store, sql, values, count, take_number, number);
}

/* The version of the tables ------------------------------------------------------------------------------------- */

typedef struct migration {
    int from; /* this version, to the next */
    const char *sql;
} migration;

static const migration migrations[] = {
#define MIGRATION(from, sql) {from, sql},
#include "site/store/migrations.def"
#undef MIGRATION
    {0, NULL},
};

static bool take_version(void *context, const iol__cell *values, size_t count) {
    const char *text = count ? iol__cell_text(values) : NULL;
    if (text) *(int *)context = atoi(text);
    return false;
}

static iol_status write_version(iol__store *store) {
    char version[16];
    snprintf(version, sizeof version, "%d", IOL_SCHEMA_VERSION);
    return iol__store_put(store, IOL_TABLE_meta, (iol__cell[]){iol__text("schema"), iol__text(version)});
}

static iol_status make_tables(iol__store *store) {
    iol_status status = IOL_OK;
    for (int table = 0; status == IOL_OK && table < IOL_TABLES; table++) {
        char *sql = iol__schema_create(store->driver->dialect, (iol__table_id)table);
        if (!sql) return iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
        status = iol__store_run(store, sql, NULL, 0);
        free(sql);
    }
    for (size_t i = 0; status == IOL_OK && i < iol__indexes_count; i++) {
        char *sql = iol__schema_index(&iol__indexes[i]);
        if (!sql) return iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
        status = iol__store_run(store, sql, NULL, 0);
        free(sql);
    }
    return status;
}

/* In one transaction: who comes second finds it done. */
static iol_status bring_up(iol__store *store, int version) {
    iol_status status = IOL_OK;
    for (const migration *m = migrations; m->sql && status == IOL_OK; m++)
        if (version && m->from >= version) status = iol__store_run(store, m->sql, NULL, 0);
    if (status == IOL_OK) status = make_tables(store);
    if (status == IOL_OK) status = write_version(store);
    return status;
}

static iol_status refuse(iol__store *store, const char *name, int version) {
    if (version > IOL_SCHEMA_VERSION)
        return iol__store_fail(&store->error, IOL_UNSUPPORTED,
                               "%.200s: made by a newer Iolite (tables of version %d, this one knows up to %d)", name,
                               version, IOL_SCHEMA_VERSION);
    return iol__store_fail(
        &store->error, IOL_UNSUPPORTED,
        "%.200s: made by an older Iolite (tables of version %d, not %d); `iolite index` brings it up "
        "to date",
        name, version, IOL_SCHEMA_VERSION);
}

iol_status iol__store_prepare(iol__store *store, const char *name, iol__store_mode mode) {
    static const char query[] = "SELECT value FROM meta WHERE name = 'schema'";
    int version = 0;
    /* A store without that table is a new one. */
    if (iol__store_ask(store, query, NULL, 0, take_version, &version) == IOL_OK && version == IOL_SCHEMA_VERSION)
        return IOL_OK;
    if (version > IOL_SCHEMA_VERSION || mode == IOL_STORE_READ) return refuse(store, name, version);
    iol_status status = iol__store_begin(store);
    if (status != IOL_OK) return status;
    version = 0;
    iol__store_ask(store, query, NULL, 0, take_version, &version);
    if (version > IOL_SCHEMA_VERSION)
        status = refuse(store, name, version);
    else if (version < IOL_SCHEMA_VERSION)
        status = bring_up(store, version);
    if (status == IOL_OK) return iol__store_commit(store);
    iol__store_rollback(store);
    return status;
}
