/* The server about itself: health, who asks, metrics, broken files, the configuration. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "serve/cursor.h"
#include "serve/gate.h"
#include "serve/series.h"
#include "serve/answer.h"
#include "serve/serve.h"
#include "site/query/query.h"

/* Health ---------------------------------------------------------------------------------------------------------- */

/* Whether it answers: a connection of earlier may lead nowhere by now. */
static bool answers(iol__store *store) {
    return iol__store_ask(store, "SELECT value FROM meta WHERE name = 'schema'", NULL, 0, NULL, NULL) == IOL_OK;
}

/* By the order of starts: the latest jobs are looked at, not all. */
iol_status iol__latest_data(iol__store *store, int64_t times[2]) {
    static const char *const conditions[] = {"logs > 0", "known = 1"};
    iol_status status = IOL_OK;
    for (int i = 0; i < 2 && status == IOL_OK; i++) {
        iol__sql sql;
        iol__sql_start(&sql);
        iol__sql_add(&sql, "SELECT start FROM job WHERE %s ORDER BY start DESC LIMIT 1", conditions[i]);
        status = iol__sql_number(&sql, store, 0, &times[i]);
    }
    return status;
}

static bool latest(iol__store *store, int64_t times[2]) { return iol__latest_data(store, times) == IOL_OK; }

/* Logs and lists of jobs come at least daily, samples every few seconds. */
enum { LATE_LOGS = 36 * 3600, LATE_SERIES = 2 * 3600 };

bool iol__is_late_data(int64_t seconds) { return seconds > 0 && (int64_t)time(NULL) - seconds > LATE_LOGS; }

typedef struct marks {
    iol__exchange *x;
    bool as_age, late_only, any;
    int64_t now;
} marks;

static void put_mark(marks *m, const char *name, double seconds, int64_t late) {
    if (!(seconds > 0)) return;
    if (m->late_only) {
        m->any = m->any || m->now - (int64_t)seconds > late;
        return;
    }
    iol__json_key_text(&m->x->json, name);
    iol__json_i64(&m->x->json, m->as_age ? m->now - (int64_t)seconds : (int64_t)seconds);
}

static void put_series_mark(void *context, const char *fs) {
    marks *m = context;
    put_mark(m, fs, iol__fs_state_of(m->x, fs).last, LATE_SERIES);
}

/* Logs, the batch system, and each file system with series. */
static void each_mark(marks *m, const int64_t times[2]) {
    put_mark(m, "logs", (double)times[0] / 1e6, LATE_LOGS);
    put_mark(m, "scheduler", (double)times[1] / 1e6, LATE_LOGS);
    iol__each_series(m->x, put_series_mark, m);
}

static void put_times(iol__exchange *x, const char *key, const int64_t times[2], bool as_age) {
    marks m = {.x = x, .as_age = as_age, .now = (int64_t)time(NULL)};
    iol__json_put_open(&x->json, key, '{');
    each_mark(&m, times);
    iol__json_close(&x->json, '}');
}

static bool is_late(iol__exchange *x, const int64_t times[2]) {
    marks m = {.x = x, .late_only = true, .now = (int64_t)time(NULL)};
    each_mark(&m, times);
    return m.any;
}

void iol__serve_health(iol__exchange *x) {
    int64_t times[2] = {0, 0};
    iol__store *store = iol__serve_borrow(x->serve, x->deadline);
    bool all = iol__access_all(&x->viewer), there = store && (all ? latest(store, times) : answers(store));
    if (store) iol__serve_return(x->serve, store, !there);
    if (!there) x->status = 503;
    iol__one_begin(x);
    iol__json_put_text(&x->json, "status", !there ? "store_away" : all && is_late(x, times) ? "late" : "ok");
    iol__json_put_text(&x->json, "version", IOLITE_VERSION);
    if (there)
        iol__json_put_i64(&x->json, "schema", IOL_SCHEMA_VERSION);
    else
        iol__json_put_text(&x->json, "schema", NULL);
    if (all && there) {
        put_times(x, "watermarks", times, false);
        put_times(x, "lag_s", times, true);
    } else {
        iol__json_put_text(&x->json, "watermarks", NULL);
        iol__json_put_text(&x->json, "lag_s", NULL);
    }
    iol__one_end(x);
}

