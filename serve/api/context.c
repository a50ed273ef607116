/* What went on around a job, and series of like jobs: /jobs/.../context, /umami, /correlations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/jobs.h"
#include "base/deadline.h"
#include "serve/logs.h"
#include "serve/series.h"
#include "serve/serve.h"
#include "serve/summaries.h"
#include "site/analyze/correlate.h"
#include "site/analyze/job.h"
#include "site/analyze/umami.h"

enum { SUMMARY_SECONDS = 1 };

/* Around a job ---------------------------------------------------------------------------------------------------- */

static bool take_main_fs(void *context, const iol__main_fs_row *row) {
    if (row->fs) snprintf(context, 256, "%s", row->fs);
    return false;
}

/* The file system with most of the job's bytes, "" for none. */
bool iol__main_fs(iol__exchange *x, const iol__which *which, char fs[256]) {
    iol__sql sql;
    *fs = 0;
    iol__select_main_fs(&sql);
    iol__sql_add(&sql, " FROM (SELECT mount_id, COALESCE(bytes_read, 0) + "
                       "COALESCE(bytes_written, 0) AS moved FROM log_fs WHERE log_id IN (SELECT log_id FROM log");
    iol__which_logs(&sql, which);
    iol__sql_add(&sql, "))" IOL_WITH_MOUNTS " GROUP BY fs ORDER BY most DESC, fs LIMIT 1");
    return iol__store_ok(x, iol__ask_main_fs(&sql, x->store, take_main_fs, fs));
}

static void put_rates(iol__exchange *x, const char *key, const char *fs, const char *dataset, int64_t start,
                      int64_t end) {
    iol__binned b;
    iol_status status = *fs ? iol__series_binned(x, fs, dataset, start, end, 0, IOL_AGG_SUM, NULL, &b) : IOL_END;
    if (status != IOL_OK) {
        iol__json_put_text(&x->json, key, NULL);
        return;
    }
    iol__json_put_open(&x->json, key, '{');
    iol__put_series(x, fs, dataset, &b, false);
    iol__json_close(&x->json, '}');
}

static void put_map(iol__exchange *x, const char *key, const iol__value *map) {
    iol__json_key(&x->json, key);
    iol__value_json(&x->json, &x->arena, map);
}

/* What servers saw, and the part of it that was the job's. */
void iol__servers_at(iol__exchange *x, const char *fs, int64_t start, int64_t end, iol__value *row) {
    if (!iol__hold(x, &x->serve->series_lock)) return;
    iol__ranges ranges = {.arena = &x->arena, .site = &x->serve->places, .deadline = x->deadline};
    iol__job_sources from = {
        .arena = &x->arena, .scratch = &x->scratch, .site = &x->serve->places, .ranges = &ranges, .fs = fs};
    if (end > start) iol__job_put_servers(&from, fs, start, end, row);
    iol__ranges_close(&ranges);
    iol__release(x);
    iol__arena_free(&x->scratch);
    iol__job_put_coverage(&x->arena, row);
}

static bool put_top(void *answer, const iol__job_row *job) {
    iol__put_Job(answer, job);
    return true;
}

static void at_the_time(iol__sql *sql, const iol__job_row *job) {
    iol__sql_add(sql,
                 " WHERE cluster = ? AND start < ? AND COALESCE(ended, start) > ? AND start > ? AND NOT (jobid = ? "
                 "AND owner = ? AND start = ?)");
    iol__sql_value(sql, iol__text(job->cluster));
    iol__sql_value(sql, iol__integer(iol__known_or(job->ended, job->start + 1)));
    iol__sql_value(sql, iol__integer(job->start));
    /* No job runs for longer than a month, and indexes help. */
    iol__sql_value(sql, iol__integer(job->start - INT64_C(86400000000) * 31));
    iol__sql_value(sql, iol__text(job->jobid));
    iol__sql_value(sql, iol__text(job->owner));
    iol__sql_value(sql, iol__integer(job->start));
}

