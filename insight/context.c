/* The context document: what a site knows of a job and passes in (docs/context.md). All of it is optional, and unknown
   keys are passed over, so that sites and this program can grow apart; so are known ones with a value of another kind.
   {"history": {"runs": 9, "rate_p10": 900, "ops_median": 4096, "mean_request_median": 65536},
    "site": {"load": 1.7, "system": "name"}, "job": {"logs": 4}} */
#include <math.h>
#include <string.h>

#include "insight/case.h"
#include "log/plain_json.h"

static const struct {
    const char *group, *key;
    int variable;
} known[] = {
    {"history", "runs", IOL_JOB_history_runs},
    {"history", "rate_p10", IOL_JOB_history_rate_low},
    {"history", "ops_median", IOL_JOB_history_ops},
    {"history", "mean_request_median", IOL_JOB_history_mean_request},
    {"site", "load", IOL_JOB_site_load},
    {"site", "coverage", IOL_JOB_site_coverage},
    {"site", "ost_coverage", IOL_JOB_site_ost_coverage},
    {"site", "shared_osts", IOL_JOB_site_shared_osts},
    {"site", "slow_osts", IOL_JOB_site_slow_osts},
    {"site", "slow_ost", IOL_JOB_site_slow_ost},
    {"site", "failover_osts", IOL_JOB_site_failover_osts},
    {"site", "rebuilds", IOL_JOB_site_rebuilds},
    {"site", "fullest", IOL_JOB_site_fullest},
    {"site", "server_load", IOL_JOB_site_server_load},
    {"site", "mds_load", IOL_JOB_site_mds_load},
    {"site", "network", IOL_JOB_site_network},
    {"site", "other_jobs", IOL_JOB_site_other_jobs},
    {"job", "logs", IOL_JOB_job_logs},
};

static bool read_group(iol__case *job, iol__plain_json *json, const char *group) {
    if (!iol__plain_take(json, '{')) return iol__plain_skip(json);
    if (iol__plain_take(json, '}')) return true;
    do {
        char *key;
        double *target = NULL, value;
        if (!iol__plain_text(json, &key) || !iol__plain_take(json, ':')) return false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (strcmp(known[i].group, group) == 0 && strcmp(known[i].key, key) == 0)
                target = &job->job[known[i].variable];
        if (strcmp(group, "site") == 0 && strcmp(key, "system") == 0) {
            char *name;
            if (!iol__plain_text_if(json, &name)) return false;
            if (name) job->system = name;
        } else if (!target) {
            if (!iol__plain_skip(json)) return false;
        } else {
            if (!iol__plain_number_if(json, &value)) return false;
            *target = value;
        }
    } while (iol__plain_take(json, ','));
    return iol__plain_take(json, '}');
}

void iol__case_context(iol__case *job, const char *text) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) job->job[known[i].variable] = NAN;
    if (!text) return;
    size_t length = strlen(text);
    char *copy = iol__arena_text(&job->arena, text, length);
    iol__plain_json json = {copy, copy + length};
    if (!iol__plain_take(&json, '{') || iol__plain_take(&json, '}')) return;
    do {
        char *group;
        if (!iol__plain_text(&json, &group) || !iol__plain_take(&json, ':')) return;
        if (!read_group(job, &json, group)) return;
    } while (iol__plain_take(&json, ','));
}