void iol__serve_me(iol__exchange *x) {
    iol__one_begin(x);
    iol__json_put_text(&x->json, "user", *x->viewer.user ? x->viewer.user : NULL);
    iol__json_put_text(&x->json, "role", iol__role_name(x->viewer.role));
    iol__json_put_text(&x->json, "cluster", iol__serve_cluster(x->serve));
    iol__json_put_text(&x->json, "prefix", x->serve->options->prefix);
    iol__one_end(x);
}

/* Metrics --------------------------------------------------------------------------------------------------------- */

static void metric(iol__out *out, const char *name, const char *type, const char *help, double value) {
    iol__out_printf(out, "# HELP %s %s\n# TYPE %s %s\n%s ", name, help, name, type, name);
    iol__out_double(out, value);
    iol__out_char(out, '\n');
}

static double resident_bytes(void) {
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static void index_metrics(iol__exchange *x, iol__out *out) {
    static const struct {
        const char *name, *help, *sql;
    } counts[] = {{"iolite_index_logs", "Logs in the index.", "SELECT COUNT(*) FROM log"},
                  {"iolite_index_jobs", "Jobs in the index.", "SELECT COUNT(*) FROM job"},
                  {"iolite_index_broken_files", "Files that could not be read as a whole.",
                   "SELECT COUNT(*) FROM place WHERE state IN ('broken', 'damaged')"},
                  {"iolite_index_stale_days", "Days whose sums have to be made again.", "SELECT COUNT(*) FROM stale"}};
    int64_t times[2] = {0, 0}, number;
    iol__store *store = iol__serve_borrow(x->serve, x->deadline);
    bool good = store && latest(store, times);
    for (size_t i = 0; good && i < IOL_COUNT(counts); i++) {
        good = iol__store_number(store, counts[i].sql, NULL, 0, 0, &number) == IOL_OK;
        if (good) metric(out, counts[i].name, "gauge", counts[i].help, (double)number);
    }
    if (good && times[0])
        metric(out, "iolite_index_lag_seconds", "gauge", "Age of the latest log's start.",
               (double)time(NULL) - (double)times[0] / 1e6);
    metric(out, "iolite_store_up", "gauge", "1: the index can be read.", good);
    if (store) iol__serve_return(x->serve, store, !good);
}

typedef struct labelled {
    iol__exchange *x;
    const char *name;
    bool age;
} labelled;

static void series_metric(void *context, const char *fs) {
    const labelled *l = context;
    iol__out *out = &l->x->body;
    iol__fs_state is = iol__fs_state_of(l->x, fs);
    double value = l->age ? (double)time(NULL) - is.last : is.missing;
    iol__out_printf(out, "%s{fs=\"", l->name);
    for (const char *c = fs; *c; c++) {
        if (*c == '"' || *c == '\\') iol__out_char(out, '\\');
        if ((unsigned char)*c >= ' ') iol__out_char(out, *c);
    }
    iol__out_text(out, "\"} ");
    if (isnan(value))
        iol__out_text(out, "NaN");
    else
        iol__out_double(out, value);
    iol__out_char(out, '\n');
}

static void archive_metrics(iol__exchange *x, iol__out *out) {
    static const struct {
        const char *name, *help;
        bool age;
    } kinds[] = {{"iolite_archive_missing_fraction", "Part of the last day of series that is missing.", false},
                 {"iolite_archive_lag_seconds", "Age of the latest sample.", true}};
    for (size_t i = 0; i < IOL_COUNT(kinds); i++) {
        labelled l = {x, kinds[i].name, kinds[i].age};
        iol__out_printf(out, "# HELP %s %s\n# TYPE %s gauge\n", kinds[i].name, kinds[i].help, kinds[i].name);
        iol__each_series(x, series_metric, &l);
    }
}

const double iol__latency_bounds[IOL_LATENCIES] = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};

