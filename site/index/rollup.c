/* One statement per table for some days at once. The sums of log_fs are by file system, so that a log with two mounts of one
   file system counts once. */
#include "site/index/rollup.h"

#include "base/count.h"
#include "site/index/expire.h"
#include "site/query/query.h"

#define EIGHT "?, ?, ?, ?, ?, ?, ?, ?"
#define DAYS EIGHT ", " EIGHT ", " EIGHT ", " EIGHT

/* Each makes the rows of one table, for some days: what a column is made of stands beside its name. */
#define TOTAL(name) "SUM(COALESCE(" #name ", 0))"

static void sum_use(iol__sql *sql) {
    iol__insert_day_use(sql, &(iol__day_use_sql){
                                 .exename = "COALESCE(exename, '')",
                                 .logs = "COUNT(*)",
#define SUM(name) .name = TOTAL(name),
#define SUM_OF_DAY(name) SUM(name)
#define SUM_OF_JOB(name)
#include "site/log_sums.def"
                             });
    iol__sql_add(sql, " FROM log WHERE day IN (" DAYS ") GROUP BY day, cluster, owner, COALESCE(exename, '')");
}

static void sum_accounts(iol__sql *sql) {
    iol__insert_day_account(sql, &(iol__day_account_sql){
                                     .account = "COALESCE(account, '')",
                                     .logs = "SUM(logs)",
#include "site/log_sums.def"
                                 });
#undef SUM
#undef SUM_OF_DAY
#undef SUM_OF_JOB
    iol__sql_add(sql, " FROM job WHERE logs > 0 AND day IN (" DAYS ") GROUP BY day, cluster, COALESCE(account, '')");
}

static void sum_jobs(iol__sql *sql) {
    iol__insert_day_job(sql, &(iol__day_job_sql){.exename = "COALESCE(exename, '')",
                                                 .account = "COALESCE(account, '')",
                                                 .jobs = "COUNT(*)",
                                                 .logs = "SUM(logs)",
                                                 .bytes_read = TOTAL(bytes_read),
                                                 .bytes_written = TOTAL(bytes_written),
                                                 .meta_ratio = "MAX(COALESCE(meta_ratio, 0))"});
    iol__sql_add(sql, " FROM job WHERE logs > 0 AND day IN (" DAYS ") GROUP BY day, cluster, owner, "
                      "COALESCE(exename, ''), COALESCE(account, '')");
}

static void sum_steps(iol__sql *sql) {
    iol__insert_day_steps(sql, &(iol__day_steps_sql){.jobs = "COUNT(*)"});
    iol__sql_add(sql, " FROM job WHERE logs > 0 AND day IN (" DAYS ") GROUP BY day, cluster, logs");
}

static void sum_coverage(iol__sql *sql) {
    static const char logged[] = "SUM(CASE WHEN COALESCE(covered, logs) > 0 THEN 1 ELSE 0 END)";
    static const char logged_time[] =
        "SUM(CASE WHEN COALESCE(covered, logs) > 0 THEN COALESCE(core_time, 0) ELSE 0 END)";
    iol__insert_day_coverage(sql, &(iol__day_coverage_sql){.state = "COALESCE(state, '')",
                                                           .entry = "COALESCE(entry, '')",
                                                           .cause = "COALESCE(cause, '')",
                                                           .jobs = "COUNT(*)",
                                                           .logged = logged,
                                                           .core_time = TOTAL(core_time),
                                                           .core_time_logged = logged_time});
    iol__sql_add(sql, " FROM job WHERE known = 1 AND day IN (" DAYS ") GROUP BY day, owner, COALESCE(state, ''), "
                      "COALESCE(entry, ''), COALESCE(cause, ''), cluster");
}

static void sum_took(iol__sql *sql) {
    iol__insert_day_took(
        sql, &(iol__day_took_sql){.logs = "COUNT(*)", .took = "SUM(took)", .least = "MIN(took)", .most = "MAX(took)"});
    iol__sql_add(sql,
                 " FROM (SELECT day, cluster, took, %s AS about FROM log WHERE day IN (" DAYS
                 ")) AS t GROUP BY day, cluster, about",
                 IOL_TOOK_ABOUT);
}

/* Findings of the logs of some days, with what is known about each log. */
static void add_findings_by(iol__sql *sql, const char *columns) {
    iol__sql_add(sql,
                 " FROM (SELECT log_id, day, cluster, owner, COALESCE(exename, '') AS exename FROM log WHERE day "
                 "IN (" DAYS ")) AS l JOIN (SELECT log_id, rule, level, COALESCE(lost, 0) AS lost, "
                 "COALESCE(node_time, 0) AS node_time FROM finding) AS f USING (log_id) GROUP BY %s",
                 columns);
}