/* Others as a number; who they are is for those who may see all. */
static bool put_others(iol__exchange *x, const iol__job_row *job) {
    iol__sql sql;
    iol__answer s;
    int64_t count = 0;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT COUNT(*) FROM job");
    at_the_time(&sql, job);
    if (!iol__store_ok(x, iol__sql_number(&sql, x->store, 0, &count))) return false;
    count = iol__access_count(&x->viewer, count);
    if (count < 0)
        iol__json_put_text(&x->json, "concurrent", NULL);
    else
        iol__json_put_i64(&x->json, "concurrent", count);
    iol__answer_within(&s, x, "top", IOL_SCHEMA_Job);
    if (iol__access_all(&x->viewer)) {
        iol__select_job(&sql);
        iol__sql_add(&sql, " FROM job");
        at_the_time(&sql, job);
        iol__sql_add(&sql, " ORDER BY COALESCE(nodes, 0) DESC, start, cluster, jobid, owner LIMIT 20");
        if (!iol__store_ok(x, iol__ask_job(&sql, x->store, put_top, &s))) return false;
    }
    iol__answer_within_end(&s);
    return true;
}

static bool put_history(iol__exchange *x, const iol__job_row *job) {
    iol__sql sql;
    iol__answer s;
    iol__answer_within(&s, x, "history", IOL_SCHEMA_Run);
    if (job->exename) {
        const iol__which which = {
            .viewer = &x->viewer, .cluster = job->cluster, .owner = job->owner, .before = job->start};
        iol__select_run_of_log(&sql);
        iol__sql_add(&sql, " FROM log");
        iol__which_logs(&sql, &which);
        iol__sql_and(&sql);
        iol__sql_add(&sql, "exename = ? AND nprocs = ? ORDER BY start DESC, identity LIMIT 60");
        iol__sql_value(&sql, iol__text(job->exename));
        iol__sql_value(&sql, iol__integer(job->nprocs));
        if (!iol__store_ok(x, iol__ask_run_of_log(&sql, x->store, iol__take_run, &s))) return false;
    }
    iol__answer_within_end(&s);
    return true;
}

void iol__serve_job_context(iol__exchange *x) {
    iol__the_job job;
    char own[256];
    const char *named = iol__param(x, "fs");
    if (!iol__find_job(x, &job) || (named && !iol__find_fs(x, named)) || !iol__main_fs(x, &job.which, own)) return;
    const char *fs = named ? named : own;
    iol__box box = iol__box_of(&job.row);
    int64_t pad = iol__param_int(x, "pad", 300), from = (int64_t)box.start,
            to = isnan(box.end) ? from + 1 : (int64_t)box.end;
    iol__value *servers = iol__value_new(&x->arena, IOL__MAP), *health = iol__value_new(&x->arena, IOL__MAP);
    iol__job_known(&x->arena, &job.row, servers);
    if (*fs) iol__servers_at(x, fs, from, to, servers);
    if (*fs) iol__health_at(x, fs, from, health);
    iol__one_begin(x);
    iol__json_put_i64(&x->json, "start", from - pad);
    iol__json_put_i64(&x->json, "end", to + pad);
    iol__json_put_text(&x->json, "fs", *fs ? fs : NULL);
    put_rates(x, "read", fs, "datatargets/readrates", from - pad, to + pad);
    put_rates(x, "written", fs, "datatargets/writerates", from - pad, to + pad);
    put_map(x, "servers", servers);
    put_map(x, "health", health);
    if (put_others(x, &job.row) && put_history(x, &job.row)) iol__one_end(x);
}

/* Series of jobs -------------------------------------------------------------------------------------------------- */

typedef struct series {
    iol__exchange *x;
    iol__value *rows; /* summaries, latest first */
} series;

