/* /alerts and /archive: what staff should look at, who was notified, what nobody wants to hear of; and whether the archive of
   series is whole. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "serve/api/notes.h"
#include "serve/api/parts.h"
#include "serve/series.h"
#include "serve/serve.h"
#include "site/alert/alert.h"

enum { DAY = 86400 };

/* Alerts ---------------------------------------------------------------------------------------------------------- */

static bool wants(iol__exchange *x, const char *state) {
    const char *wanted = iol__param_choice(x, "state");
    return strcmp(wanted, "any") == 0 || strcmp(wanted, state) == 0;
}

/* Microseconds of nodes as hours. */
static iol__maybe_real in_hours(int64_t node_time) { return iol__unless_nan((double)node_time / 3.6e9); }

/* With what staff did about it in the portal. */
static void put_flagged(iol__answer *s, const iol__alert *a, const iol__alert_notes *notes) {
    const char *const rule = a->rule->name;
    const iol__alert_note_row *mute = iol__alert_muted_by(notes, rule, a->owner, a->exename, (int64_t)time(NULL)),
                              *to = iol__alert_latest(notes, IOL_ALERT_ASSIGN, rule, a->owner, a->exename),
                              *said = iol__alert_latest(notes, IOL_ALERT_COMMENT, rule, a->owner, a->exename);
    iol__fill_Alert(s, &(iol__Alert_answer){.state = "flagged",
                                            .rule = a->rule->name,
                                            .condition = a->rule->when,
                                            .user = a->owner,
                                            .exe = a->exename,
                                            .jobs = iol__known(a->jobs),
                                            .first = iol__in_seconds(a->first),
                                            .last = iol__in_seconds(a->last),
                                            .node_h = in_hours(a->node_time),
                                            .cluster = a->cluster,
                                            .worst = a->worst,
                                            .title = a->title,
                                            .until = iol__unless_nan(mute ? (double)mute->until : NAN),
                                            .reason = mute && *mute->text ? mute->text : NULL,
                                            .by = mute ? mute->by : NULL,
                                            .assigned = to && *to->to ? to->to : NULL,
                                            .comment = said ? said->text : NULL});
}

static int64_t alerts_day_before(iol__exchange *x, int64_t days) {
    return iol__site_day(x->serve->site, ((int64_t)time(NULL) - days * DAY) * 1000000);
}

/* What the rules select now. False: the answer is made. */
static bool list_flagged(iol__exchange *x, iol__answer *s, const iol__alert_notes *notes) {
    iol__alert_plan plan;
    iol__alert *alerts = NULL;
    size_t count = 0;
    char why[400];
    if (!iol__alert_plan_read(&x->arena, x->serve->site, &plan, why))
        return iol__answer_error(x, 503, "the rules of alerts in the site file cannot be used"), false;
    iol_status status = iol__alerts_find(&x->arena, x->store, &plan,
                                         alerts_day_before(x, iol__param_int(x, "days", 7) - 1), 0, &alerts, &count);
    if (!iol__store_ok(x, status)) return false;
    for (size_t i = 0; i < count; i++) put_flagged(s, &alerts[i], notes);
    return true;
}

static bool put_sent(void *context, const iol__alert_row *sent) {
    iol__answer *s = context;
    const char *state = strcmp(sent->state, "sent") == 0 ? "notified" : "failed";
    if (!wants(s->x, state)) return true;
    iol__fill_Alert(s, &(iol__Alert_answer){.state = state,
                                            .rule = sent->rule,
                                            .condition = sent->condition,
                                            .user = sent->owner,
                                            .exe = sent->exename,
                                            .jobs = iol__known(sent->jobs),
                                            .first = iol__in_seconds(sent->first),
                                            .last = iol__in_seconds(sent->last),
                                            .node_h = in_hours(sent->node_time),
                                            .worst = sent->worst,
                                            .title = sent->finding,
                                            .target = sent->target,
                                            .when = iol__in_seconds(sent->sent),
                                            .reason = sent->reason});
    return true;
}

static bool put_muted(void *context, const iol__alert_mute_row *mute) {
    iol__fill_Alert(context, &(iol__Alert_answer){.state = "muted",
                                                  .rule = mute->rule,
                                                  .user = mute->owner,
                                                  .exe = mute->exename,
                                                  .when = iol__in_seconds(mute->made),
                                                  .until = iol__in_seconds(mute->until),
                                                  .reason = mute->reason});
    return true;
}

/* Muted in the portal. */
static void list_muted_notes(iol__answer *s, const iol__alert_notes *notes, int64_t now) {
    for (size_t i = 0; i < notes->count; i++) {
        const iol__alert_note_row *one = &notes->list[i];
        if (one->action != IOL_ALERT_MUTE || one->until <= now || iol__alert_note_replaced(notes, i)) continue;
        iol__fill_Alert(s, &(iol__Alert_answer){.state = "muted",
                                                .rule = one->rule,
                                                .user = one->user,
                                                .exe = one->exe,
                                                .when = iol__in_seconds(one->made * 1000000),
                                                .until = iol__in_seconds(one->until * 1000000),
                                                .reason = *one->text ? one->text : NULL,
                                                .by = one->by});
    }
}

void iol__serve_alerts(iol__exchange *x) {
    iol__alert_notes notes;
    iol__answer s;
    int64_t now = (int64_t)time(NULL);
    iol__sql sql;
    if (!iol__exchange_store(x) || !iol__notes_of(x, &notes)) return;
    iol__answer_begin(&s, x, IOL_SCHEMA_Alert);
    if (wants(x, "flagged") && !list_flagged(x, &s, &notes)) return;
    iol__select_alert(&sql);
    iol__sql_add(&sql, " FROM alert WHERE sent >= ? ORDER BY sent DESC, rule, owner, exename, target LIMIT 1000");
    iol__sql_value(&sql, iol__integer((now - iol__param_int(x, "days", 7) * DAY) * 1000000));
    if (!iol__store_ok(x, iol__ask_alert(&sql, x->store, put_sent, &s))) return;
    if (wants(x, "muted")) {
        iol__select_alert_mute(&sql);
        iol__sql_add(&sql, " FROM alert_mute WHERE until > ? ORDER BY until, rule, owner, exename LIMIT 1000");
        iol__sql_value(&sql, iol__integer(now * 1000000));
        if (!iol__store_ok(x, iol__ask_alert_mute(&sql, x->store, put_muted, &s))) return;
        list_muted_notes(&s, &notes, now);
    }
    iol__answer_end(&s, NULL, (int64_t)s.rows);
}

/* The archive ------------------------------------------------------------------------------------------------------ */

typedef struct calendar {
    iol__exchange *x;
    iol__answer output;
    const char *only; /* NULL: all */
    int64_t days;
} calendar;

/* Midnight, a number of days before a day. */
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
        iol__fill_ArchiveDay(
            &c->output, &(iol__ArchiveDay_answer){.fs = fs, .day = day, .there = !isnan(moved), .missing = missing});
    }
}

void iol__serve_archive(iol__exchange *x) {
    calendar c = {.x = x, .only = iol__param(x, "fs"), .days = iol__param_int(x, "days", 35)};
    iol__answer_begin(&c.output, x, IOL_SCHEMA_ArchiveDay);
    iol__each_series(x, put_days, &c);
    iol__answer_end(&c.output, NULL, -1);
}
