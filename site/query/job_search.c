/* A search in a large index. Programs, users and names of jobs are few, jobs are many: the words are searched first, each
   looked up once by an index, then job ids alone; what they leave is a list of jobs, which is short unless most jobs match.
   Then, and where a word reaches over several columns, jobs are looked at in the order of their list as before, which finds
   a page of them soon. Servers plan better by themselves. */
#include <string.h>

#include "base/count.h"
#include "site/query/job_list.h"
#include "site/query/query.h"

enum { LATEST_JOBS = 5000, MANY_OF_THEM = 500 };

/* One word, without a wildcard of the user's within it. */
static bool is_one_word(const char *pattern) {
    const size_t length = strlen(pattern);
    if (length < 3 || pattern[0] != '%' || pattern[length - 1] != '%' || strchr(pattern, ' ')) return false;
    for (size_t i = 1; i + 1 < length; i++) {
        if (pattern[i] == '\\')
            i++;
        else if (pattern[i] == '%' || pattern[i] == '_')
            return false;
    }
    return true;
}

/* Those of the latest jobs that match. */
static iol_status count_among_latest(iol__store *store, const char *search, int64_t *count) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql,
                 "SELECT COUNT(*) FROM (SELECT jobid, owner, exename, name FROM job ORDER BY start DESC LIMIT %d)",
                 LATEST_JOBS);
    iol__sql_like(&sql, IOL_SEARCHED_OF_JOB, NULL, &search, 1, false);
    return iol__sql_number(&sql, store, 0, count);
}

/* An index that another version made and this one may only read has none for the words. */
static bool has_indexes(iol__store *store) {
    iol__sql sql;
    int64_t count = 0;
    iol__sql_start(&sql);
    iol__sql_add(&sql,
                 "SELECT COUNT(*) FROM sqlite_master WHERE type = 'index' AND name IN ('job_exename', 'job_name')");
    return iol__sql_number(&sql, store, 0, &count) == IOL_OK && count == 2;
}

/* From each word of a column to the next one: as many steps in the index as there are words. */
static void jobs_with_word(iol__sql *sql, const char *column, const char *search) {
    iol__sql_add(
        sql,
        "SELECT jobid FROM job WHERE %s IN (WITH RECURSIVE words(word) AS (SELECT MIN(%s) FROM job UNION ALL SELECT "
        "(SELECT MIN(%s) FROM job WHERE %s > word) FROM words WHERE word IS NOT NULL) SELECT word FROM words",
        column, column, column, column);
    sql->where = false;
    iol__sql_like(sql, "word", NULL, &search, 1, false);
    iol__sql_add(sql, ") UNION ");
}

static void matching_ids(iol__sql *sql, const char *search) {
    static const char *const columns[] = {"owner", "exename", "name"};
    for (size_t i = 0; i < IOL_COUNT(columns); i++) jobs_with_word(sql, columns[i], search);
    iol__sql_add(sql, "SELECT jobid FROM job");
    sql->where = false;
    iol__sql_like(sql, "jobid", NULL, &search, 1, false);
}

typedef struct found_ids {
    iol__arena *arena;
    iol__cell *list;
    size_t count;
} found_ids;

static bool take_searched_job(void *context, const iol__searched_job_row *job) {
    found_ids *found = context;
    if (found->count < IOL_SQL_LIST) found->list[found->count] = iol__text(iol__arena_copy(found->arena, job->jobid));
    return found->count++ < IOL_SQL_LIST;
}

iol_status iol__job_search(iol__store *store, iol__arena *arena, iol__job_filter *filter) {
    int64_t among_latest = 0;
    iol__sql sql;
    if (!filter->search || filter->n_owners || store->driver->dialect != IOL_DIALECT_SQLITE) return IOL_OK;
    if (!is_one_word(filter->search)) return IOL_OK;
    iol_status status = count_among_latest(store, filter->search, &among_latest);
    if (status != IOL_OK || among_latest >= MANY_OF_THEM || !has_indexes(store)) return status;
    found_ids found = {arena, iol__arena_alloc(arena, IOL_SQL_LIST, sizeof *found.list), 0};
    iol__select_searched_job(&sql);
    iol__sql_add(&sql, " FROM (");
    matching_ids(&sql, filter->search);
    iol__sql_add(&sql, ") LIMIT %d", IOL_SQL_LIST + 1);
    status = iol__ask_searched_job(&sql, store, take_searched_job, &found);
    filter->searched = status == IOL_OK;
    if (found.count <= IOL_SQL_LIST) filter->ids = found.list;
    filter->n_ids = found.count;
    return status;
}

void iol__job_searched(iol__sql *sql, const iol__job_filter *filter) {
    if (!filter->searched) return;
    if (filter->ids && filter->n_ids) {
        iol__sql_in(sql, "jobid", filter->ids, filter->n_ids);
        return;
    }
    iol__sql_and(sql);
    iol__sql_add(sql, "jobid IN (");
    if (filter->n_ids)
        matching_ids(sql, filter->search);
    else
        iol__sql_add(sql, "SELECT jobid FROM job WHERE 1 = 0");
    iol__sql_add(sql, ")");
    sql->where = true;
}
