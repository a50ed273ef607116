/* A handful of queries: over daily sums where days are current, else over the logs; over the few jobs that metrics select;
   and one over the batch system's jobs. */
#include "site/query/fleet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/grow.h"
#include "insight/facts/facts.h"
#include "site/query/query.h"
#include "site/index/rollup.h"

typedef struct fleet_asking {
    iol__store *store;
    int64_t since, until;
    bool current;
    iol__fleet *fleet;
    bool failed;
} fleet_asking;

static char *copy_text(const char *text) { return text ? strdup(text) : NULL; }

static int compare_texts(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : ""); }

static bool fleet_fails(fleet_asking *a) {
    a->failed = true;
    return false;
}

/* Limits ------------------------------------------------------------------------------------------------------- */

static bool take_limits(void *context, const iol__meta_row *fact) {
    iol__metric_limits l;
    if (fact->value && sscanf(fact->value, "%lf %lf %lf %lf %lf", &l.redundant_bytes, &l.meta_ratio, &l.meta_processes,
                              &l.meta_seconds, &l.small_writes) == 5)
        *(iol__metric_limits *)context = l;
    return false;
}

iol_status iol__fleet_limits(iol__store *store, iol__metric_limits *limits) {
    iol__sql sql;
    *limits = iol__metric_limits_usual;
    iol__select_meta(&sql);
    iol__sql_add(&sql, " FROM meta WHERE name = 'metric_limits'");
    return iol__ask_meta(&sql, store, take_limits, limits);
}

enum { LIMITS_TEXT = 160 };

static void print_limits(const iol__metric_limits *limits, char text[LIMITS_TEXT]) {
    snprintf(text, LIMITS_TEXT, "%.17g %.17g %.17g %.17g %.17g", limits->redundant_bytes, limits->meta_ratio,
             limits->meta_processes, limits->meta_seconds, limits->small_writes);
}

iol_status iol__fleet_keep_limits(iol__store *store, const iol__metric_limits *limits) {
    iol__metric_limits kept;
    char before[LIMITS_TEXT], text[LIMITS_TEXT];
    iol_status status = iol__fleet_limits(store, &kept);
    if (status != IOL_OK) return status;
    print_limits(&kept, before);
    print_limits(limits, text);
    if (strcmp(before, text) == 0) return IOL_OK;
    return iol__store_put_meta(store, &(iol__meta_row){.name = "metric_limits", .value = text});
}

/* Logs ---------------------------------------------------------------------------------------------------------- */

static bool take_modules(void *context, const iol__fleet_modules_row *row) {
    fleet_asking *a = context;
    static const int slots[3] = {IOL_SLOT_POSIX, IOL_SLOT_MPIIO, IOL_SLOT_STDIO};
    a->fleet->logs += row->logs;
    for (int i = 0; i < 3; i++)
        if (row->modules >> slots[i] & 1) a->fleet->interface[i] += row->logs;
    for (int code = 0; code < IOL_COMPAT_CODES; code++)
        if (row->compat >> code & 1) a->fleet->compat[code] += row->logs;
    return true;
}

static iol_status ask_modules(fleet_asking *a) {
    iol__sql sql;
    iol__select_fleet_modules_with(&sql, &(iol__fleet_modules_sql){.logs = a->current ? NULL : "COUNT(*)"});
    iol__sql_add(&sql, a->current ? " FROM day_modules" : " FROM log");
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY modules, compat");
    return iol__ask_fleet_modules(&sql, a->store, take_modules, a);
}

static bool take_finding(void *context, const iol__fleet_finding_row *row) {
    fleet_asking *a = context;
    iol__fleet *f = a->fleet;
    if (!IOL_GROW_NEXT(f->findings, f->n_findings)) return fleet_fails(a);
    f->findings[f->n_findings++] = (iol__fleet_finding){.rule = copy_text(row->rule),
                                                        .level = copy_text(row->level),
                                                        .logs = row->logs,
                                                        .lost = row->lost,
                                                        .node_time = row->node_time};
    return true;
}

