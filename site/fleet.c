/* A handful of queries: over daily sums where days are current, else over the logs; over the few jobs that metrics select;
   and one over the batch system's jobs. */
#include "site/fleet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "insight/facts.h"
#include "site/rollup.h"
#include "site/sql.h"

typedef struct asking {
    iol__store *store;
    int64_t since, until;
    bool current;
    iol__fleet *fleet;
    bool failed;
} asking;

static char *copy(const iol__cell *cell) {
    const char *text = iol__cell_text(cell);
    return text ? strdup(text) : NULL;
}

static int compare_texts(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : ""); }

/* Room for one more behind `count` items; NULL without memory. */
static void *grown(asking *a, void *list, size_t count, size_t size) {
    if (count & (count + 1)) return list;
    void *larger = realloc(list, (2 * count + 2) * size);
    if (!larger) a->failed = true;
    return larger;
}

/* Limits ------------------------------------------------------------------------------------------------------- */

static bool take_limits(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    iol__metric_limits l;
    const char *text = iol__cell_text(cells);
    if (text && sscanf(text, "%lf %lf %lf %lf %lf", &l.redundant_bytes, &l.meta_ratio, &l.meta_processes,
                       &l.meta_seconds, &l.small_writes) == 5)
        *(iol__metric_limits *)context = l;
    return false;
}

iol_status iol__fleet_limits(iol__store *store, iol__metric_limits *limits) {
    *limits = iol__metric_limits_usual;
    return iol__store_ask(store, "SELECT value FROM meta WHERE name = 'metric_limits'", NULL, 0, take_limits, limits);
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
    return iol__store_put(store, IOL_TABLE_meta, (iol__cell[]){iol__text("metric_limits"), iol__text(text)});
}

/* Logs ---------------------------------------------------------------------------------------------------------- */

static bool take_modules(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    asking *a = context;
    static const int slots[3] = {IOL_SLOT_POSIX, IOL_SLOT_MPIIO, IOL_SLOT_STDIO};
    int64_t modules = iol__cell_integer(&cells[0]), codes = iol__cell_integer(&cells[1]),
            logs = iol__cell_integer(&cells[2]);
    a->fleet->logs += logs;
    for (int i = 0; i < 3; i++)
        if (modules >> slots[i] & 1) a->fleet->interface[i] += logs;
    for (int code = 0; code < IOL_COMPAT_CODES; code++)
        if (codes >> code & 1) a->fleet->compat[code] += logs;
    return true;
}

static iol_status ask_modules(asking *a) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, a->current ? "SELECT modules, compat, SUM(logs) FROM day_modules"
                                  : "SELECT modules, compat, COUNT(*) FROM log");
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY modules, compat");
    return iol__sql_ask(&sql, a->store, take_modules, a);
}

static bool take_finding(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    asking *a = context;
    iol__fleet *f = a->fleet;
    iol__fleet_finding *larger = grown(a, f->findings, f->n_findings, sizeof *larger);
    if (!larger) return false;
    f->findings = larger;
    f->findings[f->n_findings++] = (iol__fleet_finding){copy(&cells[0]), copy(&cells[1]), iol__cell_integer(&cells[2]),
                                                        iol__cell_integer(&cells[3]), iol__cell_integer(&cells[4])};
    return true;
}

static iol_status ask_findings(asking *a) {
    iol__sql sql;
    iol__sql_start(&sql);
    if (a->current)
        iol__sql_add(&sql, "SELECT rule, level, SUM(logs) AS found, SUM(lost), SUM(node_time) FROM day_finding");
    else
        iol__sql_add(&sql, "SELECT rule, level, COUNT(*) AS found, SUM(lost), SUM(node_time) FROM "
                           "(SELECT log_id, day FROM log) AS l JOIN (SELECT log_id, rule, level, COALESCE(lost, 0) AS "
                           "lost, COALESCE(node_time, 0) AS node_time FROM finding) AS f USING (log_id)");
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY rule, level ORDER BY found DESC, rule, level");
    return iol__sql_ask(&sql, a->store, take_finding, a);
}

