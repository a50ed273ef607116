/* Medians and percentiles over the latest runs on the same file system; what the better half of them did otherwise. */
#include "site/query/history.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/order.h"
#include "insight/findings/case.h"
#include "site/query/query.h"
#include "site/site.h"
#include "text/number.h"

enum { CANDIDATES = 4 * IOL_HISTORY_RUNS }; /* of which some may have used another file system */

typedef struct history_earlier {
    int64_t log_id;
    double rate, ops, mean_request, io_time, run;
    double most; /* bytes on one file system */
    bool there;  /* on that of the run in question */
} history_earlier;

typedef struct history_asking {
    history_earlier runs[CANDIDATES];
    size_t count;
    const char *fs; /* with most bytes of the run in question; NULL: none */
} history_asking;

static bool take_history_run(void *context, const iol__earlier_run_row *row) {
    history_asking *a = context;
    if (a->count == CANDIDATES) return false;
    a->runs[a->count++] = (history_earlier){.rate = row->rate,
                                            .ops = row->ops,
                                            .mean_request = row->mean_request,
                                            .io_time = row->io_time / 1e6,
                                            .run = row->run / 1e6,
                                            .log_id = row->log_id};
    return true;
}

/* A file system of an earlier run; equal ones of two mounts are not added up. */
static bool take_history_fs(void *context, const iol__run_fs_row *row) {
    history_asking *a = context;
    for (size_t i = 0; i < a->count; i++) {
        history_earlier *run = &a->runs[i];
        if (run->log_id != row->log_id || !(row->bytes > run->most)) continue;
        run->most = row->bytes;
        run->there = row->fs && strcmp(row->fs, a->fs) == 0;
    }
    return true;
}

/* Only runs that moved most of their bytes on the same file system compare. */
static iol_status keep_same_fs(iol__store *store, history_asking *a) {
    iol__cell ids[CANDIDATES];
    iol__sql sql;
    size_t n = 0;
    for (size_t i = 0; i < a->count; i++) ids[i] = iol__integer(a->runs[i].log_id);
    if (!a->fs || !a->count) return IOL_OK;
    iol__select_run_fs(&sql);
    iol__sql_add(&sql, " FROM (SELECT log_id, mount_id, COALESCE(bytes_read, 0) + "
                       "COALESCE(bytes_written, 0) AS bytes FROM log_fs");
    iol__sql_in(&sql, "log_id", ids, a->count);
    iol__sql_add(&sql, ") AS f JOIN (SELECT mount_id, fs FROM mount) AS m USING (mount_id) ORDER BY log_id, fs, bytes");
    iol_status status = iol__ask_run_fs(&sql, store, take_history_fs, a);
    for (size_t i = 0; i < a->count; i++)
        if (a->runs[i].there) a->runs[n++] = a->runs[i];
    a->count = n;
    return status;
}

/* A run that others are compared with; texts are in an arena. */
typedef struct compared_run {
    const char *exename, *jobid, *cluster, *fs;
    int64_t uid, nprocs, start;
} compared_run;

/* Bytes on one mount. */
typedef struct moved_on {
    const char *point;
    int64_t bytes;
} moved_on;

static int64_t history_bytes_of(const iol__facts_file *file) {
    static const iol__facts_layer layers[] = {IOL_LAYER_POSIX, IOL_LAYER_STDIO};
    int64_t bytes = 0;
    for (size_t i = 0; i < IOL_COUNT(layers); i++) {
        const iol__facts_use *use = iol__facts_layer_of(file, layers[i]);
        bytes =
            iol__facts_plus(bytes, iol__facts_plus(use->direction[IOL_READ]->bytes, use->direction[IOL_WRITE]->bytes));
    }
    return bytes;
}

/* Where this run moved most of its bytes, as the index has it: streams are on no mount, and paths below none are left out. */
static const char *main_fs(iol__arena *arena, const iol__facts *facts, const struct iol__site *site) {
    moved_on *mounts = NULL;
    const moved_on *most = NULL;
    size_t count = 0, at;
    for (size_t i = 0; i < facts->n_files; i++) {
        const char *name = iol_log_name(facts->log, facts->file[i].id), *point = "UNKNOWN", *type;
        if (name && strchr(name, '/') && !iol_log_mount_of(facts->log, name, &point, &type)) continue;
        for (at = 0; at < count && strcmp(mounts[at].point, point) != 0;) at++;
        if (at == count) {
            mounts = iol__arena_grow(arena, mounts, count, sizeof *mounts);
            mounts[count++] = (moved_on){.point = point};
        }
        mounts[at].bytes = iol__facts_plus(mounts[at].bytes, history_bytes_of(&facts->file[i]));
    }
    for (size_t i = 0; i < count; i++)
        if (mounts[i].bytes > (most ? most->bytes : 0)) most = &mounts[i];
    return most ? iol__site_fs(site, iol__entry_mount_name(arena, most->point)) : NULL;
}