static iol_status ask_findings(fleet_asking *a) {
    iol__sql sql;
    iol__select_fleet_finding_with(&sql, &(iol__fleet_finding_sql){.logs = a->current ? NULL : "COUNT(*) AS found"});
    if (a->current)
        iol__sql_add(&sql, " FROM day_finding");
    else
        iol__sql_add(&sql,
                     " FROM (SELECT log_id, day FROM log) AS l JOIN (SELECT log_id, rule, level, COALESCE(lost, 0) AS "
                     "lost, COALESCE(node_time, 0) AS node_time FROM finding) AS f USING (log_id)");
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY rule, level ORDER BY found DESC, rule, level");
    return iol__ask_fleet_finding(&sql, a->store, take_finding, a);
}

/* Times of logs, those that are about the same together, shortest first. */
typedef struct times {
    fleet_asking *a;
    struct {
        int64_t logs;
        double took;
    } * list;
    size_t count;
    int64_t logs;
    double sum;
} times;

static bool take_time(void *context, const iol__fleet_took_row *row) {
    times *t = context;
    double *took = t->a->fleet->took;
    if (!IOL_GROW_NEXT(t->list, t->count)) return fleet_fails(t->a);
    const double sum = row->took / 1e6;
    t->list[t->count].logs = row->logs;
    t->list[t->count++].took = sum / (double)row->logs;
    t->logs += row->logs;
    t->sum += sum;
    if (t->count == 1) took[0] = row->least / 1e6;
    took[3] = fmax(took[3], row->most / 1e6);
    return true;
}

static double time_at(const times *t, int64_t place) {
    size_t i = 0;
    for (; i + 1 < t->count && place >= t->list[i].logs; i++) place -= t->list[i].logs;
    return t->list[i].took;
}

static iol_status ask_took(fleet_asking *a) {
    times t = {.a = a};
    double *took = a->fleet->took;
    iol__sql sql;
    for (int i = 0; i < 4; i++) took[i] = NAN;
    static const iol__fleet_took_sql of_logs = {.logs = "COUNT(*)", .least = "MIN(took)", .most = "MAX(took)"};
    iol__select_fleet_took_with(&sql, a->current ? NULL : &of_logs);
    iol__sql_add(&sql, "%s",
                 a->current ? " FROM day_took" : " FROM (SELECT day, took, " IOL_TOOK_ABOUT " AS about FROM log) AS t");
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY about ORDER BY about");
    iol_status status = iol__ask_fleet_took(&sql, a->store, take_time, &t);
    if (t.count) {
        took[1] = t.sum / (double)t.logs;
        took[2] = time_at(&t, (t.logs - 1) * 3 / 4);
    }
    free(t.list);
    return status;
}

/* How many jobs there are for each number of logs, fewest first. */
typedef struct spread {
    int64_t logs[4096], jobs[4096];
    size_t count;
    int64_t all;
    double sum;
} spread;

static bool take_spread(void *context, const iol__fleet_steps_row *row) {
    spread *s = context;
    s->all += row->jobs;
    s->sum += (double)row->logs * (double)row->jobs;
    if (s->count == IOL_COUNT(s->logs)) s->count--; /* beyond the room, only the largest matters */
    s->logs[s->count] = row->logs;
    s->jobs[s->count++] = row->jobs;
    return true;
}

static int64_t nth(const spread *s, int64_t n) {
    size_t i = 0;
    while (i + 1 < s->count && n >= s->jobs[i]) n -= s->jobs[i++];
    return s->count ? s->logs[i] : 0;
}

static iol_status ask_logs_per_job(fleet_asking *a) {
    iol__fleet *f = a->fleet;
    spread *s = calloc(1, sizeof *s);
    iol__sql sql;
    iol__select_fleet_steps_with(&sql, &(iol__fleet_steps_sql){.jobs = a->current ? NULL : "COUNT(*)"});
    iol__sql_add(&sql, " FROM %s WHERE logs > 0", a->current ? "day_steps" : "job");
    sql.where = true;
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY logs ORDER BY logs");
    sql.failed = sql.failed || !s;
    iol_status status = iol__ask_fleet_steps(&sql, a->store, take_spread, s);
    if (status == IOL_OK && s && s->all) {
        f->jobs = s->all;
        f->mean_logs = s->sum / (double)s->all;
        f->median_logs = ((double)nth(s, (s->all - 1) / 2) + (double)nth(s, s->all / 2)) / 2;
        f->most_logs = s->logs[s->count - 1];
    }
    free(s);
    return status;
}

static iol_status ask_users(fleet_asking *a) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT COUNT(DISTINCT owner) FROM %s", a->current ? "day_use" : "log");
    iol__sql_days(&sql, "day", a->since, a->until);
    return iol__sql_number(&sql, a->store, 0, &a->fleet->users);
}

