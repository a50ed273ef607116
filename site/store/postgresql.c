/* The index on a PostgreSQL server. Rows are gathered and sent by COPY before the next question or the commit; those with a
   key that is there replace what is there. Tables of logs have a partition per month. Several writers work side by side:
   who changes a job or the sums of a day holds a lock on it until the end of the transaction. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/count.h"
#include "base/deadline.h"
#include "site/store/libpq.h"
#include "site/store/rows.h"
#include "site/store/store.h"

enum {
    MOST_VALUES = 2200,
    USUAL_PATIENCE = 60, /* seconds for another writer */
    USUAL_SILENCE = 600, /* seconds without a sign of life */
    CONNECT_MS = 10000,
    LONGER = 5, /* than the patience with writers, which the server tells of itself */
    SEND_AT = 8 << 20
};

typedef struct pg_store {
    iol__store base;
    const iol__libpq *pq;
    void *connection;
    char name[300];
    iol__rows pending[IOL_TABLES];
    size_t sent[IOL_TABLES];          /* rows that lie in the table of new rows in this transaction */
    bool staged[IOL_TABLES];          /* the table of new rows is there */
    bool open;                        /* a transaction */
    int silence;                      /* seconds after which the server counts as hanging */
    bool hangs;                       /* it did; the connection is cut */
    bool late;                        /* likewise, because the asker has no more time */
    unsigned char months[IOL_MONTHS]; /* 1: has its partitions */
} pg_store;

static pg_store *postgresql_own(iol__store *store) { return (pg_store *)store; }

/* Trouble ------------------------------------------------------------------------------------------------------- */

/* What PostgreSQL says, in words that tell what to do. By SQLSTATE, because messages are in the server's language. */
static const char *postgresql_help_of(const char *state) {
    static const struct {
        const char *state, *help;
    } table[] = {
        {"53100", "the server's disk is full"},
        {"53300", "the server takes no more connections"},
        {"55P03", "another process is writing to it and does not end"},
        {"57P01", "the server is being stopped"},
        {"57P03", "the server is not ready"},
        {"57014", "the answer took too long"},
        {"40P01", "two writers waited for each other; run it again"},
        {"42501", "this user may not do that"},
        {"25006", "it may only be read here"},
    };
    for (size_t i = 0; state && i < IOL_COUNT(table); i++)
        if (strcmp(state, table[i].state) == 0) return table[i].help;
    return NULL;
}

static iol_status postgresql_fail(pg_store *s, const void *result, const char *doing) {
    char message[400];
    const char *state = result ? s->pq->PQresultErrorField(result, IOL_PQ_SQLSTATE) : NULL,
               *help = postgresql_help_of(state);
    snprintf(message, sizeof message, "%s", s->pq->PQerrorMessage(s->connection));
    message[strcspn(message, "\n")] = 0;
    if (state && strcmp(state, "40P01") == 0) s->base.yielded = true;
    if (s->late) return iol__store_fail(&s->base.error, IOL_SYSTEM, "%.200s: the answer took too long", s->name);
    if (s->hangs)
        return iol__store_fail(&s->base.error, IOL_SYSTEM,
                               "%.200s: the server has not answered for %d s (IOLITE_STORE_TIMEOUT); what was written "
                               "before is kept",
                               s->name, s->silence);
    if (s->pq->PQstatus(s->connection) != IOL_PQ_CONNECTED)
        return iol__store_fail(&s->base.error, IOL_SYSTEM,
                               "%.200s: the connection is lost; what was written before is kept (%s: %s)", s->name,
                               doing, message);
    if (help) return iol__store_fail(&s->base.error, IOL_SYSTEM, "%.200s: %s (%s)", s->name, help, doing);
    return iol__store_fail(&s->base.error, IOL_SYSTEM, "%.200s: %s (%s)", s->name, message, doing);
}

static void be_silent(void *context, const char *message) { (void)context, (void)message; }

/* Statements ---------------------------------------------------------------------------------------------------- */

/* `?` becomes $1, $2, ...; inside quotes it stays. Free it. */
static char *numbered(const char *sql) {
    size_t values = 0;
    for (const char *c = sql; *c; c++) values += *c == '?';
    char *text = malloc(strlen(sql) + 4 * values + 1), *to = text;
    bool quoted = false;
    int n = 0;
    for (; text && *sql; sql++) {
        if (*sql == '\'') quoted = !quoted;
        if (*sql == '?' && !quoted)
            to += sprintf(to, "$%d", ++n);
        else
            *to++ = *sql;
    }
    if (text) *to = 0;
    return text;
}

