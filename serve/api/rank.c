/* /scoreboard, /screens and /fleet: rankings, jobs that metrics select, and the view over all jobs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "insight/facts/metrics.h"
#include "site/query/fleet_json.h"
#include "serve/api/parts.h"
#include "serve/rankings.h"
#include "serve/serve.h"
#include "site/query/period.h"

/* Scoreboard ------------------------------------------------------------------------------------------------------ */

static iol__rank_key rank_key_of(const char *by) {
    static const struct {
        const char *name;
        iol__rank_key key;
    } keys[] = {{"user", IOL_RANK_USER},
                {"account", IOL_RANK_ACCOUNT},
                {"exe", IOL_RANK_PROGRAM},
                {"fs", IOL_RANK_FS},
                {"user_exe_fs", IOL_RANK_TRIPLE}};
    for (size_t i = 0; i < IOL_COUNT(keys); i++)
        if (strcmp(keys[i].name, by) == 0) return keys[i].key;
    return IOL_RANK_USER;
}

/* The days that start and end of a request fall on; 0: any. */
static void days_of(iol__exchange *x, int64_t *since, int64_t *until) {
    int64_t start = iol__param_time(x, "start", 0), end = iol__param_time(x, "end", 0);
    *since = start ? iol__site_day(x->serve->site, start) : 0;
    *until = end ? iol__site_day(x->serve->site, end - 1) : 0;
}

/* What cannot be answered is the question's fault; anything else the store's. */
static bool rank(iol__exchange *x, const iol__rank_query *q, iol__ranking *ranking) {
    iol_status status = iol__rank(x->store, q, ranking);
    if (status == IOL_INVALID || status == IOL_UNSUPPORTED)
        return iol__answer_error(x, 400, "this metric is not known by this key"), false;
    return iol__store_ok(x, status);
}

bool iol__rank_both(iol__exchange *x, iol__rank_query *q, iol__ranking *now, iol__ranking *before) {
    iol__rank_query earlier = *q;
    *before = (iol__ranking){0};
    if (!rank(x, q, now)) return false;
    earlier.limit = 0;
    if (!q->since || !iol__period_before(q->since, q->until, &earlier.since, &earlier.until)) return true;
    if (rank(x, &earlier, before)) return true;
    iol__ranking_free(now);
    return false;
}

double iol__rank_before(const iol__rank_query *q, const iol__ranking *before, const iol__ranked *one) {
    if (!q->since) return NAN;
    for (size_t i = 0; i < before->count; i++) {
        bool same = true;
        for (int k = 0; k < 3 && same; k++) {
            const char *a = before->list[i].key[k], *b = one->key[k];
            same = strcmp(a ? a : "", b ? b : "") == 0;
        }
        if (same) return iol__rank_value(q, before->list[i].value);
    }
    return 0;
}

double iol__rank_value(const iol__rank_query *q, int64_t value) {
    return q->measure->unit == IOL_UNIT_TIME ? (double)value / 1e6 : (double)value;
}

static void put_ranked(iol__answer *s, const iol__rank_query *q, const iol__ranking *all, const iol__ranking *before,
                       const iol__ranked *one) {
    const double share = all->total > 0 ? (double)one->value / (double)all->total : NAN;
    iol__fill_Ranked(s, &(iol__Ranked_answer){.key = one->key[0],
                                              .exe = one->key[1],
                                              .fs = one->key[2],
                                              .value = iol__rank_value(q, one->value),
                                              .share = iol__unless_nan(share),
                                              .before = iol__unless_nan(iol__rank_before(q, before, one)),
                                              .read = one->read,
                                              .written = one->written,
                                              .jobs = one->logs});
}

static void put_board(iol__exchange *x, const iol__rank_query *q, const iol__ranking *all, const iol__ranking *before) {
    static const char *const units[] = {"bytes", "seconds", "count"};
    iol__answer s;
    bool table = strcmp(iol__param_choice(x, "format"), "json") != 0;
    if (table) {
        iol__answer_begin(&s, x, IOL_SCHEMA_Ranked);
    } else {
        iol__one_begin(x);
        iol__json_put_text(&x->json, "by", iol__param_choice(x, "by"));
        iol__json_put_text(&x->json, "metric", q->measure->name);
        iol__json_put_text(&x->json, "unit", units[q->measure->unit]);
        iol__answer_within(&s, x, "rows", IOL_SCHEMA_Ranked);
    }
    for (size_t i = 0; i < all->count; i++) put_ranked(&s, q, all, before, &all->list[i]);
    if (table) {
        iol__answer_end(&s, NULL, -1);
        return;
    }
    iol__answer_within_end(&s);
    iol__json_put_open(&x->json, "total", '{');
    iol__json_put_real(&x->json, "value", iol__rank_value(q, all->total));
    iol__json_put_i64(&x->json, "jobs", all->logs);
    iol__json_close(&x->json, '}');
    iol__one_end(x);
}