/* Of a day in the year's form and a machine. NULL without memory. */
static iol__fleet_month *month_of(fleet_asking *a, int64_t day, const char *cluster) {
    iol__fleet *f = a->fleet;
    const int64_t month = day / 100;
    for (size_t i = 0; i < f->n_months; i++)
        if (f->months[i].month == month && strcmp(f->months[i].cluster, cluster ? cluster : "") == 0)
            return &f->months[i];
    if (!IOL_GROW_NEXT(f->months, f->n_months)) return fleet_fails(a), NULL;
    iol__fleet_month *m = &f->months[f->n_months];
    *m = (iol__fleet_month){.month = month, .cluster = strdup(cluster ? cluster : "")};
    a->failed = a->failed || !m->cluster;
    if (m->cluster) f->n_months++;
    return m->cluster ? m : NULL;
}

static bool take_month(void *context, const iol__fleet_month_row *row) {
    iol__fleet_month *m = month_of(context, row->day, row->cluster);
    if (!m) return false;
    m->logs += row->logs;
    m->bytes_read = iol__facts_plus(m->bytes_read, row->bytes_read);
    m->bytes_written = iol__facts_plus(m->bytes_written, row->bytes_written);
    m->node_time = iol__facts_plus(m->node_time, row->node_time);
    return true;
}

static bool take_jobs(void *context, const iol__fleet_jobs_row *row) {
    iol__fleet_month *m = month_of(context, row->day, row->cluster);
    if (m) m->jobs += row->jobs;
    return m != NULL;
}

static int by_month(const void *a, const void *b) {
    const iol__fleet_month *x = a, *y = b;
    if (x->month != y->month) return x->month < y->month ? -1 : 1;
    return strcmp(x->cluster, y->cluster);
}

static iol_status ask_jobs(fleet_asking *a) {
    iol__sql sql;
    iol__select_fleet_jobs_with(&sql, &(iol__fleet_jobs_sql){.jobs = a->current ? NULL : "COUNT(*)"});
    iol__sql_add(&sql, a->current ? " FROM day_job" : " FROM job WHERE logs > 0");
    sql.where = !a->current;
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY day, cluster ORDER BY day, cluster");
    iol_status status = iol__ask_fleet_jobs(&sql, a->store, take_jobs, a);
    /* A job that began before its logs may be of another month. */
    if (a->fleet->n_months) qsort(a->fleet->months, a->fleet->n_months, sizeof *a->fleet->months, by_month);
    return status;
}

static iol_status ask_months(fleet_asking *a) {
    iol__sql sql;
    iol__select_fleet_month_with(&sql, &(iol__fleet_month_sql){.logs = a->current ? NULL : "COUNT(*)"});
    iol__sql_add(&sql, " FROM %s", a->current ? "day_use" : "log");
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY day, cluster ORDER BY day, cluster");
    return iol__ask_fleet_month(&sql, a->store, take_month, a);
}

/* Metrics ------------------------------------------------------------------------------------------------------- */

static bool take_selected(void *context, const iol__fleet_selected_row *job) {
    fleet_asking *a = context;
    iol__fleet *f = a->fleet;
    if (!IOL_GROW_NEXT(f->selected, f->n_selected)) return fleet_fails(a);
    f->selected[f->n_selected++] = (iol__fleet_job){.cluster = copy_text(job->cluster),
                                                    .jobid = copy_text(job->jobid),
                                                    .owner = copy_text(job->owner),
                                                    .exename = copy_text(job->exename),
                                                    .account = copy_text(job->account),
                                                    .start = job->start,
                                                    .nprocs = job->nprocs,
                                                    .logs = job->logs,
                                                    .bytes_read = job->bytes_read,
                                                    .bytes_written = job->bytes_written,
                                                    .redundant = job->redundant_read_bytes,
                                                    .small_writes = job->small_shared_indep_writes,
                                                    .meta_ratio = job->meta_ratio,
                                                    .selected = job->selected};
    return true;
}

static iol_status ask_selected(fleet_asking *a) {
    iol__sql sql;
    iol__select_fleet_selected(&sql);
    iol__sql_add(&sql, " FROM job WHERE selected > 0");
    sql.where = true;
    iol__sql_days(&sql, "day", a->since, a->until);
    return iol__ask_fleet_selected(&sql, a->store, take_selected, a);
}

