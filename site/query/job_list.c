/* Conditions of SQL. Those about logs look at the owner's logs only, so that a job id that two users have tells neither
   about the other. */
#include "site/query/job_list.h"

#include <string.h>

#include "base/count.h"

static void job_list_equals(iol__sql *sql, const char *column, const char *value) {
    if (!value) return;
    iol__sql_and(sql);
    iol__sql_add(sql, "%s = ?", column);
    iol__sql_value(sql, iol__text(value));
}

static void of_owners(iol__sql *sql, const iol__job_filter *f) {
    if (!f->n_owners) return;
    iol__sql_and(sql);
    iol__sql_add(sql, "owner IN (");
    for (size_t i = 0; i < f->n_owners; i++) {
        iol__sql_add(sql, i ? ", ?" : "?");
        iol__sql_value(sql, iol__text(f->owners[i]));
    }
    iol__sql_add(sql, ")");
}

/* Names of rules without a wildcard are looked up by an index. */
static bool are_plain(const iol__patterns *patterns) {
    for (size_t i = 0; i < patterns->count; i++)
        if (strpbrk(patterns->list[i], "%_\\ABCDEFGHIJKLMNOPQRSTUVWXYZ")) return false;
    return patterns->count <= IOL_SQL_LIST;
}

static void of_rules(iol__sql *sql, const iol__patterns *rules) {
    iol__cell names[IOL_SQL_LIST];
    if (!are_plain(rules)) {
        iol__sql_like(sql, "rule", NULL, rules->list, rules->count, false);
        return;
    }
    for (size_t i = 0; i < rules->count; i++) names[i] = iol__text(rules->list[i]);
    iol__sql_in(sql, "rule", names, rules->count);
}

/* Jobs with a log that other tables say something about. */
static void with_logs(iol__sql *sql, const iol__job_filter *f) {
    if (!f->fs && !f->rules.count) return;
    iol__sql_and(sql);
    iol__sql_add(sql, "jobid IN (SELECT jobid FROM log");
    sql->where = false;
    of_owners(sql, f);
    if (f->rules.count) {
        iol__sql_and(sql);
        iol__sql_add(sql, "log_id IN (SELECT log_id FROM finding");
        sql->where = false;
        of_rules(sql, &f->rules);
        iol__sql_add(sql, ")");
        sql->where = true;
    }
    if (f->fs) {
        iol__sql_and(sql);
        iol__sql_add(
            sql, "log_id IN (SELECT log_id FROM log_fs WHERE mount_id IN (SELECT mount_id FROM mount WHERE fs = ?))");
        iol__sql_value(sql, iol__text(f->fs));
    }
    iol__sql_add(sql, ")");
    sql->where = true;
}

/* The same, asked for one job after the other: dear for all jobs, cheap for the first of a list. */
static void with_logs_of_each(iol__sql *sql, const iol__job_filter *f) {
    if (!f->fs && !f->rules.count) return;
    iol__sql_and(sql);
    iol__sql_add(sql, "EXISTS (SELECT 1 FROM log WHERE log.jobid = job.jobid");
    of_owners(sql, f);
    if (f->rules.count) {
        iol__sql_add(sql, " AND EXISTS (SELECT 1 FROM finding WHERE finding.log_id = log.log_id");
        of_rules(sql, &f->rules);
        iol__sql_add(sql, ")");
    }
    if (f->fs) {
        iol__sql_add(sql, " AND EXISTS (SELECT 1 FROM log_fs WHERE log_fs.log_id = log.log_id AND mount_id IN (SELECT "
                          "mount_id FROM mount WHERE fs = ?))");
        iol__sql_value(sql, iol__text(f->fs));
    }
    iol__sql_add(sql, ")");
}

static void at_least(iol__sql *sql, const char *condition, int64_t value) {
    if (!value) return;
    iol__sql_and(sql);
    iol__sql_add(sql, "%s", condition);
    iol__sql_value(sql, iol__integer(value));
}

static void conditions_of_jobs(iol__sql *sql, const iol__job_filter *f) {
    static const char *const bits[] = {"", "1, 3, 5, 7", "2, 3, 6, 7", "4, 5, 6, 7"};
    of_owners(sql, f);
    iol__sql_like(sql, "owner", NULL, f->users.list, f->users.count, false);
    iol__sql_like(sql, "exename", NULL, f->programs.list, f->programs.count, false);
    iol__sql_like(sql, "account", NULL, f->accounts.list, f->accounts.count, false);
    iol__sql_days(sql, "day", f->since, f->until);
    job_list_equals(sql, "cluster", f->cluster);
    job_list_equals(sql, "jobid", f->jobid);
    job_list_equals(sql, "state", f->state);
    at_least(sql, "COALESCE(ended, start) >= ?", f->from);
    at_least(sql, "start < ?", f->before);
    at_least(sql, "bytes_read + bytes_written >= ?", f->least_bytes);
    at_least(sql, "lost >= ?", f->least_lost);
    if (f->search) iol__sql_like(sql, IOL_SEARCHED_OF_JOB, NULL, &f->search, 1, false);
    iol__job_searched(sql, f);
    if (f->logged || f->unlogged) {
        iol__sql_and(sql);
        iol__sql_add(sql, f->logged ? "logs > 0" : "logs = 0");
    }
    if (f->selected >= 1 && f->selected <= 3) {
        iol__sql_and(sql);
        iol__sql_add(sql, "selected IN (%s)", bits[f->selected]);
    }
}

void iol__job_conditions(iol__sql *sql, const iol__job_filter *f) {
    conditions_of_jobs(sql, f);
    with_logs(sql, f);
}

