/* The index on a ClickHouse server, or spread over a cluster. There are no transactions: rows of logs are written before the
   logs, logs before jobs and days, and places last, so that what an indexer left undone is done again by the next one. What
   a reader may see is decided by versions (clickhouse_sql.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "site/store/clickhouse.h"

enum { SEND_AT = 32 << 20 };

static iol__ch *clickhouse_own(iol__store *store) { return (iol__ch *)store; }

/* Microseconds since the epoch, even, and each time a later one. */
static void next_version(iol__ch *ch) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    uint64_t now = 2 * ((uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000);
    ch->version = now > ch->version ? now : ch->version + 2;
}

static void start_version(iol__ch *ch) {
    next_version(ch);
    ch->read_at = ch->version;
}

static iol_status clickhouse_no_memory(iol__ch *ch) {
    return iol__store_fail(&ch->base.error, IOL_SYSTEM, "out of memory");
}

static iol_status clickhouse_execute(iol__ch *ch, char *sql) {
    iol_status status = sql ? iol__ch_request(ch, NULL, sql, strlen(sql)) : clickhouse_no_memory(ch);
    free(sql);
    return status;
}

/* Rows ---------------------------------------------------------------------------------------------------------- */

static iol_status flush_table(iol__ch *ch, iol__table_id table) {
    iol__rows *rows = &ch->pending[table];
    char query[100], target[64];
    if (!rows->count) return IOL_OK;
    if (rows->failed) return clickhouse_no_memory(ch);
    iol__ch_target(ch, table, target);
    snprintf(query, sizeof query, "INSERT INTO %s FORMAT RowBinary", target);
    iol_status status = iol__ch_request(ch, query, rows->bytes, rows->length);
    iol__rows_clear(rows);
    return status;
}

/* What belongs to logs, then logs, then the rest. */
static iol_status flush_data(iol__ch *ch) {
    iol_status status = IOL_OK;
    for (int table = 0; table < IOL_TABLES && status == IOL_OK; table++)
        if (iol__ch_child((iol__table_id)table) || table == IOL_TABLE_mount)
            status = flush_table(ch, (iol__table_id)table);
    if (status == IOL_OK) status = flush_table(ch, IOL_TABLE_log);
    for (int table = 0; table < IOL_TABLES && status == IOL_OK; table++)
        if (table != IOL_TABLE_stale && table != IOL_TABLE_place) status = flush_table(ch, (iol__table_id)table);
    return status;
}

/* A mark that a day has changed is younger than the change: who sums the day up and takes the mark away has seen it. */
static iol_status flush_marks(iol__ch *ch) {
    enum { DAY = 8, ROW = DAY + 8 + 1 };
    iol__rows *rows = &ch->pending[IOL_TABLE_stale], stamped = {0};
    if (!rows->count) return IOL_OK;
    next_version(ch);
    for (size_t i = 0; i < rows->count && !rows->failed; i++) {
        iol__rows_add(&stamped, rows->bytes + i * ROW, DAY);
        iol__rows_u64(&stamped, ch->version);
        iol__rows_add(&stamped, "\0", 1);
    }
    stamped.count = rows->count;
    stamped.failed |= rows->failed;
    iol__rows_free(rows);
    *rows = stamped;
    return flush_table(ch, IOL_TABLE_stale);
}

static iol_status clickhouse_flush(iol__ch *ch) {
    iol_status status = flush_data(ch);
    return status == IOL_OK ? flush_marks(ch) : status;
}

static void add_cell(iol__rows *rows, const iol__cell *value, const iol__column *column, bool nullable) {
    uint64_t bits = 0;
    double real;
    if (nullable) iol__rows_add(rows, value->kind == IOL_CELL_NULL ? "\1" : "\0", 1);
    if (nullable && value->kind == IOL_CELL_NULL) return;
    switch (column->type) {
    case IOL_TYPE_TEXT: iol__rows_counted(rows, iol__cell_text(value) ? iol__cell_text(value) : ""); return;
    case IOL_TYPE_REAL:
        real = iol__cell_real(value);
        memcpy(&bits, &real, sizeof bits);
        break;
    default: bits = (uint64_t)iol__cell_integer(value);
    }
    iol__rows_u64(rows, bits);
}

