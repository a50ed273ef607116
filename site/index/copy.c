/* Logs go in portions, each with all its rows and places in one transaction, so that an interrupted copy can be repeated and
   memory stays small. Numbers of logs and mounts are those that the target would have given them. */
#include "site/index/copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/grow.h"
#include "site/query/query.h"

enum { PORTION = 4096, AT_ONCE = 20000 };

/* A number in the source, and what it is in the target. */
typedef struct renumbered {
    int64_t from, to;
} renumbered;

typedef struct numbers {
    renumbered *list;
    size_t count, room;
} numbers;

typedef struct copying {
    iol__store *from, *to;
    iol__copy_counts *counts;
    iol__table_id table; /* that is being copied */
    numbers logs, mounts;
    uint64_t in_transaction;
    iol_status status; /* of the target, or IOL_SYSTEM without memory */
} copying;

static bool copy_stop(copying *c) {
    c->status = iol__store_fail(&c->to->error, IOL_SYSTEM, "out of memory");
    return false;
}

/* Numbers ------------------------------------------------------------------------------------------------------- */

static bool add_copy_number(numbers *n, int64_t from, int64_t to) {
    if (!IOL_GROW(n->list, n->room, n->count)) return false;
    n->list[n->count++] = (renumbered){from, to};
    return true;
}

