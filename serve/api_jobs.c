/* /jobs: the list, and one job with everything the index knows about it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "serve/cursor.h"
#include "serve/jobs.h"
#include "serve/parts.h"
#include "serve/series.h"
#include "serve/serve.h"
#include "site/job_list.h"

/* The list -------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *sql;
} orders[] = {{"start", "start"},           {"bytes", "(bytes_read + bytes_written)"},
              {"bytes_read", "bytes_read"}, {"bytes_written", "bytes_written"},
              {"lost_s", "lost"},           {"findings", "findings"},
              {"io_s", "io_time"},          {"run_s", "run"},
              {"nprocs", "nprocs"}};

static const char *order_of(const char *sort, bool *ascending) {
    *ascending = *sort != '-';
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (strcmp(orders[i].name, sort + !*ascending) == 0) return orders[i].sql;
    return orders[0].sql;
}

static iol__patterns *one_pattern(iol__exchange *x, const char *name, iol__patterns *into) {
    *into = iol__patterns_of(&x->arena, iol__param(x, name));
    return into;
}

static iol__job_filter filter_of(iol__exchange *x, const char *owners[2]) {
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
    f.least_bytes = iol__param_int(x, "min_bytes", 0);
    f.selected = (int)iol__param_int(x, "selected", 0);
    f.logged = iol__param_flag(x, "has_log") == 1;
    f.unlogged = iol__param_flag(x, "has_log") == 0;
    return f;
}

/* Rows go out as they come; the last one is kept for the next page. One more than wanted is asked for. */
typedef struct listing {
    iol__exchange *x;
    void (*put)(void *context, const iol__cell *cells);
    void *context;
    size_t limit, rows;
    iol__cell last[5]; /* the place of the last row that was shown */
    bool more;
} listing;

static iol__cell kept(iol__arena *arena, const iol__cell *cell) {
    return cell->kind == IOL_CELL_TEXT ? iol__text(iol__arena_copy(arena, cell->as.text)) : *cell;
}

static bool take_job(void *context, const iol__cell *c, size_t count) {
    listing *l = context;
    if (l->rows == l->limit) {
        l->more = true;
        return false;
    }
    l->put(l->context, c);
    if (++l->rows == l->limit) {
        const iol__cell place[5] = {c[count - 1], c[7], c[0], c[1], c[2]};
        for (int i = 0; i < 5; i++) l->last[i] = kept(&l->x->arena, &place[i]);
    }
    return true;
}

static bool place_of(iol__exchange *x, iol__job_place *place, bool *behind) {
    iol__cell v[IOL_CURSOR_VALUES];
    int n = iol__cursor_read(x, v);
    *behind = n > 0;
    if (n <= 0) return n == 0;
    if (n != 5) return iol__answer_param(x, "cursor", "not one that this question has given"), false;
    *place = (iol__job_place){v[0], iol__cell_integer(&v[1]), iol__cell_text(&v[2]), iol__cell_text(&v[3]),
                              iol__cell_text(&v[4])};
    return true;
}

bool iol__jobs_list(iol__exchange *x, size_t limit, void (*put)(void *, const iol__cell *), void *context,
                    const char **next) {
    const char *owners[2];
    const iol__job_filter filter = filter_of(x, owners);
    bool ascending, behind;
    const char *order = order_of(iol__param_choice(x, "sort"), &ascending);
    iol__job_place place;
    if (!place_of(x, &place, &behind)) return false;
    listing l = {.x = x, .put = put, .context = context, .limit = limit};
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT %s, %s FROM job", iol__job_columns, order);
    iol__job_conditions(&sql, &filter);
    iol__job_order(&sql, order, ascending, behind ? &place : NULL);
    iol__sql_add(&sql, " LIMIT %zu", l.limit + 1);
    if (!iol__store_ok(x, iol__sql_ask(&sql, x->store, take_job, &l))) return false;
    *next = l.more ? iol__cursor_make(x, l.last, 5) : NULL;
    return true;
}

static bool take_number(void *context, const iol__cell *cells, size_t count) {
    (void)count;
    *(int64_t *)context = iol__cell_integer(cells);
    return false;
}

static bool count_jobs(iol__exchange *x, int64_t *total) {
    const char *owners[2];
    const iol__job_filter filter = filter_of(x, owners);
    iol__sql sql;
    *total = -1;
    if (iol__param_flag(x, "total") != 1) return true;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT COUNT(*) FROM job");
    iol__job_conditions(&sql, &filter);
    return iol__store_ok(x, iol__sql_ask(&sql, x->store, take_number, total));
}

static void put_row(void *context, const iol__cell *cells) { iol__put_job(context, cells); }

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

