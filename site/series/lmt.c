/* LMT's database to time series: traffic and fullness of OSTs, load of servers, operations of MDSes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/database.h"
#include "site/series/archive.h"

typedef struct lmt {
    iol__request *request;
    iol__archiving *to;
    iol__db *sql;
    int64_t first_id, last_id; /* of times in the range */
    double *times;             /* by id, from first_id on */
    size_t unknown;            /* rows that refer to nothing */
    size_t tables;             /* that gave something, if only in part */
} lmt;

enum { MOST_TIMES = 1 << 24, MOST_VALUES = 6 };

/* One query, and the datasets that its values go to. */
typedef struct lmt_table {
    const char *query; /* TS_ID, id of the component, values; two ids to compare TS_ID with */
    const char *names; /* id and name of components */
    struct {
        const char *dataset, *units;
        bool counter;
    } values[MOST_VALUES];
    bool optional; /* few databases have it */
} lmt_table;

static const lmt_table tables[] = {
    {"SELECT TS_ID, OST_ID, READ_BYTES, WRITE_BYTES, KBYTES_USED, KBYTES_USED + KBYTES_FREE, INODES_USED, INODES_USED "
     "+ "
     "INODES_FREE FROM OST_DATA WHERE TS_ID BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ORDER BY TS_ID",
     "SELECT OST_ID, OST_NAME FROM OST_INFO",
     {{"datatargets/readbytes", "bytes", true},
      {"datatargets/writebytes", "bytes", true},
      {"fullness/bytes", "KiB", false},
      {"fullness/bytestotal", "KiB", false},
      {"fullness/inodes", "inodes", false},
      {"fullness/inodestotal", "inodes", false}},
     false},
    {"SELECT TS_ID, OSS_ID, PCT_CPU, PCT_MEMORY FROM OSS_DATA WHERE TS_ID BETWEEN CAST(? AS INTEGER) AND CAST(? AS "
     "INTEGER) "
     "ORDER BY TS_ID",
     "SELECT OSS_ID, HOSTNAME FROM OSS_INFO",
     {{"dataservers/cpuload", "%", false}, {"dataservers/memused", "%", false}},
     false},
    {"SELECT TS_ID, MDS_ID, PCT_CPU FROM MDS_DATA WHERE TS_ID BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ORDER "
     "BY TS_ID",
     "SELECT MDS_ID, HOSTNAME FROM MDS_INFO",
     {{"mdservers/cpuload", "%", false}},
     false},
    {"SELECT TS_ID, ROUTER_ID, BYTES, PCT_CPU FROM ROUTER_DATA WHERE TS_ID BETWEEN CAST(? AS INTEGER) AND CAST(? AS "
     "INTEGER) "
     "ORDER BY TS_ID",
     "SELECT ROUTER_ID, ROUTER_NAME FROM ROUTER_INFO",
     {{"network/bytes", "bytes", true}, {"network/cpuload", "%", false}},
     true},
};

static const char *const operations[] = {"open",  "close",  "mknod",    "link",   "unlink",  "mkdir",
                                         "rmdir", "rename", "getxattr", "statfs", "setattr", "getattr"};

static const char **range_values(lmt *on) {
    const char **values = iol__arena_alloc(on->to->arena, 3, sizeof *values);
    values[0] = iol__arena_print(on->to->arena, "%lld", (long long)on->first_id);
    values[1] = iol__arena_print(on->to->arena, "%lld", (long long)on->last_id);
    return values;
}

/* Times are local texts; one sample beyond the end is needed for the last difference. An hour more on either side, because
   texts do not ascend where clocks go back. */
static iol_status read_lmt_times(lmt *on) {
    iol__arena *arena = on->to->arena;
    char from[32], until[32];
    double before = NAN;
    iol__format_time(on->to->start - 3600, from);
    iol__format_time(on->to->end + on->to->step + 3600, until);
    const char *values[] = {from, until, NULL};
    iol__db_rows *rows;
    iol_status status = iol__db_ask(on->request, on->sql,
                                    "SELECT TS_ID, TIMESTAMP FROM TIMESTAMP_INFO WHERE TIMESTAMP >= ? AND "
                                    "TIMESTAMP < ? ORDER BY TS_ID",
                                    values, &rows);
    if (status != IOL_OK) return status;
    size_t count = 0;
    on->last_id = -1;
    while (iol__db_next(rows)) {
        int64_t id = iol__db_integer(rows, 0);
        double when;
        if (!iol__db_text(rows, 1) || !iol__parse_time(iol__db_text(rows, 1), &when)) continue;
        before = when = iol__time_after(before, when); /* ids ascend */
        if (when < (double)on->to->start || when >= (double)(on->to->end + on->to->step)) continue;
        if (on->last_id < 0) on->first_id = id;
        if (id - on->first_id >= MOST_TIMES) break;
        for (; count <= (size_t)(id - on->first_id); count++) {
            on->times = iol__arena_grow(arena, on->times, count, sizeof *on->times);
            on->times[count] = NAN;
        }
        on->times[id - on->first_id] = when;
        on->last_id = id;
    }
    return iol__db_done(on->request, on->sql, rows);
}

/* Names of components, by id, as a map of texts; all of them become columns, in the order of the table. */
static iol_status read_lmt_names(lmt *on, const char *query, iol__value **names) {
    iol__db_rows *rows;
    iol_status status = iol__db_ask(on->request, on->sql, query, NULL, &rows);
    if (status != IOL_OK) return status;
    *names = iol__value_new(on->to->arena, IOL__MAP);
    while (iol__db_next(rows))
        if (iol__db_text(rows, 1))
            iol__map_put_text(on->to->arena, *names,
                              iol__arena_print(on->to->arena, "%lld", (long long)iol__db_integer(rows, 0)),
                              iol__db_text(rows, 1));
    return iol__db_done(on->request, on->sql, rows);
}

