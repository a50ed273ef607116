/* What all stores have in common: URLs, values, and the version of the tables. */
#include "site/store/store.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/count.h"
#include "base/deadline.h"
#include "log/error.h"
#include "site/store/typed.h"

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
    va_list args;
    va_start(args, format);
    iol__error_message(error, status, format, args);
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

typedef struct scheme {
    const char *name;
    const iol__store_driver *driver; /* NULL: this build has none */
    bool path;                       /* the rest is the name of a file */
    const char *missing;
} scheme;

static const scheme schemes[] = {
#define SCHEME(name, driver, path, missing) {name, driver, path, missing},
#include "site/store/schemes.def"
#undef SCHEME
};

static iol_status open_url(const char *url, iol__store_mode mode, int64_t deadline, iol__store **store,
                           iol_error *error) {
    const scheme *found = &schemes[0]; /* a path alone */
    for (size_t i = 0; i < IOL_COUNT(schemes); i++)
        if (strncmp(url, schemes[i].name, strlen(schemes[i].name)) == 0) found = &schemes[i];
    if (!found->driver)
        return iol__store_fail(error, IOL_UNSUPPORTED, "%.200s: this Iolite was built without %s", url, found->missing);
    if (found->path && strncmp(url, found->name, strlen(found->name)) == 0) url += strlen(found->name);
    if (found->path && strncmp(url, "//", 2) == 0) url += 2; /* sqlite:///path */
    /* The library would wait for a pipe. */
    struct stat facts;
    if (found->path && stat(url, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode))
        return iol__store_fail(error, IOL_INVALID, "%.200s: not a regular file, so not an index", url);
    return found->driver->open(url, mode, deadline, store, error);
}

iol_status iol__store_open(const char *url, iol__store_mode mode, iol__store **store, iol_error *error) {
    return iol__store_open_by(url, mode, 0, store, error);
}

iol_status iol__store_open_by(const char *url, iol__store_mode mode, int64_t deadline, iol__store **store,
                              iol_error *error) {
    *store = NULL;
    if (url && *url) return open_url(url, mode, deadline, store, error);
    char *usual = iol__store_usual();
    if (!usual) return iol__store_fail(error, IOL_SYSTEM, "there is no home directory for the index; use --store");
    iol_status status = open_url(usual, mode, deadline, store, error);
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
    if (iol__is_past(store->deadline))
        return iol__store_fail(&store->error, IOL_SYSTEM, "there is no time left to ask the store");
    return store->driver->ask(store, sql, values, count, row, context);
}

iol_status iol__store_run(iol__store *store, const char *sql, const iol__cell *values, size_t count) {
    return iol__store_ask(store, sql, values, count, NULL, NULL);
}

iol_status iol__store_limit(iol__store *store, double seconds) {
    return store->driver->limit ? store->driver->limit(store, seconds) : IOL_OK;
}

iol_status iol__store_expect(iol__store *store, const int64_t *months, size_t count) {
    return store->driver->expect && count ? store->driver->expect(store, months, count) : IOL_OK;
}