static void sum_cost(iol__sql *sql) {
    iol__insert_day_cost(sql,
                         &(iol__day_cost_sql){.logs = "COUNT(*)", .lost = "SUM(lost)", .node_time = "SUM(node_time)"});
    add_findings_by(sql, "day, cluster, owner, exename, rule, level");
}

static void sum_findings(iol__sql *sql) {
    iol__insert_day_finding(
        sql, &(iol__day_finding_sql){.logs = "COUNT(*)", .lost = "SUM(lost)", .node_time = "SUM(node_time)"});
    add_findings_by(sql, "day, cluster, rule, level");
}

/* The same, where a transaction sees what it has just written. */
static void sum_findings_of_cost(iol__sql *sql) {
    iol__insert_day_finding(
        sql, &(iol__day_finding_sql){.logs = "SUM(logs)", .lost = "SUM(lost)", .node_time = "SUM(node_time)"});
    iol__sql_add(sql, " FROM day_cost WHERE day IN (" DAYS ") GROUP BY day, cluster, rule, level");
}

static void sum_file_systems(iol__sql *sql) {
    iol__insert_day_fs(sql, &(iol__day_fs_sql){
                                .logs = "COUNT(DISTINCT log_id)",
#define SUM(name) .name = "SUM(" #name ")",
#include "site/fs_sums.def"
#undef SUM
                            });
    iol__sql_add(sql, " FROM (SELECT day, cluster, owner, exename, log_id, mount_id"
#define SUM(name) ", " #name
#include "site/fs_sums.def"
#undef SUM
                      " FROM (SELECT log_id, day, cluster, owner, COALESCE(exename, '') AS exename FROM log WHERE day "
                      "IN (" DAYS ")) AS l JOIN (SELECT log_id, mount_id"
#define SUM(name) ", COALESCE(" #name ", 0) AS " #name
#include "site/fs_sums.def"
#undef SUM
                      " FROM log_fs) AS f USING (log_id)) AS one JOIN (SELECT mount_id, fs FROM mount) AS m "
                      "USING (mount_id) GROUP BY day, cluster, owner, exename, fs");
}

static void sum_modules(iol__sql *sql) {
    iol__insert_day_modules(sql, &(iol__day_modules_sql){.logs = "COUNT(*)"});
    iol__sql_add(sql, " FROM log WHERE day IN (" DAYS ") GROUP BY day, cluster, modules, compat");
}

static void forget_days(iol__sql *sql, iol__table_id table) {
    iol__sql_start(sql);
    iol__sql_add(sql, "DELETE FROM %s WHERE day IN (" DAYS ")", iol__tables[table].name);
}

static iol_status run_for_days(iol__sql *sql, iol__store *store, const int64_t *keys) {
    for (size_t i = 0; i < IOL_ROLLUP_DAYS; i++) iol__sql_value(sql, iol__integer(keys[i]));
    return iol__sql_ask(sql, store, NULL, NULL);
}

static iol_status sum_days(iol__store *store, const int64_t *keys) {
    const struct {
        iol__table_id table;
        void (*sum)(iol__sql *sql);
    } tables[] = {
        {IOL_TABLE_day_use, sum_use},
        {IOL_TABLE_day_account, sum_accounts},
        {IOL_TABLE_day_job, sum_jobs},
        {IOL_TABLE_day_cost, sum_cost},
        {IOL_TABLE_day_steps, sum_steps},
        {IOL_TABLE_day_coverage, sum_coverage},
        {IOL_TABLE_day_took, sum_took},
        {IOL_TABLE_day_fs, sum_file_systems},
        {IOL_TABLE_day_finding, store->driver->atomic ? sum_findings_of_cost : sum_findings},
        {IOL_TABLE_day_modules, sum_modules},
    };
    const size_t count = IOL_COUNT(tables);
    iol__sql sql;
    iol_status status = IOL_OK;
    for (size_t i = 0; status == IOL_OK && i < count; i++) {
        forget_days(&sql, tables[i].table);
        status = run_for_days(&sql, store, keys);
    }
    for (size_t i = 0; status == IOL_OK && i < count; i++) {
        tables[i].sum(&sql);
        status = run_for_days(&sql, store, keys);
    }
    if (status != IOL_OK) return status;
    forget_days(&sql, IOL_TABLE_stale);
    return run_for_days(&sql, store, keys);
}

/* The list is filled up with the last one. */
iol_status iol__rollup_days(iol__store *store, const int64_t *days, size_t count) {
    int64_t keys[IOL_ROLLUP_DAYS];
    for (size_t i = 0; i < IOL_ROLLUP_DAYS; i++) keys[i] = days[i < count ? i : count - 1];
    iol_status status = iol__store_begin(store);
    if (status != IOL_OK) return status;
    status = iol__store_guard(store, keys, IOL_ROLLUP_DAYS, true);
    if (status == IOL_OK) status = sum_days(store, keys);
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
