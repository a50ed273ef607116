/* One pass over the jobs in the order of user and program: each rule keeps count until the next program, or the next user,
   begins. */
#include "site/alert/alert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/alert/history.h"
#include "site/query/query.h"

enum { LAST_RUNS = 3, USUAL_REPEAT = 14, USUAL_MOST = 20 };
static const int64_t day = INT64_C(86400) * 1000000;

/* The plan --------------------------------------------------------------------------------------------------------------- */

static const iol__alert_rule usual[] = {
    {.name = "redundant-reads", .when = "match1"},
    {.name = "metadata", .when = "match2"},
    {.name = "small-shared-writes", .when = "match3"},
    {.name = "lost-time", .when = "lost_node_hours > 100"},
    {.name = "slower-than-usual", .when = "slowdown > 3 and earlier_runs >= 5 and io_seconds > 60"},
    {.name = "volume", .when = "bytes > 100T", .per_user = true},
};

static bool read_rule(const iol__tree *from, iol__alert_rule *rule, char why[400]) {
    const char *per = iol__tree_text(iol__tree_member(from, "per"));
    *rule = (iol__alert_rule){.name = iol__tree_text(iol__tree_member(from, "name")),
                              .when = iol__tree_text(iol__tree_member(from, "when")),
                              .fix = iol__tree_text(iol__tree_member(from, "fix")),
                              .per_user = per && strcmp(per, "user") == 0};
    if (!rule->name || !*rule->name || !rule->when)
        snprintf(why, 400, "site file: a rule of alerts needs a name and a condition (\"name\", \"when\")");
    else if (per && strcmp(per, "user") != 0 && strcmp(per, "program") != 0)
        snprintf(why, 400, "site file: alerts: '%.80s': \"per\" is user or program", rule->name);
    else
        return true;
    return false;
}

static bool parse_conditions(iol__arena *arena, iol__alert_rule *rules, size_t count, char why[400]) {
    for (size_t i = 0; i < count; i++) {
        char reason[200];
        rules[i].condition = iol__condition_parse(arena, rules[i].when, reason);
        if (rules[i].condition) continue;
        snprintf(why, 400, "alerts: '%.80s': %.200s", rules[i].name, reason);
        return false;
    }
    return true;
}

bool iol__alert_plan_read(iol__arena *arena, const iol__site *site, iol__alert_plan *plan, char why[400]) {
    const iol__tree *alerts = iol__site_value(site, "alerts"), *list = iol__tree_member(alerts, "rules");
    const size_t count = list ? list->count : IOL_COUNT(usual);
    iol__alert_rule *rules = iol__arena_alloc(arena, count + 1, sizeof *rules);
    double days = USUAL_REPEAT, most = USUAL_MOST;
    if (!list) memcpy(rules, usual, sizeof usual);
    for (size_t i = 0; list && i < count; i++)
        if (!read_rule(iol__tree_item(list, i), &rules[i], why)) return false;
    iol__tree_real(iol__tree_member(alerts, "repeat_days"), &days);
    iol__tree_real(iol__tree_member(alerts, "most"), &most);
    if (!(days >= 0 && days < 1e5 && most >= 1 && most < 1e6)) {
        snprintf(why, 400, "site file: alerts: repeat_days is 0 or more, most 1 or more");
        return false;
    }
    *plan = (iol__alert_plan){
        .rules = rules, .n_rules = count, .repeat = (int64_t)(days * (double)day), .most = (size_t)most};
    return parse_conditions(arena, rules, count, why);
}

/* Jobs ------------------------------------------------------------------------------------------------------------------- */

/* Fields that come from rows of jobs; the others follow from several jobs. */
enum {
#define FIELD(name, sql, factor, meaning) COLUMN_##name,
#include "site/alert/fields.def"
#undef FIELD
    COLUMNS
};

/* What a rule has seen of a program, or of a user. */
typedef struct alert_tally {
    int64_t jobs, first, last, node_time, worst_cost;
    const char *cluster, *worst;
    unsigned recent; /* the last bit: did the condition hold for the last run */
    size_t runs;
    double sums[COLUMNS];
} alert_tally;

/* Jobs with a finding of a pattern. */
typedef struct found_set {
    struct found_set *next;
    const char *pattern;
    const char **jobs;
    size_t count;
    iol__arena *arena;
} found_set;

typedef struct alert_finder {
    iol__arena *arena;
    iol__store *store;
    const iol__alert_plan *plan;
    int64_t since, until;
    const char *owner, *exename;
    alert_tally *by_program, *by_user; /* one per rule */
    iol__alert_history *history;       /* NULL: no rule asks for it */
    found_set *sets;
    char key[600]; /* of the job that is looked at */
    iol__alert *alerts;
    size_t count;
    iol_status status;
} alert_finder;