static iol__cell postgresql_cell_of(pg_store *s, const void *result, int row, int column) {
    if (s->pq->PQgetisnull(result, row, column)) return iol__null();
    const char *text = s->pq->PQgetvalue(result, row, column);
    switch (s->pq->PQftype(result, column)) {
    case IOL_PQ_BOOL: return iol__integer(*text == 't');
    case IOL_PQ_FLOAT4:
    case IOL_PQ_FLOAT8: return iol__real(strtod(text, NULL));
    case IOL_PQ_NUMERIC:
        if (strpbrk(text, ".N")) return iol__real(strtod(text, NULL));
        return iol__integer(strtoll(text, NULL, 10));
    case IOL_PQ_INT2:
    case IOL_PQ_INT4:
    case IOL_PQ_INT8: return iol__integer(strtoll(text, NULL, 10));
    default: return iol__text(text);
    }
}

static bool hand_on(pg_store *s, const void *result, iol__store_row row, void *context) {
    iol__cell values[IOL_WIDEST];
    int count = s->pq->PQnfields(result);
    if (count > IOL_WIDEST) count = IOL_WIDEST;
    for (int i = 0; i < s->pq->PQntuples(result); i++) {
        for (int k = 0; k < count; k++) values[k] = postgresql_cell_of(s, result, i, k);
        if (!row(context, values, (size_t)count)) return false;
    }
    return true;
}

/* Until the server gives a sign of life. One that hangs may do so for ever: then the connection is cut, and everything
   that follows fails. */
static void await(pg_store *s, short events) {
    struct pollfd server = {.fd = s->pq->PQsocket(s->connection), .events = events};
    int signs;
    do signs = poll(&server, 1, (int)iol__deadline_ms(s->base.deadline, (int64_t)s->silence * 1000));
    while (signs < 0 && errno == EINTR);
    if (signs != 0) return;
    s->late = iol__is_past(s->base.deadline);
    s->hangs = true;
    shutdown(server.fd, SHUT_RDWR);
}

static bool send_rest(pg_store *s) {
    int left;
    while ((left = s->pq->PQflush(s->connection)) > 0) {
        await(s, POLLIN | POLLOUT);
        if (!s->pq->PQconsumeInput(s->connection)) return false;
    }
    return left == 0;
}

static void *next_result(pg_store *s) {
    bool good = send_rest(s);
    while (good && s->pq->PQisBusy(s->connection)) {
        await(s, POLLIN);
        good = s->pq->PQconsumeInput(s->connection);
    }
    return s->pq->PQgetResult(s->connection);
}

/* To the last row, also when nobody wants it any more: the connection must be free for the next question. */
static iol_status take_results(pg_store *s, iol__store_row row, void *context, const char *doing) {
    iol_status status = IOL_OK;
    bool wanted = row != NULL;
    for (void *result; (result = next_result(s));) {
        int kind = s->pq->PQresultStatus(result);
        bool rows = kind == IOL_PQ_SINGLE_TUPLE || kind == IOL_PQ_TUPLES_OK;
        bool good = rows || kind == IOL_PQ_COMMAND_OK || kind == IOL_PQ_COPY_IN;
        if (!good && status == IOL_OK) status = postgresql_fail(s, result, doing);
        if (rows && wanted && status == IOL_OK) wanted = hand_on(s, result, row, context);
        s->pq->PQclear(result);
        if (kind == IOL_PQ_COPY_IN) break;
    }
    return status;
}

static iol_status ask_server(pg_store *s, const char *sql, const iol__cell *values, size_t count, iol__store_row row,
                             void *context) {
    char numbers[MOST_VALUES][32];
    const char *texts[MOST_VALUES];
    if (count > MOST_VALUES) return iol__store_fail(&s->base.error, IOL_INVALID, "too many values");
    for (size_t i = 0; i < count; i++) {
        texts[i] = values[i].kind == IOL_CELL_TEXT   ? values[i].as.text
                   : values[i].kind == IOL_CELL_NULL ? NULL
                                                     : numbers[i];
        if (values[i].kind == IOL_CELL_INT)
            snprintf(numbers[i], sizeof *numbers, "%lld", (long long)values[i].as.integer);
        if (values[i].kind == IOL_CELL_REAL) snprintf(numbers[i], sizeof *numbers, "%.17g", values[i].as.real);
    }
    char *text = numbered(sql);
    if (!text) return iol__store_fail(&s->base.error, IOL_SYSTEM, "out of memory");
    int sent = s->pq->PQsendQueryParams(s->connection, text, (int)count, NULL, texts, NULL, NULL, 0);
    free(text);
    if (!sent) return postgresql_fail(s, NULL, "asking");
    if (row) s->pq->PQsetSingleRowMode(s->connection);
    return take_results(s, row, context, "asking");
}

