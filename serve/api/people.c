/* /users and /programs: what somebody moved, and how the runs of a program went. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "serve/api/parts.h"
#include "serve/serve.h"

/* Users ----------------------------------------------------------------------------------------------------------- */

static bool take_totals(void *context, const iol__use_total_row *total) {
    *(iol__use_total_row *)context = *total;
    return false;
}

/* Logs without a command line are of the program "". */
static bool put_program_use(void *answer, const iol__use_of_program_row *use) {
    iol__use_of_program_row row = *use;
    if (!row.exename) row.exename = "";
    iol__put_ProgramUse(answer, &row);
    return true;
}

static bool put_program_uses(iol__exchange *x, const iol__which *which) {
    iol__answer s;
    iol__sql sql;
    iol__answer_within(&s, x, "programs", IOL_SCHEMA_ProgramUse);
    iol__select_use_of_program(&sql);
    iol__sql_add(&sql, " FROM log");
    iol__which_logs(&sql, which);
    iol__sql_add(&sql, " GROUP BY exename ORDER BY moved DESC, exename LIMIT 50");
    bool good = iol__store_ok(x, iol__ask_use_of_program(&sql, x->store, put_program_use, &s));
    if (good) iol__answer_within_end(&s);
    return good;
}

static bool put_day_use(void *answer, const iol__use_of_day_row *use) {
    iol__put_DayUse(answer, use);
    return true;
}

static bool put_day_uses(iol__exchange *x, const iol__which *which) {
    iol__answer s;
    iol__sql sql;
    iol__answer_within(&s, x, "days", IOL_SCHEMA_DayUse);
    iol__select_use_of_day(&sql);
    iol__sql_add(&sql, " FROM log");
    iol__which_logs(&sql, which);
    iol__sql_add(&sql, " GROUP BY day ORDER BY day");
    bool good = iol__store_ok(x, iol__ask_use_of_day(&sql, x->store, put_day_use, &s));
    if (good) iol__answer_within_end(&s);
    return good;
}

/* Somebody without a log is nobody, as is somebody else. */
static bool find_totals(iol__exchange *x, const iol__which *which, iol__use_total_row *totals) {
    iol__sql sql;
    *totals = (iol__use_total_row){0};
    iol__select_use_total(&sql);
    iol__sql_add(&sql, " FROM log");
    iol__which_logs(&sql, which);
    if (!iol__store_ok(x, iol__ask_use_total(&sql, x->store, take_totals, totals))) return false;
    bool own = iol__access_owner(&x->viewer, which->owner) && !iol__access_all(&x->viewer);
    if (!own && !totals->logs) return iol__not_found(x), false;
    return true;
}

void iol__serve_user(iol__exchange *x) {
    const char *user = iol__param(x, "user");
    iol__which which = {.viewer = &x->viewer,
                        .owner = user,
                        .from = iol__param_time(x, "start", 0),
                        .before = iol__param_time(x, "end", 0)};
    iol__use_total_row totals;
    if (!iol__access_owner(&x->viewer, user)) {
        iol__not_found(x);
        return;
    }
    if (!iol__exchange_store(x) || !find_totals(x, &which, &totals)) return;
    iol__one_begin(x);
    iol__answer s;
    iol__answer_rest(&s, x, IOL_SCHEMA_User);
    iol__put_in_User(&s, &totals, &(iol__User_answer){.user = user});
    if (put_program_uses(x, &which) && iol__part_fs(x, &which) && iol__part_findings(x, &which) &&
        put_day_uses(x, &which))
        iol__one_end(x);
}

/* The latest run of each program ---------------------------------------------------------------------------------- */

enum { MOST_PROGRAMS = 200 };

typedef struct latest {
    iol__exchange *x;
    iol__latest_run_row runs[MOST_PROGRAMS];
    iol__cell logs[MOST_PROGRAMS];
    size_t n_programs, n_logs;
} latest;

static bool take_latest(void *context, const iol__latest_run_row *run) {
    latest *l = context;
    if (!run->exename) return true;
    l->runs[l->n_programs++] = iol__keep_latest_run(&l->x->arena, run);
    return l->n_programs < MOST_PROGRAMS;
}

