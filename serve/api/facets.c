/* /facets: what the jobs of a list have in common, and how many of them have it, so that the list can be narrowed down by a
   click. The same filters as of /jobs hold, but for the facet's own: another of its values can be chosen. Only jobs that the
   viewer may see are counted, and of very many the latest, so that an answer costs the same in any index. */
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "serve/jobs.h"
#include "serve/serve.h"
#include "site/query/job_list.h"

enum { MOST_JOBS = 10000, MOST_VALUES = 12 };

typedef struct facet_list {
    iol__exchange *x;
    iol__answer answer;
    iol__job_filter filter; /* of the request */
    int64_t total;          /* of all filters, at most MOST_JOBS + 1 */
    const char *facet;
    bool capped;
} facet_list;

static void put_facet(facet_list *f, const char *value, int64_t jobs) {
    iol__fill_Facet(&f->answer,
                    &(iol__Facet_answer){.facet = f->facet, .value = value, .jobs = jobs, .capped = f->capped});
}

/* " FROM job" with the latest jobs that a filter means. */
static void from_latest_jobs(iol__sql *sql, const char *columns, const iol__job_filter *filter, int most) {
    iol__sql_add(sql, "(SELECT %s FROM job", columns);
    sql->where = false;
    iol__job_conditions(sql, filter);
    iol__sql_add(sql, " ORDER BY start DESC LIMIT %d)", most);
}

static bool count_up_to(iol__exchange *x, const iol__job_filter *filter, int64_t *count) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT COUNT(*) FROM ");
    from_latest_jobs(&sql, "start", filter, MOST_JOBS + 1);
    iol__sql_add(&sql, " AS latest");
    return iol__store_ok(x, iol__sql_number(&sql, x->store, 0, count));
}

/* Whether there are more jobs than are counted, without the facet's own filter. False: the answer is made. */
static bool begin_facet(facet_list *f, const char *name, const iol__job_filter *filter, bool is_set) {
    int64_t count = f->total;
    f->facet = name;
    if (is_set && !count_up_to(f->x, filter, &count)) return false;
    f->capped = count > MOST_JOBS;
    return true;
}

/* Columns of jobs ------------------------------------------------------------------------------------------------- */

static bool take_facet(void *context, const iol__facet_value_row *row) {
    if (row->value && *row->value) put_facet(context, row->value, row->jobs);
    return true;
}

static bool list_column(facet_list *f, const char *name, const char *column, const iol__job_filter *filter,
                        bool is_set) {
    iol__sql sql;
    const iol__facet_value_sql named = {.value = column};
    if (!begin_facet(f, name, filter, is_set)) return false;
    iol__select_facet_value_with(&sql, &named);
    iol__sql_add(&sql, " FROM ");
    from_latest_jobs(&sql, column, filter, MOST_JOBS);
    iol__sql_add(&sql, " AS latest GROUP BY %s ORDER BY found DESC, %s LIMIT %d", column, column, MOST_VALUES + 1);
    return iol__store_ok(f->x, iol__ask_facet_value(&sql, f->x->store, take_facet, f));
}

static bool list_columns(facet_list *f) {
    iol__job_filter user = f->filter, account = f->filter, program = f->filter, state = f->filter;
    user.users = account.accounts = program.programs = (iol__patterns){0};
    state.state = NULL;
    return list_column(f, "user", "owner", &user, f->filter.users.count > 0) &&
           list_column(f, "exe", "exename", &program, f->filter.programs.count > 0) &&
           list_column(f, "account", "account", &account, f->filter.accounts.count > 0) &&
           list_column(f, "state", "state", &state, f->filter.state != NULL);
}

/* Months ---------------------------------------------------------------------------------------------------------- */

typedef struct month_list {
    facet_list *facets;
    int64_t month, jobs;
    size_t count;
} month_list;

static void end_month(month_list *m) {
    char name[16];
    if (m->month && m->jobs && m->count++ < MOST_VALUES)
        put_facet(m->facets, (snprintf(name, sizeof name, "%lld", (long long)m->month), name), m->jobs);
    m->jobs = 0;
}

static bool take_facet_day(void *context, const iol__facet_day_row *row) {
    month_list *m = context;
    if (row->day / 100 != m->month) end_month(m);
    m->month = row->day / 100;
    m->jobs += row->jobs;
    return true;
}

static bool list_months(facet_list *f) {
    iol__job_filter filter = f->filter;
    month_list months = {.facets = f};
    iol__sql sql;
    filter.since = filter.until = 0;
    if (!begin_facet(f, "month", &filter, f->filter.since != 0)) return false;
    iol__select_facet_day(&sql);
    iol__sql_add(&sql, " FROM ");
    from_latest_jobs(&sql, "day", &filter, MOST_JOBS);
    iol__sql_add(&sql, " AS latest GROUP BY day ORDER BY day DESC");
    if (!iol__store_ok(f->x, iol__ask_facet_day(&sql, f->x->store, take_facet_day, &months))) return false;
    end_month(&months);
    return true;
}