static iol_status ch_put(iol__store *store, iol__table_id table, const iol__cell *values) {
    iol__ch *ch = clickhouse_own(store);
    iol__rows *rows = &ch->pending[table];
    if (!ch->open) start_version(ch);
    for (size_t i = 0; i < iol__table_width(table); i++) {
        const iol__column *column = &iol__tables[table].columns[i];
        bool key = iol__ch_in_key(table, column->name) || column->type == IOL_TYPE_KEY;
        add_cell(rows, &values[i], column, !key);
    }
    if (iol__table_by_month(table)) iol__rows_u64(rows, ch->made);
    iol__rows_u64(rows, table == IOL_TABLE_job ? ch->read_at : ch->version);
    iol__rows_add(rows, "\0", 1);
    rows->count++;
    if (!ch->open) return table == IOL_TABLE_place ? flush_table(ch, table) : clickhouse_flush(ch);
    return iol__ch_child(table) && rows->length > SEND_AT ? flush_table(ch, table) : IOL_OK;
}

/* Deletions ----------------------------------------------------------------------------------------------------- */

static void forget_deferred(iol__ch *ch) {
    for (size_t i = 0; i < ch->n_deferred; i++) free(ch->deferred[i]);
    free(ch->deferred);
    ch->deferred = NULL;
    ch->n_deferred = 0;
}

static iol_status run_deferred(iol__ch *ch) {
    iol_status status = IOL_OK;
    for (size_t i = 0; i < ch->n_deferred && status == IOL_OK; i++)
        status = iol__ch_request(ch, NULL, ch->deferred[i], strlen(ch->deferred[i]));
    forget_deferred(ch);
    return status;
}

static iol_status defer(iol__ch *ch, char *sql) {
    char **larger = sql ? realloc(ch->deferred, (ch->n_deferred + 1) * sizeof *larger) : NULL;
    if (!larger) {
        free(sql);
        return clickhouse_no_memory(ch);
    }
    ch->deferred = larger;
    ch->deferred[ch->n_deferred++] = sql;
    return IOL_OK;
}

/* Rows of a log go with it: without it they do not count. */
static iol_status delete_rows(iol__ch *ch, const char *sql, const iol__cell *values, size_t count) {
    size_t length;
    iol__table_id table = iol__ch_table(sql, &length);
    const char *where = sql + length;
    if (table == IOL_TABLES || strncmp(where, " WHERE ", 7) != 0)
        return iol__store_fail(&ch->base.error, IOL_INVALID, "not a deletion: %.200s", sql);
    if (iol__ch_child(table)) return IOL_OK;
    char *text = iol__ch_delete(ch, table, where + 7, values, count);
    return ch->open ? defer(ch, text) : clickhouse_execute(ch, text);
}

/* Statements ---------------------------------------------------------------------------------------------------- */

static iol_status ch_ask(iol__store *store, const char *sql, const iol__cell *values, size_t count, iol__store_row row,
                         void *context) {
    iol__ch *ch = clickhouse_own(store);
    size_t length;
    iol_status status;
    if (!ch->open) start_version(ch);
    if (strncmp(sql, "DELETE FROM ", 12) == 0) return delete_rows(ch, sql + 12, values, count);
    status = clickhouse_flush(ch);
    if (status != IOL_OK) return status;
    next_version(ch); /* before anything is read: what is made of it may not look newer than it is */
    if (strncmp(sql, "INSERT INTO ", 12) == 0 || strncmp(sql, "UPDATE ", 7) == 0) {
        bool insert = *sql == 'I';
        const char *name = sql + (insert ? 12 : 7);
        iol__table_id table = iol__ch_table(name, &length);
        if (table == IOL_TABLES) return iol__store_fail(&store->error, IOL_INVALID, "no such table: %.200s", sql);
        name += length + (insert ? 1 : strlen(" SET "));
        return clickhouse_execute(ch, insert ? iol__ch_insert(ch, table, name, values, count)
                                             : iol__ch_update(ch, table, name, values, count));
    }
    status = clickhouse_execute(ch, iol__ch_select(ch, sql, values, count));
    return status == IOL_OK && row ? iol__ch_rows(ch, row, context) : status;
}