/* Times of so many logs that are about the same, shortest first. */
typedef struct times {
    asking *a;
    struct {
        int64_t logs;
        double took;
    } * list;
    size_t count;
    int64_t logs;
    double sum;
} times;

static bool take_time(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    times *t = context;
    double *took = t->a->fleet->took;
    void *larger = grown(t->a, t->list, t->count, sizeof *t->list);
    if (!larger) return false;
    t->list = larger;
    const int64_t logs = iol__cell_integer(&cells[0]);
    const double sum = iol__cell_real(&cells[1]) / 1e6;
    t->list[t->count].logs = logs;
    t->list[t->count++].took = sum / (double)logs;
    t->logs += logs;
    t->sum += sum;
    if (t->count == 1) took[0] = iol__cell_real(&cells[2]) / 1e6;
    took[3] = fmax(took[3], iol__cell_real(&cells[3]) / 1e6);
    return true;
}

static double time_at(const times *t, int64_t place) {
    size_t i = 0;
    for (; i + 1 < t->count && place >= t->list[i].logs; i++) place -= t->list[i].logs;
    return t->list[i].took;
}

static iol_status ask_took(asking *a) {
    times t = {.a = a};
    double *took = a->fleet->took;
    iol__sql sql;
    for (int i = 0; i < 4; i++) took[i] = NAN;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "%s",
                 a->current ? "SELECT SUM(logs), SUM(took), MIN(least), MAX(most) FROM day_took"
                            : "SELECT COUNT(*), SUM(took), MIN(took), MAX(took) FROM (SELECT day, took, " IOL_TOOK_ABOUT
                              " AS about FROM log) AS t");
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY about ORDER BY about");
    iol_status status = iol__sql_ask(&sql, a->store, take_time, &t);
    if (t.count) {
        took[1] = t.sum / (double)t.logs;
        took[2] = time_at(&t, (t.logs - 1) * 3 / 4);
    }
    free(t.list);
    return status;
}

/* How many jobs have so many logs, fewest first. */
typedef struct spread {
    int64_t logs[4096], jobs[4096];
    size_t count;
    int64_t all;
    double sum;
} spread;

static bool take_spread(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    spread *s = context;
    int64_t logs = iol__cell_integer(&cells[0]), jobs = iol__cell_integer(&cells[1]);
    s->all += jobs;
    s->sum += (double)logs * (double)jobs;
    if (s->count == sizeof s->logs / sizeof *s->logs) s->count--; /* only the largest is asked for of so many */
    s->logs[s->count] = logs;
    s->jobs[s->count++] = jobs;
    return true;
}

static int64_t nth(const spread *s, int64_t n) {
    size_t i = 0;
    while (i + 1 < s->count && n >= s->jobs[i]) n -= s->jobs[i++];
    return s->count ? s->logs[i] : 0;
}

static iol_status ask_logs_per_job(asking *a) {
    iol__fleet *f = a->fleet;
    spread *s = calloc(1, sizeof *s);
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, a->current ? "SELECT logs, SUM(jobs) FROM day_steps WHERE logs > 0"
                                  : "SELECT logs, COUNT(*) FROM job WHERE logs > 0");
    sql.where = true;
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY logs ORDER BY logs");
    sql.failed = sql.failed || !s;
    iol_status status = iol__sql_ask(&sql, a->store, take_spread, s);
    if (status == IOL_OK && s && s->all) {
        f->jobs = s->all;
        f->mean_logs = s->sum / (double)s->all;
        f->median_logs = ((double)nth(s, (s->all - 1) / 2) + (double)nth(s, s->all / 2)) / 2;
        f->most_logs = s->logs[s->count - 1];
    }
    free(s);
    return status;
}

static bool take_users(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    ((asking *)context)->fleet->users = iol__cell_integer(&cells[0]);
    return false;
}

static iol_status ask_users(asking *a) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT COUNT(DISTINCT owner) FROM %s", a->current ? "day_use" : "log");
    iol__sql_days(&sql, "day", a->since, a->until);
    return iol__sql_ask(&sql, a->store, take_users, a);
}