iol__rank_query iol__rank_question(iol__exchange *x, const char *owners[2]) {
    iol__rank_query q = {.key = rank_key_of(iol__param_choice(x, "by")),
                         .measure = iol__measure_find(iol__param_choice(x, "metric")),
                         .owners = owners,
                         .n_owners = iol__access_owners(&x->viewer, owners),
                         .only_fs = iol__patterns_of(&x->arena, iol__param(x, "fs")),
                         .not_fs = iol__patterns_of(&x->arena, iol__param(x, "exclude_fs")),
                         .not_user = iol__patterns_of(&x->arena, iol__param(x, "exclude_user")),
                         .not_exe = iol__patterns_of(&x->arena, iol__param(x, "exclude_exe")),
                         .limit = (size_t)iol__param_int(x, "top", 20)};
    return q;
}

void iol__serve_scoreboard(iol__exchange *x) {
    const char *owners[2];
    iol__rank_query q = iol__rank_question(x, owners);
    iol__ranking now, before;
    days_of(x, &q.since, &q.until);
    if (!iol__exchange_store(x) || !iol__rank_both(x, &q, &now, &before)) return;
    put_board(x, &q, &now, &before);
    iol__ranking_free(&now);
    iol__ranking_free(&before);
}

/* Screens --------------------------------------------------------------------------------------------------------- */

static const struct screen {
    const char *name, *meaning, *column, *bits;
} screens[IOL_METRICS] = {
    {"redundant-reads", "bytes that were read again, above the limit", "redundant_read_bytes", "1, 3, 5, 7"},
    {"metadata", "part of the I/O time in metadata calls, in jobs of many processes", "meta_ratio", "2, 3, 6, 7"},
    {"small-writes", "small writes to shared files without a collective one", "small_shared_indep_writes",
     "4, 5, 6, 7"},
};

static double rank_limit_of(const iol__metric_limits *l, int metric) {
    return metric == 0 ? l->redundant_bytes : metric == 1 ? l->meta_ratio : l->small_writes;
}

static void rank_conditions(iol__exchange *x, iol__sql *sql, int metric) {
    double threshold = iol__param_real(x, "threshold", NAN);
    int64_t since, until;
    days_of(x, &since, &until);
    iol__access_rows(&x->viewer, sql, "owner");
    iol__sql_days(sql, "day", since, until);
    iol__sql_and(sql);
    if (isnan(threshold)) {
        iol__sql_add(sql, "selected IN (%s)", screens[metric].bits);
        return;
    }
    iol__sql_add(sql, "%s %s ?", screens[metric].column, metric == 1 ? ">=" : ">");
    iol__sql_value(sql, iol__real(threshold));
}

static bool take_screen_count(void *context, const iol__screen_count_row *row) {
    *(iol__screen_count_row *)context = *row;
    return false;
}

void iol__serve_screens(iol__exchange *x) {
    iol__answer s;
    iol__metric_limits limits;
    if (!iol__exchange_store(x) || !iol__store_ok(x, iol__fleet_limits(x->store, &limits))) return;
    iol__answer_begin(&s, x, IOL_SCHEMA_Screen);
    for (int i = 0; i < IOL_METRICS; i++) {
        iol__screen_count_row selects = {0};
        iol__sql sql;
        iol__select_screen_count(&sql);
        iol__sql_add(&sql, " FROM job");
        rank_conditions(x, &sql, i);
        if (!iol__store_ok(x, iol__ask_screen_count(&sql, x->store, take_screen_count, &selects))) return;
        iol__fill_Screen(&s, &(iol__Screen_answer){.name = screens[i].name,
                                                   .meaning = screens[i].meaning,
                                                   .threshold = rank_limit_of(&limits, i),
                                                   .jobs = selects.jobs,
                                                   .users = selects.users});
    }
    iol__answer_end(&s, NULL, -1);
}

static bool put_selected(void *answer, const iol__screen_job_row *job) {
    iol__put_ScreenJob(answer, job);
    return true;
}

void iol__serve_screen(iol__exchange *x) {
    iol__answer s;
    iol__sql sql;
    int metric = 0;
    while (metric < IOL_METRICS && strcmp(screens[metric].name, iol__param(x, "name")) != 0) metric++;
    if (metric == IOL_METRICS) {
        iol__not_found(x);
        return;
    }
    if (!iol__exchange_store(x)) return;
    iol__answer_begin(&s, x, IOL_SCHEMA_ScreenJob);
    const char *weight = iol__arena_print(&x->arena, "COALESCE(%s, 0) AS weight", screens[metric].column);
    iol__select_screen_job_with(&sql, &(iol__screen_job_sql){.value = weight});
    iol__sql_add(&sql, " FROM job");
    rank_conditions(x, &sql, metric);
    iol__sql_add(&sql, " ORDER BY weight DESC, start DESC, cluster, jobid, owner LIMIT %lld",
                 (long long)iol__param_int(x, "limit", 100));
    if (iol__store_ok(x, iol__ask_screen_job(&sql, x->store, put_selected, &s))) iol__answer_end(&s, NULL, -1);
}

/* Fleet ----------------------------------------------------------------------------------------------------------- */

void iol__serve_fleet(iol__exchange *x) {
    iol__fleet fleet;
    int64_t since, until;
    days_of(x, &since, &until);
    if (!iol__exchange_store(x) || !iol__store_ok(x, iol__fleet_make(x->store, since, until, &fleet))) return;
    iol__json_start(&x->json, &x->body, 2);
    iol__fleet_json(&x->json, &fleet, true, true);
    iol__json_finish(&x->json);
    iol__fleet_free(&fleet);
}
