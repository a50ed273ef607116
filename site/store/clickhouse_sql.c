/* The common subset of SQL in ClickHouse's words. There is no UPDATE and no DELETE: both are inserts of rows with a higher
   version. A deletion takes the version that it saw plus one, so that it hits this one and nothing that came later; others
   are even. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site/store/clickhouse.h"

iol__table_id iol__ch_table(const char *name, size_t *length) {
    size_t n = 0;
    while (isalnum((unsigned char)name[n]) || name[n] == '_') n++;
    *length = n;
    for (int table = 0; table < IOL_TABLES; table++)
        if (strlen(iol__tables[table].name) == n && memcmp(iol__tables[table].name, name, n) == 0)
            return (iol__table_id)table;
    return IOL_TABLES;
}

void iol__ch_target(const iol__ch *ch, iol__table_id table, char name[64]) {
    snprintf(name, 64, "%s_%s", iol__tables[table].name, ch->cluster ? "all" : "kept");
}

void iol__ch_columns(iol__rows *sql, iol__table_id table) {
    for (size_t i = 0; i < iol__table_width(table); i++) {
        if (i) iol__rows_text(sql, ", ");
        iol__rows_text(sql, iol__tables[table].columns[i].name);
    }
}

/* Values -------------------------------------------------------------------------------------------------------- */

static void add_clickhouse_sql_text(iol__rows *sql, const char *text) {
    iol__rows_add(sql, "'", 1);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') iol__rows_add(sql, "\\", 1);
        iol__rows_add(sql, text, 1);
    }
    iol__rows_add(sql, "'", 1);
}

static void add_clickhouse_sql_value(iol__rows *sql, const iol__cell *value) {
    char number[40] = "NULL";
    if (value->kind == IOL_CELL_TEXT) {
        add_clickhouse_sql_text(sql, value->as.text);
        return;
    }
    if (value->kind == IOL_CELL_INT) snprintf(number, sizeof number, "%lld", (long long)value->as.integer);
    if (value->kind == IOL_CELL_REAL) snprintf(number, sizeof number, "%.17g", value->as.real);
    iol__rows_text(sql, number);
}

/* Tables -------------------------------------------------------------------------------------------------------- */

/* " FROM log WHERE " asks the rows with their versions, because ClickHouse looks conditions up in the sorting key there and
   not through a view. Rows that count only with a log's are asked through theirs. */
static size_t add_from(const iol__ch *ch, iol__rows *sql, const char *at) {
    static const char from[] = " FROM ", where[] = " WHERE ";
    size_t length;
    char target[64];
    if (strncmp(at, from, sizeof from - 1) != 0) return 0;
    iol__table_id table = iol__ch_table(at + sizeof from - 1, &length);
    const char *behind = at + sizeof from - 1 + length;
    if (table == IOL_TABLES || iol__ch_child(table) || strncmp(behind, where, sizeof where - 1) != 0) return 0;
    iol__ch_target(ch, table, target);
    iol__rows_text(sql, from);
    iol__rows_text(sql, target);
    iol__rows_text(sql, " FINAL WHERE gone = 0 AND ");
    return (size_t)(behind - at) + sizeof where - 1;
}

/* Backslash escapes in patterns without a declaration. */
static const char escape[] = " ESCAPE '\\'";

/* How many values it took. */
static size_t add_sql(const iol__ch *ch, iol__rows *sql, const char *text, const iol__cell *values, size_t count) {
    size_t taken = 0, skipped;
    while (*text) {
        if (strncmp(text, escape, sizeof escape - 1) == 0) {
            text += sizeof escape - 1;
        } else if ((skipped = add_from(ch, sql, text)) != 0) {
            text += skipped;
        } else if (*text == '?') {
            if (taken < count) add_clickhouse_sql_value(sql, &values[taken++]);
            text++;
        } else {
            iol__rows_add(sql, text++, 1);
        }
    }
    return taken;
}

static char *clickhouse_sql_finished(iol__rows *sql) {
    if (!sql->failed) return sql->bytes;
    iol__rows_free(sql);
    return NULL;
}

char *iol__ch_select(const iol__ch *ch, const char *text, const iol__cell *values, size_t count) {
    iol__rows sql = {0};
    add_sql(ch, &sql, text, values, count);
    iol__rows_text(&sql, " FORMAT TabSeparatedWithNamesAndTypes");
    return clickhouse_sql_finished(&sql);
}