/* Of a day in the year's form and a machine. NULL without memory. */
static iol__fleet_month *month_of(asking *a, const iol__cell *day, const iol__cell *machine) {
    iol__fleet *f = a->fleet;
    int64_t month = iol__cell_integer(day) / 100;
    const char *cluster = iol__cell_text(machine);
    for (size_t i = 0; i < f->n_months; i++)
        if (f->months[i].month == month && strcmp(f->months[i].cluster, cluster ? cluster : "") == 0)
            return &f->months[i];
    iol__fleet_month *larger = grown(a, f->months, f->n_months, sizeof *larger);
    if (!larger) return NULL;
    f->months = larger;
    iol__fleet_month *m = &f->months[f->n_months];
    *m = (iol__fleet_month){.month = month, .cluster = strdup(cluster ? cluster : "")};
    a->failed = a->failed || !m->cluster;
    if (m->cluster) f->n_months++;
    return m->cluster ? m : NULL;
}

static bool take_month(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    iol__fleet_month *m = month_of(context, &cells[0], &cells[1]);
    if (!m) return false;
    m->logs += iol__cell_integer(&cells[2]);
    m->bytes_read = iol__facts_plus(m->bytes_read, iol__cell_integer(&cells[3]));
    m->bytes_written = iol__facts_plus(m->bytes_written, iol__cell_integer(&cells[4]));
    m->node_time = iol__facts_plus(m->node_time, iol__cell_integer(&cells[5]));
    return true;
}

static bool take_jobs(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    iol__fleet_month *m = month_of(context, &cells[0], &cells[1]);
    if (m) m->jobs += iol__cell_integer(&cells[2]);
    return m != NULL;
}

static int by_month(const void *a, const void *b) {
    const iol__fleet_month *x = a, *y = b;
    if (x->month != y->month) return x->month < y->month ? -1 : 1;
    return strcmp(x->cluster, y->cluster);
}

static iol_status ask_jobs(asking *a) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, a->current ? "SELECT day, cluster, SUM(jobs) FROM day_job"
                                  : "SELECT day, cluster, COUNT(*) FROM job WHERE logs > 0");
    sql.where = !a->current;
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY day, cluster ORDER BY day, cluster");
    iol_status status = iol__sql_ask(&sql, a->store, take_jobs, a);
    /* A job that began before its logs may be of another month. */
    if (a->fleet->n_months) qsort(a->fleet->months, a->fleet->n_months, sizeof *a->fleet->months, by_month);
    return status;
}

static iol_status ask_months(asking *a) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT day, cluster, %s, SUM(bytes_read), SUM(bytes_written), SUM(node_time) FROM %s",
                 a->current ? "SUM(logs)" : "COUNT(*)", a->current ? "day_use" : "log");
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY day, cluster ORDER BY day, cluster");
    return iol__sql_ask(&sql, a->store, take_month, a);
}

/* Metrics ------------------------------------------------------------------------------------------------------- */

static bool take_selected(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    asking *a = context;
    iol__fleet *f = a->fleet;
    iol__fleet_job *larger = grown(a, f->selected, f->n_selected, sizeof *larger);
    if (!larger) return false;
    f->selected = larger;
    f->selected[f->n_selected++] = (iol__fleet_job){.cluster = copy(&cells[0]),
                                                    .jobid = copy(&cells[1]),
                                                    .owner = copy(&cells[2]),
                                                    .exename = copy(&cells[3]),
                                                    .account = copy(&cells[4]),
                                                    .start = iol__cell_integer(&cells[5]),
                                                    .nprocs = iol__cell_integer(&cells[6]),
                                                    .logs = iol__cell_integer(&cells[7]),
                                                    .bytes_read = iol__cell_integer(&cells[8]),
                                                    .bytes_written = iol__cell_integer(&cells[9]),
                                                    .redundant = iol__cell_integer(&cells[10]),
                                                    .small_writes = iol__cell_integer(&cells[11]),
                                                    .meta_ratio = iol__cell_real(&cells[12]),
                                                    .selected = iol__cell_integer(&cells[13])};
    return true;
}

