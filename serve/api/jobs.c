/* /jobs: the list, and one job with everything the index knows about it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "serve/cursor.h"
#include "serve/jobs.h"
#include "serve/api/parts.h"
#include "serve/series.h"
#include "serve/serve.h"
#include "site/query/job_list.h"

/* The list -------------------------------------------------------------------------------------------------------- */

/* What jobs can be sorted by: the expression, and its value of a job. */
typedef struct order {
    const char *name, *sql;
    iol__cell (*value)(const iol__job_row *job);
} order;

#define VALUE_OF(name, expression) \
    static iol__cell name##_of(const iol__job_row *job) { return iol__integer(expression); }
VALUE_OF(start, job->start)
VALUE_OF(bytes, job->bytes_read + job->bytes_written)
VALUE_OF(bytes_read, job->bytes_read)
VALUE_OF(bytes_written, job->bytes_written)
VALUE_OF(lost, job->lost)
VALUE_OF(findings, job->findings)
VALUE_OF(io_time, job->io_time)
VALUE_OF(run, job->logs ? job->run : job->start ? iol__known_or(job->ended, job->start) - job->start : 0)
VALUE_OF(nprocs, job->nprocs)

static const order orders[] = {
    {"start", "start", start_of},
    {"bytes", "(bytes_read + bytes_written)", bytes_of},
    {"bytes_read", "bytes_read", bytes_read_of},
    {"bytes_written", "bytes_written", bytes_written_of},
    {"lost_s", "lost", lost_of},
    {"findings", "findings", findings_of},
    {"io_s", "io_time", io_time_of},
    {"run_s", "(CASE WHEN logs > 0 THEN run WHEN start > 0 THEN COALESCE(ended, start) - start ELSE 0 END)", run_of},
    {"nprocs", "nprocs", nprocs_of}};

static const order *order_of(const char *sort, bool *ascending) {
    *ascending = *sort != '-';
    for (size_t i = 0; i < IOL_COUNT(orders); i++)
        if (strcmp(orders[i].name, sort + !*ascending) == 0) return &orders[i];
    return orders;
}

static iol__patterns *one_pattern(iol__exchange *x, const char *name, iol__patterns *into) {
    *into = iol__patterns_of(&x->arena, iol__param(x, name));
    return into;
}

iol__job_filter iol__job_filter_of(iol__exchange *x, const char *owners[2]) {
    const int64_t month = iol__param_int(x, "month", 0);
    iol__job_filter f = {.owners = owners, .n_owners = iol__access_owners(&x->viewer, owners)};
    one_pattern(x, "user", &f.users);
    one_pattern(x, "exe", &f.programs);
    one_pattern(x, "account", &f.accounts);
    one_pattern(x, "finding", &f.rules);
    f.cluster = iol__param(x, "cluster");
    f.state = iol__param(x, "state");
    f.fs = iol__param(x, "fs");
    f.search = iol__pattern_of(&x->arena, iol__param(x, "q"), true);
    f.from = iol__param_time(x, "start", 0);
    f.before = iol__param_time(x, "end", 0);
    f.since = month * 100;
    f.until = month ? month * 100 + 99 : 0;
    f.least_bytes = iol__param_int(x, "min_bytes", 0);
    f.least_lost = iol__param_int(x, "min_lost", 0) * 1000000;
    f.selected = (int)iol__param_int(x, "selected", 0);
    f.logged = iol__param_flag(x, "has_log") == 1;
    f.unlogged = iol__param_flag(x, "has_log") == 0;
    return f;
}

/* Rows go out as they come; the last one is kept for the next page. One more than wanted is asked for. */
typedef struct job_listing {
    iol__exchange *x;
    void (*put)(void *context, const iol__job_row *job);
    void *context;
    size_t limit, rows;
    iol__job_row last; /* that was shown */
    bool more;
} job_listing;