static void latency_metrics(iol__serve *s, iol__out *out) {
    static const char *const kinds[] = {"light", "heavy"};
    iol__out_text(out, "# HELP iolite_request_seconds Time to make an answer, its turn included.\n"
                       "# TYPE iolite_request_seconds histogram\n");
    for (int k = 0; k < 2; k++) {
        unsigned long long sum = 0;
        for (size_t i = 0; i <= IOL_LATENCIES; i++) {
            sum += atomic_load(&s->latencies[k].counts[i]);
            iol__out_printf(out, "iolite_request_seconds_bucket{cost=\"%s\",le=\"", kinds[k]);
            if (i < IOL_LATENCIES)
                iol__out_double(out, iol__latency_bounds[i]);
            else
                iol__out_text(out, "+Inf");
            iol__out_printf(out, "\"} %llu\n", sum);
        }
        iol__out_printf(out, "iolite_request_seconds_sum{cost=\"%s\"} ", kinds[k]);
        iol__out_double(out, (double)atomic_load(&s->latencies[k].microseconds) / 1e6);
        iol__out_printf(out, "\niolite_request_seconds_count{cost=\"%s\"} %llu\n", kinds[k], sum);
    }
}

static void running_metrics(iol__exchange *x, iol__out *out) {
    iol__running *r = &x->serve->running;
    size_t jobs;
    if (!iol__hold(x, &r->lock)) return;
    iol__running_refresh(r, iol__serve_cluster(x->serve));
    iol__running_jobs(x, &jobs);
    metric(out, "iolite_running_jobs", "gauge", "Jobs that nodes tell of.", (double)jobs);
    metric(out, "iolite_running_hosts", "gauge", "Nodes whose state is fresh.", (double)(r->count + r->own));
    metric(out, "iolite_running_states_total", "counter", "States of nodes that were taken.", (double)r->taken);
    metric(out, "iolite_running_states_refused_total", "counter", "States of nodes that were refused.",
           (double)r->refused);
    iol__release(x);
}

static void load_metrics(iol__serve *s, iol__out *out) {
    unsigned running, waiting;
    iol__turns_count(&s->turns, &running, &waiting);
    metric(out, "iolite_requests_running", "gauge", "Requests that are worked on.", running);
    metric(out, "iolite_requests_waiting", "gauge", "Requests that wait for their turn.", waiting);
    metric(out, "iolite_threads", "gauge", "Requests that may be worked on at a time.", s->options->threads);
    metric(out, "iolite_requests_dropped_total", "counter", "Requests whose client left before the answer was made.",
           (double)atomic_load(&s->dropped));
    metric(out, "iolite_store_errors_total", "counter", "Questions to the index that failed.",
           (double)atomic_load(&s->store_errors));
    iol__gate *opened = atomic_load(&s->gate);
    if (!opened) return;
    const iol__gate_counts gate = iol__gate_count(opened);
    metric(out, "iolite_connections", "gauge", "Connections that are open.", gate.open);
    metric(out, "iolite_connections_waiting", "gauge", "Connections whose first request has not come.", gate.waiting);
    metric(out, "iolite_connections_total", "counter", "Connections that were accepted.", (double)gate.accepted);
    metric(out, "iolite_connections_refused_total", "counter", "Connections beyond the limits.", (double)gate.refused);
    metric(out, "iolite_connections_evicted_total", "counter", "Connections that made place for others.",
           (double)gate.evicted);
}

void iol__serve_metrics_usual(iol__exchange *x) { iol__serve_metrics(x); }

void iol__serve_metrics(iol__exchange *x) {
    iol__serve *s = x->serve;
    iol__out *out = &x->body;
    x->type = "text/plain; version=0.0.4; charset=utf-8";
    iol__out_text(out, "# HELP iolite_requests_total Requests by status.\n# TYPE iolite_requests_total counter\n");
    for (int i = 0; i < IOL_STATUSES; i++) {
        unsigned long long n = atomic_load(&s->requests[i]);
        if (n) iol__out_printf(out, "iolite_requests_total{status=\"%d\"} %llu\n", i, n);
    }
    metric(out, "iolite_sent_bytes_total", "counter", "Bytes of answers.", (double)atomic_load(&s->sent_bytes));
    metric(out, "iolite_uploads_total", "counter", "Logs that were handed in.", (double)atomic_load(&s->uploads));
    metric(out, "iolite_uploads_refused_total", "counter", "Bodies that were no logs, or could not be kept.",
           (double)atomic_load(&s->uploads_refused));
    metric(out, "iolite_indexed_logs_total", "counter", "Logs that this server put into the index.",
           (double)atomic_load(&s->indexed_logs));
    metric(out, "iolite_index_failures_total", "counter", "Runs of the indexer that failed.",
           (double)atomic_load(&s->index_failures));
    metric(out, "iolite_resident_bytes", "gauge", "Memory of the server.", resident_bytes());
    load_metrics(s, out);
    running_metrics(x, out);
    latency_metrics(s, out);
    index_metrics(x, out);
    archive_metrics(x, out);
}