/* The grids of one table, with a column for each component; gives the column of each component by its id. */
static const iol__value *open_columns(lmt *on, iol__grid *grid, const iol__value *names) {
    iol__value *places = iol__value_new(on->to->arena, IOL__MAP);
    grid->in_order = true;
    for (size_t i = 0; i < names->count; i++)
        iol__map_put_integer(on->to->arena, places, names->keys[i],
                             (int64_t)iol__grid_column(on->to, grid, names->items[i]->text));
    return places;
}

static bool lmt_place_of(lmt *on, iol__db_rows *rows, const iol__value *places, double *when, size_t *column) {
    char key[32];
    int64_t id = iol__db_integer(rows, 0) - on->first_id;
    snprintf(key, sizeof key, "%lld", (long long)iol__db_integer(rows, 1));
    const iol__value *place = iol__map_get(places, key);
    if (id < 0 || id > on->last_id - on->first_id || isnan(on->times[id]) || !place) {
        on->unknown += !place;
        return false;
    }
    *when = on->times[id];
    *column = (size_t)place->integer;
    return true;
}

static iol_status read_lmt_table(lmt *on, const lmt_table *is) {
    iol__value *names;
    iol__db_rows *rows;
    size_t grids[MOST_VALUES], count = 0;
    iol_status status = read_lmt_names(on, is->names, &names);
    if (status == IOL_OK && is->optional && !names->count) return IOL_OK;
    if (status == IOL_OK) status = iol__db_ask(on->request, on->sql, is->query, range_values(on), &rows);
    if (status != IOL_OK) return is->optional ? IOL_OK : status;
    const iol__value *places = NULL;
    for (; count < MOST_VALUES && is->values[count].dataset; count++) {
        iol__grid *grid = iol__grid_open(on->to, is->values[count].dataset, is->values[count].units);
        grid->counter = is->values[count].counter;
        places = open_columns(on, grid, names);
        grids[count] = (size_t)(grid - on->to->grids);
    }
    double when, last = (double)on->to->end;
    size_t column;
    while (iol__db_next(rows)) {
        if (!lmt_place_of(on, rows, places, &when, &column)) continue;
        for (size_t i = 0; i < count; i++)
            if (when < last || is->values[i].counter)
                iol__grid_put(on->to, &on->to->grids[grids[i]], column, when, iol__db_real(rows, (int)i + 2));
    }
    on->tables++;
    return iol__db_done(on->request, on->sql, rows);
}

static iol_status read_operations(lmt *on) {
    iol__value *names;
    iol__db_rows *rows;
    iol_status status = read_lmt_names(on, "SELECT MDS_ID, HOSTNAME FROM MDS_INFO", &names);
    for (size_t i = 0; i < IOL_COUNT(operations) && status == IOL_OK; i++) {
        char *dataset = iol__arena_print(on->to->arena, "mdtargets/%ss", operations[i]);
        const char **values = iol__arena_alloc(on->to->arena, 4, sizeof *values), **range = range_values(on);
        values[0] = range[0], values[1] = range[1], values[2] = operations[i];
        status = iol__db_ask(
            on->request, on->sql,
            "SELECT TS_ID, MDS_ID, SAMPLES FROM MDS_OPS_DATA WHERE TS_ID BETWEEN CAST(? AS INTEGER) AND CAST(? AS "
            "INTEGER) AND OPERATION_ID IN (SELECT OPERATION_ID FROM OPERATION_INFO WHERE OPERATION_NAME = ?) "
            "ORDER BY TS_ID",
            values, &rows);
        if (status != IOL_OK) return status;
        iol__grid *grid = iol__grid_open(on->to, dataset, "ops");
        grid->counter = true;
        const iol__value *places = open_columns(on, grid, names);
        double when;
        size_t column;
        while (iol__db_next(rows))
            if (lmt_place_of(on, rows, places, &when, &column))
                iol__grid_put(on->to, grid, column, when, iol__db_real(rows, 2));
        on->tables++;
        status = iol__db_done(on->request, on->sql, rows);
    }
    return status;
}

/* What a table that cannot be read means for the others: one that is not there, as in other releases of LMT, nothing; after
   anything else, what came before is kept as a part. */
static iol_status lmt_go_on(lmt *on, iol_status status) {
    char *why = on->request->why;
    bool absent = strstr(why, "no such table") || strstr(why, "no such column") || strstr(why, "doesn't exist") ||
                  strstr(why, "Unknown column");
    if (status == IOL_OK || (!absent && !on->tables)) return status;
    if (absent)
        iol__site_say("%s: left out", why);
    else
        iol__partial(on->request, "%.180s", why);
    return absent ? IOL_OK : IOL_END;
}

iol_status iol__archive_lmt(iol__request *request, iol__archiving *to) {
    lmt on = {.request = request, .to = to};
    iol_status status = iol__lmt_open(request, &on.sql);
    if (status != IOL_OK) return status;
    status = read_lmt_times(&on);
    for (size_t i = 0; i < IOL_COUNT(tables) && status == IOL_OK; i++)
        status = lmt_go_on(&on, read_lmt_table(&on, &tables[i]));
    if (status == IOL_OK) status = lmt_go_on(&on, read_operations(&on));
    if (status == IOL_END || (status == IOL_OK && on.tables)) *request->why = 0;
    if (status == IOL_END) status = IOL_OK;
    if (status == IOL_OK && on.tables == 0) status = IOL_DAMAGED;
    if (on.unknown) iol__site_say("%zu rows belong to servers or targets that the database does not name", on.unknown);
    iol__db_close(on.sql);
    return status;
}
