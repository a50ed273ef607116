/* What the rules say of a job that runs: its processes are judged one by one, each from a copy of its records, and a rule that
   fires for several of them is told once. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "insight/findings/engine.h"
#include "live/node.h"

enum { MOST_JUDGED = 16 }; /* processes of a job */

static bool have_rulebook(iol__live_node *n) {
    if (n->rulebook) return true;
    if (iol__rulebook_new(&n->rulebook, NULL) != IOL_OK) return n->rulebook = NULL, false;
    iol__rulebook_load_usual(n->rulebook, NULL);
    return true;
}

static iol__live_finding *known_finding(iol__live_job *job, const char *rule) {
    for (size_t i = 0; i < job->n_findings; i++)
        if (strcmp(job->findings[i].rule, rule) == 0) return &job->findings[i];
    return NULL;
}

/* Copied into what the job has already: nothing may jump away here, because a log is open. */
static void take_finding(iol__live_job *job, const iol__finding *finding) {
    const double lost = finding->cost.known ? finding->cost.best : NAN;
    iol__live_finding *found = known_finding(job, finding->id);
    if (!found) {
        if (job->n_findings == IOL_LIVE_FINDINGS) return;
        found = &job->findings[job->n_findings++];
        *found = (iol__live_finding){.lost_s = NAN};
        snprintf(found->rule, sizeof found->rule, "%s", finding->id);
    }
    found->processes++;
    if (found->level && !(lost > found->lost_s) && !(isnan(found->lost_s) && !isnan(lost))) return;
    found->level = iol__level_name(finding->level);
    snprintf(found->title, sizeof found->title, "%s", finding->title);
    found->lost_s = lost;
}

static void judge_process(iol__live_node *n, const iol__live_process *p, iol__live_job *job) {
    const iol__diagnose_options how = {.rulebook = n->rulebook, .min_level = IOL_LEVEL_WARN, .brief = true};
    iol__diagnosis *diagnosis;
    iol_log *log;
    if (iol__live_log(&n->watch, p, &log) != IOL_OK) return;
    if (iol__diagnose(log, &how, &diagnosis, NULL) == IOL_OK) {
        for (size_t i = 0; i < diagnosis->n_findings; i++)
            if (diagnosis->findings[i].level >= IOL_LEVEL_WARN) take_finding(job, &diagnosis->findings[i]);
        iol__diagnosis_free(diagnosis);
    }
    iol_log_close(log);
}

void iol__live_judge(iol__live_node *n, iol__arena *arena, iol__live_job *job) {
    size_t judged = 0;
    job->judged = have_rulebook(n);
    job->findings = iol__arena_alloc(arena, IOL_LIVE_FINDINGS, sizeof *job->findings);
    job->n_findings = 0;
    for (size_t i = 0; job->judged && i < n->watch.count && judged < MOST_JUDGED; i++) {
        const iol__live_process *p = n->watch.processes[i];
        if (p->job != job->job || p->uid != job->uid) continue;
        judge_process(n, p, job);
        judged++;
    }
}
