/* Alerts: rules over the jobs of a period, grouped by user and program, so that somebody hears of a problem once and with its
   evidence. What was sent is in the table `alert` of the store; nothing is sent twice while it has not changed. */
#ifndef IOL_SITE_ALERT_ALERT_H
#define IOL_SITE_ALERT_ALERT_H

#include "site/alert/expression.h"
#include "site/site.h"
#include "site/store/store.h"

typedef struct iol__alert_rule {
    const char *name, *when, *fix; /* fix: NULL, or what the site wants to tell */
    bool per_user;                 /* over all jobs of a user; else job by job, grouped by user and program */
    const struct iol__expr *condition;
} iol__alert_rule;

typedef struct iol__alert_plan {
    const iol__alert_rule *rules;
    size_t n_rules;
    int64_t repeat; /* microseconds before the same is sent again */
    size_t most;    /* alerts in one message */
} iol__alert_plan;

/* A rule that holds for jobs of a user and program. */
typedef struct iol__alert {
    const iol__alert_rule *rule;
    const char *owner, *exename; /* exename "": all programs */
    int64_t jobs, first, last, node_time;
    const char *cluster, *worst; /* the job that cost most */
    const char *finding, *title; /* of that job; NULL: none */
    bool over;                   /* the last three runs are fine */
} iol__alert;

/* From "alerts" of the site file; rules that a centre can begin with where it has none. False with the reason. Like everything
   here it takes memory from the arena, whose owner hears when there is none. */
bool iol__alert_plan_read(iol__arena *arena, const iol__site *site, iol__alert_plan *plan, char why[400]);

/* All that hold for jobs that started from day to day (20261231), worst first. */
iol_status iol__alerts_find(iol__arena *arena, iol__store *store, const iol__alert_plan *plan, int64_t since,
                            int64_t until, iol__alert **alerts, size_t *count);

/* Why an alert is not to be sent to a target at this time (microseconds); NULL: it is. */
iol_status iol__alert_held(iol__arena *arena, iol__store *store, const iol__alert_plan *plan, const iol__alert *alert,
                           const char *target, int64_t now, const char **why);
/* For the audit: what became of it. `reason` NULL: it was sent. */
iol_status iol__alert_note(iol__store *store, const iol__alert *alert, const char *target, const char *reason,
                           int64_t now);
/* Empty texts stand for anything. */
iol_status iol__alert_mute(iol__store *store, const char *rule, const char *owner, const char *exename, int64_t now,
                           int64_t until, const char *reason);

#endif
