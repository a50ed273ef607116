/* /overview: the first page as data. All sums are over jobs that the viewer may see; each question is bounded by days, so
   that it reads these days and no more. */
#include "serve/overview.h"

#include <string.h>
#include <time.h>

#include "serve/serve.h"

enum { USUAL_DAYS_OF_USER = 7, USUAL_DAYS_OF_STAFF = 1 };
static const int64_t day_us = INT64_C(86400000000);

/* Conditions ------------------------------------------------------------------------------------------------------ */

/* Rows of jobs or logs that started in a time. The day is there for the indexes. */
static void started_in(iol__sql *sql, iol__exchange *x, int64_t from, int64_t before) {
    iol__access_rows(&x->viewer, sql, "owner");
    iol__sql_days(sql, "day", iol__site_day(x->serve->site, from), iol__site_day(x->serve->site, before));
    iol__sql_and(sql);
    iol__sql_add(sql, "start >= ? AND start < ?");
    iol__sql_value(sql, iol__integer(from));
    iol__sql_value(sql, iol__integer(before));
}

/* Findings worth a change, in logs of the time. */
static void found_in_time(iol__sql *sql, iol__exchange *x, const iol__overview *o, const char *rule) {
    iol__sql_add(sql, " FROM finding WHERE level IN ('high', 'warn')");
    if (rule) {
        iol__sql_add(sql, " AND rule = ?");
        iol__sql_value(sql, iol__text(rule));
    }
    iol__sql_add(sql, " AND log_id IN (SELECT log_id FROM log");
    sql->where = false;
    started_in(sql, x, o->start, o->end);
    iol__sql_add(sql, ")");
}

/* Staff count what the machine lost, users what they waited for. */
static const char *weight_of(const iol__exchange *x) { return iol__access_all(&x->viewer) ? "node_time" : "lost"; }

/* Parts ----------------------------------------------------------------------------------------------------------- */

static bool take_sums(void *context, const iol__period_sums_row *row) {
    *(iol__period_sums_row *)context = *row;
    return false;
}

static bool sum_period(iol__exchange *x, int64_t from, int64_t before, iol__period_sums_row *sums) {
    iol__sql sql;
    iol__select_period_sums(&sql);
    iol__sql_add(&sql, " FROM job");
    started_in(&sql, x, from, before);
    return iol__store_ok(x, iol__ask_period_sums(&sql, x->store, take_sums, sums));
}

typedef struct overview_reader {
    iol__exchange *x;
    iol__overview *overview;
} overview_reader;

static bool take_overview_job(void *context, const iol__job_row *job) {
    overview_reader *r = context;
    r->overview->jobs[r->overview->n_jobs++] = iol__keep_job(&r->x->arena, job);
    return r->overview->n_jobs < IOL_OVERVIEW_JOBS;
}

static bool find_costly_jobs(overview_reader *r) {
    iol__sql sql;
    iol__select_job(&sql);
    iol__sql_add(&sql, " FROM job");
    started_in(&sql, r->x, r->overview->start, r->overview->end);
    iol__sql_add(&sql, " AND findings > 0 ORDER BY %s DESC, start DESC, cluster, jobid, owner LIMIT %d",
                 weight_of(r->x), IOL_OVERVIEW_JOBS);
    return iol__store_ok(r->x, iol__ask_job(&sql, r->x->store, take_overview_job, r));
}

static bool take_change(void *context, const iol__program_change_row *change) {
    overview_reader *r = context;
    r->overview->changes[r->overview->n_changes++] = iol__keep_program_change(&r->x->arena, change);
    return r->overview->n_changes < IOL_OVERVIEW_CHANGES;
}

/* Programs whose loss changed most between the two times. */
static bool find_changes(overview_reader *r) {
    const iol__overview *o = r->overview;
    iol__sql sql;
    const char *format = "SUM(CASE WHEN start %s %lld THEN node_time ELSE 0 END) AS %s";
    const iol__program_change_sql halves = {
        .now = iol__arena_print(&r->x->arena, format, ">=", (long long)o->start, "lost_now"),
        .earlier = iol__arena_print(&r->x->arena, format, "<", (long long)o->start, "lost_earlier")};
    iol__select_program_change_with(&sql, &halves);
    iol__sql_add(&sql, " FROM job");
    started_in(&sql, r->x, o->before, o->end);
    /* Not by the names of the sums: PostgreSQL knows those of results only where they stand alone. */
    iol__sql_add(
        &sql,
        " AND node_time > 0 AND exename IS NOT NULL GROUP BY owner, exename ORDER BY abs(SUM(CASE WHEN start >= "
        "%lld THEN node_time ELSE -node_time END)) DESC, owner, exename LIMIT %d",
        (long long)o->start, IOL_OVERVIEW_CHANGES);
    return iol__store_ok(r->x, iol__ask_program_change(&sql, r->x->store, take_change, r));
}