static iol_status ch_begin(iol__store *store) {
    iol__ch *ch = clickhouse_own(store);
    start_version(ch);
    ch->made = ch->version;
    ch->open = true;
    return IOL_OK;
}

/* Nobody can be kept out. Of those who make the same jobs or days at once the one who began to read last has seen what all
   others wrote, because they wrote it before they read. */
static iol_status ch_guard(iol__store *store, const int64_t *keys, size_t count, bool alone) {
    iol__ch *ch = clickhouse_own(store);
    (void)keys, (void)count;
    if (!alone) return IOL_OK;
    iol_status status = clickhouse_flush(ch);
    start_version(ch);
    return status;
}

static iol_status ch_commit(iol__store *store) {
    iol__ch *ch = clickhouse_own(store);
    iol_status status = flush_data(ch);
    if (status == IOL_OK) status = run_deferred(ch);
    if (status == IOL_OK) status = flush_marks(ch);
    if (status == IOL_OK) status = flush_table(ch, IOL_TABLE_place);
    ch->open = status != IOL_OK;
    return status;
}

static void ch_rollback(iol__store *store) {
    iol__ch *ch = clickhouse_own(store);
    for (int i = 0; i < IOL_TABLES; i++) iol__rows_clear(&ch->pending[i]);
    forget_deferred(ch);
    ch->open = false;
}

static iol_status ch_has_table(iol__store *store, const char *name, bool *there) {
    int64_t found = 0;
    const iol__cell value = iol__text(name);
    iol_status status =
        iol__store_number(store, "SELECT COUNT(*) FROM system.tables WHERE database = currentDatabase() AND name = ?",
                          &value, 1, 0, &found);
    *there = found > 0;
    return status;
}

/* Opening ------------------------------------------------------------------------------------------------------- */

static void ch_close(iol__store *store) {
    iol__ch *ch = clickhouse_own(store);
    ch_rollback(store);
    for (int i = 0; i < IOL_TABLES; i++) iol__rows_free(&ch->pending[i]);
    iol__ch_close_url(ch);
    free(ch);
}

static iol_status ch_open(const char *url, iol__store_mode mode, int64_t deadline, iol__store **store,
                          iol_error *error) {
    iol__ch *ch = calloc(1, sizeof *ch);
    if (!ch) return iol__store_fail(error, IOL_SYSTEM, "out of memory");
    ch->base.driver = &iol__store_clickhouse;
    ch->base.deadline = deadline;
    iol_status status = iol__ch_open_url(ch, url, &ch->base.error);
    if (status == IOL_OK) status = iol__store_prepare(&ch->base, ch->name, mode);
    if (error) *error = ch->base.error;
    if (status == IOL_OK)
        *store = &ch->base;
    else
        ch_close(&ch->base);
    return status;
}

const iol__store_driver iol__store_clickhouse = {
    .name = "clickhouse",
    .dialect = IOL_DIALECT_CLICKHOUSE,
    .own_numbers = true,
    .batch = 2048,
    .open = ch_open,
    .close = ch_close,
    .begin = ch_begin,
    .commit = ch_commit,
    .rollback = ch_rollback,
    .put = ch_put,
    .ask = ch_ask,
    .make = iol__ch_make,
    .add_column = iol__ch_add_column,
    .has_table = ch_has_table,
    .guard = ch_guard,
};