static iol_status postgresql_execute(pg_store *s, const char *sql) {
    if (!s->pq->PQsendQuery(s->connection, sql)) return postgresql_fail(s, NULL, "writing");
    return take_results(s, NULL, NULL, "writing");
}

/* Rows ---------------------------------------------------------------------------------------------------------- */

static void postgresql_names_of(iol__rows *sql, iol__table_id table, const char *format, const char *between) {
    char name[200];
    for (size_t i = 0; i < iol__table_width(table); i++) {
        const char *column = iol__tables[table].columns[i].name;
        snprintf(name, sizeof name, format, column, column);
        if (i) iol__rows_text(sql, between);
        iol__rows_text(sql, name);
    }
}

/* A table beside each other, for this connection: rows wait there with their number. */
static iol_status stage(pg_store *s, iol__table_id table) {
    char sql[400];
    const char *name = iol__tables[table].name;
    if (s->staged[table]) return IOL_OK;
    snprintf(sql, sizeof sql,
             "CREATE TEMPORARY TABLE IF NOT EXISTS new_%s (row_number BIGINT, LIKE %s) ON COMMIT DELETE ROWS", name,
             name);
    iol_status status = postgresql_execute(s, sql);
    s->staged[table] = status == IOL_OK;
    return status;
}

static iol_status copy_in(pg_store *s, iol__table_id table) {
    iol__rows *rows = &s->pending[table];
    iol__rows sql = {0};
    iol__rows_text(&sql, "COPY new_");
    iol__rows_text(&sql, iol__tables[table].name);
    iol__rows_text(&sql, " (row_number, ");
    postgresql_names_of(&sql, table, "%s", ", ");
    iol__rows_text(&sql, ") FROM STDIN");
    iol_status status =
        sql.failed ? iol__store_fail(&s->base.error, IOL_SYSTEM, "out of memory") : postgresql_execute(s, sql.bytes);
    iol__rows_free(&sql);
    if (status != IOL_OK) return status;
    for (size_t at = 0, part; at < rows->length; at += part) {
        part = rows->length - at < (1 << 20) ? rows->length - at : 1 << 20;
        int taken;
        while ((taken = s->pq->PQputCopyData(s->connection, rows->bytes + at, (int)part)) == 0)
            if (!send_rest(s)) break;
        if (taken != 1 || !send_rest(s)) return postgresql_fail(s, NULL, "writing");
    }
    if (s->pq->PQputCopyEnd(s->connection, NULL) != 1) return postgresql_fail(s, NULL, "writing");
    return take_results(s, NULL, NULL, "writing");
}

/* In the order of their keys, so that two writers wait for each other and not both. */
static iol_status postgresql_move(pg_store *s, iol__table_id table, size_t from) {
    const iol__table *t = &iol__tables[table];
    iol__rows sql = {0};
    char piece[300];
    snprintf(piece, sizeof piece, "INSERT INTO %s (", t->name);
    iol__rows_text(&sql, piece);
    postgresql_names_of(&sql, table, "%s", ", "); /* a column that was added later stands elsewhere in the table */
    iol__rows_text(&sql, ") SELECT ");
    postgresql_names_of(&sql, table, "%s", ", ");
    snprintf(piece, sizeof piece, " FROM (SELECT DISTINCT ON (%s) * FROM new_%s WHERE row_number >= %zu ORDER BY ",
             t->keys, t->name, from);
    iol__rows_text(&sql, piece);
    snprintf(piece, sizeof piece, "%s, row_number DESC) AS fresh ON CONFLICT (%s) DO UPDATE SET ", t->keys, t->keys);
    iol__rows_text(&sql, piece);
    postgresql_names_of(&sql, table, "%s = EXCLUDED.%s", ", ");
    iol_status status =
        sql.failed ? iol__store_fail(&s->base.error, IOL_SYSTEM, "out of memory") : postgresql_execute(s, sql.bytes);
    iol__rows_free(&sql);
    return status;
}