/* "INSERT INTO t_all (columns, made, ver, gone) SELECT " */
static void add_insert(const iol__ch *ch, iol__rows *sql, iol__table_id table) {
    char target[64];
    iol__ch_target(ch, table, target);
    iol__rows_text(sql, "INSERT INTO ");
    iol__rows_text(sql, target);
    iol__rows_text(sql, " (");
    iol__ch_columns(sql, table);
    iol__rows_text(sql, iol__table_by_month(table) ? ", made, ver, gone) SELECT " : ", ver, gone) SELECT ");
}

static void add_source(const iol__ch *ch, iol__rows *sql, iol__table_id table, uint64_t before) {
    char target[64], text[160];
    iol__ch_target(ch, table, target);
    snprintf(text, sizeof text, " FROM %s FINAL WHERE gone = 0 AND ver < %llu AND ", target,
             (unsigned long long)before);
    iol__rows_text(sql, text);
}

/* Two indexers may rebuild one job at the same time, from different logs. The later version has seen all of them and stays;
   who puts its rows after the other's deletion takes them back here. Rows with a higher version than ours are never ours to
   take: subqueries may have been answered before those came. */
static void add_ours_if_late(const iol__ch *ch, iol__rows *sql, const char *condition, const iol__cell *values,
                             size_t count) {
    unsigned long long version = ch->read_at;
    char target[64], text[300];
    iol__ch_target(ch, IOL_TABLE_job, target);
    snprintf(text, sizeof text,
             " FROM %s FINAL WHERE gone = 0 AND (ver < %llu OR (ver = %llu AND (cluster, jobid) IN (SELECT cluster, "
             "jobid FROM %s FINAL WHERE gone = 0 AND ver > %llu AND ",
             target, version, version, target, version);
    iol__rows_text(sql, text);
    add_sql(ch, sql, condition, values, count);
    iol__rows_text(sql, "))) AND ");
}

char *iol__ch_delete(const iol__ch *ch, iol__table_id table, const char *condition, const iol__cell *values,
                     size_t count) {
    iol__rows sql = {0};
    add_insert(ch, &sql, table);
    iol__ch_columns(&sql, table);
    iol__rows_text(&sql, iol__table_by_month(table) ? ", made, ver + 1, 1" : ", ver + 1, 1");
    if (table == IOL_TABLE_job)
        add_ours_if_late(ch, &sql, condition, values, count);
    else
        add_source(ch, &sql, table, table == IOL_TABLE_stale ? ch->read_at : ch->version);
    add_sql(ch, &sql, condition, values, count);
    return clickhouse_sql_finished(&sql);
}

char *iol__ch_insert(const iol__ch *ch, iol__table_id table, const char *select, const iol__cell *values,
                     size_t count) {
    iol__rows sql = {0};
    char version[80];
    add_insert(ch, &sql, table);
    snprintf(version, sizeof version, "*, %llu, 0 FROM (", (unsigned long long)ch->version);
    iol__rows_text(&sql, version);
    add_sql(ch, &sql, select, values, count);
    iol__rows_text(&sql, ")");
    return clickhouse_sql_finished(&sql);
}

/* "a = ?, b = ? WHERE ...": the columns come first among the values. */
char *iol__ch_update(const iol__ch *ch, iol__table_id table, const char *set, const iol__cell *values, size_t count) {
    iol__rows sql = {0};
    const char *where = strstr(set, " WHERE ");
    char version[80];
    size_t taken = 0;
    if (!where) return NULL;
    for (const char *c = set; c < where; c++) taken += *c == '?';
    add_insert(ch, &sql, table);
    for (size_t i = 0; i < iol__table_width(table); i++) {
        const char *name = iol__tables[table].columns[i].name, *at = set;
        size_t place = 0, length = strlen(name);
        if (i) iol__rows_text(&sql, ", ");
        for (; at < where; at = strchr(at, '?') + 1 + strspn(strchr(at, '?') + 1, ", "), place++)
            if (strncmp(at, name, length) == 0 && strncmp(at + length, " = ?", 4) == 0) break;
        if (at < where)
            add_clickhouse_sql_value(&sql, &values[place]);
        else
            iol__rows_text(&sql, name);
    }
    snprintf(version, sizeof version, "%s, %llu, 0", iol__table_by_month(table) ? ", made" : "",
             (unsigned long long)ch->version);
    iol__rows_text(&sql, version);
    add_source(ch, &sql, table, ch->version);
    add_sql(ch, &sql, where + strlen(" WHERE "), values + taken, count - taken);
    return clickhouse_sql_finished(&sql);
}