/* Findings */

static bool take_found(void *context, const iol__found_job_row *job) {
    found_set *set = context;
    set->jobs = iol__arena_grow(set->arena, set->jobs, set->count, sizeof *set->jobs);
    set->jobs[set->count++] = iol__arena_print(set->arena, "%s\n%s", job->cluster, job->jobid);
    return true;
}

static int alert_by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static found_set *set_of(const alert_finder *f, const char *pattern) {
    found_set *set = f->sets;
    while (set && strcmp(set->pattern, pattern) != 0) set = set->next;
    return set;
}

static void load_found(void *context, const char *pattern) {
    alert_finder *f = context;
    if (f->status != IOL_OK || set_of(f, pattern)) return;
    found_set *set = iol__arena_alloc(f->arena, 1, sizeof *set);
    char *like = iol__arena_copy(f->arena, pattern);
    iol__sql sql;
    for (char *c = like; *c; c++)
        if (*c == '*') *c = '%';
    *set = (found_set){.next = f->sets, .pattern = pattern, .arena = f->arena};
    f->sets = set;
    iol__select_found_job(&sql);
    iol__sql_add(&sql, " FROM log");
    iol__sql_days(&sql, "day", f->since, f->until);
    iol__sql_and(&sql);
    iol__sql_add(&sql, "log_id IN (SELECT log_id FROM finding");
    sql.where = false;
    iol__sql_like(&sql, "rule", NULL, (const char *const *)&like, 1, false);
    iol__sql_add(&sql, ") ORDER BY cluster, jobid");
    f->status = iol__ask_found_job(&sql, f->store, take_found, set);
    if (set->count) qsort(set->jobs, set->count, sizeof *set->jobs, alert_by_text);
}

static bool job_has(void *context, const char *pattern) {
    const alert_finder *f = context;
    const char *key = f->key;
    const found_set *set = set_of(f, pattern);
    return set && set->count && bsearch(&key, set->jobs, set->count, sizeof *set->jobs, alert_by_text);
}

/* History */

static void compare_with_history(alert_finder *f, const iol__alert_job_row *job, iol__alert_subject *s) {
    size_t earlier;
    const iol__alert_run run = {.owner = f->owner,
                                .exename = f->exename,
                                .nprocs = (int64_t)job->field_nprocs,
                                .start = job->start,
                                .rate = s->numbers[IOL_ALERT_io_seconds] > 0
                                            ? s->numbers[IOL_ALERT_bytes] / s->numbers[IOL_ALERT_io_seconds]
                                            : NAN};
    s->numbers[IOL_ALERT_slowdown] = iol__alert_slowdown(f->history, &run, &earlier);
    s->numbers[IOL_ALERT_earlier_runs] = (double)earlier;
}

/* Groups ----------------------------------------------------------------------------------------------------------------- */

static void add_alert(alert_finder *f, const iol__alert_rule *rule, const alert_tally *t, const char *exename) {
    if ((f->count & (f->count - 1)) == 0) f->alerts = iol__arena_grow(f->arena, f->alerts, f->count, sizeof *f->alerts);
    f->alerts[f->count++] = (iol__alert){.rule = rule,
                                         .owner = f->owner,
                                         .exename = exename,
                                         .jobs = t->jobs,
                                         .first = t->first,
                                         .last = t->last,
                                         .node_time = t->node_time,
                                         .cluster = t->cluster,
                                         .worst = t->worst,
                                         .over = t->runs >= LAST_RUNS && !(t->recent & ((1U << LAST_RUNS) - 1))};
}

static void end_program(alert_finder *f) {
    for (size_t i = 0; f->owner && i < f->plan->n_rules; i++) {
        alert_tally *t = &f->by_program[i];
        if (t->jobs && !f->plan->rules[i].per_user) add_alert(f, &f->plan->rules[i], t, f->exename);
        *t = (alert_tally){0};
    }
}

static void end_alert_user(alert_finder *f) {
    for (size_t i = 0; f->owner && i < f->plan->n_rules; i++) {
        alert_tally *t = &f->by_user[i];
        iol__alert_subject s = {.texts = {f->owner, "", ""}};
        for (int k = 0; k < IOL_ALERT_FIELDS; k++) s.numbers[k] = k < COLUMNS ? t->sums[k] : NAN;
        if (t->jobs && f->plan->rules[i].per_user && iol__condition_holds(f->plan->rules[i].condition, &s))
            add_alert(f, &f->plan->rules[i], t, "");
        *t = (alert_tally){0};
    }
}