/* A log as a summary, with the keys that analyses know. */
static bool take_summary(void *context, const iol__run_of_log_row *run) {
    series *s = context;
    iol__arena *arena = &s->x->arena;
    iol__value *row = iol__value_new(arena, IOL__MAP);
    const double bytes = (double)run->bytes_read + (double)run->bytes_written;
    iol__map_put_text(arena, row, "_log_id", iol__arena_print(arena, "%lld", (long long)run->log_id));
    iol__map_put_text(arena, row, "_jobid", run->jobid);
    iol__map_put_integer(arena, row, "_datetime_start", run->start / 1000000);
    iol__map_put_integer(arena, row, "_datetime_end", (run->start + run->run) / 1000000);
    iol__map_put_text(arena, row, "darshan_app", run->exename);
    iol__map_put_integer(arena, row, "darshan_nprocs", run->nprocs);
    iol__map_put_real(arena, row, "darshan_agg_perf_by_slowest_posix", iol__rate_of_run(run));
    iol__map_put_integer(arena, row, "darshan_tot_bytes_read_posix", run->bytes_read);
    iol__map_put_integer(arena, row, "darshan_tot_bytes_written_posix", run->bytes_written);
    iol__map_put_real(arena, row, "darshan_biggest_read_api_bytes", (double)run->bytes_read);
    iol__map_put_real(arena, row, "darshan_biggest_write_api_bytes", (double)run->bytes_written);
    iol__map_put_real(arena, row, "darshan_total_bytes", bytes);
    iol__list_add(arena, s->rows, row);
    return true;
}

/* Those that there is no time for are there when it is asked again; how many jobs an analysis knows is part of it. */
static void with_servers(iol__exchange *x, const iol__value *rows, const char *fs) {
    const int64_t by = iol__deadline_in(SUMMARY_SECONDS);
    for (size_t i = 0; fs && i < rows->count; i++) {
        iol__value *row = rows->items[i];
        int64_t start = (int64_t)iol__map_number(row, "_datetime_start"),
                end = (int64_t)iol__map_number(row, "_datetime_end");
        iol__map_put_text(&x->arena, row, "_file_system", fs);
        iol__summary_add(x, fs, start, end, by, row);
    }
}

/* Logs of like jobs: program, user, file system, direction. */
static iol__value *like_jobs(iol__exchange *x, const char *exe, int64_t usual) {
    series s = {x, iol__value_new(&x->arena, IOL__LIST)};
    const char *fs = iol__param(x, "fs"), *dir = iol__param_choice(x, "dir");
    const iol__which which = {.viewer = &x->viewer,
                              .owner = iol__param(x, "user"),
                              .from = iol__param_time(x, "start", 0),
                              .before = iol__param_time(x, "end", 0)};
    iol__sql sql;
    iol__select_run_of_log(&sql);
    iol__sql_add(&sql, " FROM log");
    iol__which_logs(&sql, &which);
    iol__sql_and(&sql);
    iol__sql_add(&sql, "exename = ? AND io_time > 0");
    iol__sql_value(&sql, iol__text(exe));
    if (*dir != 'a')
        iol__sql_add(&sql, *dir == 'w' ? " AND bytes_written > bytes_read" : " AND bytes_written <= bytes_read");
    if (fs) {
        iol__sql_add(&sql, " AND log_id IN (SELECT log_id FROM log_fs WHERE mount_id IN (SELECT mount_id FROM mount "
                           "WHERE fs = ?))");
        iol__sql_value(&sql, iol__text(fs));
    }
    iol__sql_add(&sql, " ORDER BY start DESC, identity LIMIT %lld", (long long)iol__param_int(x, "n", usual));
    return iol__store_ok(x, iol__ask_run_of_log(&sql, x->store, take_summary, &s)) ? s.rows : NULL;
}

static iol__value *in_time(iol__arena *arena, const iol__value *rows) {
    iol__value *turned = iol__value_new(arena, IOL__LIST);
    for (size_t i = rows->count; i-- > 0;) iol__list_add(arena, turned, rows->items[i]);
    return turned;
}

static bool take_program(void *context, const iol__program_of_log_row *log) {
    series *s = context;
    if (log->exename) iol__list_add(&s->x->arena, s->rows, iol__of_text(&s->x->arena, log->exename));
    return false;
}

/* The program of the log that is to be highlighted, if no other is named. NULL: the answer is made. */
static const char *wanted_program(iol__exchange *x) {
    const char *exe = iol__param(x, "exe"), *which = iol__param(x, "highlight");
    series s = {x, iol__value_new(&x->arena, IOL__LIST)};
    if (exe) return exe;
    if (!which) return iol__answer_param(x, "exe", "is needed"), NULL;
    iol__sql sql;
    iol__select_program_of_log(&sql);
    iol__sql_add(&sql, " FROM log");
    iol__access_rows(&x->viewer, &sql, "owner");
    iol__sql_and(&sql);
    iol__sql_add(&sql, "(jobid = ? OR log_id = ?) ORDER BY start DESC, identity LIMIT 1");
    iol__sql_value(&sql, iol__text(which));
    iol__sql_value(&sql, iol__integer(strtoll(which, NULL, 10)));
    if (!iol__store_ok(x, iol__ask_program_of_log(&sql, x->store, take_program, &s))) return NULL;
    if (!s.rows->count) return iol__not_found(x), NULL;
    return s.rows->items[0]->text;
}