static bool take_job(void *context, const iol__job_row *job) {
    job_listing *l = context;
    if (l->rows == l->limit) {
        l->more = true;
        return false;
    }
    l->put(l->context, job);
    if (++l->rows == l->limit) l->last = iol__keep_job(&l->x->arena, job);
    return true;
}

/* A cursor has the place of the last job that was shown, in this order. */
enum { AT_VALUE, AT_START, AT_CLUSTER, AT_JOBID, AT_OWNER, CURSOR_VALUES };

static const char *cursor_of(iol__exchange *x, const order *by, const iol__job_row *job) {
    iol__cell values[CURSOR_VALUES] = {[AT_VALUE] = by->value(job),
                                       [AT_START] = iol__integer(job->start),
                                       [AT_CLUSTER] = iol__text(job->cluster),
                                       [AT_JOBID] = iol__text(job->jobid),
                                       [AT_OWNER] = iol__text(job->owner)};
    return iol__cursor_make(x, values, CURSOR_VALUES);
}

static bool place_of(iol__exchange *x, iol__job_place *place, bool *behind) {
    iol__cell values[IOL_CURSOR_VALUES];
    int n = iol__cursor_read(x, values);
    *behind = n > 0;
    if (n <= 0) return n == 0;
    if (n != CURSOR_VALUES) return iol__answer_param(x, "cursor", "not one that this question has given"), false;
    *place = (iol__job_place){.value = values[AT_VALUE],
                              .start = iol__cell_integer(&values[AT_START]),
                              .cluster = iol__cell_text(&values[AT_CLUSTER]),
                              .jobid = iol__cell_text(&values[AT_JOBID]),
                              .owner = iol__cell_text(&values[AT_OWNER])};
    return true;
}

bool iol__jobs_list(iol__exchange *x, size_t limit, void (*put)(void *, const iol__job_row *), void *context,
                    const char **next) {
    const char *owners[2];
    iol__job_filter filter = iol__job_filter_of(x, owners);
    bool ascending, behind;
    const order *by = order_of(iol__param_choice(x, "sort"), &ascending);
    iol__job_place place;
    if (!place_of(x, &place, &behind)) return false;
    if (!iol__store_ok(x, iol__job_search(x->store, &x->arena, &filter))) return false;
    job_listing l = {.x = x, .put = put, .context = context, .limit = limit};
    iol__sql sql;
    iol__select_job(&sql);
    iol__job_list(&sql, x->store, &filter, &(iol__job_sort){by->sql, ascending, behind ? &place : NULL}, l.limit + 1);
    if (!iol__store_ok(x, iol__ask_job(&sql, x->store, take_job, &l))) return false;
    *next = l.more ? cursor_of(x, by, &l.last) : NULL;
    return true;
}

static bool count_jobs(iol__exchange *x, int64_t *total) {
    const char *owners[2];
    iol__job_filter filter = iol__job_filter_of(x, owners);
    iol__sql sql;
    *total = -1;
    if (iol__param_flag(x, "total") != 1) return true;
    if (!iol__store_ok(x, iol__job_search(x->store, &x->arena, &filter))) return false;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT COUNT(*) FROM job");
    iol__job_conditions(&sql, &filter);
    return iol__store_ok(x, iol__sql_number(&sql, x->store, 0, total));
}

static void put_row(void *answer, const iol__job_row *job) { iol__put_Job(answer, job); }

void iol__serve_jobs(iol__exchange *x) {
    iol__answer output;
    const char *next;
    int64_t total;
    if (!iol__exchange_store(x)) return;
    iol__answer_begin(&output, x, IOL_SCHEMA_Job);
    if (iol__jobs_list(x, (size_t)iol__param_int(x, "limit", 100), put_row, &output, &next) && count_jobs(x, &total))
        iol__answer_end(&output, next, total);
}

/* One job --------------------------------------------------------------------------------------------------------- */

typedef struct finding_job {
    iol__exchange *x;
    iol__the_job *job;
    int64_t wanted;
    size_t rows;
} finding_job;