static void count_job(alert_finder *f, alert_tally *t, const iol__alert_job_row *job) {
    if (!t->jobs++) t->first = job->start;
    if (job->start < t->first) t->first = job->start;
    if (job->start > t->last) t->last = job->start;
    t->node_time += job->node_time;
    if (t->worst && job->node_time <= t->worst_cost) return;
    t->worst_cost = job->node_time;
    t->worst = iol__arena_copy(f->arena, job->jobid);
    t->cluster = iol__arena_copy(f->arena, job->cluster);
}

static const char *text_or_empty(const char *text) { return text ? text : ""; }

static void change_group(alert_finder *f, const iol__alert_job_row *job) {
    const char *owner = text_or_empty(job->owner), *exename = text_or_empty(job->exename);
    const bool same_user = f->owner && strcmp(owner, f->owner) == 0;
    if (same_user && strcmp(exename, f->exename) == 0) return;
    end_program(f);
    if (!same_user) end_alert_user(f);
    f->owner = iol__arena_copy(f->arena, owner);
    f->exename = iol__arena_copy(f->arena, exename);
}

static bool take_alert_job(void *context, const iol__alert_job_row *job) {
    alert_finder *f = context;
    change_group(f, job);
    iol__alert_subject s = {
        .texts = {f->owner, f->exename, text_or_empty(job->account)}, .finding = job_has, .context = f};
    for (int i = 0; i < IOL_ALERT_FIELDS; i++) s.numbers[i] = NAN;
#define FIELD(name, sql, factor, meaning) s.numbers[IOL_ALERT_##name] = job->field_##name * (factor);
#include "site/alert/fields.def"
#undef FIELD
    snprintf(f->key, sizeof f->key, "%s\n%s", text_or_empty(job->cluster), text_or_empty(job->jobid));
    if (f->history) compare_with_history(f, job, &s);
    for (size_t i = 0; i < f->plan->n_rules; i++) {
        alert_tally *t = &f->by_program[i], *u = &f->by_user[i];
        const bool holds = !f->plan->rules[i].per_user && iol__condition_holds(f->plan->rules[i].condition, &s);
        t->runs++;
        t->recent = t->recent << 1 | holds;
        if (holds) count_job(f, t, job);
        if (!f->plan->rules[i].per_user) continue;
        count_job(f, u, job);
        for (int k = 0; k < COLUMNS; k++)
            if (!isnan(s.numbers[k])) u->sums[k] += s.numbers[k];
    }
    return true;
}

static int worst_first(const void *a, const void *b) {
    const iol__alert *x = a, *y = b;
    if (x->node_time != y->node_time) return x->node_time > y->node_time ? -1 : 1;
    if (x->jobs != y->jobs) return x->jobs > y->jobs ? -1 : 1;
    int order = strcmp(x->rule->name, y->rule->name);
    if (!order) order = strcmp(x->owner, y->owner);
    return order ? order : strcmp(x->exename, y->exename);
}

/* What was found in the worst jobs */

/* An alert, and what the finding costs that it has; -1: it has none yet. */
typedef struct explained {
    iol__alert *alert;
    int64_t cost;
} explained;

typedef struct alert_explaining {
    alert_finder *f;
    explained *alerts; /* of one machine, sorted by their worst job */
    size_t n_alerts;
    iol__worst_log_row *logs; /* of worst jobs, sorted by number */
    size_t n_logs;
} alert_explaining;

static int by_log(const void *a, const void *b) {
    const int64_t x = ((const iol__worst_log_row *)a)->log_id, y = ((const iol__worst_log_row *)b)->log_id;
    return x < y ? -1 : x > y;
}

static bool take_alert_log(void *context, const iol__worst_log_row *log) {
    alert_explaining *e = context;
    e->logs = iol__arena_grow(e->f->arena, e->logs, e->n_logs, sizeof *e->logs);
    e->logs[e->n_logs++] = iol__keep_worst_log(e->f->arena, log);
    return true;
}

static int by_machine_and_job(const void *a, const void *b) {
    const iol__alert *x = ((const explained *)a)->alert, *y = ((const explained *)b)->alert;
    const int order = strcmp(x->cluster, y->cluster);
    return order ? order : strcmp(x->worst, y->worst);
}