static iol_status flush_postgresql_table(pg_store *s, iol__table_id table) {
    iol__rows *rows = &s->pending[table];
    if (!rows->count) return IOL_OK;
    if (rows->failed) return iol__store_fail(&s->base.error, IOL_SYSTEM, "out of memory");
    iol_status status = stage(s, table);
    if (status == IOL_OK) status = copy_in(s, table);
    if (status == IOL_OK) status = postgresql_move(s, table, s->sent[table]);
    s->sent[table] += rows->count;
    iol__rows_clear(rows);
    return status;
}

static iol_status postgresql_flush(pg_store *s) {
    iol_status status = IOL_OK;
    for (int table = 0; table < IOL_TABLES && status == IOL_OK; table++)
        status = flush_postgresql_table(s, (iol__table_id)table);
    return status;
}

static void add_postgresql_cell(iol__rows *rows, const iol__cell *value) {
    char number[32];
    iol__rows_add(rows, "\t", 1);
    switch (value->kind) {
    case IOL_CELL_NULL: iol__rows_add(rows, "\\N", 2); return;
    case IOL_CELL_TEXT: iol__rows_escaped(rows, value->as.text); return;
    case IOL_CELL_INT: snprintf(number, sizeof number, "%lld", (long long)value->as.integer); break;
    case IOL_CELL_REAL: snprintf(number, sizeof number, "%.17g", value->as.real); break;
    }
    iol__rows_text(rows, number);
}

/* Transactions -------------------------------------------------------------------------------------------------- */

static void postgresql_forget(pg_store *s) {
    for (int i = 0; i < IOL_TABLES; i++) {
        iol__rows_clear(&s->pending[i]);
        s->sent[i] = 0;
    }
    s->open = false;
}

static iol_status pg_begin(iol__store *store) {
    pg_store *s = postgresql_own(store);
    iol_status status = postgresql_execute(s, "BEGIN");
    s->open = status == IOL_OK;
    return status;
}

static iol_status pg_commit(iol__store *store) {
    pg_store *s = postgresql_own(store);
    iol_status status = postgresql_flush(s);
    if (status == IOL_OK) status = postgresql_execute(s, "COMMIT");
    if (status == IOL_OK) postgresql_forget(s);
    return status;
}

static void pg_rollback(iol__store *store) {
    pg_store *s = postgresql_own(store);
    iol_error before = store->error; /* the reason, which the rollback does not change */
    if (s->pq->PQtransactionStatus(s->connection) != IOL_PQ_IDLE) postgresql_execute(s, "ROLLBACK");
    store->error = before;
    postgresql_forget(s);
    memset(s->staged, 0, sizeof s->staged); /* made in this transaction, perhaps */
}

static iol_status pg_put(iol__store *store, iol__table_id table, const iol__cell *values) {
    pg_store *s = postgresql_own(store);
    iol__rows *rows = &s->pending[table];
    bool alone = !s->open;
    iol_status status = alone ? pg_begin(store) : IOL_OK;
    char number[32];
    snprintf(number, sizeof number, "%zu", s->sent[table] + rows->count);
    iol__rows_text(rows, number);
    for (size_t i = 0; i < iol__table_width(table); i++) add_postgresql_cell(rows, &values[i]);
    iol__rows_add(rows, "\n", 1);
    rows->count++;
    if (status == IOL_OK && rows->length > SEND_AT) status = flush_postgresql_table(s, table);
    if (alone && status == IOL_OK) status = pg_commit(store);
    if (alone && status != IOL_OK) pg_rollback(store);
    return status;
}

static iol_status pg_ask(iol__store *store, const char *sql, const iol__cell *values, size_t count, iol__store_row row,
                         void *context) {
    pg_store *s = postgresql_own(store);
    iol_status status = postgresql_flush(s);
    return status == IOL_OK ? ask_server(s, sql, values, count, row, context) : status;
}

static iol_status pg_has_table(iol__store *store, const char *name, bool *there) {
    int64_t found = 0;
    const iol__cell value = iol__text(name);
    iol_status status =
        iol__store_number(store, "SELECT COUNT(*) FROM pg_class WHERE oid = to_regclass(?)", &value, 1, 0, &found);
    *there = found > 0;
    return status;
}