/* The value below which a part of them lies. Values that are not known are left out. */
static double history_quantile(const double *values, size_t count, double part) {
    double sorted[IOL_HISTORY_RUNS];
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i])) sorted[n++] = values[i];
    if (!n) return NAN;
    qsort(sorted, n, sizeof *sorted, iol__by_value);
    double at = part * (double)(n - 1);
    size_t low = (size_t)at;
    return low + 1 < n ? sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low]) : sorted[n - 1];
}

static double spread_of_logs(const double *rates, size_t count) {
    double sum = 0, squares = 0;
    if (count < 2) return NAN;
    for (size_t i = 0; i < count; i++) sum += log(rates[i]);
    for (size_t i = 0; i < count; i++) squares += pow(log(rates[i]) - sum / (double)count, 2);
    return sqrt(squares / (double)(count - 1));
}

/* One figure of a number of runs, and those that were at least as fast. */
static double history_figure(const history_asking *a, size_t n, size_t member, double rate) {
    double values[IOL_HISTORY_RUNS] = {0};
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (a->runs[i].rate >= rate) memcpy(&values[count++], (const char *)&a->runs[i] + member, sizeof *values);
    return history_quantile(values, count, 0.5);
}

static void history_judge(iol__history *h, const history_asking *a) {
    size_t faster = 0;
    const size_t n = a->count < IOL_HISTORY_RUNS ? a->count : IOL_HISTORY_RUNS;
    h->runs = n;
    for (size_t i = 0; i < n; i++) {
        h->rates[i] = a->runs[i].rate;
        faster += a->runs[i].rate > h->rate;
    }
    h->rate_p10 = history_quantile(h->rates, n, 0.1);
    h->rate_median = history_quantile(h->rates, n, 0.5);
    h->log_rate_sd = spread_of_logs(h->rates, n);
    h->faster = n && h->rate > 0 ? (double)faster / (double)n : NAN;
    h->ops_median = history_figure(a, n, offsetof(history_earlier, ops), 0);
    h->mean_request_median = history_figure(a, n, offsetof(history_earlier, mean_request), 0);
    h->io_time_median = history_figure(a, n, offsetof(history_earlier, io_time), 0);
    h->run_time_median = history_figure(a, n, offsetof(history_earlier, run), 0);
    h->good_ops = history_figure(a, n, offsetof(history_earlier, ops), h->rate_median);
    h->good_mean_request = history_figure(a, n, offsetof(history_earlier, mean_request), h->rate_median);
}

/* Runs of the same program, user and number of processes before this one. */
static iol_status ask_runs(iol__store *store, const compared_run *run, const iol__history_owners *owners,
                           history_asking *a) {
    iol__sql sql;
    iol__select_earlier_run(&sql);
    iol__sql_add(&sql,
                 " FROM log WHERE exename = ? AND uid = ? AND nprocs = ? AND start < ? AND cluster = ? AND state = "
                 "'ok' AND rate > 0");
    iol__sql_value(&sql, iol__text(run->exename));
    iol__sql_value(&sql, iol__integer(run->uid));
    iol__sql_value(&sql, iol__integer(run->nprocs));
    iol__sql_value(&sql, iol__integer(run->start));
    iol__sql_value(&sql, iol__text(run->cluster));
    if (owners && owners->count) iol__sql_add(&sql, owners->count == 2 ? " AND owner IN (?, ?)" : " AND owner = ?");
    for (size_t i = 0; owners && i < owners->count; i++) iol__sql_value(&sql, iol__text(owners->list[i]));
    iol__sql_add(&sql, " ORDER BY start DESC, identity LIMIT %d", CANDIDATES);
    iol_status status = iol__ask_earlier_run(&sql, store, take_history_run, a);
    return status == IOL_OK ? keep_same_fs(store, a) : status;
}

static iol_status ask_store(iol__history_question *q, const compared_run *run) {
    history_asking a = {.fs = run->fs};
    iol_status status = ask_runs(q->store, run, q->owners, &a);
    const iol__cell job[] = {iol__text(run->cluster), iol__text(run->jobid), iol__integer(run->uid)};
    if (status == IOL_OK)
        status = iol__store_number(q->store, "SELECT COUNT(*) FROM log WHERE cluster = ? AND jobid = ? AND uid = ?",
                                   job, 3, 0, &q->history.logs);
    if (status == IOL_OK) history_judge(&q->history, &a);
    if (status != IOL_OK) q->error = q->store->error;
    return status;
}

