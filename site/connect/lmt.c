/* LMT's database, in SQLite or on its MySQL server: what there is in it, and a copy of a time as an SQLite file. Archiving
   it is site/series/lmt.c. */
#include <string.h>

#include "base/count.h"
#include "site/connect/database.h"

static iol_status put_lmt_names(iol__request *request, iol__db *sql, iol__value *into, const char *key,
                                const char *query) {
    iol__db_rows *rows;
    iol_status status = iol__db_ask(request, sql, query, NULL, &rows);
    if (status != IOL_OK) return status;
    iol__value *names = iol__map_open(request->arena, into, key, IOL__LIST);
    while (iol__db_next(rows))
        iol__list_add(request->arena, names, iol__of_text(request->arena, iol__db_text(rows, 0)));
    return iol__db_done(request, sql, rows);
}

iol_status iol__lmt_open(iol__request *request, iol__db **sql) {
    const char *address = request->n_paths ? request->paths[0] : iol__db_address(request->arena, "IOLITE_LMT");
    if (request->n_paths > 1 || !address) return iol__refuse(request, IOL_INVALID, "one database is needed");
    return iol__db_open(request, address, "IOLITE_LMT", sql);
}

/* Ids of times with start <= time <= end. */
static iol_status ids_of(iol__request *request, iol__db *sql, const char *ids[3]) {
    char from[32], until[32];
    iol__format_time(request->start, from);
    iol__format_time(request->end, until);
    const char *values[] = {from, until, NULL};
    iol__db_rows *rows;
    iol_status status = iol__db_ask(
        request, sql, "SELECT min(TS_ID), max(TS_ID) FROM TIMESTAMP_INFO WHERE TIMESTAMP >= ? AND TIMESTAMP <= ?",
        values, &rows);
    if (status != IOL_OK) return status;
    bool there = iol__db_next(rows) && iol__db_text(rows, 0);
    for (int i = 0; i < 2; i++)
        ids[i] = there ? iol__arena_copy(request->arena, iol__db_text(rows, i)) : i ? "-1" : "0";
    ids[2] = NULL;
    return iol__db_done(request, sql, rows);
}

iol_status iol__save_lmt(iol__request *request, const char *path, size_t limit) {
    static const struct {
        const char *table, *key;
        bool timed, optional;
    } tables[] = {{"FILESYSTEM_INFO", "FILESYSTEM_ID", false, true},
                  {"TIMESTAMP_INFO", "TS_ID", true, false},
                  {"OSS_INFO", "OSS_ID, HOSTNAME", false, false},
                  {"OST_INFO", "OST_ID", false, false},
                  {"MDS_INFO", "MDS_ID", false, false},
                  {"OPERATION_INFO", "OPERATION_ID", false, false},
                  {"OST_VARIABLE_INFO", "VARIABLE_ID", false, true},
                  {"MDS_VARIABLE_INFO", "VARIABLE_ID", false, true},
                  {"OST_DATA", "OST_ID, TS_ID", true, false},
                  {"OSS_DATA", "OSS_ID, TS_ID", true, false},
                  {"MDS_DATA", "MDS_ID, TS_ID", true, false},
                  {"MDS_OPS_DATA", "MDS_ID, TS_ID, OPERATION_ID", true, false},
                  {"ROUTER_INFO", "ROUTER_ID", false, true},
                  {"ROUTER_DATA", "ROUTER_ID, TS_ID", true, true}};
    enum { TABLES = IOL_COUNT(tables) };
    iol__db_copy copies[TABLES];
    const char *ids[3];
    iol__db *sql;
    if (!request->ranged) return iol__refuse(request, IOL_INVALID, "a range of time is needed: --start and --end");
    iol_status status = iol__lmt_open(request, &sql);
    if (status != IOL_OK) return status;
    status = ids_of(request, sql, ids);
    const char *most = limit ? iol__arena_print(request->arena, " LIMIT %zu", limit) : "";
    for (size_t i = 0; i < TABLES; i++)
        copies[i] = (iol__db_copy){
            .table = tables[i].table,
            .key = tables[i].key,
            .query = iol__arena_print(
                request->arena, "SELECT * FROM %s%s%s", tables[i].table,
                tables[i].timed ? " WHERE TS_ID BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)" : "", most),
            .values = tables[i].timed ? ids : NULL,
            .optional = tables[i].optional};
    if (status == IOL_OK) status = iol__db_save(request, sql, path, copies, TABLES);
    iol__db_close(sql);
    return status;
}

iol_status iol__read_lmt(iol__request *request, iol__value **out) {
    static const char *const names[][2] = {
        {"osts", "SELECT OST_NAME FROM OST_INFO"},
        {"osses", "SELECT HOSTNAME FROM OSS_INFO"},
        {"mdses", "SELECT HOSTNAME FROM MDS_INFO"},
        {"first", "SELECT min(TIMESTAMP) FROM TIMESTAMP_INFO"},
        {"last", "SELECT max(TIMESTAMP) FROM TIMESTAMP_INFO"},
    };
    iol__db *sql;
    iol_status status = iol__lmt_open(request, &sql);
    if (status != IOL_OK) return status;
    *out = iol__value_new(request->arena, IOL__MAP);
    for (size_t i = 0; i < IOL_COUNT(names) && status == IOL_OK; i++)
        status = put_lmt_names(request, sql, *out, names[i][0], names[i][1]);
    iol__db_close(sql);
    return status;
}