static iol_status pg_add_column(iol__store *store, iol__table_id table, const iol__column *column) {
    char sql[200];
    snprintf(sql, sizeof sql, "ALTER TABLE IF EXISTS %s ADD COLUMN IF NOT EXISTS %s %s", iol__tables[table].name,
             column->name, iol__schema_type(store->driver->dialect, column));
    return iol__store_run(store, sql, NULL, 0);
}

/* Keys go as one text: an array of numbers. */
static iol_status pg_guard(iol__store *store, const int64_t *keys, size_t count, bool alone) {
    iol__rows list = {0};
    char number[32];
    for (size_t i = 0; i < count; i++) {
        snprintf(number, sizeof number, "%c%lld", i ? ',' : '{', (long long)keys[i]);
        iol__rows_text(&list, number);
    }
    iol__rows_text(&list, "}");
    if (list.failed) return iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
    const iol__cell value = iol__text(list.bytes);
    iol_status status =
        pg_ask(store,
               alone ? "SELECT pg_advisory_xact_lock(k) FROM (SELECT unnest(CAST(? AS bigint[])) AS k) AS keys"
                     : "SELECT pg_advisory_xact_lock_shared(k) FROM (SELECT unnest(CAST(? AS bigint[])) AS k) AS keys",
               &value, 1, NULL, NULL);
    iol__rows_free(&list);
    return status;
}

/* Limits -------------------------------------------------------------------------------------------------------- */

/* The server learns it once, because telling it is a question too; what single requests have left is await()'s. The
   server comes later than we do, so that an answer that took too long is never taken for another error. */
static iol_status pg_limit(iol__store *store, double seconds) {
    enum { LATER_MS = 100 };
    char sql[64];
    snprintf(sql, sizeof sql, "SET statement_timeout = %lld", (long long)(seconds * 1000) + LATER_MS);
    return postgresql_execute(postgresql_own(store), sql);
}

/* Partitions ---------------------------------------------------------------------------------------------------- */

static iol_status make_partitions(pg_store *s, int64_t month) {
    iol_status status = IOL_OK;
    for (int table = 0; table < IOL_TABLES && status == IOL_OK; table++) {
        char sql[300];
        const char *name = iol__tables[table].name;
        if (!iol__table_by_month((iol__table_id)table)) continue;
        snprintf(sql, sizeof sql,
                 "CREATE TABLE IF NOT EXISTS %s_%04lld_%02lld PARTITION OF %s FOR VALUES FROM (%lld) TO (%lld)", name,
                 (long long)(1970 + month / 12), (long long)(month % 12 + 1), name,
                 (long long)(month << IOL_MONTH_SHIFT),
                 month + 1 < IOL_MONTHS ? (long long)((month + 1) << IOL_MONTH_SHIFT) : (long long)INT64_MAX);
        status = postgresql_execute(s, sql);
    }
    return status;
}

static bool take_postgresql_month(void *context, const iol__cell *values, size_t count) {
    (void)count;
    int year, month;
    const char *name = iol__cell_text(values);
    if (name && sscanf(name, "log_%d_%d", &year, &month) == 2 && year >= 1970 && month >= 1) {
        int64_t at = (year - 1970) * 12 + month - 1;
        if (at < IOL_MONTHS) ((unsigned char *)context)[at] = 1;
    }
    return true;
}

/* Which months have their partitions; somebody else may have made them. */
static iol_status look_for_months(pg_store *s) {
    return pg_ask(&s->base,
                  "SELECT CAST(relname AS TEXT) FROM pg_class JOIN pg_inherits ON pg_class.oid = pg_inherits.inhrelid "
                  "WHERE pg_inherits.inhparent = to_regclass('log')",
                  NULL, 0, take_postgresql_month, s->months);
}

static iol_status pg_expect(iol__store *store, const int64_t *months, size_t count) {
    pg_store *s = postgresql_own(store);
    iol_status status = IOL_OK;
    bool missing = false;
    for (size_t i = 0; i < count && !missing; i++) missing = !s->months[months[i]];
    if (!missing) return IOL_OK;
    status = pg_begin(store);
    if (status == IOL_OK) status = pg_guard(store, (int64_t[]){IOL_SCHEMA_VERSION}, 1, true);
    if (status == IOL_OK) status = look_for_months(s);
    for (size_t i = 0; i < count && status == IOL_OK; i++) {
        if (s->months[months[i]]) continue;
        status = make_partitions(s, months[i]);
        s->months[months[i]] = 1;
    }
    if (status == IOL_OK) status = pg_commit(store);
    if (status != IOL_OK) {
        memset(s->months, 0, sizeof s->months);
        pg_rollback(store);
    }
    return status;
}

