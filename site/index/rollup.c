/* One statement per table for some days at once. The sums of log_fs are by file system, so that a log with two mounts of one
   file system counts once. */
#include "site/index/rollup.h"

#include "site/index/expire.h"
#include "site/query/query.h"

#define EIGHT "?, ?, ?, ?, ?, ?, ?, ?"
#define DAYS EIGHT ", " EIGHT ", " EIGHT ", " EIGHT

static const char day_use[] = "INSERT INTO day_use SELECT day, cluster, owner, COALESCE(exename, ''), COUNT(*)"
#define SUM(name) ", SUM(COALESCE(" #name ", 0))"
#define SUM_OF_DAY(name) SUM(name)
#define SUM_OF_JOB(name)
#include "site/log_sums.def"
#undef SUM
#undef SUM_OF_DAY
#undef SUM_OF_JOB
                              " FROM log WHERE day IN (" DAYS ") GROUP BY day, cluster, owner, COALESCE(exename, '')";

static const char day_account[] =
    "INSERT INTO day_account SELECT day, cluster, COALESCE(account, ''), SUM(logs)"
#define SUM(name) ", SUM(COALESCE(" #name ", 0))"
#define SUM_OF_DAY(name) SUM(name)
#define SUM_OF_JOB(name)
#include "site/log_sums.def"
#undef SUM
#undef SUM_OF_DAY
#undef SUM_OF_JOB
    " FROM job WHERE logs > 0 AND day IN (" DAYS ") GROUP BY day, cluster, COALESCE(account, '')";

static const char day_job[] =
    "INSERT INTO day_job SELECT day, cluster, owner, COALESCE(exename, ''), COALESCE(account, ''), COUNT(*), "
    "SUM(logs), "
    "SUM(COALESCE(bytes_read, 0)), SUM(COALESCE(bytes_written, 0)), MAX(COALESCE(meta_ratio, 0)) FROM job WHERE logs > "
    "0 "
    "AND day IN (" DAYS ") GROUP BY day, cluster, owner, COALESCE(exename, ''), COALESCE(account, '')";

static const char day_steps[] = "INSERT INTO day_steps SELECT day, cluster, logs, COUNT(*) FROM job WHERE logs > 0 AND "
                                "day IN (" DAYS ") GROUP BY day, cluster, logs";

static const char day_coverage[] =
    "INSERT INTO day_coverage SELECT day, owner, COALESCE(state, ''), COALESCE(entry, ''), COALESCE(cause, ''), "
    "cluster, "
    "COUNT(*), SUM(CASE WHEN COALESCE(covered, logs) > 0 THEN 1 ELSE 0 END), SUM(COALESCE(core_time, 0)), "
    "SUM(CASE WHEN COALESCE(covered, logs) > 0 THEN COALESCE(core_time, 0) ELSE 0 END) FROM job WHERE known = 1 AND "
    "day IN (" DAYS ") GROUP BY day, owner, COALESCE(state, ''), COALESCE(entry, ''), COALESCE(cause, ''), cluster";

static const char day_took[] = "INSERT INTO day_took SELECT day, cluster, about, COUNT(*), SUM(took), MIN(took), "
                               "MAX(took) FROM (SELECT day, cluster, took, " IOL_TOOK_ABOUT
                               " AS about FROM log WHERE day IN (" DAYS ")) AS t GROUP BY day, cluster, about";

#define FINDINGS(columns)                                                                                        \
    "SELECT " columns ", COUNT(*), SUM(lost), SUM(node_time) FROM (SELECT log_id, day, cluster, owner, "         \
    "COALESCE(exename, '') AS exename FROM log WHERE day IN (" DAYS ")) AS l JOIN (SELECT log_id, rule, level, " \
    "COALESCE(lost, 0) AS lost, COALESCE(node_time, 0) AS node_time FROM finding) AS f USING (log_id) GROUP "    \
    "BY " columns

static const char day_cost[] = "INSERT INTO day_cost " FINDINGS("day, cluster, owner, exename, rule, level");

static const char day_fs[] = "INSERT INTO day_fs SELECT day, cluster, owner, exename, fs, COUNT(DISTINCT log_id)"
#define SUM(name) ", SUM(" #name ")"
#include "site/fs_sums.def"
#undef SUM
                             " FROM (SELECT day, cluster, owner, exename, log_id, mount_id"
#define SUM(name) ", " #name
#include "site/fs_sums.def"
#undef SUM
                             " FROM (SELECT log_id, day, cluster, owner, COALESCE(exename, '') AS exename "
                             "FROM log WHERE day IN (" DAYS ")) AS l JOIN (SELECT log_id, mount_id"