static bool take_the_job(void *context, const iol__job_row *job) {
    finding_job *f = context;
    iol__the_job *j = f->job;
    if (j->n_starts < IOL_SAME_ID) j->starts[j->n_starts++] = job->start;
    f->rows++;
    if (j->found || (f->wanted && job->start / 1000000 != f->wanted / 1000000)) return true;
    j->found = true;
    j->row = iol__keep_job(&f->x->arena, job);
    return true;
}

bool iol__find_job(iol__exchange *x, iol__the_job *job) {
    finding_job f = {x, job, iol__param_time(x, "start", 0), 0};
    *job = (iol__the_job){.found = false};
    if (!iol__exchange_store(x)) return false;
    iol__sql sql;
    iol__select_job(&sql);
    iol__sql_add(&sql, " FROM job");
    iol__access_rows(&x->viewer, &sql, "owner");
    iol__sql_and(&sql);
    iol__sql_add(&sql, "cluster = ? AND jobid = ? ORDER BY start DESC, owner");
    iol__sql_value(&sql, iol__text(iol__param(x, "cluster")));
    iol__sql_value(&sql, iol__text(iol__param(x, "jobid")));
    if (!iol__store_ok(x, iol__ask_job(&sql, x->store, take_the_job, &f))) return false;
    if (!job->found) return iol__not_found(x), false;
    /* Logs of a job are no more than a day apart. */
    const int64_t day = INT64_C(86400000000);
    job->which = (iol__which){.viewer = &x->viewer,
                              .cluster = job->row.cluster,
                              .jobid = job->row.jobid,
                              .from = job->row.start - day,
                              .before = iol__known_or(job->row.ended, job->row.start) + day};
    iol__audit_look(x, job->row.owner, job->row.cluster, job->row.jobid);
    return true;
}

iol__box iol__box_of(const iol__job_row *job) {
    const double start = (double)job->start, end = job->ended.known ? (double)job->ended.value : NAN;
    const double none = job->logs ? 0 : NAN; /* of a job without a log nothing is known */
    const double read = (double)job->bytes_read + none, written = (double)job->bytes_written + none;
    const double bytes = read + written, io = (double)job->io_time + none;
    return (iol__box){.start = start / 1e6,
                      .end = end / 1e6,
                      .wall = (end - start) / 1e6,
                      .read = read / 1e6,
                      .written = written / 1e6,
                      .rate = io > 0 ? bytes / io : NAN,
                      .percent = iol__percent_of(io, end - start)};
}

static void put_box(iol__exchange *x, const iol__job_row *job) {
    iol__answer s;
    iol__box box = iol__box_of(job);
    iol__answer_one(&s, x, "box", IOL_SCHEMA_Box);
    iol__fill_Box(&s, &(iol__Box_answer){.start = box.start,
                                         .end = iol__unless_nan(box.end),
                                         .wall_s = iol__unless_nan(box.wall),
                                         .read_mb = iol__unless_nan(box.read),
                                         .written_mb = iol__unless_nan(box.written),
                                         .rate_mbs = iol__unless_nan(box.rate),
                                         .io_pct = iol__unless_nan(box.percent)});
}

static bool put_log(void *answer, const iol__log_of_job_row *log) {
    iol__put_LogRow(answer, log);
    return true;
}

static bool put_logs(iol__exchange *x, const iol__which *which) {
    iol__answer s;
    iol__sql sql;
    iol__answer_within(&s, x, "logs", IOL_SCHEMA_LogRow);
    iol__select_log_of_job(&sql);
    iol__sql_add(&sql, " FROM log");
    iol__which_logs(&sql, which);
    iol__sql_add(&sql, " ORDER BY start, identity LIMIT 1000");
    bool good = iol__store_ok(x, iol__ask_log_of_job(&sql, x->store, put_log, &s));
    if (good) iol__answer_within_end(&s);
    return good;
}