static int by_from(const void *a, const void *b) {
    const renumbered *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* 0 stays 0. */
static iol__cell copy_number_of(const numbers *n, const iol__cell *cell) {
    renumbered wanted = {.from = iol__cell_integer(cell)};
    const renumbered *found = n->count ? bsearch(&wanted, n->list, n->count, sizeof wanted, by_from) : NULL;
    return iol__integer(found ? found->to : 0);
}

/* Rows ---------------------------------------------------------------------------------------------------------- */

static void copy_columns_of(iol__sql *sql, iol__table_id table) {
    iol__sql_add(sql, "SELECT ");
    for (size_t i = 0; i < iol__table_width(table); i++)
        iol__sql_add(sql, "%s%s", i ? ", " : "", iol__tables[table].columns[i].name);
    iol__sql_add(sql, " FROM %s", iol__tables[table].name);
}

static bool copy_put(copying *c, const iol__cell *row) {
    c->status = iol__store_put(c->to, c->table, row);
    c->counts->rows++;
    return c->status == IOL_OK;
}

/* A row with numbers of logs and mounts in it. */
static bool take_numbered(void *context, const iol__cell *cells, size_t count) {
    copying *c = context;
    iol__cell row[IOL_WIDEST];
    memcpy(row, cells, count * sizeof *row);
    for (size_t i = 0; i < count; i++) {
        const char *name = iol__tables[c->table].columns[i].name;
        if (strcmp(name, "log_id") == 0) row[i] = copy_number_of(&c->logs, &cells[i]);
        if (strcmp(name, "mount_id") == 0) row[i] = copy_number_of(&c->mounts, &cells[i]);
    }
    return copy_put(c, row);
}

static bool take_mount(void *context, const iol__cell *cells, size_t count) {
    copying *c = context;
    const char *point = iol__cell_text(&cells[IOL_AT(mount, mountpt)]);
    int64_t number = iol__cell_integer(&cells[IOL_AT(mount, mount_id)]);
    int64_t mine = c->to->driver->own_numbers ? iol__hash_texts(point ? point : "", "") : number;
    if (!add_copy_number(&c->mounts, number, mine)) return copy_stop(c);
    iol__cell row[IOL_WIDEST];
    memcpy(row, cells, count * sizeof *row);
    row[IOL_AT(mount, mount_id)] = iol__integer(mine);
    return copy_put(c, row);
}

static bool take_copy_log(void *context, const iol__cell *cells, size_t count) {
    copying *c = context;
    int64_t number = iol__cell_integer(&cells[IOL_AT(log, log_id)]), mine = number;
    const char *cluster = iol__cell_text(&cells[IOL_AT(log, cluster)]),
               *identity = iol__cell_text(&cells[IOL_AT(log, identity)]);
    if (c->to->driver->own_numbers)
        mine = iol__log_number(cluster ? cluster : "", identity ? identity : "",
                               iol__cell_integer(&cells[IOL_AT(log, day)]));
    if (!add_copy_number(&c->logs, number, mine)) return copy_stop(c);
    iol__cell row[IOL_WIDEST];
    memcpy(row, cells, count * sizeof *row);
    row[IOL_AT(log, log_id)] = iol__integer(mine);
    c->counts->logs++;
    return copy_put(c, row);
}

/* Rows without numbers, some at a time. */
static bool take_plain(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    copying *c = context;
    if (!copy_put(c, cells)) return false;
    if (++c->in_transaction % AT_ONCE) return true;
    c->status = iol__store_commit(c->to);
    if (c->status == IOL_OK) c->status = iol__store_begin(c->to);
    return c->status == IOL_OK;
}

/* Steps --------------------------------------------------------------------------------------------------------- */

static iol_status copy_ask(copying *c, iol__sql *sql, iol__store_row row) {
    c->status = IOL_OK;
    iol_status status = iol__sql_ask(sql, c->from, row, c);
    return status == IOL_OK ? c->status : status;
}

static iol_status at_once(copying *c, iol_status (*step)(copying *)) {
    iol_status status = iol__store_begin(c->to);
    if (status == IOL_OK) status = step(c);
    if (status == IOL_OK) status = iol__store_commit(c->to);
    if (status != IOL_OK) iol__store_rollback(c->to);
    return status;
}

static iol_status whole_table(copying *c) {
    iol__sql sql;
    iol__sql_start(&sql);
    copy_columns_of(&sql, c->table);
    c->in_transaction = 0;
    return copy_ask(c, &sql, c->table == IOL_TABLE_mount ? take_mount : take_plain);
}

/* Rows of the logs of this portion, and the places of their files. */
static iol_status below_logs(copying *c) {
    static const iol__table_id tables[] = {IOL_TABLE_log_module, IOL_TABLE_log_fs,  IOL_TABLE_log_ost,
                                           IOL_TABLE_file,       IOL_TABLE_finding, IOL_TABLE_log_line,
                                           IOL_TABLE_run_log,    IOL_TABLE_place};
    iol_status status = IOL_OK;
    for (size_t i = 0; i < IOL_COUNT(tables) && status == IOL_OK; i++) {
        iol__sql sql;
        iol__sql_start(&sql);
        c->table = tables[i];
        copy_columns_of(&sql, c->table);
        iol__sql_add(&sql, " WHERE log_id >= ? AND log_id <= ?");
        iol__sql_value(&sql, iol__integer(c->logs.list[0].from));
        iol__sql_value(&sql, iol__integer(c->logs.list[c->logs.count - 1].from));
        status = copy_ask(c, &sql, take_numbered);
    }
    return status;
}

static bool take_copy_month(void *context, const iol__day_row *row) {
    return add_copy_number(context, iol__log_month(row->day), 0);
}

/* Months must be known before a transaction. */
static iol_status expect_months(copying *c) {
    numbers months = {0};
    iol__sql sql;
    iol__select_day_with(&sql, &(iol__day_sql){.day = "DISTINCT day"});
    iol__sql_add(&sql, " FROM log ORDER BY day");
    iol_status status = iol__ask_day(&sql, c->from, take_copy_month, &months);
    for (size_t i = 0; i < months.count && status == IOL_OK; i++)
        status = iol__store_expect(c->to, &months.list[i].from, 1);
    free(months.list);
    return status;
}

static iol_status portion(copying *c) {
    iol__sql sql;
    int64_t last = c->logs.count ? c->logs.list[c->logs.count - 1].from : INT64_MIN;
    c->logs.count = 0;
    c->table = IOL_TABLE_log;
    iol__sql_start(&sql);
    copy_columns_of(&sql, c->table);
    iol__sql_add(&sql, " WHERE log_id > ? ORDER BY log_id LIMIT %d", PORTION);
    iol__sql_value(&sql, iol__integer(last));
    iol_status status = copy_ask(c, &sql, take_copy_log);
    return status == IOL_OK && c->logs.count ? below_logs(c) : status;
}

/* Files without a log. */
static iol_status other_places(copying *c) {
    iol__sql sql;
    iol__sql_start(&sql);
    c->table = IOL_TABLE_place;
    copy_columns_of(&sql, c->table);
    iol__sql_add(&sql, " WHERE log_id = 0");
    c->in_transaction = 0;
    return copy_ask(c, &sql, take_plain);
}

/* A copy that was interrupted has its mark in the target; without one it must be new. */
static iol_status copy_claim(copying *c) {
    int64_t logs = 0, marked = 0;
    iol_status status = iol__store_number(c->to, "SELECT COUNT(*) FROM log", NULL, 0, 0, &logs);
    if (status == IOL_OK)
        status = iol__store_number(c->to, "SELECT COUNT(*) FROM meta WHERE name = 'copying'", NULL, 0, 0, &marked);
    if (status == IOL_OK && logs && !marked)
        return iol__store_fail(&c->to->error, IOL_INVALID,
                               "the index to copy to has logs already; it must be a new one");
    if (status != IOL_OK) return status;
    return iol__store_put_meta(c->to, &(iol__meta_row){.name = "copying", .value = ""});
}

static iol_status copy_all(copying *c, void (*progress)(void *context, uint64_t logs), void *context) {
    iol_status status = copy_claim(c);
    c->table = IOL_TABLE_mount;
    if (status == IOL_OK) status = at_once(c, whole_table);
    if (c->mounts.count) qsort(c->mounts.list, c->mounts.count, sizeof *c->mounts.list, by_from);
    if (status == IOL_OK) status = expect_months(c);
    while (status == IOL_OK) {
        status = at_once(c, portion);
        if (!c->logs.count) break;
        if (progress) progress(context, c->counts->logs);
    }
    if (status == IOL_OK) status = at_once(c, other_places);
    for (int table = 0; table < IOL_TABLES && status == IOL_OK; table++) {
        bool done = table == IOL_TABLE_meta || table == IOL_TABLE_mount || table == IOL_TABLE_place ||
                    iol__table_by_month((iol__table_id)table);
        c->table = (iol__table_id)table;
        if (!done) status = at_once(c, whole_table);
    }
    return status == IOL_OK ? iol__store_run(c->to, "DELETE FROM meta WHERE name = 'copying'", NULL, 0) : status;
}

iol_status iol__copy_store(iol__store *from, iol__store *to, void (*progress)(void *context, uint64_t logs),
                           void *context, iol__copy_counts *counts, iol_error *error) {
    copying c = {.from = from, .to = to, .counts = counts};
    *counts = (iol__copy_counts){0};
    iol_status status = copy_all(&c, progress, context);
    if (status != IOL_OK && error) *error = from->error.status != IOL_OK ? from->error : to->error;
    free(c.logs.list);
    free(c.mounts.list);
    return status;
}