/* Broken files ---------------------------------------------------------------------------------------------------- */

typedef struct failures {
    iol__answer output;
    size_t limit;
    iol__failure_row last;
    bool more;
} failures;

/* A cursor has the place of the last one that was shown. */
enum { AT_DIR, AT_NAME, CURSOR_VALUES };

static bool put_failure(void *context, const iol__failure_row *file) {
    failures *f = context;
    iol__arena *arena = &f->output.x->arena;
    if (f->output.rows == f->limit) return f->more = true, false;
    iol__answer_row(&f->output);
    const char *path = iol__arena_print(arena, "%s/%s", file->dir ? file->dir : "", file->name ? file->name : "");
    iol__put_in_Failure(&f->output, file, &(iol__Failure_answer){.path = path});
    iol__answer_row_end(&f->output);
    if (f->output.rows == f->limit) f->last = iol__keep_failure(arena, file);
    return true;
}

void iol__serve_failures(iol__exchange *x) {
    failures f = {.limit = (size_t)iol__param_int(x, "limit", 100)};
    iol__cell after[IOL_CURSOR_VALUES];
    iol__sql sql;
    int n = iol__cursor_read(x, after);
    if (n < 0 || !iol__exchange_store(x)) return;
    iol__answer_begin(&f.output, x, IOL_SCHEMA_Failure);
    iol__select_failure(&sql);
    iol__sql_add(&sql, " FROM place WHERE state IN ('broken', 'damaged')");
    if (n == CURSOR_VALUES) {
        iol__sql_add(&sql, " AND (dir > ? OR (dir = ? AND name > ?))");
        iol__sql_value(&sql, after[AT_DIR]);
        iol__sql_value(&sql, after[AT_DIR]);
        iol__sql_value(&sql, after[AT_NAME]);
    }
    iol__sql_add(&sql, " ORDER BY dir, name LIMIT %zu", f.limit + 1);
    if (!iol__store_ok(x, iol__ask_failure(&sql, x->store, put_failure, &f))) return;
    const iol__cell place[CURSOR_VALUES] = {[AT_DIR] = iol__text(f.last.dir), [AT_NAME] = iol__text(f.last.name)};
    iol__answer_end(&f.output, f.more ? iol__cursor_make(x, place, CURSOR_VALUES) : NULL, -1);
}

/* The configuration ----------------------------------------------------------------------------------------------- */

static void put_check(iol__answer *s, const char *what, const char *state, const char *message) {
    iol__fill_Check(s, &(iol__Check_answer){.what = what, .state = state, .message = message});
}

static void check_directory(void *context, const char *path) {
    iol__answer *s = context;
    struct stat status;
    char *expanded = iol__site_expand(path);
    if (expanded) expanded[strcspn(expanded, "%")] = 0;
    bool there = expanded && stat(expanded, &status) == 0 && S_ISDIR(status.st_mode) && access(expanded, R_OK) == 0;
    put_check(
        s, "darshan_log_dirs", there ? "ok" : "wrong",
        iol__arena_print(&s->x->arena, "%s: %s", path, there ? "can be read" : "is not a directory that can be read"));
    free(expanded);
}

void iol__serve_check(iol__exchange *x) {
    static const char *const keys[] = {"cluster", "timezone", "mount_to_fsname", "hdf5_files",
                                       "fsname_to_backend_name"};
    iol__answer s;
    iol__answer_begin(&s, x, IOL_SCHEMA_Check);
    iol__store *store = iol__serve_borrow(x->serve, x->deadline);
    put_check(&s, "store", store ? "ok" : "wrong", store ? "the index can be read" : "the index cannot be read");
    if (store) iol__serve_return(x->serve, store, false);
    for (size_t i = 0; i < IOL_COUNT(keys); i++) {
        bool there = iol__places_get(&x->serve->places, keys[i]) != NULL;
        put_check(&s, keys[i], there ? "ok" : "absent", there ? "is set in the site file" : "is not in the site file");
    }
    iol__site_log_dirs(x->serve->site, NULL, check_directory, &s);
    iol__answer_end(&s, NULL, -1);
}