/* What every job has: columns that are never NULL, and what they are added up to. Indexes are used only where nothing has to
   be said about jobs that do not have it. */
static bool always_there(const char *expression) {
    const iol__column *columns = iol__tables[IOL_TABLE_job].columns;
    for (size_t i = 0; i < iol__table_width(IOL_TABLE_job); i++)
        if (strcmp(columns[i].name, expression) == 0) return !columns[i].maybe;
    return strcmp(expression, "(bytes_read + bytes_written)") == 0;
}

static void jobs_behind(iol__sql *sql, const iol__job_sort *sort) {
    const iol__job_place *after = sort->after;
    const char *expression = sort->expression, further = sort->ascending ? '>' : '<';
    if (!after) return;
    iol__sql_and(sql);
    iol__sql_add(sql,
                 "%s %c= ? AND (%s %c ? OR (%s = ? AND (start < ? OR (start = ? AND (cluster > ? OR (cluster = ? "
                 "AND (jobid > ? OR (jobid = ? AND owner > ?))))))))",
                 expression, further, expression, further, expression);
    for (int i = 0; i < 3; i++) iol__sql_value(sql, after->value);
    for (int i = 0; i < 2; i++) iol__sql_value(sql, iol__integer(after->start));
    for (int i = 0; i < 2; i++) iol__sql_value(sql, iol__text(after->cluster));
    for (int i = 0; i < 2; i++) iol__sql_value(sql, iol__text(after->jobid));
    iol__sql_value(sql, iol__text(after->owner));
}

static void jobs_in_order(iol__sql *sql, const iol__job_sort *sort, size_t limit) {
    const char *expression = sort->expression;
    iol__sql_add(sql, " ORDER BY ");
    /* Stores differ in where they put what is not known. */
    if (!always_there(expression)) iol__sql_add(sql, "%s IS NULL, ", expression);
    iol__sql_add(sql, "%s %s, start DESC, cluster, jobid, owner LIMIT %zu", expression,
                 sort->ascending ? "ASC" : "DESC", limit);
}

/* The first jobs of a list ---------------------------------------------------------------------------------------

   A common finding is in a million logs, and a list shows 20 jobs. SQLite would collect the jobs of all those logs first. So
   the first jobs in the order of the list that everything else is true of are looked at one by one; where they do not fill
   the list, and there are more, the finding is rare, and collecting its logs is cheap. Servers choose between the two
   themselves. */

enum { FIRST_JOBS = 5000, PER_SHOWN = 20, MOST_SHOWN = 5000 };

/* An index has jobs in this order. */
static bool is_indexed_order(const char *expression) {
    static const char *const indexed[] = {"start", "lost", "(bytes_read + bytes_written)"};
    for (size_t i = 0; i < IOL_COUNT(indexed); i++)
        if (strcmp(expression, indexed[i]) == 0) return true;
    return false;
}

/* In so many logs that collecting them takes longer than putting all jobs in order. Sums by day know. */
static bool is_common(iol__store *store, const iol__job_filter *f) {
    enum { COMMON = 250000 };
    iol__sql sql;
    int64_t logs = 0;
    if (!f->rules.count) return false;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT SUM(logs) FROM day_finding");
    of_rules(&sql, &f->rules);
    return iol__sql_number(&sql, store, 0, &logs) == IOL_OK && logs >= COMMON;
}

static size_t count_first(size_t limit) { return limit * PER_SHOWN > FIRST_JOBS ? limit * PER_SHOWN : FIRST_JOBS; }

static void candidate_jobs(iol__sql *sql, const iol__job_filter *f, const iol__job_sort *sort) {
    iol__sql_add(sql, " FROM job");
    conditions_of_jobs(sql, f);
    jobs_behind(sql, sort);
}

static void from_first_jobs(iol__sql *sql, const iol__job_filter *f, const iol__job_sort *sort, size_t limit) {
    iol__sql_add(sql, " FROM (SELECT *");
    candidate_jobs(sql, f, sort);
    jobs_in_order(sql, sort, count_first(limit));
    iol__sql_add(sql, ") AS job");
    sql->where = false;
    with_logs_of_each(sql, f);
}

static bool fill_list(iol__store *store, const iol__job_filter *f, const iol__job_sort *sort, size_t limit) {
    iol__sql sql;
    int64_t found = 0;
    if (store->driver->dialect != IOL_DIALECT_SQLITE) return false;
    if ((!f->fs && !f->rules.count) || f->jobid || limit > MOST_SHOWN) return false;
    if (!is_indexed_order(sort->expression) && !is_common(store, f)) return false;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT COUNT(*) FROM (SELECT 1");
    from_first_jobs(&sql, f, sort, limit);
    iol__sql_add(&sql, " LIMIT %zu)", limit);
    if (iol__sql_number(&sql, store, 0, &found) != IOL_OK) return false;
    if ((size_t)found == limit) return true;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT COUNT(*) FROM (SELECT 1");
    candidate_jobs(&sql, f, sort);
    iol__sql_add(&sql, " LIMIT %zu)", count_first(limit));
    return iol__sql_number(&sql, store, 0, &found) == IOL_OK && (size_t)found < count_first(limit);
}

void iol__job_list(iol__sql *sql, iol__store *store, const iol__job_filter *f, const iol__job_sort *sort,
                   size_t limit) {
    if (fill_list(store, f, sort, limit)) {
        from_first_jobs(sql, f, sort, limit);
    } else {
        iol__sql_add(sql, " FROM job");
        iol__job_conditions(sql, f);
        jobs_behind(sql, sort);
    }
    jobs_in_order(sql, sort, limit);
}