/* Sorted here: asked for in an order, SQLite would go through all jobs in that order to find the few. */
static int by_user(const void *a, const void *b) {
    const iol__fleet_job *x = a, *y = b;
    int order = compare_texts(x->owner, y->owner);
    if (!order && x->start != y->start) order = x->start < y->start ? -1 : 1;
    return order ? order : compare_texts(x->jobid, y->jobid);
}

static void judge_selected(iol__fleet *f) {
    if (f->n_selected) qsort(f->selected, f->n_selected, sizeof *f->selected, by_user);
    for (int m = 0; m < IOL_METRICS; m++) {
        const char *last = NULL; /* jobs are sorted by user */
        for (size_t i = 0; i < f->n_selected; i++) {
            iol__fleet_job *j = &f->selected[i];
            if (!(j->selected >> m & 1)) continue;
            f->metrics[m].jobs++;
            if (!last || compare_texts(last, j->owner) != 0) f->metrics[m].users++;
            last = j->owner;
            if (!f->metrics[m].top || iol__fleet_figure(j, m) > iol__fleet_figure(f->metrics[m].top, m))
                f->metrics[m].top = j;
            for (int n = 0; n < IOL_METRICS; n++) f->overlap[m][n] += j->selected >> n & 1;
        }
    }
}

static bool take_top(void *context, const iol__fleet_log_row *log) {
    *(iol__fleet_log_row *)context = *log;
    return false;
}

/* Of the logs of the job that this metric selects, the one with most. */
static iol_status ask_top(fleet_asking *a, int metric) {
    static const char *const figures[IOL_METRICS] = {"redundant_read_bytes", "meta_ratio", "small_shared_indep_writes"};
    iol__fleet_metric *m = &a->fleet->metrics[metric];
    iol__fleet_log_row log = {0};
    iol__sql sql;
    if (!m->top) return IOL_OK;
    iol__select_fleet_log(&sql);
    iol__sql_add(&sql,
                 " FROM log WHERE cluster = ? AND jobid = ? AND match%d = 1 AND start >= ? "
                 "ORDER BY %s DESC, start, identity LIMIT 1",
                 metric + 1, figures[metric]);
    iol__sql_value(&sql, iol__text(m->top->cluster));
    iol__sql_value(&sql, iol__text(m->top->jobid));
    iol__sql_value(&sql, iol__integer(m->top->start - INT64_C(86400000000)));
    iol_status status = iol__ask_fleet_log(&sql, a->store, take_top, &log);
    if (status != IOL_OK || !log.nprocs) return status;
    m->paragraph = iol__fleet_paragraph(metric, m->top, &log);
    a->failed = a->failed || !m->paragraph;
    return IOL_OK;
}

static iol_status ask_tops(fleet_asking *a) {
    iol_status status = iol__fleet_limits(a->store, &a->fleet->limits);
    judge_selected(a->fleet);
    for (int m = 0; m < IOL_METRICS && status == IOL_OK; m++) status = ask_top(a, m);
    return status;
}

/* Coverage ------------------------------------------------------------------------------------------------------ */

/* One user on one day: rows come sorted by day and user. */
typedef struct covering {
    fleet_asking *a;
    char owner[256];
    bool active, logged;
    iol__fleet_count all; /* of the period */
} covering;

/* Rows of one kind of job, of one user on one day. */
typedef struct covered {
    const char *owner, *state, *entry, *cause;
    int64_t jobs, logged, core_time, core_time_logged;
} covered;

static iol__fleet_count *count_at(fleet_asking *a, iol__fleet_count **list, size_t *n, const char *name) {
    for (size_t i = 0; i < *n; i++)
        if (strcmp((*list)[i].name, name) == 0) return &(*list)[i];
    if (!IOL_GROW_NEXT(*list, *n)) return fleet_fails(a), NULL;
    (*list)[*n] = (iol__fleet_count){.name = strdup(name)};
    a->failed = a->failed || !(*list)[*n].name;
    return (*list)[*n].name ? &(*list)[(*n)++] : NULL;
}