static iol_status ask_selected(asking *a) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql,
                 "SELECT cluster, jobid, owner, exename, account, start, nprocs, logs, bytes_read, bytes_written, "
                 "redundant_read_bytes, small_shared_indep_writes, meta_ratio, selected FROM job WHERE selected > 0");
    sql.where = true;
    iol__sql_days(&sql, "day", a->since, a->until);
    return iol__sql_ask(&sql, a->store, take_selected, a);
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

static bool take_top(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    iol__fleet_log *log = context;
    int64_t *numbers[] = {&log->processes,    &log->run,           &log->modules,   &log->files,
                          &log->reads,        &log->writes,        &log->opens,     &log->stats,
                          &log->bytes_read,   &log->bytes_written, &log->redundant, &log->redundant_only_read,
                          &log->small_writes, &log->read_time,     &log->write_time};
    const size_t n = sizeof numbers / sizeof *numbers;
    for (size_t i = 0; i < n; i++) *numbers[i] = iol__cell_integer(&cells[i]);
    log->meta_ratio = iol__cell_real(&cells[n]);
    log->meta_seconds = iol__cell_real(&cells[n + 1]);
    return false;
}

/* Of the logs of the job that this metric selects, the one with most. */
static iol_status ask_top(asking *a, int metric) {
    static const char *const figures[IOL_METRICS] = {"redundant_read_bytes", "meta_ratio", "small_shared_indep_writes"};
    iol__fleet_metric *m = &a->fleet->metrics[metric];
    iol__fleet_log log = {0};
    iol__sql sql;
    if (!m->top) return IOL_OK;
    iol__sql_start(&sql);
    iol__sql_add(&sql,
                 "SELECT nprocs, run, modules, files, reads, writes, opens, stats, bytes_read, bytes_written, "
                 "redundant_read_bytes, redundant_read_ro_bytes, small_shared_indep_writes, read_time, write_time, "
                 "meta_ratio, meta_s_per_proc FROM log WHERE cluster = ? AND jobid = ? AND match%d = 1 AND start >= ? "
                 "ORDER BY %s DESC, start, identity LIMIT 1",
                 metric + 1, figures[metric]);
    iol__sql_value(&sql, iol__text(m->top->cluster));
    iol__sql_value(&sql, iol__text(m->top->jobid));
    iol__sql_value(&sql, iol__integer(m->top->start - INT64_C(86400000000)));
    iol_status status = iol__sql_ask(&sql, a->store, take_top, &log);
    if (status != IOL_OK || !log.processes) return status;
    m->paragraph = iol__fleet_paragraph(metric, m->top, &log);
    a->failed = a->failed || !m->paragraph;
    return IOL_OK;
}

static iol_status ask_tops(asking *a) {
    iol_status status = iol__fleet_limits(a->store, &a->fleet->limits);
    judge_selected(a->fleet);
    for (int m = 0; m < IOL_METRICS && status == IOL_OK; m++) status = ask_top(a, m);
    return status;
}

/* Coverage ------------------------------------------------------------------------------------------------------ */

/* One user on one day: rows come sorted by day and user. */
typedef struct covering {
    asking *a;
    char owner[256];
    bool active, logged;
    iol__fleet_count all; /* of the period */
} covering;

/* Rows of one kind of job, of one user on one day. */
typedef struct covered {
    const char *owner, *state, *entry, *cause;
    int64_t jobs, logged, core_time, core_time_logged;
} covered;

static iol__fleet_count *count_at(asking *a, iol__fleet_count **list, size_t *n, const char *name) {
    for (size_t i = 0; i < *n; i++)
        if (strcmp((*list)[i].name, name) == 0) return &(*list)[i];
    iol__fleet_count *larger = grown(a, *list, *n, sizeof *larger);
    if (!larger) return NULL;
    *list = larger;
    (*list)[*n] = (iol__fleet_count){.name = strdup(name)};
    a->failed = a->failed || !(*list)[*n].name;
    return (*list)[*n].name ? &(*list)[(*n)++] : NULL;
}