static bool find_latest(latest *l, const iol__which *which) {
    iol__exchange *x = l->x;
    iol__sql sql;
    iol__select_latest_run(&sql);
    iol__sql_add(&sql, " FROM log");
    iol__which_logs(&sql, which);
    iol__sql_add(&sql, " GROUP BY exename ORDER BY latest DESC, exename LIMIT %d", MOST_PROGRAMS);
    if (!iol__store_ok(x, iol__ask_latest_run(&sql, x->store, take_latest, l))) return false;
    for (size_t i = 0; i < l->n_programs; i++) {
        iol__sql_start(&sql);
        iol__sql_add(&sql, "SELECT log_id FROM log");
        iol__which_logs(&sql, which);
        iol__sql_add(&sql, " AND exename = ? AND start = ? ORDER BY identity LIMIT 1");
        iol__sql_value(&sql, iol__text(l->runs[i].exename));
        iol__sql_value(&sql, iol__integer(l->runs[i].start));
        int64_t log_id;
        if (!iol__store_ok(x, iol__sql_number(&sql, x->store, 0, &log_id))) return false;
        if (log_id) l->logs[l->n_logs++] = iol__integer(log_id);
    }
    return true;
}

void iol__serve_user_findings(iol__exchange *x) {
    const char *user = iol__param(x, "user");
    const iol__which which = {.viewer = &x->viewer, .owner = user};
    latest *l = iol__arena_alloc(&x->arena, 1, sizeof *l);
    iol__answer s;
    iol__sql sql;
    l->x = x;
    if (!iol__access_owner(&x->viewer, user)) {
        iol__not_found(x);
        return;
    }
    if (!iol__exchange_store(x) || !find_latest(l, &which)) return;
    iol__answer_begin(&s, x, IOL_SCHEMA_Finding);
    iol__select_found(&sql);
    iol__sql_add(&sql, " FROM finding");
    iol__sql_in(&sql, "log_id", l->logs, l->n_logs);
    iol__sql_add(&sql, IOL_ORDER_FINDINGS);
    if (!l->n_logs || iol__store_ok(x, iol__ask_found(&sql, x->store, iol__take_found, &s)))
        iol__answer_end(&s, NULL, -1);
}

/* Programs -------------------------------------------------------------------------------------------------------- */

enum { MOST_RATES = 100 };

typedef struct people_program {
    iol__program_use_row use;
    double rates[MOST_RATES]; /* latest first */
    size_t n_rates;
    int64_t last; /* start of the latest run */
} people_program;

typedef struct people_programs {
    iol__exchange *x;
    people_program *list;
    size_t count, limit;
} people_programs;

static bool take_people_program(void *context, const iol__program_use_row *use) {
    people_programs *p = context;
    if (p->count == p->limit) return false;
    p->list[p->count++].use = iol__keep_program_use(&p->x->arena, use);
    return true;
}

static bool take_rate(void *context, const iol__rate_of_run_row *run) {
    people_program *p = context;
    if (p->n_rates == MOST_RATES) return false;
    if (!p->n_rates) p->last = run->start;
    p->rates[p->n_rates++] = run->rate;
    return true;
}

static void period(iol__exchange *x, iol__sql *sql) {
    iol__which which = {.viewer = &x->viewer,
                        .owner = iol__param(x, "user"),
                        .from = iol__param_time(x, "start", 0),
                        .before = iol__param_time(x, "end", 0)};
    iol__which_logs(sql, &which);
}