/* Findings -------------------------------------------------------------------------------------------------------- */

typedef struct job_reader {
    iol__exchange *x;
    iol__job_of_log_row *job;
} job_reader;

static bool take_job_of_log(void *context, const iol__job_of_log_row *job) {
    job_reader *r = context;
    *r->job = iol__keep_job_of_log(&r->x->arena, job);
    return false;
}

static bool find_job_of_log(iol__exchange *x, iol__overview_found *found) {
    job_reader r = {x, &found->job};
    iol__sql sql;
    iol__select_job_of_log(&sql);
    iol__sql_add(&sql, " FROM log");
    iol__which_logs(&sql, &(iol__which){.viewer = &x->viewer, .log_id = found->log_id});
    return iol__store_ok(x, iol__ask_job_of_log(&sql, x->store, take_job_of_log, &r));
}

typedef struct found_list {
    iol__exchange *x;
    iol__overview_found *list;
    size_t count, most;
} found_list;

static bool take_cost_of_log(void *context, const iol__cost_of_log_row *row) {
    found_list *f = context;
    f->list[f->count++] = (iol__overview_found){.title = row->title ? iol__arena_copy(&f->x->arena, row->title) : NULL,
                                                .log_id = row->log_id,
                                                .lost = row->lost};
    return f->count < f->most;
}

/* The logs in which a rule found most. */
static bool find_logs_of_rule(overview_reader *r, const char *rule, found_list *list) {
    iol__sql sql;
    iol__select_cost_of_log(&sql);
    found_in_time(&sql, r->x, r->overview, rule);
    iol__sql_add(&sql, " ORDER BY %s IS NULL, %s DESC, log_id LIMIT %zu", weight_of(r->x), weight_of(r->x), list->most);
    if (!iol__store_ok(r->x, iol__ask_cost_of_log(&sql, r->x->store, take_cost_of_log, list))) return false;
    for (size_t i = 0; i < list->count; i++)
        if (!find_job_of_log(r->x, &list->list[i])) return false;
    return true;
}

static bool take_worst_rule(void *context, const iol__worst_rule_row *rule) {
    overview_reader *r = context;
    r->overview->worst_rule = iol__keep_worst_rule(&r->x->arena, rule);
    r->overview->has_worst = true;
    return false;
}

static bool find_worst(overview_reader *r) {
    iol__overview *o = r->overview;
    found_list list = {.x = r->x, .list = &o->worst, .most = 1};
    iol__sql sql;
    iol__select_worst_rule(&sql);
    found_in_time(&sql, r->x, o, NULL);
    iol__sql_add(&sql, " GROUP BY rule ORDER BY %s DESC, rule LIMIT 1",
                 iol__access_all(&r->x->viewer) ? "node_cost" : "cost");
    if (!iol__store_ok(r->x, iol__ask_worst_rule(&sql, r->x->store, take_worst_rule, r))) return false;
    return !o->has_worst || find_logs_of_rule(r, o->worst_rule.rule, &list);
}

static bool find_slow_targets(overview_reader *r) {
    found_list list = {.x = r->x, .list = r->overview->slow, .most = IOL_OVERVIEW_SLOW};
    if (!find_logs_of_rule(r, "lustre.ost.slow", &list)) return false;
    r->overview->n_slow = list.count;
    return true;
}

/* All of it ------------------------------------------------------------------------------------------------------- */

static bool find_latest_data(overview_reader *r) {
    iol__overview *o = r->overview;
    if (!iol__store_ok(r->x, iol__latest_data(r->x->store, o->latest))) return false;
    for (int i = 0; i < 2; i++) o->late = o->late || iol__is_late_data(o->latest[i] / 1000000);
    return true;
}

iol__overview *iol__overview_make(iol__exchange *x) {
    const bool all = iol__access_all(&x->viewer);
    iol__overview *o = iol__arena_alloc(&x->arena, 1, sizeof *o);
    overview_reader r = {x, o};
    *o = (iol__overview){.days = iol__param_int(x, "days", all ? USUAL_DAYS_OF_STAFF : USUAL_DAYS_OF_USER),
                         .end =
                             iol__param_time(x, "end", ((int64_t)time(NULL) / 60 + 1) * 60000000)}; /* this minute's */
    o->start = o->end - o->days * day_us;
    o->before = o->start - o->days * day_us;
    if (!iol__exchange_store(x)) return NULL;
    bool good = sum_period(x, o->start, o->end, &o->now) && sum_period(x, o->before, o->start, &o->earlier) &&
                find_costly_jobs(&r) && find_changes(&r) && find_worst(&r);
    if (good && all) good = find_slow_targets(&r) && find_latest_data(&r);
    return good ? o : NULL;
}