/* Of a copy without names the program and the mounts are those of the log itself, which is read for them. */
static void ask_history_about(iol__history_question *q, iol__arena *arena, const iol__facts *facts) {
    iol_log *log = q->whole ? q->whole : facts->log;
    const iol_job *job = iol_log_job(log);
    iol__facts own;
    const bool other = log != facts->log;
    if (other && !iol__facts_make(log, NULL, NULL, &own)) {
        q->status = iol__store_fail(&q->error, IOL_SYSTEM, "out of memory");
        return;
    }
    const compared_run run = {.exename = iol__entry_program(arena, job),
                              .jobid = iol__arena_print(arena, "%lld", (long long)job->job_id),
                              .cluster = q->cluster,
                              .fs = main_fs(arena, other ? &own : facts, q->site),
                              .uid = job->uid,
                              .nprocs = facts->processes,
                              .start = iol__entry_start(job)};
    if (other) q->history.rate = own.figures.value[IOL_FIGURE_rate];
    q->status = ask_store(q, &run);
    if (other) iol__facts_free(&own);
}

void iol__history_ask(const iol__case *job, iol__context *context, void *question) {
    iol__history_question *q = question;
    iol__history *h = &q->history;
    jmp_buf exhausted;
    iol__arena arena = {.exhausted = &exhausted};
    *h = (iol__history){.rate = job->facts.figures.value[IOL_FIGURE_rate],
                        .ops = iol__variable_value(iol__variable_find("ops"), &job->total),
                        .mean_request = iol__variable_value(iol__variable_find("mean_request"), &job->total)};
    snprintf(h->cluster, sizeof h->cluster, "%s", q->cluster);
    if (setjmp(exhausted) == 0)
        ask_history_about(q, &arena, &job->facts);
    else
        q->status = iol__store_fail(&q->error, IOL_SYSTEM, "out of memory");
    iol__arena_free(&arena);
    if (q->status != IOL_OK) return;
    context->history_runs = (double)h->runs;
    context->history_rate_low = h->rate_p10;
    context->history_ops = h->ops_median;
    context->history_mean_request = h->mean_request_median;
    context->job_logs = (double)(h->logs > 0 ? h->logs : 1);
}

iol_status iol__history_make(iol_log *log, const iol__rulebook *rulebook, iol__history_question *question) {
    const iol__diagnose_options options = {
        .rulebook = rulebook, .evidence = 1, .brief = true, .surround = iol__history_ask, .surround_data = question};
    iol__diagnosis *diagnosis = NULL;
    iol_status status = iol__diagnose(log, &options, &diagnosis, &question->error);
    if (status != IOL_OK) question->status = status;
    iol__diagnosis_free(diagnosis);
    return question->status;
}

/* Words ------------------------------------------------------------------------------------------------------------ */

static void put_history_number(FILE *to, const char *key, double value) {
    if (isfinite(value))
        fprintf(to, ", \"%s\": %.9g", key, value);
    else
        fprintf(to, ", \"%s\": null", key);
}

char *iol__history_document(const iol__history *h) {
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (!to) return NULL;
    fprintf(to, "{\n  \"history\": {\"runs\": %zu", h->runs);
    put_history_number(to, "rate_p10", h->rate_p10);
    put_history_number(to, "rate_median", h->rate_median);
    put_history_number(to, "ops_median", h->ops_median);
    put_history_number(to, "mean_request_median", h->mean_request_median);
    put_history_number(to, "log_rate_sd", h->log_rate_sd);
    put_history_number(to, "rate", h->rate);
    put_history_number(to, "faster", h->faster);
    put_history_number(to, "io_time_median", h->io_time_median);
    put_history_number(to, "run_time_median", h->run_time_median);
    put_history_number(to, "good_mean_request", h->good_mean_request);
    put_history_number(to, "good_ops", h->good_ops);
    fputs(",\n    \"rates\": [", to);
    for (size_t i = 0; i < h->runs; i++) fprintf(to, "%s%.9g", i ? ", " : "", h->rates[i]);
    fprintf(to, "]},\n  \"job\": {\"logs\": %lld}\n}\n", (long long)(h->logs > 0 ? h->logs : 1));
    if (fclose(to) == 0) return text;
    free(text);
    return NULL;
}

/* "16 times as large", "half as large". */
static void compare_requests(const iol__history *h, char *text, size_t room) {
    double factor = h->good_mean_request / h->mean_request;
    *text = 0;
    if (!(factor > 1.5 || factor < 0.67)) return;
    char number[IOL_HUMAN];
    snprintf(text, room, ", %s made requests %.20s%s as large", h->faster < 0.5 ? "whose better half" : "which",
             factor > 1 ? iol__human_number(number, factor) : iol__human_share(number, factor),
             factor > 1 ? " times" : "");
}

bool iol__history_sentence(const iol__history *h, char *text, size_t room) {
    char requests[120], share[IOL_HUMAN];
    if (h->runs < 3 || isnan(h->faster)) return false;
    compare_requests(h, requests, sizeof requests);
    const bool slower = h->faster >= 0.5;
    snprintf(text, room, "%s than %.20s of its last %zu runs%s", slower ? "slower" : "faster",
             iol__human_share(share, slower ? h->faster : 1 - h->faster), h->runs, requests);
    return true;
}