static void add_user(asking *a, iol__fleet_count *c, int kind, const char *owner) {
    char **list = grown(a, c->owners[kind], c->n_owners[kind], sizeof *list);
    if (!list) return;
    c->owners[kind] = list;
    list[c->n_owners[kind]] = strdup(owner);
    a->failed = a->failed || !list[c->n_owners[kind]];
    if (list[c->n_owners[kind]]) c->n_owners[kind]++;
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

static void count_kinds(asking *a, const covered *c) {
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

/* NULL for the empty text. */
static const char *text_of(const iol__cell *cell) {
    const char *text = iol__cell_text(cell);
    return text && *text ? text : NULL;
}

static bool take_coverage(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    covering *c = context;
    iol__fleet *f = c->a->fleet;
    const char *owner = iol__cell_text(&cells[1]);
    const covered row = {owner ? owner : "",           text_of(&cells[2]),           text_of(&cells[3]),
                         text_of(&cells[4]),           iol__cell_integer(&cells[5]), iol__cell_integer(&cells[6]),
                         iol__cell_integer(&cells[7]), iol__cell_integer(&cells[8])};
    int64_t day = iol__cell_integer(&cells[0]);
    bool new_day = !f->n_days || f->days[f->n_days - 1].day != day;
    if (new_day || strcmp(c->owner, row.owner) != 0) end_user(c);
    if (new_day) {
        iol__coverage *larger = grown(c->a, f->days, f->n_days, sizeof *larger);
        if (!larger) return false;
        f->days = larger;
        f->days[f->n_days++] = (iol__coverage){.day = day};
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

static iol_status ask_coverage(asking *a) {
    covering c = {.a = a};
    iol__fleet *f = a->fleet;
    iol__sql sql;
    iol__sql_start(&sql);
    if (a->current)
        iol__sql_add(&sql, "SELECT day, owner, state, entry, cause, SUM(jobs), SUM(logged), SUM(core_time), "
                           "SUM(core_time_logged) FROM day_coverage");
    else
        iol__sql_add(&sql, "SELECT day, owner, state, entry, cause, COUNT(*), SUM(CASE WHEN logs > 0 THEN 1 ELSE 0 "
                           "END), SUM(core_time), SUM(CASE WHEN logs > 0 THEN core_time ELSE 0 END) FROM (SELECT day, "
                           "owner, COALESCE(state, '') AS state, COALESCE(entry, '') AS entry, COALESCE(cause, '') AS "
                           "cause, logs, COALESCE(core_time, 0) AS core_time FROM job WHERE known = 1) AS t");
    iol__sql_days(&sql, "day", a->since, a->until);
    iol__sql_add(&sql, " GROUP BY day, owner, state, entry, cause ORDER BY day, owner, state, entry, cause");
    iol_status status = iol__sql_ask(&sql, a->store, take_coverage, &c);
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

/* The whole ----------------------------------------------------------------------------------------------------- */

iol_status iol__fleet_make(iol__store *store, int64_t since, int64_t until, iol__fleet *fleet) {
    static iol_status (*const questions[])(asking *) = {ask_modules, ask_findings, ask_took, ask_logs_per_job,
                                                        ask_users,   ask_months,   ask_jobs, ask_selected,
                                                        ask_tops,    ask_coverage};
    *fleet = (iol__fleet){0};
    asking a = {store, since, until, .fleet = fleet};
    if (store->reference)
        return iol__store_fail(&store->error, IOL_UNSUPPORTED, "the reference's index cannot tell that");
    iol_status status = iol__rollup_current(store, &a.current);
    for (size_t i = 0; status == IOL_OK && i < sizeof questions / sizeof *questions; i++) status = questions[i](&a);
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
    for (int m = 0; m < IOL_METRICS; m++) free(f->metrics[m].paragraph);
    free(f->findings);
    free(f->selected);
    free(f->months);
    free(f->days);
    free_counts(f->entries, f->n_entries);
    free_counts(f->causes, f->n_causes);
    *f = (iol__fleet){0};
}
