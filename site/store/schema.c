/* From schema.def and dialects.def to tables of C and texts of SQL. */
#include "site/store/schema.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/count.h"

/* Where columns of `job` are shown. */
enum { LAST = 10000 }; /* behind all others */
#define JOBS(order, name, width, place) .jobs = {order, name, width, place}
#define API(order, key) .api = {order, key, 0, 0}
#define PORTAL(order, heading) .portal = {order, heading, 0, 0}
#define METRIC(key) .metric = key
#define AS(kind) .unit = IOL_SHOWN_##kind
#define OF_LOGS .of_logs = true

static const iol__column columns[] = {
#define TABLE(name, keys, meaning)
#define DESCRIBED(table, column, is, null, ...)      \
    {.name = #column,                                \
     .type = is,                                     \
     .maybe = null,                                  \
     .offset = offsetof(iol__##table##_row, column), \
     .meaning = __VA_ARGS__},
#define COLUMN(table, name, type, ...) DESCRIBED(table, name, IOL_TYPE_##type, false, __VA_ARGS__)
#define MAYBE(table, name, type, ...) DESCRIBED(table, name, IOL_TYPE_##type, true, __VA_ARGS__)
#define INDEX(name, table, columns)
#include "site/store/schema.def"
#undef TABLE
#undef COLUMN
#undef MAYBE
#undef INDEX
};

const iol__table iol__tables[IOL_TABLES] = {
#define TABLE(name, keys, meaning) {#name, keys, meaning, columns + IOL_FIRST_##name},
#define COLUMN(table, name, type, ...)
#define MAYBE(table, name, type, ...)
#define INDEX(name, table, columns)
#include "site/store/schema.def"
#undef TABLE
#undef COLUMN
#undef MAYBE
#undef INDEX
};

size_t iol__table_width(iol__table_id table) {
    const iol__column *end = table + 1 < IOL_TABLES ? iol__tables[table + 1].columns : columns + IOL_COLUMNS;
    return (size_t)(end - iol__tables[table].columns);
}

const iol__index iol__indexes[] = {
#define TABLE(name, keys, meaning)
#define COLUMN(table, name, type, ...)
#define MAYBE(table, name, type, ...)
#define INDEX(name, table, columns) {#name, columns, IOL_TABLE_##table},
#include "site/store/schema.def"
#undef TABLE
#undef COLUMN
#undef MAYBE
#undef INDEX
};
const size_t iol__indexes_count = IOL_COUNT(iol__indexes);

/* Lists of jobs ------------------------------------------------------------------------------------------------- */

static const iol__shown *shown_in(const iol__column *column, iol__job_view view) {
    return view == IOL_VIEW_JOBS ? &column->jobs : view == IOL_VIEW_API ? &column->api : &column->portal;
}

/* Few columns: each goes in front of those with a higher number. */
size_t iol__job_shown(iol__job_view view, const iol__column **list) {
    size_t count = 0;
    for (size_t i = 0; i < iol__table_width(IOL_TABLE_job); i++) {
        const iol__column *column = &iol__tables[IOL_TABLE_job].columns[i];
        const iol__shown *shown = shown_in(column, view);
        size_t at = count;
        if (!shown->name) continue;
        for (; at && shown_in(list[at - 1], view)->order > shown->order; at--) list[at] = list[at - 1];
        list[at] = column;
        count++;
    }
    return count;
}

/* SQL ----------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *types[IOL_TYPES]; /* by iol__column_type */
    const char *behind_months;    /* behind CREATE TABLE, of tables by month */
    const char *behind_keyed;     /* the same, of tables that are asked by their key */
} dialects[IOL_DIALECTS] = {
#define DIALECT(name, key, integer, time, real, text, months, keyed) \
    {{key, integer, time, time, real, text}, months, keyed},
#include "site/store/dialects.def"
#undef DIALECT
};

bool iol__table_by_month(iol__table_id table) {
    return table == IOL_TABLE_log || table == IOL_TABLE_log_module || table == IOL_TABLE_log_fs ||
           table == IOL_TABLE_log_ost || table == IOL_TABLE_file || table == IOL_TABLE_finding ||
           table == IOL_TABLE_log_line || table == IOL_TABLE_run_log;
}

/* Parts of a log, and daily sums: in the order of their key, without a number of their own, they are written once. */
static bool by_key(iol__table_id table) {
    return (iol__table_by_month(table) && table != IOL_TABLE_log) ||
           (table >= IOL_TABLE_day_use && table <= IOL_TABLE_day_modules);
}

const char *iol__schema_type(iol__dialect dialect, const iol__column *column) {
    return dialects[dialect].types[column->type];
}

char *iol__schema_create(iol__dialect dialect, iol__table_id id) {
    const iol__table *table = &iol__tables[id];
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (!to) return NULL;
    fprintf(to, "CREATE TABLE IF NOT EXISTS %s (", table->name);
    for (size_t i = 0; i < iol__table_width(id); i++)
        fprintf(to, "%s %s, ", table->columns[i].name, iol__schema_type(dialect, &table->columns[i]));
    fprintf(to, "PRIMARY KEY (%s))%s%s", table->keys, iol__table_by_month(id) ? dialects[dialect].behind_months : "",
            by_key(id) ? dialects[dialect].behind_keyed : "");
    if (fclose(to) == 0) return text;
    free(text);
    return NULL;
}

char *iol__schema_index(const iol__index *index) {
    char *text;
    int length = asprintf(&text, "CREATE INDEX IF NOT EXISTS %s ON %s (%s)", index->name,
                          iol__tables[index->table].name, index->columns);
    return length < 0 ? NULL : text;
}
