/* Tables in ClickHouse. Without ZooKeeper nothing reaches all servers of a cluster but a request to each of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/store/clickhouse.h"

bool iol__ch_child(iol__table_id table) { return iol__table_by_month(table) && table != IOL_TABLE_log; }

/* What rows are sorted by and replaced by. Logs are looked up by their job. */
static const char *clickhouse_tables_key_of(iol__table_id table) {
    return table == IOL_TABLE_log ? "cluster, jobid, log_id" : iol__tables[table].keys;
}

bool iol__ch_in_key(iol__table_id table, const char *column) {
    size_t length = strlen(column);
    for (const char *key = clickhouse_tables_key_of(table); key; key = strchr(key, ',')) {
        key += strspn(key, ", ");
        if (strncmp(key, column, length) == 0 && (key[length] == ',' || !key[length])) return true;
    }
    return false;
}

/* Where a row lives: with its log, its job or its day. */
static const char *shard_of(iol__table_id table) {
    const char *keys = iol__tables[table].keys;
    if (iol__table_by_month(table)) return "log_id";
    if (strncmp(keys, "cluster, jobid", 14) == 0) return "cluster, jobid";
    return strncmp(keys, "day", 3) == 0 ? "day" : keys;
}

static void add_type(iol__rows *sql, iol__table_id table, const iol__column *column) {
    const char *type = iol__schema_type(IOL_DIALECT_CLICKHOUSE, column);
    const bool key = iol__ch_in_key(table, column->name) || column->type == IOL_TYPE_KEY;
    char text[200];
    snprintf(text, sizeof text, key ? "%s %s" : "%s Nullable(%s)", column->name, type);
    iol__rows_text(sql, text);
}

static void add_types(iol__rows *sql, iol__table_id table) {
    for (size_t i = 0; i < iol__table_width(table); i++) {
        if (i) iol__rows_text(sql, ", ");
        add_type(sql, table, &iol__tables[table].columns[i]);
    }
}

static void clickhouse_tables_print(iol__rows *sql, const char *format, const char *a, const char *b, const char *c) {
    char text[400];
    snprintf(text, sizeof text, format, a, b, c);
    iol__rows_text(sql, text);
}

static void kept_table(const iol__ch *ch, iol__rows *sql, iol__table_id table) {
    (void)ch;
    char partition[80] = ""; /* years: a part has two files for each column */
    bool months = iol__table_by_month(table);
    if (months) snprintf(partition, sizeof partition, " PARTITION BY intDiv(log_id, %lld)", 12LL << IOL_MONTH_SHIFT);
    clickhouse_tables_print(sql, "CREATE TABLE IF NOT EXISTS %s_kept (", iol__tables[table].name, "", "");
    add_types(sql, table);
    clickhouse_tables_print(sql, "%s, ver UInt64, gone UInt8) ENGINE = ReplacingMergeTree(ver)%s",
                            months ? ", made UInt64" : "", partition, "");
    clickhouse_tables_print(sql, " ORDER BY (%s%s)", clickhouse_tables_key_of(table),
                            iol__ch_child(table) ? ", made" : "", "");
}

static void select_live(iol__rows *sql, iol__table_id table) {
    iol__rows_text(sql, "SELECT ");
    iol__ch_columns(sql, table);
    clickhouse_tables_print(sql, " FROM %s_kept FINAL WHERE gone = 0", iol__tables[table].name, "", "");
    if (iol__ch_child(table))
        iol__rows_text(sql, " AND (log_id, made) IN (SELECT log_id, made FROM log_kept FINAL WHERE gone = 0)");
}

static void clickhouse_tables_view(const iol__ch *ch, iol__rows *sql, iol__table_id table) {
    clickhouse_tables_print(sql, "CREATE VIEW IF NOT EXISTS %s%s AS ", iol__tables[table].name,
                            ch->cluster ? "_here" : "", "");
    select_live(sql, table);
}

static void all_kept(const iol__ch *ch, iol__rows *sql, iol__table_id table) {
    const char *name = iol__tables[table].name;
    clickhouse_tables_print(sql, "CREATE TABLE IF NOT EXISTS %s_all AS %s_kept", name, name, "");
    clickhouse_tables_print(sql, " ENGINE = Distributed(%s, %s, ", ch->cluster, ch->database, "");
    clickhouse_tables_print(sql, "%s_kept, cityHash64(%s))", name, shard_of(table), "");
}

static void all_live(const iol__ch *ch, iol__rows *sql, iol__table_id table) {
    const char *name = iol__tables[table].name;
    clickhouse_tables_print(sql, "CREATE TABLE IF NOT EXISTS %s (", name, "", "");
    add_types(sql, table);
    clickhouse_tables_print(sql, ") ENGINE = Distributed(%s, %s, %s_here)", ch->cluster, ch->database, name);
}

typedef void maker(const iol__ch *ch, iol__rows *sql, iol__table_id table);

