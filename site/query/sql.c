/* Statements piece by piece. Values are always bound, never pasted. */
#include "site/query/sql.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/index/names.h"

void iol__sql_start(iol__sql *sql) {
    *sql = (iol__sql){0};
    sql->to = open_memstream(&sql->text, &sql->length);
    sql->failed = !sql->to;
}

void iol__sql_add(iol__sql *sql, const char *format, ...) {
    if (sql->failed) return;
    va_list args;
    va_start(args, format);
    vfprintf(sql->to, format, args);
    va_end(args);
}

void iol__sql_and(iol__sql *sql) {
    iol__sql_add(sql, sql->where ? " AND " : " WHERE ");
    sql->where = true;
}

void iol__sql_value(iol__sql *sql, iol__cell value) {
    if (sql->count == IOL_COUNT(sql->values))
        sql->failed = true;
    else
        sql->values[sql->count++] = value;
}

/* In small letters, and each backslash that escapes nothing doubled: databases take one as the next character, as itself, or as
   an error. */
static void write_pattern(char *to, const char *pattern) {
    for (; *pattern; pattern++) {
        const bool escapes = *pattern == '\\' && pattern[1] && strchr("%_\\", pattern[1]);
        if (*pattern == '\\') *to++ = '\\';
        if (escapes) pattern++;
        *to++ = *pattern >= 'A' && *pattern <= 'Z' ? (char)(*pattern + 32) : *pattern;
    }
    *to = 0;
}

static void pattern_value(iol__sql *sql, const char *pattern) {
    char *valid = iol__valid_copy(pattern); /* as names are stored; servers refuse what is no UTF-8 */
    char *copy = valid ? malloc(2 * strlen(valid) + 1) : NULL;
    if (copy) write_pattern(copy, valid);
    free(valid);
    if (!copy || sql->n_owned == IOL_COUNT(sql->owned)) {
        free(copy);
        sql->failed = true;
        return;
    }
    sql->owned[sql->n_owned++] = copy;
    iol__sql_value(sql, iol__text(copy));
}

void iol__sql_like(iol__sql *sql, const char *column, const char *or_column, const char *const *patterns, size_t count,
                   bool negate) {
    if (!count) return;
    iol__sql_and(sql);
    iol__sql_add(sql, negate ? "NOT (" : "(");
    for (size_t i = 0; i < count; i++) {
        iol__sql_add(sql, "%slower(COALESCE(%s, '')) LIKE ? ESCAPE '\\'", i ? " OR " : "", column);
        pattern_value(sql, patterns[i]);
        if (!or_column) continue;
        iol__sql_add(sql, " OR lower(COALESCE(%s, '')) LIKE ? ESCAPE '\\'", or_column);
        pattern_value(sql, patterns[i]);
    }
    iol__sql_add(sql, ")");
}

/* Lists are filled up to a power of two with their last value, so that few different statements have to be prepared. */
void iol__sql_in(iol__sql *sql, const char *column, const iol__cell *values, size_t count) {
    size_t room = 1;
    while (room < count) room *= 2;
    iol__sql_and(sql);
    iol__sql_add(sql, "%s IN (", column);
    for (size_t i = 0; i < room; i++) {
        iol__sql_add(sql, i ? ", ?" : "?");
        iol__sql_value(sql, values[i < count ? i : count - 1]);
    }
    iol__sql_add(sql, ")");
}

void iol__sql_days(iol__sql *sql, const char *column, int64_t since, int64_t until) {
    if (since) {
        iol__sql_and(sql);
        iol__sql_add(sql, "%s >= ?", column);
        iol__sql_value(sql, iol__integer(since));
    }
    if (until) {
        iol__sql_and(sql);
        iol__sql_add(sql, "%s <= ?", column);
        iol__sql_value(sql, iol__integer(until));
    }
}

iol_status iol__sql_ask(iol__sql *sql, iol__store *store, iol__store_row row, void *context) {
    iol_status status = IOL_SYSTEM;
    bool written = sql->to && fclose(sql->to) == 0;
    if (sql->failed || !written)
        iol__store_fail(&store->error, IOL_SYSTEM, "out of memory, or too many patterns");
    else
        status = iol__store_ask(store, sql->text, sql->values, sql->count, row, context);
    for (size_t i = 0; i < sql->n_owned; i++) free(sql->owned[i]);
    free(sql->text);
    return status;
}

static bool take_sql_number(void *context, const iol__cell *cell, size_t count) {
    if (count && cell->kind != IOL_CELL_NULL) *(int64_t *)context = iol__cell_integer(cell);
    return false;
}

iol_status iol__sql_number(iol__sql *sql, iol__store *store, int64_t missing, int64_t *number) {
    *number = missing;
    return iol__sql_ask(sql, store, take_sql_number, number);
}
