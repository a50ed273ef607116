/* iolite alert: which rules hold, who has not heard of it yet, and one message for each of them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/site/alert_send.h"
#include "cmds/cmd.h"
#include "cmds/site/site_options.h"
#include "site/alert/alert.h"
#include "site/alert/notes.h"
#include "site/query/query.h"
#include "text/json.h"
#include "text/text.h"
#include "text/number.h"

enum { WEEK = 7, MUTED_DAYS = 30, DAY = 86400 };
static const double hour = 3.6e9;

typedef struct alerting {
    const iol__args *args;
    iol__site *site;
    iol__arena arena;
    iol__store *store;
    iol__alert_plan plan;
    const alert_target *targets;
    size_t n_targets;
    iol__alert *alerts;
    size_t n_alerts;
    iol__alert_notes notes;    /* of staff, in the portal */
    int64_t since, until, now; /* days, days, microseconds */
    bool dry;
    iol__out out;
    iol__json json;
    int outcome;
} alerting;

static int64_t alert_present(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static const char *alert_date(char text[16], int64_t microseconds) {
    const time_t seconds = (time_t)(microseconds / 1000000);
    struct tm tm;
    localtime_r(&seconds, &tm);
    strftime(text, 16, "%Y-%m-%d", &tm);
    return text;
}

/* 20261117 as 2026-11-17. */
static const char *day(char text[16], int64_t number) {
    snprintf(text, 16, "%04d-%02d-%02d", (int)(number / 10000), (int)(number / 100 % 100), (int)(number % 100));
    return text;
}

/* Messages --------------------------------------------------------------------------------------------------------------- */

/* Names and titles come from logs: they are made harmless, and stay on their line. */
static void put_alert_alert(iol__out *out, size_t number, const iol__alert *a) {
    char first[16], last[16], hours[IOL_HUMAN], jobs[IOL_HUMAN];
    iol__out_printf(out, "%zu. ", number);
    iol__out_safe(out, a->rule->name);
    iol__out_text(out, " (");
    iol__out_safe(out, a->rule->when);
    iol__out_text(out, ")\n   user ");
    iol__out_safe(out, a->owner);
    if (*a->exename) {
        iol__out_text(out, ", program ");
        iol__out_safe(out, a->exename);
    }
    iol__out_printf(out, ": %s job%s, first %s, last %s", iol__human_number(jobs, (double)a->jobs),
                    a->jobs == 1 ? "" : "s", alert_date(first, a->first), alert_date(last, a->last));
    if (a->node_time)
        iol__out_printf(out, ", %s node hours lost", iol__human_number(hours, (double)a->node_time / hour));
    iol__out_text(out, "\n   worst: job ");
    iol__out_safe(out, a->worst);
    if (a->title) {
        iol__out_text(out, ": ");
        iol__out_safe(out, a->title);
    }
    iol__out_text(out, "\n   what to do: ");
    if (a->rule->fix) {
        iol__out_safe(out, a->rule->fix);
    } else {
        iol__out_text(out, "iolite find --job ");
        iol__out_safe(out, a->worst);
        iol__out_text(out, " | xargs -d '\\n' iolite diagnose --snippets");
    }
    iol__out_char(out, '\n');
}

static void put_alert_json(iol__json *json, const iol__alert *a) {
    iol__json_open(json, '{');
    iol__json_put_text(json, "rule", a->rule->name);
    iol__json_put_text(json, "condition", a->rule->when);
    iol__json_put_text(json, "user", a->owner);
    if (*a->exename) iol__json_put_text(json, "program", a->exename);
    iol__json_put_i64(json, "jobs", a->jobs);
    iol__json_put_real(json, "first", (double)a->first / 1e6);
    iol__json_put_real(json, "last", (double)a->last / 1e6);
    iol__json_put_text(json, "worst_job", a->worst);
    iol__json_put_text(json, "cluster", a->cluster);
    iol__json_put_real(json, "lost_node_hours", (double)a->node_time / hour);
    if (a->finding) iol__json_put_text(json, "finding", a->finding);
    if (a->title) iol__json_put_text(json, "title", a->title);
    iol__json_close(json, '}');
}

/* What `print` writes, as a text. */
static char *to_text(void (*print)(iol__out *, const alerting *, const iol__alert *const *, size_t, size_t),
                     const alerting *a, const iol__alert *const *chosen, size_t count, size_t more) {
    FILE *file = tmpfile();
    char *text = NULL;
    if (!file) return NULL;
    iol__out out;
    iol__out_open(&out, fileno(file));
    print(&out, a, chosen, count, more);
    const bool good = iol__out_close(&out) == 0;
    const off_t length = lseek(fileno(file), 0, SEEK_END);
    if (good && length >= 0) text = calloc((size_t)length + 1, 1);
    if (text && pread(fileno(file), text, (size_t)length, 0) != length) text[0] = 0;
    fclose(file);
    return text;
}

static void print_alert_text(iol__out *out, const alerting *a, const iol__alert *const *chosen, size_t count,
                             size_t more) {
    char from[16], to[16];
    iol__out_printf(out, "Iolite at %s, jobs from %s to %s\n\n", iol__site_cluster(a->site), day(from, a->since),
                    day(to, a->until));
    for (size_t i = 0; i < count; i++) put_alert_alert(out, i + 1, chosen[i]);
    if (more) iol__out_printf(out, "\nand %zu more, which `iolite alert --dry-run` shows\n", more);
}

static void print_alert_json(iol__out *out, const alerting *a, const iol__alert *const *chosen, size_t count,
                             size_t more) {
    iol__json json;
    char summary[160], from[16], to[16];
    snprintf(summary, sizeof summary, "Iolite: %zu alert%s, jobs from %s to %s", count + more,
             count + more == 1 ? "" : "s", day(from, a->since), day(to, a->until));
    iol__json_start(&json, out, 0);
    iol__json_open(&json, '{');
    iol__json_put_text(&json, "text", summary);
    iol__json_put_text(&json, "site", iol__site_cluster(a->site));
    iol__json_put_u64(&json, "more", more);
    iol__json_put_open(&json, "alerts", '[');
    for (size_t i = 0; i < count; i++) put_alert_json(&json, chosen[i]);
    iol__json_close(&json, ']');
    iol__json_close(&json, '}');
    iol__json_finish(&json);
}

/* Sending ---------------------------------------------------------------------------------------------------------------- */

/* One message about `count` alerts, and what became of it. */
static void alert_tell(alerting *a, const alert_target *target, const iol__alert *const *chosen, size_t count,
                       size_t more) {
    char subject[160], why[400] = "";
    snprintf(subject, sizeof subject, "Iolite: %zu alert%s", count + more, count + more == 1 ? "" : "s");
    char *text = to_text(print_alert_text, a, chosen, count, more),
         *json = to_text(print_alert_json, a, chosen, count, more);
    const bool as_json = a->args->given[OPT_SITE_JSON];
    if (a->dry || target->channel == CHANNEL_REPORT) {
        if (!as_json) iol__out_printf(&a->out, "To: %s\nSubject: %s\n\n%s\n", target->name, subject, text ? text : "");
        if (as_json && json) iol__out_printf(&a->out, "%s\n", json);
    }
    bool good = text && json;
    if (good && !a->dry) good = send_alert(a->site, target, chosen[0]->owner, subject, text, json, why);
    if (!good) {
        tell_stderr("%s: %s", target->name, *why ? why : "out of memory");
        a->outcome = EXIT_TROUBLE;
    }
    free(text);
    free(json);
    for (size_t i = 0; !a->dry && i < count; i++)
        if (iol__alert_note(a->store, chosen[i], target->name, good ? NULL : why, a->now) != IOL_OK) {
            a->outcome = store_trouble(a->store);
            return;
        }
}

/* What a target has not heard yet. */
static size_t alert_choose(alerting *a, const alert_target *target, const iol__alert **chosen, size_t *held) {
    size_t count = 0;
    *held = 0;
    for (size_t i = 0; i < a->n_alerts; i++) {
        const char *why;
        if (iol__alert_held(&a->arena, a->store, &a->plan, &a->alerts[i], target->name, a->now, &why) != IOL_OK) {
            a->outcome = store_trouble(a->store);
            return 0;
        }
        if (target->channel == CHANNEL_USERS && !why && !is_user_name(a->alerts[i].owner))
            why = "no name for an address";
        const iol__alert *alert = &a->alerts[i];
        if (!why && iol__alert_muted_by(&a->notes, alert->rule->name, alert->owner, alert->exename, a->now / 1000000))
            why = "muted in the portal";
        if (why)
            ++*held;
        else
            chosen[count++] = &a->alerts[i];
    }
    return count;
}

/* Each user hears of his own programs only. */
static void tell_users(alerting *a, const alert_target *target, const iol__alert **chosen, size_t count) {
    const iol__alert **own = iol__arena_alloc(&a->arena, count + 1, sizeof *own);
    for (size_t i = 0; i < count; i++) {
        size_t n = 0;
        if (!chosen[i]) continue;
        const char *owner = chosen[i]->owner;
        for (size_t k = i; k < count; k++) {
            if (!chosen[k] || strcmp(chosen[k]->owner, owner) != 0) continue;
            own[n++] = chosen[k];
            chosen[k] = NULL;
        }
        alert_tell(a, target, own, n < a->plan.most ? n : a->plan.most, n < a->plan.most ? 0 : n - a->plan.most);
    }
}

static void tell_target(alerting *a, const alert_target *target) {
    const iol__alert **chosen = iol__arena_alloc(&a->arena, a->n_alerts + 1, sizeof *chosen);
    size_t held, count = alert_choose(a, target, chosen, &held);
    if (a->outcome != EXIT_DONE && a->outcome != EXIT_TROUBLE) return;
    if (count == 0) {
        if (!a->args->given[OPT_SITE_JSON])
            fprintf(stderr, "%s: nothing new; %zu known or muted\n", target->name, held);
    } else if (target->channel == CHANNEL_USERS) {
        tell_users(a, target, chosen, count);
    } else {
        const size_t most = count < a->plan.most ? count : a->plan.most;
        alert_tell(a, target, chosen, most, count - most);
    }
}

/* Other things that it does ---------------------------------------------------------------------------------------------- */

static int list_alert_fields(void) {
    iol__out out;
    const char *name, *meaning;
    iol__out_open(&out, STDOUT_FILENO);
    for (size_t i = 0; iol__alert_field_at(i, &name, &meaning); i++) iol__out_printf(&out, "%-24s %s\n", name, meaning);
    iol__out_text(&out, "user, program, account   texts, to be compared by == and !=\n"
                        "finding(\"RULE\")          whether the job has a finding; * stands for anything\n");
    return finish_output(&out, EXIT_DONE);
}

static void put_known_text(iol__json *json, const char *key, const char *text) {
    if (text) iol__json_put_text(json, key, text);
}

static void print_sent_json(iol__json *json, const iol__alert_row *sent) {
    iol__json_open(json, '{');
    iol__json_put_real(json, "sent", (double)sent->sent * 1e-6);
    put_known_text(json, "state", sent->state);
    put_known_text(json, "target", sent->target);
    put_known_text(json, "rule", sent->rule);
    put_known_text(json, "user", sent->owner);
    put_known_text(json, "program", sent->exename);
    iol__json_put_real(json, "jobs", (double)sent->jobs);
    put_known_text(json, "worst_job", sent->worst);
    iol__json_put_real(json, "node_time", (double)sent->node_time * 1e-6);
    put_known_text(json, "reason", sent->reason);
    iol__json_close(json, '}');
}

static bool print_sent(void *context, const iol__alert_row *sent) {
    alerting *a = context;
    char when[16], jobs[IOL_HUMAN];
    if (a->args->given[OPT_SITE_JSON]) {
        print_sent_json(&a->json, sent);
        return true;
    }
    const char *const texts[] = {sent->state, sent->target, sent->rule, sent->owner, sent->exename};
    iol__out_printf(&a->out, "%s  ", alert_date(when, sent->sent));
    for (size_t i = 0; i < IOL_COUNT(texts); i++) {
        iol__out_safe(&a->out, texts[i] ? texts[i] : "-");
        iol__out_text(&a->out, "  ");
    }
    iol__out_printf(&a->out, "%s jobs, worst ", iol__human_number(jobs, (double)sent->jobs));
    iol__out_safe(&a->out, sent->worst ? sent->worst : "-");
    if (sent->reason) {
        iol__out_text(&a->out, ": ");
        iol__out_safe(&a->out, sent->reason);
    }
    iol__out_char(&a->out, '\n');
    return true;
}
static void list_sent(alerting *a) {
    if (a->args->given[OPT_SITE_JSON]) {
        iol__json_start(&a->json, &a->out, 1);
        iol__json_open(&a->json, '[');
    }
    iol__sql sql;
    iol__select_alert(&sql);
    iol__sql_add(&sql, " FROM alert ORDER BY sent DESC, target, rule, owner, exename");
    if (iol__ask_alert(&sql, a->store, print_sent, a) != IOL_OK) a->outcome = store_trouble(a->store);
    if (a->args->given[OPT_SITE_JSON]) {
        iol__json_close(&a->json, ']');
        iol__json_finish(&a->json);
    }
}

static void mute(alerting *a) {
    const char *days = argument_value(a->args, OPT_MUTE_DAYS), *user = argument_value(a->args, OPT_MUTE_USER),
               *program = argument_value(a->args, OPT_MUTE_PROGRAM);
    char *end = NULL;
    const double number = days ? strtod(days, &end) : MUTED_DAYS;
    if (days && (!*days || *end || !(number >= 0 && number < 1e5))) {
        a->outcome = usage_error(a->args, "--days takes a number of days, not '%s'", days);
        return;
    }
    if (iol__alert_mute(a->store, argument_value(a->args, OPT_MUTE), user ? user : "", program ? program : "", a->now,
                        a->now + (int64_t)(number * DAY * 1e6), argument_value(a->args, OPT_MUTE_REASON)) != IOL_OK)
        a->outcome = store_trouble(a->store);
}

/* The run ---------------------------------------------------------------------------------------------------------------- */

static int64_t alert_day_before(const alerting *a, int days) {
    return iol__site_day(a->site, a->now - (int64_t)days * DAY * 1000000);
}

/* A past period is looked at as it was at its end. */
static int64_t end_of_day(int64_t day) {
    struct tm tm = {.tm_year = (int)(day / 10000) - 1900,
                    .tm_mon = (int)(day / 100 % 100) - 1,
                    .tm_mday = (int)(day % 100) + 1,
                    .tm_isdst = -1};
    return (int64_t)mktime(&tm) * 1000000;
}

static bool alert_alert_prepare(alerting *a) {
    char why[400] = "";
    a->now = alert_present();
    a->dry = a->args->given[OPT_DRY_RUN];
    if (!read_day(a->args, OPT_SINCE, &a->since) || !read_day(a->args, OPT_UNTIL, &a->until)) {
        a->outcome = usage_error(a->args, "a date is YEAR, YEAR-MONTH or YEAR-MONTH-DAY");
        return false;
    }
    if (a->dry && a->until && end_of_day(a->until) < a->now) a->now = end_of_day(a->until);
    if (!a->until) a->until = alert_day_before(a, 0);
    if (!a->since) a->since = alert_day_before(a, WEEK - 1);
    if (iol__alert_plan_read(&a->arena, a->site, &a->plan, why) &&
        read_alert_targets(&a->arena, a->site, &a->targets, &a->n_targets, why))
        return true;
    tell_stderr("%s", why);
    a->outcome = EXIT_INPUT;
    return false;
}

static void alert_alert(alerting *a) {
    const char *notes = argument_value(a->args, OPT_ALERT_NOTES);
    iol_error error;
    if (notes && iol__alert_notes_read(&a->arena, notes, &a->notes, &error) != IOL_OK) {
        tell_stderr("%s", error.message);
        a->outcome = EXIT_INPUT;
        return;
    }
    if (iol__alerts_find(&a->arena, a->store, &a->plan, a->since, a->until, &a->alerts, &a->n_alerts) != IOL_OK) {
        a->outcome = store_trouble(a->store);
        return;
    }
    for (size_t i = 0; i < a->n_targets; i++) tell_target(a, &a->targets[i]);
}

static void alert_work(alerting *a) {
    jmp_buf exhausted;
    a->arena.exhausted = &exhausted;
    if (setjmp(exhausted) != 0) {
        fputs("iolite: out of memory\n", stderr);
        a->outcome = EXIT_TROUBLE;
    } else if (alert_alert_prepare(a)) {
        if (a->args->given[OPT_MUTE])
            mute(a);
        else if (a->args->given[OPT_SENT])
            list_sent(a);
        else
            alert_alert(a);
    }
}

int cmd_alert(const iol__args *args) {
    alerting a = {.args = args};
    if (args->n_operands) return usage_error(args, "there is nothing to name here");
    if (args->given[OPT_LIST_FIELDS]) return list_alert_fields();
    if (!open_site(args, &a.site)) return EXIT_INPUT;
    a.outcome = open_store(store_url(args), IOL_STORE_WRITE, &a.store);
    iol__out_open(&a.out, STDOUT_FILENO);
    if (a.outcome == EXIT_DONE) alert_work(&a);
    iol__arena_free(&a.arena);
    iol__store_close(a.store);
    iol__site_free(a.site);
    return finish_output(&a.out, a.outcome);
}