/* From daily sums: a program is as recent as the last day with a run. */
static bool find_programs(people_programs *p) {
    iol__exchange *x = p->x;
    const char *pattern = iol__pattern_of(&x->arena, iol__param(x, "q"), true);
    int64_t start = iol__param_time(x, "start", 0), end = iol__param_time(x, "end", 0);
    iol__sql sql;
    iol__select_program_use(&sql);
    iol__sql_add(&sql, " FROM day_use");
    iol__access_rows(&x->viewer, &sql, "owner");
    iol__sql_days(&sql, "day", start ? iol__site_day(x->serve->site, start) : 0,
                  end ? iol__site_day(x->serve->site, end - 1) : 0);
    if (iol__param(x, "user")) {
        iol__sql_and(&sql);
        iol__sql_add(&sql, "owner = ?");
        iol__sql_value(&sql, iol__text(iol__param(x, "user")));
    }
    if (pattern) iol__sql_like(&sql, "exename", NULL, &pattern, 1, false);
    iol__sql_add(&sql, " GROUP BY exename ORDER BY latest DESC, exename LIMIT %zu", p->limit);
    return iol__store_ok(x, iol__ask_program_use(&sql, x->store, take_people_program, p));
}

static bool find_rates(iol__exchange *x, people_program *p) {
    iol__sql sql;
    iol__select_rate_of_run(&sql);
    iol__sql_add(&sql, " FROM log");
    period(x, &sql);
    iol__sql_and(&sql);
    iol__sql_add(&sql, "exename = ? ORDER BY start DESC, identity LIMIT %lld",
                 (long long)iol__param_int(x, "runs", 20));
    iol__sql_value(&sql, iol__text(p->use.exename));
    return iol__store_ok(x, iol__ask_rate_of_run(&sql, x->store, take_rate, p));
}

static void put_program(iol__answer *s, const people_program *p) {
    iol__program_use_row use = p->use;
    if (!use.exename) use.exename = "";
    iol__answer_row(s);
    iol__put_in_Program(s, &use,
                        &(iol__Program_answer){.last = iol__unless_nan(p->n_rates ? (double)p->last / 1e6 : NAN)});
    iol__put_key(s);
    if (s->form == IOL_ANSWER_CSV) {
        for (size_t i = p->n_rates; i-- > 0;) {
            if (isnan(p->rates[i]))
                iol__out_text(&s->x->body, "null");
            else
                iol__out_printf(&s->x->body, "%.6g", p->rates[i]);
            if (i) iol__out_char(&s->x->body, ' ');
        }
    } else {
        iol__json_open(&s->x->json, '[');
        for (size_t i = p->n_rates; i-- > 0;) iol__json_real(&s->x->json, p->rates[i]);
        iol__json_close(&s->x->json, ']');
    }
    iol__answer_row_end(s);
}

void iol__serve_programs(iol__exchange *x) {
    people_programs p = {.x = x, .limit = (size_t)iol__param_int(x, "limit", 50)};
    iol__answer s;
    if (!iol__exchange_store(x)) return;
    p.list = iol__arena_alloc(&x->arena, p.limit, sizeof *p.list);
    if (!find_programs(&p)) return;
    iol__answer_begin(&s, x, IOL_SCHEMA_Program);
    for (size_t i = 0; i < p.count; i++) {
        if (p.list[i].use.exename && !find_rates(x, &p.list[i])) return;
        put_program(&s, &p.list[i]);
    }
    iol__answer_end(&s, NULL, -1);
}

void iol__serve_program(iol__exchange *x) {
    iol__answer s;
    iol__sql sql;
    int64_t nprocs = iol__param_int(x, "nprocs", 0);
    if (!iol__exchange_store(x)) return;
    iol__answer_begin(&s, x, IOL_SCHEMA_Run);
    iol__select_run_of_log(&sql);
    iol__sql_add(&sql, " FROM log");
    period(x, &sql);
    iol__sql_and(&sql);
    iol__sql_add(&sql, "exename = ?");
    iol__sql_value(&sql, iol__text(iol__param(x, "exe")));
    if (nprocs) {
        iol__sql_add(&sql, " AND nprocs = ?");
        iol__sql_value(&sql, iol__integer(nprocs));
    }
    iol__sql_add(&sql, " ORDER BY start DESC, identity LIMIT %lld", (long long)iol__param_int(x, "limit", 100));
    if (iol__store_ok(x, iol__ask_run_of_log(&sql, x->store, iol__take_run, &s))) iol__answer_end(&s, NULL, -1);
}