static iol_status make_on(iol__ch *ch, size_t host, maker *step, iol__table_id table) {
    iol__rows sql = {0};
    step(ch, &sql, table);
    iol_status status = sql.failed ? iol__store_fail(&ch->base.error, IOL_SYSTEM, "out of memory")
                                   : iol__ch_post(ch, host, NULL, sql.bytes, sql.length);
    iol__rows_free(&sql);
    return status == IOL_END ? IOL_SYSTEM : status;
}

/* On all servers, step by step: what a step needs of another server is there. */
static iol_status make_everywhere(iol__ch *ch, iol__table_id table) {
    maker *const steps[] = {kept_table, clickhouse_tables_view, all_kept, all_live};
    iol_status status = IOL_OK;
    for (int i = 0; i < (ch->cluster ? 4 : 2); i++)
        for (size_t host = 0; host < ch->n_hosts && status == IOL_OK; host++)
            status = make_on(ch, host, steps[i], table);
    return status;
}

/* The URL must name every server of the cluster, or some would have no tables. */
static iol_status check_cluster(iol__ch *ch) {
    int64_t shards = 0;
    const iol__cell name = iol__text(ch->cluster);
    if (!ch->cluster) return IOL_OK;
    iol_status status =
        iol__store_number(&ch->base, "SELECT COUNT(*) FROM system.clusters WHERE cluster = ?", &name, 1, 0, &shards);
    if (status != IOL_OK || (uint64_t)shards == ch->n_hosts) return status;
    return iol__store_fail(&ch->base.error, IOL_INVALID,
                           "%.200s: the cluster '%s' has %lld servers, and the URL names %zu; it must name all of them",
                           ch->name, ch->cluster, (long long)shards, ch->n_hosts);
}

/* Columns ------------------------------------------------------------------------------------------------------- */

static iol_status everywhere(iol__ch *ch, const char *sql) {
    iol_status status = IOL_OK;
    for (size_t host = 0; host < ch->n_hosts && status == IOL_OK; host++)
        status = iol__ch_post(ch, host, NULL, sql, strlen(sql));
    return status == IOL_END ? IOL_SYSTEM : status;
}

/* Columns of a table with this name, or with any. */
static iol_status count_columns(iol__ch *ch, size_t host, const char *table, const char *column, int *count) {
    char sql[300];
    snprintf(
        sql, sizeof sql,
        "SELECT COUNT(*) FROM system.columns WHERE database = currentDatabase() AND table = '%s_kept' AND name LIKE "
        "'%s' FORMAT TabSeparated",
        table, column);
    iol_status status = iol__ch_post(ch, host, NULL, sql, strlen(sql));
    *count = status == IOL_OK && ch->answer.length ? atoi(ch->answer.bytes) : 0;
    return status == IOL_END ? IOL_SYSTEM : status;
}

/* Rows are sent in the order of columns, and what this store adds to a row comes last. */
static iol_status widen(iol__ch *ch, size_t host, iol__table_id table, const iol__column *column, bool *widened) {
    iol__rows sql = {0};
    const char *name = iol__tables[table].name;
    int there = 0, all = 0;
    iol_status status = count_columns(ch, host, name, column->name, &there);
    if (status == IOL_OK && !there) status = count_columns(ch, host, name, "%", &all);
    if (status != IOL_OK || there || !all) return status;
    *widened = true;
    clickhouse_tables_print(&sql, "ALTER TABLE %s_kept ADD COLUMN ", name, "", "");
    add_type(&sql, table, column);
    clickhouse_tables_print(&sql, " AFTER %s", column[-1].name, "", "");
    status = sql.failed ? iol__store_fail(&ch->base.error, IOL_SYSTEM, "out of memory")
                        : iol__ch_post(ch, host, NULL, sql.bytes, sql.length);
    iol__rows_free(&sql);
    return status == IOL_END ? IOL_SYSTEM : status;
}

/* What shows the table has columns of its own, and is made again. */
iol_status iol__ch_add_column(iol__store *store, iol__table_id table, const iol__column *column) {
    static const char *const shows[] = {"DROP TABLE IF EXISTS %s", "DROP TABLE IF EXISTS %s_here",
                                        "DROP TABLE IF EXISTS %s_all"};
    iol__ch *ch = (iol__ch *)store;
    iol_status status = check_cluster(ch);
    bool widened = false;
    for (size_t host = 0; host < ch->n_hosts && status == IOL_OK; host++)
        status = widen(ch, host, table, column, &widened);
    for (size_t i = 0; widened && i < IOL_COUNT(shows) && status == IOL_OK; i++) {
        char sql[100];
        snprintf(sql, sizeof sql, shows[i], iol__tables[table].name);
        status = everywhere(ch, sql);
    }
    return status;
}

/* The table of the version comes last: where it is, all others are. */
iol_status iol__ch_make(iol__store *store) {
    iol__ch *ch = (iol__ch *)store;
    iol_status status = check_cluster(ch);
    for (int table = 0; table < IOL_TABLES && status == IOL_OK; table++)
        if (table != IOL_TABLE_meta) status = make_everywhere(ch, (iol__table_id)table);
    return status == IOL_OK ? make_everywhere(ch, IOL_TABLE_meta) : status;
}