/* Findings of all logs ------------------------------------------------------------------------------------------- */

enum { MOST_FINDINGS = 200, MOST_PLACES = 5000 };

typedef struct job_findings {
    iol__exchange *x;
    iol__found_row list[MOST_FINDINGS];
    int64_t logs[MOST_FINDINGS]; /* where each cost most; 0: not known */
    size_t count;
} job_findings;

static bool take_job_finding(void *context, const iol__found_row *finding) {
    job_findings *f = context;
    f->list[f->count++] = iol__keep_found(&f->x->arena, finding);
    return f->count < MOST_FINDINGS;
}

static bool take_finding_place(void *context, const iol__finding_place_row *place) {
    job_findings *f = context;
    for (size_t i = 0; i < f->count; i++)
        if (!f->logs[i] && strcmp(f->list[i].rule, place->rule) == 0 && strcmp(f->list[i].level, place->level) == 0)
            f->logs[i] = place->log_id;
    return true;
}

static void from_findings_of_logs(iol__sql *sql, const iol__which *which) {
    iol__sql_add(sql, " FROM finding WHERE log_id IN (SELECT log_id FROM log");
    iol__which_logs(sql, which);
    iol__sql_add(sql, ")");
}

/* Each rule once, with the log to look into. */
static bool put_job_findings(iol__exchange *x, const iol__which *which) {
    job_findings *f = iol__arena_alloc(&x->arena, 1, sizeof *f);
    iol__answer s;
    iol__sql sql;
    f->x = x;
    iol__select_found(&sql);
    from_findings_of_logs(&sql, which);
    iol__sql_add(&sql, IOL_ORDER_FINDINGS);
    if (!iol__store_ok(x, iol__ask_found(&sql, x->store, take_job_finding, f))) return false;
    iol__select_finding_place(&sql);
    from_findings_of_logs(&sql, which);
    iol__sql_add(&sql, " ORDER BY cost DESC, log_id, rule LIMIT %d", MOST_PLACES);
    if (!iol__store_ok(x, iol__ask_finding_place(&sql, x->store, take_finding_place, f))) return false;
    iol__answer_within(&s, x, "findings", IOL_SCHEMA_JobFinding);
    for (size_t i = 0; i < f->count; i++) {
        const char *log = f->logs[i] ? iol__arena_print(&x->arena, "%lld", (long long)f->logs[i]) : NULL;
        iol__answer_row(&s);
        iol__put_in_JobFinding(&s, &f->list[i], &(iol__JobFinding_answer){.log_id = log});
        iol__answer_row_end(&s);
    }
    iol__answer_within_end(&s);
    return true;
}

void iol__job_known(iol__arena *arena, const iol__job_row *job, iol__value *row) {
    iol__box box = iol__box_of(job);
    const double bytes = (double)job->bytes_read + (double)job->bytes_written, io = (double)job->io_time;
    iol__map_put_text(arena, row, "_jobid", job->jobid);
    iol__map_put_real(arena, row, "_datetime_start", box.start);
    if (!isnan(box.end)) iol__map_put_real(arena, row, "_datetime_end", box.end);
    if (!job->logs) return;
    iol__map_put_text(arena, row, "darshan_jobid", job->jobid);
    iol__map_put_text(arena, row, "darshan_app", job->exename);
    iol__map_put_integer(arena, row, "darshan_nprocs", job->nprocs);
    if (!isnan(box.wall)) iol__map_put_real(arena, row, "darshan_walltime", box.wall);
    iol__map_put_real(arena, row, "darshan_io_time", io / 1e6);
    iol__map_put_real(arena, row, "darshan_total_gibs_posix", bytes / 1073741824);
    if (io > 0) iol__map_put_real(arena, row, "darshan_agg_perf_by_slowest_posix", iol__mibs_of(bytes, io));
    iol__map_put_integer(arena, row, "darshan_tot_bytes_read_posix", job->bytes_read);
    iol__map_put_integer(arena, row, "darshan_tot_bytes_written_posix", job->bytes_written);
    iol__map_put_integer(arena, row, "darshan_tot_reads_posix", job->reads);
    iol__map_put_integer(arena, row, "darshan_tot_writes_posix", job->writes);
    iol__map_put_integer(arena, row, "darshan_tot_opens_posix", job->opens);
    iol__map_put_integer(arena, row, "darshan_tot_stats_posix", job->stats);
}