static void add_user(fleet_asking *a, iol__fleet_count *c, int kind, const char *owner) {
    if (!IOL_GROW_NEXT(c->owners[kind], c->n_owners[kind])) {
        fleet_fails(a);
        return;
    }
    c->owners[kind][c->n_owners[kind]] = strdup(owner);
    a->failed = a->failed || !c->owners[kind][c->n_owners[kind]];
    if (c->owners[kind][c->n_owners[kind]]) c->n_owners[kind]++;
}

static bool completed(const covered *c) { return c->state && strcmp(c->state, "COMPLETED") == 0; }

/* As somebody noted it, or what follows from how the job came in and ended. */
static const char *why_no_log(const covered *c) {
    if (c->cause) return c->cause;
    if (!c->entry) return "unknown";
    if (strcmp(c->entry, "opted-out") == 0) return "the user opted out";
    if (strcmp(c->entry, "absent") == 0) return "the library was not loaded";
    return completed(c) ? "no I/O, or the log was lost" : "the job did not end normally";
}

static void count_kinds(fleet_asking *a, const covered *c) {
    iol__fleet *f = a->fleet;
    iol__fleet_count *e = count_at(a, &f->entries, &f->n_entries, c->entry ? c->entry : "unknown");
    if (e) {
        e->jobs += c->jobs;
        e->logged += c->logged;
        e->core_time = iol__facts_plus(e->core_time, c->core_time);
        e->core_time_logged = iol__facts_plus(e->core_time_logged, c->core_time_logged);
        if (completed(c)) add_user(a, e, 0, c->owner);
        if (completed(c) && c->logged) add_user(a, e, 1, c->owner);
    }
    if (c->jobs == c->logged) return;
    e = count_at(a, &f->causes, &f->n_causes, why_no_log(c));
    if (!e) return;
    e->jobs += c->jobs - c->logged;
    e->core_time = iol__facts_plus(e->core_time, c->core_time - c->core_time_logged);
}

/* The user that rows were about until now. */
static void end_user(covering *c) {
    iol__fleet *f = c->a->fleet;
    if (c->active && f->n_days) {
        f->days[f->n_days - 1].users++;
        add_user(c->a, &c->all, 0, c->owner);
        if (c->logged) {
            f->days[f->n_days - 1].users_logged++;
            add_user(c->a, &c->all, 1, c->owner);
        }
    }
    c->active = c->logged = false;
}

static const char *null_if_empty(const char *text) { return text && *text ? text : NULL; }