static bool take_the_job(void *context, const iol__cell *c, size_t count) {
    finding_job *f = context;
    iol__the_job *j = f->job;
    int64_t start = iol__cell_integer(&c[7]);
    if (j->n_starts < IOL_SAME_ID) j->starts[j->n_starts++] = start;
    f->rows++;
    if (j->found || (f->wanted && start / 1000000 != f->wanted / 1000000)) return true;
    j->found = true;
    for (size_t i = 0; i < count && i < IOL_THE_JOB; i++) j->cells[i] = kept(&f->x->arena, &c[i]);
    return true;
}

bool iol__find_job(iol__exchange *x, iol__the_job *job) {
    finding_job f = {x, job, iol__param_time(x, "start", 0), 0};
    *job = (iol__the_job){.found = false};
    if (!iol__exchange_store(x)) return false;
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql,
                 "SELECT %s, cause, entry, known, reads, writes, opens, stats, read_time, write_time, meta_time, "
                 "redundant_read_bytes, meta_ratio, small_shared_indep_writes, temporary, node_time FROM job",
                 iol__job_columns);
    iol__access_rows(&x->viewer, &sql, "owner");
    iol__sql_and(&sql);
    iol__sql_add(&sql, "cluster = ? AND jobid = ? ORDER BY start DESC, owner");
    iol__sql_value(&sql, iol__text(iol__param(x, "cluster")));
    iol__sql_value(&sql, iol__text(iol__param(x, "jobid")));
    if (!iol__store_ok(x, iol__sql_ask(&sql, x->store, take_the_job, &f))) return false;
    if (!job->found) return iol__not_found(x), false;
    /* Logs of a job are no more than a day apart. */
    int64_t start = iol__cell_integer(&job->cells[7]), day = INT64_C(86400000000);
    int64_t end = job->cells[8].kind == IOL_CELL_NULL ? start : iol__cell_integer(&job->cells[8]);
    job->which = (iol__which){.viewer = &x->viewer,
                              .cluster = iol__cell_text(&job->cells[0]),
                              .jobid = iol__cell_text(&job->cells[1]),
                              .from = start - day,
                              .before = end + day};
    return true;
}

iol__box iol__box_of(const iol__cell *c) {
    double start = (double)iol__cell_integer(&c[7]), end = (double)iol__cell_integer(&c[8]);
    double bytes = (double)iol__cell_integer(&c[11]) + (double)iol__cell_integer(&c[12]);
    double io = (double)iol__cell_integer(&c[14]);
    bool ended = c[8].kind != IOL_CELL_NULL;
    iol__box box = {.start = start / 1e6, .end = ended ? end / 1e6 : NAN, .wall = ended ? (end - start) / 1e6 : NAN};
    box.read = (double)iol__cell_integer(&c[11]) / 1e6;
    box.written = (double)iol__cell_integer(&c[12]) / 1e6;
    box.rate = io > 0 ? bytes / io : NAN;
    box.percent = iol__percent_of(io, ended ? end - start : NAN);
    return box;
}

static void put_box(iol__exchange *x, const iol__cell *c) {
    iol__answer s;
    iol__box box = iol__box_of(c);
    iol__answer_one(&s, x, "box", IOL_SCHEMA_Box);
    iol__put_real(&s, box.start);
    iol__put_real(&s, box.end);
    iol__put_real(&s, box.wall);
    iol__put_real(&s, box.read);
    iol__put_real(&s, box.written);
    iol__put_real(&s, box.rate);
    iol__put_real(&s, box.percent);
    iol__answer_one_end(&s);
}

static bool put_log(void *context, const iol__cell *c, size_t count) {
    iol__answer *s = context;
    (void)count;
    iol__answer_row(s);
    for (int i = 0; i < 3; i++) iol__put_cell(s, &c[i]);
    iol__put_seconds(s, &c[3]);
    iol__put_seconds(s, &c[4]);
    for (int i = 5; i < 8; i++) iol__put_count(s, &c[i]);
    iol__put_real(s, (double)iol__cell_integer(&c[8]) / 1e6);
    double bytes = (double)iol__cell_integer(&c[6]) + (double)iol__cell_integer(&c[7]);
    iol__put_real(s, iol__mibs_of(bytes, (double)iol__cell_integer(&c[8])));
    iol__put_count(s, &c[9]);
    iol__put_real(s, (double)iol__cell_integer(&c[10]) / 1e6);
    iol__answer_row_end(s);
    return true;
}

static bool put_logs(iol__exchange *x, const iol__which *which) {
    iol__answer s;
    iol__sql sql;
    iol__answer_within(&s, x, "logs", IOL_SCHEMA_LogRow);
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT log_id, state, exename, start, ended, nprocs, bytes_read, bytes_written, io_time, "
                       "findings, lost FROM log");
    iol__which_logs(&sql, which);
    iol__sql_add(&sql, " ORDER BY start, identity LIMIT 1000");
    bool good = iol__store_ok(x, iol__sql_ask(&sql, x->store, put_log, &s));
    if (good) iol__answer_within_end(&s);
    return good;
}

