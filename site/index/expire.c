/* One transaction, tables of logs first. */
#include "site/index/expire.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/count.h"
#include "site/query/query.h"

static bool take_day(void *context, const iol__meta_row *fact) {
    *(int64_t *)context = fact->value ? strtoll(fact->value, NULL, 10) : 0;
    return false;
}

iol_status iol__expired_before(iol__store *store, int64_t *day) {
    iol__sql sql;
    *day = 0;
    iol__select_meta(&sql);
    iol__sql_add(&sql, " FROM meta WHERE name = 'expired_before'");
    return iol__ask_meta(&sql, store, take_day, day);
}

static int64_t microseconds_of(int64_t day) {
    struct tm tm = {.tm_year = (int)(day / 10000) - 1900,
                    .tm_mon = (int)(day / 100 % 100) - 1,
                    .tm_mday = (int)(day % 100),
                    .tm_isdst = -1};
    return (int64_t)mktime(&tm) * 1000000;
}

/* What has no known day stays. */
#define OLD_LOGS "(SELECT log_id FROM log WHERE day > 0 AND day < ?)"

static iol_status delete_rows(iol__store *store, int64_t day) {
    static const char *const statements[] = {
        "UPDATE place SET log_id = 0 WHERE log_id IN " OLD_LOGS,
        "DELETE FROM log_module WHERE log_id IN " OLD_LOGS,
        "DELETE FROM log_fs WHERE log_id IN " OLD_LOGS,
        "DELETE FROM log_ost WHERE log_id IN " OLD_LOGS,
        "DELETE FROM file WHERE log_id IN " OLD_LOGS,
        "DELETE FROM finding WHERE log_id IN " OLD_LOGS,
        "DELETE FROM log_line WHERE log_id IN " OLD_LOGS,
        "DELETE FROM run_log WHERE log_id IN " OLD_LOGS,
        "DELETE FROM log WHERE day > 0 AND day < ?",
        "DELETE FROM job WHERE day > 0 AND day < ?",
        "DELETE FROM stale WHERE day < ?",
    };
    const iol__cell value = iol__integer(day), time = iol__integer(microseconds_of(day));
    iol_status status = IOL_OK;
    for (size_t i = 0; i < IOL_COUNT(statements) && status == IOL_OK; i++)
        status = iol__store_run(store, statements[i], &value, 1);
    if (status == IOL_OK)
        status = iol__store_run(store, "DELETE FROM sched WHERE COALESCE(start, NULLIF(submit, 0)) < ?", &time, 1);
    return status;
}

iol_status iol__expire(iol__store *store, int64_t day, int64_t *logs) {
    const iol__cell value = iol__integer(day);
    char text[24];
    int64_t before = 0;
    if (!store->driver->atomic)
        return iol__store_fail(&store->error, IOL_UNSUPPORTED,
                               "ClickHouse has its own way to expire rows: a TTL of its tables");
    iol_status status = iol__expired_before(store, &before);
    if (status == IOL_OK)
        status = iol__store_number(store, "SELECT COUNT(*) FROM log WHERE day > 0 AND day < ?", &value, 1, 0, logs);
    if (status == IOL_OK) status = iol__store_begin(store);
    if (status != IOL_OK) return status;
    status = delete_rows(store, day);
    snprintf(text, sizeof text, "%lld", (long long)(day > before ? day : before));
    if (status == IOL_OK)
        status = iol__store_put_meta(store, &(iol__meta_row){.name = "expired_before", .value = text});
    if (status == IOL_OK) status = iol__store_commit(store);
    if (status != IOL_OK) iol__store_rollback(store);
    return status;
}