/* Time lost ------------------------------------------------------------------------------------------------------- */

static bool take_facet_losses(void *context, const iol__facet_losses_row *row) {
    facet_list *f = context;
    const struct {
        const char *seconds;
        int64_t jobs;
    } steps[] = {{"1", row->second},
                 {"60", row->minute},
                 {"600", row->ten_minutes},
                 {"3600", row->hour},
                 {"36000", row->ten_hours}};
    for (size_t i = 0; i < IOL_COUNT(steps); i++)
        if (steps[i].jobs) put_facet(f, steps[i].seconds, steps[i].jobs);
    return false;
}

static bool list_losses(facet_list *f) {
    iol__job_filter filter = f->filter;
    iol__sql sql;
    filter.least_lost = 0;
    if (!begin_facet(f, "min_lost", &filter, f->filter.least_lost != 0)) return false;
    iol__select_facet_losses(&sql);
    iol__sql_add(&sql, " FROM ");
    from_latest_jobs(&sql, "lost", &filter, MOST_JOBS);
    iol__sql_add(&sql, " AS latest");
    return iol__store_ok(f->x, iol__ask_facet_losses(&sql, f->x->store, take_facet_losses, f));
}

/* What other tables say of the logs ------------------------------------------------------------------------------- */

/* Logs of the jobs, as the filter of /jobs looks for them: by job id, among those that the viewer may see. */
static void from_logs(iol__sql *sql, facet_list *f, const iol__job_filter *filter) {
    iol__sql_add(sql, " FROM (SELECT log_id, jobid FROM log WHERE jobid IN (SELECT jobid FROM ");
    from_latest_jobs(sql, "jobid, start", filter, MOST_JOBS);
    iol__sql_add(sql, " AS latest)");
    sql->where = true;
    iol__access_rows(&f->x->viewer, sql, "owner");
    iol__sql_add(sql, ") AS logs JOIN ");
}

static bool list_findings(facet_list *f) {
    iol__job_filter filter = f->filter;
    iol__sql sql;
    const iol__facet_value_sql named = {.value = "rule", .jobs = "COUNT(DISTINCT jobid) AS found"};
    filter.rules = (iol__patterns){0};
    if (!begin_facet(f, "finding", &filter, f->filter.rules.count > 0)) return false;
    iol__select_facet_value_with(&sql, &named);
    from_logs(&sql, f, &filter);
    iol__sql_add(&sql,
                 "(SELECT log_id, rule, CASE WHEN level IN ('high', 'warn') THEN 1 ELSE 0 END AS serious FROM finding) "
                 "AS found_in "
                 "USING (log_id) GROUP BY rule HAVING MAX(serious) = 1 ORDER BY found DESC, rule LIMIT %d",
                 MOST_VALUES);
    return iol__store_ok(f->x, iol__ask_facet_value(&sql, f->x->store, take_facet, f));
}

static bool list_file_systems(facet_list *f) {
    iol__job_filter filter = f->filter;
    iol__sql sql;
    const iol__facet_value_sql named = {.value = "fs", .jobs = "COUNT(DISTINCT jobid) AS found"};
    filter.fs = NULL;
    if (!begin_facet(f, "fs", &filter, f->filter.fs != NULL)) return false;
    iol__select_facet_value_with(&sql, &named);
    from_logs(&sql, f, &filter);
    /* One join within the other: ClickHouse takes no two beside each other. */
    iol__sql_add(
        &sql,
        "(SELECT log_id, fs FROM (SELECT log_id, mount_id FROM log_fs) AS used JOIN (SELECT mount_id, fs FROM "
        "mount) AS m USING (mount_id)) AS found_in USING (log_id) GROUP BY fs ORDER BY found DESC, fs LIMIT %d",
        MOST_VALUES);
    return iol__store_ok(f->x, iol__ask_facet_value(&sql, f->x->store, take_facet, f));
}

/* All of them ----------------------------------------------------------------------------------------------------- */

void iol__serve_facets(iol__exchange *x) {
    const char *owners[2];
    facet_list f = {.x = x};
    if (!iol__exchange_store(x)) return;
    f.filter = iol__job_filter_of(x, owners);
    if (!iol__store_ok(x, iol__job_search(x->store, &x->arena, &f.filter))) return;
    if (!count_up_to(x, &f.filter, &f.total)) return;
    iol__answer_begin(&f.answer, x, IOL_SCHEMA_Facet);
    f.facet = "all";
    f.capped = f.total > MOST_JOBS;
    put_facet(&f, "", f.capped ? MOST_JOBS : f.total);
    if (list_columns(&f) && list_months(&f) && list_file_systems(&f) && list_findings(&f) && list_losses(&f))
        iol__answer_end(&f.answer, NULL, -1);
}