void iol__job_known(iol__arena *arena, const iol__cell *c, iol__value *row) {
    iol__box box = iol__box_of(c);
    double bytes = (box.read + box.written) * 1e6, io = (double)iol__cell_integer(&c[14]);
    iol__map_put_text(arena, row, "_jobid", iol__cell_text(&c[1]));
    iol__map_put_real(arena, row, "_datetime_start", box.start);
    if (!isnan(box.end)) iol__map_put_real(arena, row, "_datetime_end", box.end);
    if (!iol__cell_integer(&c[18])) return;
    iol__map_put_text(arena, row, "darshan_jobid", iol__cell_text(&c[1]));
    iol__map_put_text(arena, row, "darshan_app", iol__cell_text(&c[5]));
    iol__map_put_integer(arena, row, "darshan_nprocs", iol__cell_integer(&c[9]));
    if (!isnan(box.wall)) iol__map_put_real(arena, row, "darshan_walltime", box.wall);
    iol__map_put_real(arena, row, "darshan_io_time", io / 1e6);
    iol__map_put_real(arena, row, "darshan_total_gibs_posix", bytes / 1073741824);
    if (io > 0) iol__map_put_real(arena, row, "darshan_agg_perf_by_slowest_posix", iol__mibs_of(bytes, io));
    iol__map_put_integer(arena, row, "darshan_tot_bytes_read_posix", iol__cell_integer(&c[11]));
    iol__map_put_integer(arena, row, "darshan_tot_bytes_written_posix", iol__cell_integer(&c[12]));
    iol__map_put_integer(arena, row, "darshan_tot_reads_posix", iol__cell_integer(&c[22]));
    iol__map_put_integer(arena, row, "darshan_tot_writes_posix", iol__cell_integer(&c[23]));
    iol__map_put_integer(arena, row, "darshan_tot_opens_posix", iol__cell_integer(&c[24]));
    iol__map_put_integer(arena, row, "darshan_tot_stats_posix", iol__cell_integer(&c[25]));
}

static void put_own_figures(iol__arena *arena, const iol__cell *c, iol__value *row) {
    static const struct {
        const char *name;
        bool time;
    } figures[] = {{"reads", false},           {"writes", false},
                   {"opens", false},           {"stats", false},
                   {"read_s", true},           {"write_s", true},
                   {"meta_s", true},           {"redundant_read_bytes", false},
                   {"meta_ratio", false},      {"small_shared_writes", false},
                   {"temporary_bytes", false}, {"node_s", true}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        const iol__cell *cell = &c[22 + i];
        if (cell->kind == IOL_CELL_INT && !figures[i].time)
            iol__map_put_integer(arena, row, figures[i].name, cell->as.integer);
        else
            iol__map_put_real(arena, row, figures[i].name, iol__cell_real(cell) / (figures[i].time ? 1e6 : 1));
    }
}

/* With what the servers saw, where the site keeps series. False: the answer is made. */
static bool put_metrics(iol__exchange *x, const iol__the_job *job) {
    iol__value *row = iol__value_new(&x->arena, IOL__MAP);
    iol__box box = iol__box_of(job->cells);
    char fs[256];
    put_own_figures(&x->arena, job->cells, row);
    iol__job_known(&x->arena, job->cells, row);
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

const char *iol__why_no_log(const iol__cell *c) {
    const char *cause = iol__cell_text(&c[19]), *entry = iol__cell_text(&c[20]), *state = iol__cell_text(&c[6]);
    if (iol__cell_integer(&c[18])) return NULL;
    if (cause) return cause;
    if (entry && strcmp(entry, "opted-out") == 0) return "recording was switched off in this job";
    if (entry && strcmp(entry, "absent") == 0) return "the library was not loaded into this job";
    if (c[8].kind == IOL_CELL_NULL) return "the job has not ended yet";
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
    s = (iol__answer){.x = x, .schema = &iol__schemas[IOL_SCHEMA_JobDetail], .form = IOL_ANSWER_JSON};
    s.field = s.schema->fields;
    iol__put_job_facts(&s, job.cells);
    put_box(x, job.cells);
    if (!put_logs(x, &job.which) || !iol__part_fs(x, &job.which) || !iol__part_sizes(x, &job.which)) return;
    if (!put_metrics(x, &job) || !iol__part_findings(x, &job.which)) return;
    put_starts(x, &job);
    iol__json_put_text(&x->json, "no_log", iol__why_no_log(job.cells));
    iol__one_end(x);
}