#define SUM(name) ", COALESCE(" #name ", 0) AS " #name
#include "site/fs_sums.def"
#undef SUM
                             " FROM log_fs) AS f USING (log_id)) AS one JOIN (SELECT mount_id, fs FROM mount) AS m "
                             "USING (mount_id) GROUP BY day, cluster, owner, exename, fs";

static const char day_finding[] = "INSERT INTO day_finding " FINDINGS("day, cluster, rule, level");

/* The same, where a transaction sees what it has just written. */
static const char day_finding_of_cost[] =
    "INSERT INTO day_finding SELECT day, cluster, rule, level, SUM(logs), SUM(lost), SUM(node_time) FROM day_cost "
    "WHERE day IN (" DAYS ") GROUP BY day, cluster, rule, level";

static const char day_modules[] = "INSERT INTO day_modules SELECT day, cluster, modules, compat, COUNT(*) FROM log "
                                  "WHERE day IN (" DAYS ") GROUP BY day, cluster, modules, compat";

/* The list is filled up with the last one. */
iol_status iol__rollup_days(iol__store *store, const int64_t *days, size_t count) {
    const char *const statements[] = {"DELETE FROM day_use WHERE day IN (" DAYS ")",
                                      "DELETE FROM day_account WHERE day IN (" DAYS ")",
                                      "DELETE FROM day_job WHERE day IN (" DAYS ")",
                                      "DELETE FROM day_cost WHERE day IN (" DAYS ")",
                                      "DELETE FROM day_steps WHERE day IN (" DAYS ")",
                                      "DELETE FROM day_coverage WHERE day IN (" DAYS ")",
                                      "DELETE FROM day_took WHERE day IN (" DAYS ")",
                                      "DELETE FROM day_fs WHERE day IN (" DAYS ")",
                                      "DELETE FROM day_finding WHERE day IN (" DAYS ")",
                                      "DELETE FROM day_modules WHERE day IN (" DAYS ")",
                                      day_use,
                                      day_account,
                                      day_job,
                                      day_cost,
                                      day_steps,
                                      day_coverage,
                                      day_took,
                                      day_fs,
                                      store->driver->atomic ? day_finding_of_cost : day_finding,
                                      day_modules,
                                      "DELETE FROM stale WHERE day IN (" DAYS ")"};
    iol__cell values[IOL_ROLLUP_DAYS];
    int64_t keys[IOL_ROLLUP_DAYS];
    for (size_t i = 0; i < IOL_ROLLUP_DAYS; i++) {
        keys[i] = days[i < count ? i : count - 1];
        values[i] = iol__integer(keys[i]);
    }
    iol_status status = iol__store_begin(store);
    if (status != IOL_OK) return status;
    status = iol__store_guard(store, keys, IOL_ROLLUP_DAYS, true);
    for (size_t i = 0; status == IOL_OK && i < sizeof statements / sizeof *statements; i++)
        status = iol__store_run(store, statements[i], values, IOL_ROLLUP_DAYS);
    if (status == IOL_OK) status = iol__store_commit(store);
    if (status != IOL_OK) iol__store_rollback(store);
    return status;
}

typedef struct stale_days {
    int64_t list[IOL_ROLLUP_DAYS];
    size_t count;
} stale_days;

static bool take_day(void *context, const iol__stale_row *stale) {
    stale_days *days = context;
    days->list[days->count++] = stale->day;
    return days->count < IOL_ROLLUP_DAYS;
}

/* Rows of expired days are gone; their sums stay as they are. */
static iol_status leave_expired(iol__store *store) {
    int64_t day;
    iol_status status = iol__expired_before(store, &day);
    const iol__cell value = iol__integer(day);
    if (status != IOL_OK || !day) return status;
    return iol__store_run(store, "DELETE FROM stale WHERE day < ? AND day > 0", &value, 1);
}

iol_status iol__rollup(iol__store *store) {
    const iol_status left = leave_expired(store);
    if (left != IOL_OK) return left;
    for (;;) {
        stale_days days = {.count = 0};
        iol__sql sql;
        iol__select_stale(&sql);
        iol__sql_add(&sql, " FROM stale ORDER BY day");
        iol_status status = iol__ask_stale(&sql, store, take_day, &days);
        if (status != IOL_OK || !days.count) return status;
        status = iol__rollup_days(store, days.list, days.count);
        if (status != IOL_OK) return status;
    }
}

iol_status iol__rollup_current(iol__store *store, bool *current) {
    int64_t stale = 0;
    iol_status status = iol__store_number(store, "SELECT COUNT(*) FROM stale", NULL, 0, 0, &stale);
    *current = stale == 0;
    return status;
}
