/* /users and /programs: what somebody moved, and how the runs of a program went. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "serve/parts.h"
#include "serve/serve.h"

/* Users ----------------------------------------------------------------------------------------------------------- */

static bool take_totals(void *context, const iol__cell *c, size_t count) {
    (void)count;
    memcpy(context, c, 4 * sizeof *c);
    return false;
}

static bool put_use(void *context, const iol__cell *c, size_t count) {
    iol__answer *s = context;
    (void)count;
    iol__answer_row(s);
    if (c[0].kind == IOL_CELL_NULL)
        iol__put_text(s, "");
    else
        iol__put_cell(s, &c[0]);
    for (int i = 1; i < 4; i++) iol__put_count(s, &c[i]);
    iol__put_real(s, (double)iol__cell_integer(&c[4]) / 1e6);
    iol__answer_row_end(s);
    return true;
}

#define SUMS                                                                                            \
    "COUNT(*), SUM(COALESCE(bytes_read, 0)), SUM(COALESCE(bytes_written, 0)), SUM(COALESCE(lost, 0)), " \
    "SUM(COALESCE(bytes_read, 0) + COALESCE(bytes_written, 0)) AS moved"

static bool put_uses(iol__exchange *x, const iol__which *which, const char *key, int schema, const char *column,
                     const char *order) {
    iol__answer s;
    iol__sql sql;
    iol__answer_within(&s, x, key, schema);
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT %s, " SUMS " FROM log", column);
    iol__which_logs(&sql, which);
    iol__sql_add(&sql, " GROUP BY %s ORDER BY %s", column, order);
    bool good = iol__store_ok(x, iol__sql_ask(&sql, x->store, put_use, &s));
    if (good) iol__answer_within_end(&s);
    return good;
}

/* Somebody without a log is nobody, as is somebody else. */
static bool find_totals(iol__exchange *x, const iol__which *which, iol__cell totals[4]) {
    iol__sql sql;
    memset(totals, 0, 4 * sizeof *totals);
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT " SUMS " FROM log");
    iol__which_logs(&sql, which);
    if (!iol__store_ok(x, iol__sql_ask(&sql, x->store, take_totals, totals))) return false;
    bool own = iol__access_owner(&x->viewer, which->owner) && !iol__access_all(&x->viewer);
    if (!own && !iol__cell_integer(&totals[0])) return iol__not_found(x), false;
    return true;
}

void iol__serve_user(iol__exchange *x) {
    const char *user = iol__param(x, "user");
    iol__which which = {.viewer = &x->viewer,
                        .owner = user,
                        .from = iol__param_time(x, "start", 0),
                        .before = iol__param_time(x, "end", 0)};
    iol__cell totals[4];
    if (!iol__access_owner(&x->viewer, user)) {
        iol__not_found(x);
        return;
    }
    if (!iol__exchange_store(x) || !find_totals(x, &which, totals)) return;
    iol__one_begin(x);
    iol__answer s = {.x = x, .schema = &iol__schemas[IOL_SCHEMA_User], .form = IOL_ANSWER_JSON};
    s.field = s.schema->fields;
    iol__put_text(&s, user);
    for (int i = 0; i < 3; i++) iol__put_count(&s, &totals[i]);
    iol__put_real(&s, (double)iol__cell_integer(&totals[3]) / 1e6);
    if (put_uses(x, &which, "programs", IOL_SCHEMA_ProgramUse, "exename", "moved DESC, exename LIMIT 50") &&
        iol__part_fs(x, &which) && iol__part_findings(x, &which) &&
        put_uses(x, &which, "days", IOL_SCHEMA_DayUse, "day", "day"))
        iol__one_end(x);
}

/* The latest run of each program ---------------------------------------------------------------------------------- */

enum { MOST_PROGRAMS = 200 };

typedef struct latest {
    iol__exchange *x;
    iol__cell programs[MOST_PROGRAMS], starts[MOST_PROGRAMS], logs[MOST_PROGRAMS];
    size_t n_programs, n_logs;
} latest;

static bool take_latest(void *context, const iol__cell *c, size_t count) {
    latest *l = context;
    (void)count;
    if (c[0].kind != IOL_CELL_TEXT) return true;
    l->programs[l->n_programs] = iol__text(iol__arena_copy(&l->x->arena, c[0].as.text));
    l->starts[l->n_programs++] = c[1];
    return l->n_programs < MOST_PROGRAMS;
}

static bool take_log_id(void *context, const iol__cell *c, size_t count) {
    latest *l = context;
    (void)count;
    l->logs[l->n_logs++] = c[0];
    return false;
}