/* The answer ------------------------------------------------------------------------------------------------------ */

static double in_hours(int64_t microseconds) { return (double)microseconds / 3.6e9; }

static void put_period(iol__exchange *x, const char *key, const iol__period_sums_row *sums) {
    iol__answer s;
    iol__answer_one(&s, x, key, IOL_SCHEMA_Period);
    iol__fill_Period(&s, &(iol__Period_answer){.jobs = sums->jobs,
                                               .losing = sums->losing,
                                               .failed = sums->failed,
                                               .bytes_read = sums->bytes_read,
                                               .bytes_written = sums->bytes_written,
                                               .lost_s = (double)sums->lost / 1e6,
                                               .node_h = in_hours(sums->node_time),
                                               .listed = sums->listed,
                                               .covered = sums->covered});
}

static void put_found(iol__answer *s, const iol__overview_found *found) {
    iol__fill_FoundInLog(
        s, &(iol__FoundInLog_answer){.title = found->title,
                                     .lost_s = (double)found->lost / 1e6,
                                     .log_id = iol__arena_print(&s->x->arena, "%lld", (long long)found->log_id),
                                     .cluster = found->job.cluster,
                                     .jobid = found->job.jobid,
                                     .user = found->job.owner,
                                     .exe = found->job.exename,
                                     .start = (double)found->job.start / 1e6});
}

static void put_worst(iol__exchange *x, const iol__overview *o) {
    iol__answer s;
    if (!o->has_worst) {
        iol__json_put_text(&x->json, "worst", NULL);
        return;
    }
    iol__json_put_open(&x->json, "worst", '{');
    iol__json_put_text(&x->json, "rule", o->worst_rule.rule);
    iol__json_put_text(&x->json, "level", o->worst_rule.high ? "high" : "warn");
    iol__json_put_i64(&x->json, "logs", o->worst_rule.logs);
    iol__json_put_real(&x->json, "lost_s", (double)o->worst_rule.lost / 1e6);
    iol__json_put_real(&x->json, "node_h", in_hours(o->worst_rule.node_time));
    iol__answer_one(&s, x, "in", IOL_SCHEMA_FoundInLog);
    put_found(&s, &o->worst);
    iol__json_close(&x->json, '}');
}

static void put_lists(iol__exchange *x, const iol__overview *o) {
    iol__answer s;
    iol__answer_within(&s, x, "jobs", IOL_SCHEMA_Job);
    for (size_t i = 0; i < o->n_jobs; i++) iol__put_Job(&s, &o->jobs[i]);
    iol__answer_within_end(&s);
    iol__answer_within(&s, x, "changes", IOL_SCHEMA_ProgramChange);
    for (size_t i = 0; i < o->n_changes; i++)
        iol__fill_ProgramChange(&s, &(iol__ProgramChange_answer){.user = o->changes[i].owner,
                                                                 .exe = o->changes[i].exename,
                                                                 .node_h = in_hours(o->changes[i].now),
                                                                 .node_h_before = in_hours(o->changes[i].earlier)});
    iol__answer_within_end(&s);
    iol__answer_within(&s, x, "slow", IOL_SCHEMA_FoundInLog);
    for (size_t i = 0; i < o->n_slow; i++) put_found(&s, &o->slow[i]);
    iol__answer_within_end(&s);
}

static void put_latest(iol__exchange *x, const char *key, int64_t time) {
    if (time)
        iol__json_put_real(&x->json, key, (double)time / 1e6);
    else
        iol__json_put_text(&x->json, key, NULL);
}

void iol__serve_overview(iol__exchange *x) {
    const iol__overview *o = iol__overview_make(x);
    if (!o) return;
    iol__one_begin(x);
    iol__json_put_text(&x->json, "role", iol__role_name(x->viewer.role));
    iol__json_put_i64(&x->json, "days", o->days);
    iol__json_put_i64(&x->json, "start", o->start / 1000000);
    iol__json_put_i64(&x->json, "end", o->end / 1000000);
    put_period(x, "now", &o->now);
    put_period(x, "before", &o->earlier);
    put_worst(x, o);
    put_lists(x, o);
    put_latest(x, "latest_log", o->latest[0]);
    put_latest(x, "latest_job", o->latest[1]);
    iol__json_put_bool(&x->json, "late", o->late);
    iol__one_end(x);
}