static size_t first_with(const alert_explaining *e, const char *jobid) {
    size_t low = 0, high = e->n_alerts;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (strcmp(e->alerts[middle].alert->worst, jobid) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The costliest finding of a job explains every alert that has it as the worst one. */
static bool take_alert_finding(void *context, const iol__worst_finding_row *finding) {
    const alert_explaining *e = context;
    const iol__worst_log_row key = {.log_id = finding->log_id},
                             *log = bsearch(&key, e->logs, e->n_logs, sizeof key, by_log);
    const int64_t cost = finding->node_time;
    const char *rule = text_or_empty(finding->rule);
    for (size_t i = log ? first_with(e, log->jobid) : e->n_alerts; i < e->n_alerts; i++) {
        explained *x = &e->alerts[i];
        if (strcmp(x->alert->worst, log->jobid) != 0) break;
        if (cost < x->cost || (cost == x->cost && strcmp(rule, x->alert->finding) >= 0)) continue;
        x->cost = cost;
        x->alert->finding = iol__arena_copy(e->f->arena, rule);
        x->alert->title = iol__arena_copy(e->f->arena, text_or_empty(finding->title));
    }
    return true;
}

static iol_status ask_alert_findings(alert_explaining *e) {
    iol_status status = IOL_OK;
    if (e->n_logs) qsort(e->logs, e->n_logs, sizeof *e->logs, by_log);
    for (size_t at = 0; at < e->n_logs && status == IOL_OK; at += IOL_SQL_LIST) {
        iol__cell ids[IOL_SQL_LIST];
        iol__sql sql;
        size_t n = 0;
        for (; n < IOL_SQL_LIST && at + n < e->n_logs; n++) ids[n] = iol__integer(e->logs[at + n].log_id);
        iol__select_worst_finding(&sql);
        iol__sql_add(&sql, " FROM finding");
        iol__sql_in(&sql, "log_id", ids, n);
        status = iol__ask_worst_finding(&sql, e->f->store, take_alert_finding, e);
    }
    return status;
}

static iol_status explain_machine(alert_explaining *e) {
    iol_status status = IOL_OK;
    for (size_t at = 0; at < e->n_alerts && status == IOL_OK; at += IOL_SQL_LIST) {
        iol__cell jobs[IOL_SQL_LIST];
        iol__sql sql;
        size_t n = 0;
        for (; n < IOL_SQL_LIST && at + n < e->n_alerts; n++) jobs[n] = iol__text(e->alerts[at + n].alert->worst);
        iol__select_worst_log(&sql);
        iol__sql_add(&sql, " FROM log WHERE cluster = ?");
        iol__sql_value(&sql, iol__text(e->alerts->alert->cluster));
        sql.where = true;
        iol__sql_in(&sql, "jobid", jobs, n);
        status = iol__ask_worst_log(&sql, e->f->store, take_alert_log, e);
    }
    return status == IOL_OK ? ask_alert_findings(e) : status;
}

static iol_status explain(alert_finder *f) {
    explained *all = iol__arena_alloc(f->arena, f->count + 1, sizeof *all);
    iol_status status = IOL_OK;
    for (size_t i = 0; i < f->count; i++) all[i] = (explained){&f->alerts[i], -1};
    if (f->count) qsort(all, f->count, sizeof *all, by_machine_and_job);
    for (size_t i = 0, n; i < f->count && status == IOL_OK; i += n) {
        for (n = 1; i + n < f->count && strcmp(all[i + n].alert->cluster, all[i].alert->cluster) == 0;) n++;
        status = explain_machine(&(alert_explaining){.f = f, .alerts = all + i, .n_alerts = n});
    }
    return status;
}

/* What the rules ask beside the jobs themselves. */
static iol_status alert_alert_prepare(alert_finder *f) {
    bool slowdown = false;
    f->by_program = iol__arena_alloc(f->arena, f->plan->n_rules + 1, sizeof *f->by_program);
    f->by_user = iol__arena_alloc(f->arena, f->plan->n_rules + 1, sizeof *f->by_user);
    for (size_t i = 0; i < f->plan->n_rules; i++) {
        const struct iol__expr *condition = f->plan->rules[i].condition;
        slowdown = slowdown || iol__condition_uses(condition, IOL_ALERT_slowdown) ||
                   iol__condition_uses(condition, IOL_ALERT_earlier_runs);
        iol__condition_patterns(condition, load_found, f);
    }
    if (slowdown && f->status == IOL_OK) f->status = iol__alert_history_load(f->arena, f->store, f->since, &f->history);
    return f->status;
}

iol_status iol__alerts_find(iol__arena *arena, iol__store *store, const iol__alert_plan *plan, int64_t since,
                            int64_t until, iol__alert **alerts, size_t *count) {
    alert_finder f = {.arena = arena, .store = store, .plan = plan, .since = since, .until = until};
    iol__sql sql;
    iol_status status = alert_alert_prepare(&f);
    *alerts = NULL;
    *count = 0;
    if (status != IOL_OK) return status;
    iol__select_alert_job(&sql);
    iol__sql_add(&sql, " FROM job");
    iol__sql_days(&sql, "day", since, until);
    iol__sql_and(&sql);
    iol__sql_add(&sql, "logs > 0 ORDER BY owner, exename, start, cluster, jobid");
    status = iol__ask_alert_job(&sql, store, take_alert_job, &f);
    end_program(&f);
    end_alert_user(&f);
    if (f.count) qsort(f.alerts, f.count, sizeof *f.alerts, worst_first);
    if (status == IOL_OK) status = explain(&f);
    *alerts = f.alerts;
    *count = f.count;
    return status;
}

/* What was sent ---------------------------------------------------------------------------------------------------------- */

typedef struct before {
    int64_t sent, node_time;
    bool there;
} before;

static bool take_sent(void *context, const iol__alert_row *sent) {
    *(before *)context = (before){sent->sent, sent->node_time, true};
    return false;
}

static bool take_muted(void *context, const iol__alert_mute_row *muted) {
    (void)muted;
    *(bool *)context = true;
    return false;
}

/* What was sent last of this to this target. */
static iol_status ask_sent(iol__store *store, const iol__alert *alert, const char *target, int64_t now, before *sent) {
    iol__sql sql;
    iol__select_alert(&sql);
    iol__sql_add(&sql,
                 " FROM alert WHERE rule = ? AND owner = ? AND exename = ? AND target = ? AND sent <= ? AND state "
                 "= 'sent' ORDER BY sent DESC LIMIT 1");
    iol__sql_value(&sql, iol__text(alert->rule->name));
    iol__sql_value(&sql, iol__text(alert->owner));
    iol__sql_value(&sql, iol__text(alert->exename));
    iol__sql_value(&sql, iol__text(target));
    iol__sql_value(&sql, iol__integer(now));
    return iol__ask_alert(&sql, store, take_sent, sent);
}

static iol_status ask_muted(iol__store *store, const iol__alert *alert, int64_t now, bool *muted) {
    iol__sql sql;
    iol__select_alert_mute(&sql);
    iol__sql_add(&sql,
                 " FROM alert_mute WHERE (rule = ? OR rule = '') AND (owner = ? OR owner = '') AND (exename = ? OR "
                 "exename = '') AND made <= ? AND until > ? ORDER BY until DESC LIMIT 1");
    iol__sql_value(&sql, iol__text(alert->rule->name));
    iol__sql_value(&sql, iol__text(alert->owner));
    iol__sql_value(&sql, iol__text(alert->exename));
    iol__sql_value(&sql, iol__integer(now));
    iol__sql_value(&sql, iol__integer(now));
    return iol__ask_alert_mute(&sql, store, take_muted, muted);
}

/* Notified again before its time only if it has become twice as bad. */
iol_status iol__alert_held(iol__arena *arena, iol__store *store, const iol__alert_plan *plan, const iol__alert *alert,
                           const char *target, int64_t now, const char **why) {
    before sent = {0};
    bool muted = false;
    iol_status status = ask_sent(store, alert, target, now, &sent);
    if (status == IOL_OK) status = ask_muted(store, alert, now, &muted);
    *why = NULL;
    if (muted)
        *why = "muted";
    else if (alert->over)
        *why = "its last three runs are fine";
    else if (sent.there && now - sent.sent < plan->repeat && alert->node_time / 2 <= sent.node_time)
        *why = iol__arena_print(arena, "sent %lld days ago", (long long)((now - sent.sent) / day));
    return status;
}

iol_status iol__alert_note(iol__store *store, const iol__alert *alert, const char *target, const char *reason,
                           int64_t now) {
    const iol__alert_row row = {.sent = now,
                                .rule = alert->rule->name,
                                .owner = alert->owner,
                                .exename = alert->exename,
                                .target = target,
                                .state = reason ? "failed" : "sent",
                                .reason = reason,
                                .condition = alert->rule->when,
                                .jobs = alert->jobs,
                                .first = alert->first,
                                .last = alert->last,
                                .worst = alert->worst,
                                .node_time = alert->node_time,
                                .finding = alert->title};
    return iol__store_put_alert(store, &row);
}

iol_status iol__alert_mute(iol__store *store, const char *rule, const char *owner, const char *exename, int64_t now,
                           int64_t until, const char *reason) {
    const iol__alert_mute_row row = {
        .rule = rule, .owner = owner, .exename = exename, .made = now, .until = until, .reason = reason};
    return iol__store_put_alert_mute(store, &row);
}