static int store_by_number(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

iol_status iol__store_guard(iol__store *store, int64_t *keys, size_t count, bool alone) {
    size_t n = 0;
    if (!store->driver->guard || !count) return IOL_OK;
    qsort(keys, count, sizeof *keys, store_by_number);
    for (size_t i = 0; i < count; i++)
        if (!n || keys[n - 1] != keys[i]) keys[n++] = keys[i];
    return store->driver->guard(store, keys, n, alone);
}

int64_t iol__log_month(int64_t day) {
    int64_t month = (day / 10000 - 1970) * 12 + day / 100 % 100 - 1;
    return month < 0 ? 0 : month < IOL_MONTHS ? month : IOL_MONTHS - 1;
}

int64_t iol__hash_texts(const char *a, const char *b) {
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a, stirred at the end */
    for (; *a; a++) hash = (hash ^ (unsigned char)*a) * 0x100000001b3u;
    hash *= 0x100000001b3u; /* between the two */
    for (; *b; b++) hash = (hash ^ (unsigned char)*b) * 0x100000001b3u;
    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
    hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53u;
    return (int64_t)((hash ^ hash >> 33) >> 1);
}

int64_t iol__log_number(const char *cluster, const char *identity, int64_t day) {
    int64_t low = iol__hash_texts(cluster, identity) & ((INT64_C(1) << IOL_MONTH_SHIFT) - 1);
    return iol__log_month(day) << IOL_MONTH_SHIFT | low;
}

static bool take_store_number(void *context, const iol__cell *values, size_t count) {
    if (count && values->kind != IOL_CELL_NULL) *(int64_t *)context = iol__cell_integer(values);
    return false;
}

iol_status iol__store_number(iol__store *store, const char *sql, const iol__cell *values, size_t count, int64_t missing,
                             int64_t *number) {
    *number = missing;
    return iol__store_ask(store, sql, values, count, take_store_number, number);
}

/* The version of the tables ------------------------------------------------------------------------------------- */

/* One of the two. */
typedef struct migration {
    int from; /* this version, to the next */
    const char *sql;
    const char *index;
} migration;

static const migration migrations[] = {
#define MIGRATION(from, sql) {from, sql, NULL},
#define UNUSED(from, index) {from, NULL, #index},
#include "site/store/migrations.def"
#undef MIGRATION
#undef UNUSED
};

/* What a store has: the version of its tables, and how many columns they have together. Columns are added, never taken
   away. */
typedef struct state_of_tables {
    int version; /* -1: there are none */
    int columns;
} state_of_tables;

enum { COLUMNS_UNTOLD = 347 }; /* of stores that do not say: the first of version 4 */

static const state_of_tables wanted = {IOL_SCHEMA_VERSION, IOL_COLUMNS};

static bool take_store_fact(void *context, const iol__cell *cells, size_t count) {
    state_of_tables *state = context;
    iol__meta_row fact;
    if (count != iol__table_width(IOL_TABLE_meta)) return false;
    iol__row_read(iol__tables[IOL_TABLE_meta].columns, count, cells, &fact);
    if (fact.name && fact.value && strcmp(fact.name, "schema") == 0) state->version = atoi(fact.value);
    if (fact.name && fact.value && strcmp(fact.name, "columns") == 0) state->columns = atoi(fact.value);
    return true;
}

static iol_status write_state(iol__store *store) {
    char version[16], columns[16];
    snprintf(version, sizeof version, "%d", wanted.version);
    snprintf(columns, sizeof columns, "%d", wanted.columns);
    iol_status status = iol__store_put_meta(store, &(iol__meta_row){.name = "schema", .value = version});
    if (status == IOL_OK) status = iol__store_put_meta(store, &(iol__meta_row){.name = "columns", .value = columns});
    return status;
}

static iol_status make_tables(iol__store *store) {
    iol_status status = IOL_OK;
    if (store->driver->make) return store->driver->make(store);
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

/* Stores with tables of their own have no indexes. */
static iol_status drop_index(iol__store *store, const char *name) {
    char sql[100];
    if (store->driver->make) return IOL_OK;
    snprintf(sql, sizeof sql, "DROP INDEX IF EXISTS %s", name);
    return iol__store_run(store, sql, NULL, 0);
}

static iol_status migrate(iol__store *store, const migration *m) {
    return m->sql ? iol__store_run(store, m->sql, NULL, 0) : drop_index(store, m->index);
}

/* Columns that this version knows and the store's tables lack. */
static iol_status add_store_columns(iol__store *store) {
    iol_status status = IOL_OK;
    for (int table = 0; table < IOL_TABLES; table++)
        for (size_t i = 0; status == IOL_OK && i < iol__table_width((iol__table_id)table); i++)
            status = store->driver->add_column(store, (iol__table_id)table, &iol__tables[table].columns[i]);
    return status;
}

/* In one transaction: who comes second finds it done. */
static iol_status bring_up(iol__store *store, int version) {
    iol_status status = IOL_OK;
    for (size_t i = 0; i < IOL_COUNT(migrations) && status == IOL_OK; i++)
        if (version >= 0 && migrations[i].from >= version) status = migrate(store, &migrations[i]);
    if (status == IOL_OK && version >= 0) status = add_store_columns(store);
    if (status == IOL_OK) status = make_tables(store);
    if (status == IOL_OK) status = write_state(store);
    return status;
}

static bool is_newer(state_of_tables state) {
    return state.version > wanted.version || (state.version == wanted.version && state.columns > wanted.columns);
}

static bool is_older(state_of_tables state) {
    return state.version < wanted.version || (state.version == wanted.version && state.columns < wanted.columns);
}

static iol_status store_refuse(iol__store *store, const char *name, state_of_tables state) {
    const int version = state.version;
    if (version == wanted.version)
        return iol__store_fail(&store->error, IOL_UNSUPPORTED, "%.200s: made by %s Iolite (%d columns, not %d)%s", name,
                               is_newer(state) ? "a newer" : "an older", state.columns, wanted.columns,
                               is_newer(state) ? "" : "; `iolite index` brings it up to date");
    if (version > IOL_SCHEMA_VERSION)
        return iol__store_fail(&store->error, IOL_UNSUPPORTED,
                               "%.200s: made by a newer Iolite (tables of version %d, this one knows up to %d)", name,
                               version, IOL_SCHEMA_VERSION);
    if (version < 0)
        return iol__store_fail(&store->error, IOL_SYSTEM,
                               "%.200s: there is no index yet; `iolite index LOGS` makes one", name);
    return iol__store_fail(
        &store->error, IOL_UNSUPPORTED,
        "%.200s: made by an older Iolite (tables of version %d, not %d); `iolite index` brings it up "
        "to date",
        name, version, IOL_SCHEMA_VERSION);
}

static iol_status store_state_of(iol__store *store, state_of_tables *state) {
    bool there = false;
    *state = (state_of_tables){.version = -1};
    iol_status status = store->driver->has_table(store, "meta", &there);
    if (status != IOL_OK || !there) return status;
    *state = (state_of_tables){.version = 0, .columns = COLUMNS_UNTOLD};
    return iol__store_ask(store, "SELECT name, value FROM meta", NULL, 0, take_store_fact, state);
}

iol_status iol__store_prepare(iol__store *store, const char *name, iol__store_mode mode) {
    state_of_tables state;
    iol_status status = store_state_of(store, &state);
    if (status != IOL_OK || (!is_older(state) && !is_newer(state))) return status;
    if (is_newer(state) || mode == IOL_STORE_READ) return store_refuse(store, name, state);
    status = iol__store_begin(store);
    if (status == IOL_OK) status = iol__store_guard(store, (int64_t[]){IOL_SCHEMA_VERSION}, 1, true);
    if (status == IOL_OK) status = store_state_of(store, &state);
    if (status == IOL_OK && is_newer(state))
        status = store_refuse(store, name, state);
    else if (status == IOL_OK && is_older(state))
        status = bring_up(store, state.version);
    if (status == IOL_OK) return iol__store_commit(store);
    iol__store_rollback(store);
    return status;
}