/* Opening ------------------------------------------------------------------------------------------------------- */

static void pg_close(iol__store *store) {
    pg_store *s = postgresql_own(store);
    for (int i = 0; i < IOL_TABLES; i++) iol__rows_free(&s->pending[i]);
    if (s->connection) s->pq->PQfinish(s->connection);
    free(s);
}

static iol_status postgresql_settle(pg_store *s, iol__store_mode mode) {
    const char *encoding = s->pq->PQparameterStatus(s->connection, "server_encoding");
    const char *patience = getenv("IOLITE_STORE_TIMEOUT");
    int seconds = patience ? atoi(patience) : USUAL_PATIENCE;
    char sql[200];
    if (encoding && strcmp(encoding, "UTF8") != 0)
        return iol__store_fail(&s->base.error, IOL_UNSUPPORTED,
                               "%.200s: the encoding of this database is %.50s; the index needs UTF8", s->name,
                               encoding);
    s->silence = seconds > 0 && patience ? seconds + LONGER : USUAL_SILENCE;
    s->pq->PQsetnonblocking(s->connection, 1);
    snprintf(sql, sizeof sql,
             "SET lock_timeout = %d; SET extra_float_digits = 1; SET default_transaction_read_only = %s",
             seconds > 0 ? seconds * 1000 : 1, mode == IOL_STORE_READ ? "on" : "off");
    iol_status status = postgresql_execute(s, sql);
    if (status == IOL_OK && s->base.deadline)
        status = pg_limit(&s->base, (double)iol__deadline_ms(s->base.deadline, INT32_MAX) / 1000);
    return status == IOL_OK ? iol__store_prepare(&s->base, s->name, mode) : status;
}

static iol_status pg_open(const char *url, iol__store_mode mode, int64_t deadline, iol__store **store,
                          iol_error *error) {
    static const char *const words[] = {"connect_timeout",  "client_encoding", "fallback_application_name",
                                        "tcp_user_timeout", "dbname",          NULL};
    char seconds[16];
    snprintf(seconds, sizeof seconds, "%lld", (long long)(iol__deadline_ms(deadline, CONNECT_MS) + 999) / 1000);
    const char *const values[] = {seconds, "UTF8", "iolite", "60000", url, NULL};
    const iol__libpq *pq = iol__libpq_load();
    if (!pq)
        return iol__store_fail(error, IOL_UNSUPPORTED,
                               "PostgreSQL's library libpq is not on this machine (Debian: libpq5)");
    pg_store *s = calloc(1, sizeof *s);
    if (!s) return iol__store_fail(error, IOL_SYSTEM, "out of memory");
    s->base.driver = &iol__store_postgresql;
    s->base.deadline = deadline;
    s->pq = pq;
    s->connection = pq->PQconnectdbParams(words, values, 1);
    iol_status status = IOL_SYSTEM;
    if (pq->PQstatus(s->connection) != IOL_PQ_CONNECTED) {
        char message[400];
        snprintf(message, sizeof message, "%s", pq->PQerrorMessage(s->connection));
        message[strcspn(message, "\n")] = 0;
        status = iol__store_fail(&s->base.error, IOL_SYSTEM, "PostgreSQL cannot be reached: %s", message);
    } else {
        const char *host = pq->PQhost(s->connection), *port = pq->PQport(s->connection);
        pq->PQsetNoticeProcessor(s->connection, be_silent, NULL);
        snprintf(s->name, sizeof s->name, "postgresql://%s:%s/%s", host ? host : "", port ? port : "",
                 pq->PQdb(s->connection));
        status = postgresql_settle(s, mode);
    }
    if (error) *error = s->base.error;
    if (status == IOL_OK)
        *store = &s->base;
    else
        pg_close(&s->base);
    return status;
}

const iol__store_driver iol__store_postgresql = {
    .name = "postgresql",
    .dialect = IOL_DIALECT_POSTGRESQL,
    .own_numbers = true,
    .atomic = true,
    .batch = 1024,
    .open = pg_open,
    .close = pg_close,
    .begin = pg_begin,
    .commit = pg_commit,
    .rollback = pg_rollback,
    .put = pg_put,
    .ask = pg_ask,
    .add_column = pg_add_column,
    .has_table = pg_has_table,
    .expect = pg_expect,
    .guard = pg_guard,
    .limit = pg_limit,
};