static bool take_coverage(void *context, const iol__fleet_coverage_row *asked) {
    covering *c = context;
    iol__fleet *f = c->a->fleet;
    const covered row = {.owner = asked->owner ? asked->owner : "",
                         .state = null_if_empty(asked->state),
                         .entry = null_if_empty(asked->entry),
                         .cause = null_if_empty(asked->cause),
                         .jobs = asked->jobs,
                         .logged = asked->logged,
                         .core_time = asked->core_time,
                         .core_time_logged = asked->core_time_logged};
    bool new_day = !f->n_days || f->days[f->n_days - 1].day != asked->day;
    if (new_day || strcmp(c->owner, row.owner) != 0) end_user(c);
    if (new_day) {
        if (!IOL_GROW_NEXT(f->days, f->n_days)) return fleet_fails(c->a);
        f->days[f->n_days++] = (iol__coverage){.day = asked->day};
    }
    snprintf(c->owner, sizeof c->owner, "%s", row.owner);
    iol__coverage *d = &f->days[f->n_days - 1];
    d->jobs += row.jobs;
    d->logged += row.logged;
    d->core_time = iol__facts_plus(d->core_time, row.core_time);
    d->core_time_logged = iol__facts_plus(d->core_time_logged, row.core_time_logged);
    c->logged = c->logged || row.logged;
    c->active = c->active || completed(&row);
    count_kinds(c->a, &row);
    return !c->a->failed;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int64_t distinct(char **list, size_t n) {
    int64_t users = 0;
    if (n) qsort(list, n, sizeof *list, by_text);
    for (size_t i = 0; i < n; i++) users += i == 0 || strcmp(list[i - 1], list[i]) != 0;
    for (size_t i = 0; i < n; i++) free(list[i]);
    free(list);
    return users;
}

static void count_users(iol__fleet_count *c) {
    c->users = distinct(c->owners[0], c->n_owners[0]);
    c->users_logged = distinct(c->owners[1], c->n_owners[1]);
    c->owners[0] = c->owners[1] = NULL;
    c->n_owners[0] = c->n_owners[1] = 0;
}

static iol_status ask_coverage(fleet_asking *a) {
    covering c = {.a = a};
    iol__fleet *f = a->fleet;
    iol__sql sql;
    static const iol__fleet_coverage_sql of_jobs = {.jobs = "COUNT(*)",
                                                    .logged = "SUM(CASE WHEN covers > 0 THEN 1 ELSE 0 END)",
                                                    .core_time_logged =
                                                        "SUM(CASE WHEN covers > 0 THEN core_time ELSE 0 END)"};
    iol__select_fleet_coverage_with(&sql, a->current ? NULL : &of_jobs);
    if (a->current)
        iol__sql_add(&sql, " FROM day_coverage");
    else
        iol__sql_add(&sql, " FROM (SELECT day, owner, COALESCE(state, '') AS state, COALESCE(entry, '') AS entry, "
                           "COALESCE(cause, '') AS "
                           "cause, COALESCE(covered, logs) AS covers, COALESCE(core_time, 0) AS core_time FROM job "
                           "WHERE known = 1) AS t");
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY day, owner, state, entry, cause ORDER BY day, owner, state, entry, cause");
    iol_status status = iol__ask_fleet_coverage(&sql, a->store, take_coverage, &c);
    end_user(&c);
    for (size_t i = 0; i < f->n_days; i++) {
        f->all.jobs += f->days[i].jobs;
        f->all.logged += f->days[i].logged;
        f->all.core_time = iol__facts_plus(f->all.core_time, f->days[i].core_time);
        f->all.core_time_logged = iol__facts_plus(f->all.core_time_logged, f->days[i].core_time_logged);
    }
    count_users(&c.all);
    for (size_t i = 0; i < f->n_entries; i++) count_users(&f->entries[i]);
    f->all.users = c.all.users;
    f->all.users_logged = c.all.users_logged;
    return status;
}

static iol_status ask_lines(fleet_asking *a) {
    enum { LINES_SHOWN = 10 };
    const iol__rank_query query = {.key = IOL_RANK_LINE,
                                   .measure = iol__measure_find("node_time"),
                                   .since = a->since,
                                   .until = a->until,
                                   .limit = LINES_SHOWN};
    return iol__rank(a->store, &query, &a->fleet->lines);
}

/* The whole ----------------------------------------------------------------------------------------------------- */

iol_status iol__fleet_make(iol__store *store, int64_t since, int64_t until, iol__fleet *fleet) {
    static iol_status (*const questions[])(fleet_asking *) = {ask_modules, ask_findings, ask_took, ask_logs_per_job,
                                                              ask_users,   ask_months,   ask_jobs, ask_selected,
                                                              ask_tops,    ask_coverage, ask_lines};
    *fleet = (iol__fleet){0};
    fleet_asking a = {store, since, until, .fleet = fleet};
    if (store->reference)
        return iol__store_fail(&store->error, IOL_UNSUPPORTED, "the reference's index cannot tell that");
    iol_status status = iol__rollup_current(store, &a.current);
    for (size_t i = 0; status == IOL_OK && i < IOL_COUNT(questions); i++) status = questions[i](&a);
    if (status == IOL_OK && a.failed) status = iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
    if (status != IOL_OK) iol__fleet_free(fleet);
    return status;
}

static void free_counts(iol__fleet_count *list, size_t n) {
    for (size_t i = 0; i < n; i++) {
        free(list[i].name);
    }
    free(list);
}

void iol__fleet_free(iol__fleet *f) {
    for (size_t i = 0; i < f->n_findings; i++) {
        free(f->findings[i].rule);
        free(f->findings[i].level);
    }
    for (size_t i = 0; i < f->n_selected; i++) {
        iol__fleet_job *j = &f->selected[i];
        char *texts[] = {j->cluster, j->jobid, j->owner, j->exename, j->account};
        for (size_t t = 0; t < 5; t++) free(texts[t]);
    }
    for (size_t i = 0; i < f->n_months; i++) free(f->months[i].cluster);
    iol__ranking_free(&f->lines);
    for (int m = 0; m < IOL_METRICS; m++) free(f->metrics[m].paragraph);
    free(f->findings);
    free(f->selected);
    free(f->months);
    free(f->days);
    free_counts(f->entries, f->n_entries);
    free_counts(f->causes, f->n_causes);
    *f = (iol__fleet){0};
}