/* The rows that parameters mean, in order of time; NULL: the answer is made. */
static iol__value *wanted_rows(iol__exchange *x, int64_t usual) {
    const char *fs = iol__param(x, "fs");
    char own[256] = "";
    if (!iol__exchange_store(x) || (fs && !iol__find_fs(x, fs))) return NULL;
    const char *exe = wanted_program(x);
    iol__value *rows = exe ? like_jobs(x, exe, usual) : NULL;
    if (!rows) return NULL;
    if (!fs && rows->count) {
        const iol__which latest = {.viewer = &x->viewer,
                                   .log_id = strtoll(iol__map_text(rows->items[0], "_log_id"), NULL, 10)};
        if (!iol__main_fs(x, &latest, own)) return NULL;
    }
    with_servers(x, rows, fs ? fs : *own ? own : NULL);
    return in_time(&x->arena, rows);
}

/* By number of the log, else by job id; else the latest. */
static size_t highlighted(iol__exchange *x, const iol__value *rows) {
    const char *which = iol__param(x, "highlight");
    static const char *const names[] = {"_log_id", "_jobid"};
    for (size_t k = 0; which && k < 2; k++)
        for (size_t i = rows->count; i-- > 0;) {
            const char *id = iol__map_text(rows->items[i], names[k]);
            if (id && strcmp(id, which) == 0) return i;
        }
    return rows->count - 1;
}

static bool make_umami(iol__exchange *x, iol__umami *made) {
    const iol__value *rows = wanted_rows(x, 20);
    if (!rows) return false;
    if (rows->count < 2) return iol__answer_error(x, 404, "there are fewer than two such jobs"), false;
    *made = iol__umami_make(&x->arena, rows, highlighted(x, rows), iol__param(x, "metrics"));
    return true;
}

void iol__serve_umami_svg(iol__exchange *x) {
    iol__umami made;
    if (!make_umami(x, &made)) return;
    x->type = "image/svg+xml";
    x->policy = "default-src 'none'; style-src 'unsafe-inline'";
    iol__umami_svg(&x->body, &made);
}

void iol__serve_umami(iol__exchange *x) {
    iol__umami made;
    if (*iol__param_form(x) == 's') {
        iol__serve_umami_svg(x);
        return;
    }
    if (!make_umami(x, &made)) return;
    iol__json_start(&x->json, &x->body, 2);
    iol__value_json(&x->json, &x->arena, iol__umami_tree(&x->arena, &made));
    iol__json_finish(&x->json);
}

void iol__serve_correlations(iol__exchange *x) {
    const iol__value *rows = wanted_rows(x, 400);
    iol__answer s;
    if (!rows) return;
    const iol__correlating how = {.against = iol__param(x, "against"),
                                  .metrics = iol__param(x, "metrics"),
                                  .ranks = *iol__param_choice(x, "method") == 's'};
    const iol__value *table = iol__correlate(&x->arena, rows, &how);
    iol__answer_begin(&s, x, IOL_SCHEMA_Correlation);
    for (size_t i = 0; i < table->count; i++)
        for (size_t k = 0; k < table->items[i]->count; k++) {
            const iol__value *is = table->items[i]->items[k], *flag = iol__map_get(is, "significant");
            double n = iol__map_number(is, "n");
            iol__fill_Correlation(
                &s, &(iol__Correlation_answer){.program = table->keys[i],
                                               .metric = table->items[i]->keys[k],
                                               .coefficient = iol__unless_nan(iol__map_number(is, "coefficient")),
                                               .p_value = iol__unless_nan(iol__map_number(is, "p_value")),
                                               .n = isnan(n) ? 0 : (int64_t)n,
                                               .significant = flag && flag->kind == IOL__FLAG && flag->flag});
        }
    iol__answer_end(&s, NULL, -1);
}
