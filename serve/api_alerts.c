/* /alerts and /archive: what staff should look at, who was notified, what nobody wants to hear of; and whether the archive of
   series is whole. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "serve/parts.h"
#include "serve/series.h"
#include "serve/serve.h"
#include "site/alert/alert.h"

enum { DAY = 86400 };

/* Alerts ---------------------------------------------------------------------------------------------------------- */

static bool wants(iol__exchange *x, const char *state) {
    const char *wanted = iol__param_choice(x, "state");
    return strcmp(wanted, "any") == 0 || strcmp(wanted, state) == 0;
}

static void put_hours(iol__answer *s, int64_t microseconds) { iol__put_real(s, (double)microseconds / 3.6e9); }

static void put_flagged(iol__answer *s, const iol__alert *a) {
    iol__answer_row(s);
    iol__put_text(s, "flagged");
    iol__put_text(s, a->rule->name);
    iol__put_text(s, a->rule->when);
    iol__put_text(s, a->owner);
    iol__put_text(s, a->exename);
    iol__put_int(s, a->jobs);
    iol__put_real(s, (double)a->first / 1e6);
    iol__put_real(s, (double)a->last / 1e6);
    put_hours(s, a->node_time);
    iol__put_text(s, a->cluster);
    iol__put_text(s, a->worst);
    iol__put_text(s, a->title);
    for (int i = 0; i < 4; i++) iol__put_null(s);
    iol__answer_row_end(s);
}

static int64_t day_before(iol__exchange *x, int64_t days) {
    return iol__site_day(x->serve->site, ((int64_t)time(NULL) - days * DAY) * 1000000);
}

/* What the rules select now. False: the answer is made. */
static bool list_flagged(iol__exchange *x, iol__answer *s) {
    iol__alert_plan plan;
    iol__alert *alerts = NULL;
    size_t count = 0;
    char why[400];
    if (!iol__alert_plan_read(&x->arena, x->serve->site, &plan, why))
        return iol__answer_error(x, 503, "the rules of alerts in the site file cannot be used"), false;
    iol_status status = iol__alerts_find(&x->arena, x->store, &plan, day_before(x, iol__param_int(x, "days", 7) - 1), 0,
                                         &alerts, &count);
    if (!iol__store_ok(x, status)) return false;
    for (size_t i = 0; i < count; i++) put_flagged(s, &alerts[i]);
    return true;
}

static bool put_sent(void *context, const iol__cell *c, size_t count) {
    iol__answer *s = context;
    bool sent = strcmp(iol__cell_text(&c[0]), "sent") == 0;
    (void)count;
    if (!wants(s->x, sent ? "notified" : "failed")) return true;
    iol__answer_row(s);
    iol__put_text(s, sent ? "notified" : "failed");
    for (int i = 1; i < 5; i++) iol__put_cell(s, &c[i]);
    iol__put_count(s, &c[5]);
    iol__put_seconds(s, &c[6]);
    iol__put_seconds(s, &c[7]);
    put_hours(s, iol__cell_integer(&c[8]));
    iol__put_null(s);
    for (int i = 9; i < 12; i++) iol__put_cell(s, &c[i]);
    iol__put_seconds(s, &c[12]);
    iol__put_null(s);
    iol__put_cell(s, &c[13]);
    iol__answer_row_end(s);
    return true;
}

static bool put_muted(void *context, const iol__cell *c, size_t count) {
    iol__answer *s = context;
    (void)count;
    iol__answer_row(s);
    iol__put_text(s, "muted");
    iol__put_cell(s, &c[0]);
    iol__put_null(s);
    iol__put_cell(s, &c[1]);
    iol__put_cell(s, &c[2]);
    for (int i = 0; i < 8; i++) iol__put_null(s);
    iol__put_seconds(s, &c[3]);
    iol__put_seconds(s, &c[4]);
    iol__put_cell(s, &c[5]);
    iol__answer_row_end(s);
    return true;
}

void iol__serve_alerts(iol__exchange *x) {
    iol__answer s;
    int64_t now = (int64_t)time(NULL);
    iol__cell since = iol__integer((now - iol__param_int(x, "days", 7) * DAY) * 1000000),
              present = iol__integer(now * 1000000);
    if (!iol__exchange_store(x)) return;
    iol__answer_begin(&s, x, IOL_SCHEMA_Alert);
    if (wants(x, "flagged") && !list_flagged(x, &s)) return;
    iol_status status = iol__store_ask(x->store,
                                       "SELECT state, rule, condition, owner, exename, jobs, first, last, node_time, "
                                       "worst, finding, target, sent, reason FROM alert WHERE sent >= ? ORDER BY sent "
                                       "DESC, rule, owner, exename, target LIMIT 1000",
                                       &since, 1, put_sent, &s);
    if (!iol__store_ok(x, status)) return;
    if (wants(x, "muted"))
        status = iol__store_ask(x->store,
                                "SELECT rule, owner, exename, made, until, reason FROM alert_mute WHERE until > ? "
                                "ORDER BY until, rule, owner, exename LIMIT 1000",
                                &present, 1, put_muted, &s);
    if (iol__store_ok(x, status)) iol__answer_end(&s, NULL, (int64_t)s.rows);
}

/* The archive ------------------------------------------------------------------------------------------------------ */

typedef struct calendar {
    iol__exchange *x;
    iol__answer output;
    const char *only; /* NULL: all */
    int64_t days;
} calendar;

/* Midnight so many days before a day. */
static int64_t midnight(struct tm today, int64_t days) {
    today.tm_mday -= (int)days;
    today.tm_hour = today.tm_min = today.tm_sec = 0;
    today.tm_isdst = -1;
    return (int64_t)mktime(&today);
}

static void put_days(void *context, const char *fs) {
    calendar *c = context;
    time_t now = time(NULL);
    struct tm today;
    if (c->only && strcmp(c->only, fs) != 0) return;
    localtime_r(&now, &today);
    for (int64_t i = c->days; i-- > 0;) {
        char day[16];
        double missing;
        int64_t from = midnight(today, i), to = midnight(today, i - 1);
        time_t start = (time_t)from;
        struct tm tm;
        strftime(day, sizeof day, "%Y-%m-%d", localtime_r(&start, &tm));
        double moved =
            iol__series_day(c->x, fs, "datatargets/writebytes", from, to < now ? to : (int64_t)now, &missing);
        iol__answer_row(&c->output);
        iol__put_text(&c->output, fs);
        iol__put_text(&c->output, day);
        iol__put_flag(&c->output, !isnan(moved));
        iol__put_real(&c->output, missing);
        iol__answer_row_end(&c->output);
    }
}

void iol__serve_archive(iol__exchange *x) {
    calendar c = {.x = x, .only = iol__param(x, "fs"), .days = iol__param_int(x, "days", 35)};
    iol__answer_begin(&c.output, x, IOL_SCHEMA_ArchiveDay);
    iol__each_series(x, put_days, &c);
    iol__answer_end(&c.output, NULL, -1);
}