/* Columns with METRIC in site/store/schema.def. */
static void put_own_figures(iol__arena *arena, const iol__job_row *job, iol__value *row) {
    for (size_t i = 0; i < iol__table_width(IOL_TABLE_job); i++) {
        const iol__column *column = &iol__tables[IOL_TABLE_job].columns[i];
        const iol__cell cell = iol__job_cell(column, job);
        if (!column->metric || cell.kind == IOL_CELL_NULL) continue;
        if (cell.kind == IOL_CELL_INT && column->type == IOL_TYPE_INT)
            iol__map_put_integer(arena, row, column->metric, cell.as.integer);
        else
            iol__map_put_real(arena, row, column->metric,
                              iol__cell_real(&cell) / (column->type == IOL_TYPE_REAL ? 1 : 1e6));
    }
}

/* With what the servers saw, where the site keeps series. False: the answer is made. */
static bool put_metrics(iol__exchange *x, const iol__the_job *job) {
    iol__value *row = iol__value_new(&x->arena, IOL__MAP);
    iol__box box = iol__box_of(&job->row);
    char fs[256];
    put_own_figures(&x->arena, &job->row, row);
    iol__job_known(&x->arena, &job->row, row);
    if (!iol__main_fs(x, &job->which, fs)) return false;
    if (*fs && !isnan(box.end)) {
        iol__map_put_text(&x->arena, row, "_file_system", fs);
        iol__servers_at(x, fs, (int64_t)box.start, (int64_t)box.end, row);
        iol__health_at(x, fs, (int64_t)box.start, row);
    }
    iol__json_key(&x->json, "metrics");
    iol__value_json(&x->json, &x->arena, row);
    return true;
}

const char *iol__why_no_log(const iol__job_row *job) {
    const char *entry = job->entry, *state = job->state;
    if (job->logs) return NULL;
    if (job->cause) return job->cause;
    if (entry && strcmp(entry, "opted-out") == 0) return "recording was switched off in this job";
    if (entry && strcmp(entry, "absent") == 0) return "the library was not loaded into this job";
    if (!job->ended.known) return "the job has not ended yet";
    if (entry && state && strcmp(state, "COMPLETED") == 0) return "the job did no I/O, or its log was lost";
    if (entry) return "the job did not end normally";
    return "unknown: prologue and epilogue leave no notes here";
}

static void put_starts(iol__exchange *x, const iol__the_job *job) {
    iol__json_put_open(&x->json, "same_id", '[');
    for (size_t i = 0; i < job->n_starts; i++) iol__json_i64(&x->json, job->starts[i] / 1000000);
    iol__json_close(&x->json, ']');
}

void iol__serve_job(iol__exchange *x) {
    iol__the_job job;
    iol__answer s;
    if (!iol__find_job(x, &job)) return;
    iol__one_begin(x);
    iol__answer_rest(&s, x, IOL_SCHEMA_JobDetail);
    iol__put_in_JobDetail(&s, &job.row, NULL);
    put_box(x, &job.row);
    if (!put_logs(x, &job.which) || !iol__part_fs(x, &job.which) || !iol__part_sizes(x, &job.which)) return;
    if (!put_metrics(x, &job) || !put_job_findings(x, &job.which)) return;
    put_starts(x, &job);
    iol__json_put_text(&x->json, "no_log", iol__why_no_log(&job.row));
    iol__one_end(x);
}