static bool find_latest(latest *l, const iol__which *which) {
    iol__exchange *x = l->x;
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT exename, MAX(start) AS latest FROM log");
    iol__which_logs(&sql, which);
    iol__sql_add(&sql, " GROUP BY exename ORDER BY latest DESC, exename LIMIT %d", MOST_PROGRAMS);
    if (!iol__store_ok(x, iol__sql_ask(&sql, x->store, take_latest, l))) return false;
    for (size_t i = 0; i < l->n_programs; i++) {
        iol__sql_start(&sql);
        iol__sql_add(&sql, "SELECT log_id FROM log");
        iol__which_logs(&sql, which);
        iol__sql_add(&sql, " AND exename = ? AND start = ? ORDER BY identity LIMIT 1");
        iol__sql_value(&sql, l->programs[i]);
        iol__sql_value(&sql, l->starts[i]);
        if (!iol__store_ok(x, iol__sql_ask(&sql, x->store, take_log_id, l))) return false;
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
    iol__sql_start(&sql);
    iol__sql_add(&sql, IOL_SELECT_FINDINGS);
    iol__sql_in(&sql, "log_id", l->logs, l->n_logs);
    iol__sql_add(&sql, IOL_ORDER_FINDINGS);
    if (!l->n_logs || iol__store_ok(x, iol__sql_ask(&sql, x->store, iol__put_finding, &s)))
        iol__answer_end(&s, NULL, -1);
}

/* Programs -------------------------------------------------------------------------------------------------------- */

enum { MOST_RATES = 100 };

typedef struct program {
    iol__cell cells[7];
    double rates[MOST_RATES]; /* latest first */
    size_t n_rates;
    int64_t last; /* start of the latest run */
} program;

typedef struct programs {
    iol__exchange *x;
    program *list;
    size_t count, limit;
} programs;

static bool take_program(void *context, const iol__cell *c, size_t count) {
    programs *p = context;
    (void)count;
    if (p->count == p->limit) return false;
    for (int i = 0; i < 7; i++) {
        p->list[p->count].cells[i] = c[i];
        if (c[i].kind == IOL_CELL_TEXT)
            p->list[p->count].cells[i] = iol__text(iol__arena_copy(&p->x->arena, c[i].as.text));
    }
    p->count++;
    return true;
}

static bool take_rate(void *context, const iol__cell *c, size_t count) {
    program *p = context;
    (void)count;
    if (p->n_rates == MOST_RATES) return false;
    if (!p->n_rates) p->last = iol__cell_integer(&c[1]);
    p->rates[p->n_rates++] = iol__cell_real(&c[0]);
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
static bool find_programs(programs *p) {
    iol__exchange *x = p->x;
    const char *pattern = iol__pattern_of(&x->arena, iol__param(x, "q"), true);
    int64_t start = iol__param_time(x, "start", 0), end = iol__param_time(x, "end", 0);
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT exename, SUM(logs), COUNT(DISTINCT owner), MAX(day) AS latest, SUM(bytes_read), "
                       "SUM(bytes_written), SUM(lost) FROM day_use");
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
    return iol__store_ok(x, iol__sql_ask(&sql, x->store, take_program, p));
}

static bool find_rates(iol__exchange *x, program *p) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT rate, start FROM log");
    period(x, &sql);
    iol__sql_and(&sql);
    iol__sql_add(&sql, "exename = ? ORDER BY start DESC, identity LIMIT %lld",
                 (long long)iol__param_int(x, "runs", 20));
    iol__sql_value(&sql, p->cells[0]);
    return iol__store_ok(x, iol__sql_ask(&sql, x->store, take_rate, p));
}

static void put_program(iol__answer *s, const program *p) {
    iol__answer_row(s);
    iol__put_text(s, iol__cell_text(&p->cells[0]) ? iol__cell_text(&p->cells[0]) : "");
    iol__put_count(s, &p->cells[1]);
    iol__put_count(s, &p->cells[2]);
    iol__put_real(s, (double)p->last / 1e6);
    iol__put_count(s, &p->cells[4]);
    iol__put_count(s, &p->cells[5]);
    iol__put_real(s, (double)iol__cell_integer(&p->cells[6]) / 1e6);
    iol__put_key(s);
    if (s->form == IOL_ANSWER_CSV) {
        for (size_t i = p->n_rates; i-- > 0;)
            iol__out_printf(&s->x->body, "%.6g%s", isnan(p->rates[i]) ? 0 : p->rates[i], i ? " " : "");
    } else {
        iol__json_open(&s->x->json, '[');
        for (size_t i = p->n_rates; i-- > 0;) iol__json_real(&s->x->json, isnan(p->rates[i]) ? 0 : p->rates[i]);
        iol__json_close(&s->x->json, ']');
    }
    iol__answer_row_end(s);
}

void iol__serve_programs(iol__exchange *x) {
    programs p = {.x = x, .limit = (size_t)iol__param_int(x, "limit", 50)};
    iol__answer s;
    if (!iol__exchange_store(x)) return;
    p.list = iol__arena_alloc(&x->arena, p.limit, sizeof *p.list);
    if (!find_programs(&p)) return;
    iol__answer_begin(&s, x, IOL_SCHEMA_Program);
    for (size_t i = 0; i < p.count; i++) {
        if (p.list[i].cells[0].kind == IOL_CELL_TEXT && !find_rates(x, &p.list[i])) return;
        put_program(&s, &p.list[i]);
    }
    iol__answer_end(&s, NULL, -1);
}

static bool put_run(void *context, const iol__cell *c, size_t count) {
    (void)count;
    iol__put_run(context, c);
    return true;
}

void iol__serve_program(iol__exchange *x) {
    iol__answer s;
    iol__sql sql;
    int64_t nprocs = iol__param_int(x, "nprocs", 0);
    if (!iol__exchange_store(x)) return;
    iol__answer_begin(&s, x, IOL_SCHEMA_Run);
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT %s FROM log", iol__run_columns);
    period(x, &sql);
    iol__sql_and(&sql);
    iol__sql_add(&sql, "exename = ?");
    iol__sql_value(&sql, iol__text(iol__param(x, "exe")));
    if (nprocs) {
        iol__sql_add(&sql, " AND nprocs = ?");
        iol__sql_value(&sql, iol__integer(nprocs));
    }
    iol__sql_add(&sql, " ORDER BY start DESC, identity LIMIT %lld", (long long)iol__param_int(x, "limit", 100));
    if (iol__store_ok(x, iol__sql_ask(&sql, x->store, put_run, &s))) iol__answer_end(&s, NULL, -1);
}
