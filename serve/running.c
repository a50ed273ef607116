/* States of nodes by name. There are few enough for a list that is searched; what a viewer gets is put together for each
   answer, so that no sum over all jobs is kept that somebody could see a part of. */
#include "serve/running.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "base/deadline.h"
#include "base/grow.h"
#include "serve/serve.h"

static const double shortest_life = 30, longest_life = 600;

/* States ---------------------------------------------------------------------------------------------------------- */

static void drop_host(iol__running_host *host) {
    iol__arena_free(&host->arena);
    free(host);
}

void iol__running_open(iol__running *r, const char *const *places, size_t n_places) {
    *r = (iol__running){.own = n_places > 0};
    pthread_mutex_init(&r->lock, NULL);
    for (size_t i = 0; i < n_places && i < IOL_COUNT(r->places); i++) r->places[i] = places[i];
    r->node.watch = (iol__live_watch){.places = r->places,
                                      .n_places = n_places < IOL_COUNT(r->places) ? n_places : IOL_COUNT(r->places),
                                      .limits = iol__live_careful};
}

void iol__running_close(iol__running *r) {
    for (size_t i = 0; i < r->count; i++) drop_host(r->hosts[i]);
    free(r->hosts);
    iol__arena_free(&r->here.arena);
    iol__live_node_close(&r->node);
    pthread_mutex_destroy(&r->lock);
}

/* Some states may be lost on the way. */
double iol__running_life(const iol__live_state *state) {
    const double life = 4 * state->interval;
    return life < shortest_life ? shortest_life : life > longest_life ? longest_life : life;
}

static void drop_old(iol__running *r) {
    const double now = iol__monotonic_seconds();
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        iol__running_host *host = r->hosts[i];
        if (iol__running_age(host) <= iol__running_life(&host->state)) {
            r->hosts[kept++] = host;
            continue;
        }
        r->held -= host->arena.held;
        drop_host(host);
    }
    r->count = kept;
    for (size_t i = 0; i < r->n_wishes;)
        if (r->wishes[i].until < now)
            r->wishes[i] = r->wishes[--r->n_wishes];
        else
            i++;
}

static iol__live_job *job_in(const iol__live_state *state, int64_t job, uid_t uid) {
    for (size_t i = 0; i < state->n_jobs; i++)
        if (state->jobs[i].job == job && state->jobs[i].uid == uid) return &state->jobs[i];
    return NULL;
}

/* Findings come once; they stay for a while. The memory that they are in is that of the new state. */
static void keep_findings(const iol__running_host *old, iol__running_host *fresh) {
    const double now = iol__monotonic_seconds();
    for (size_t i = 0; i < fresh->state.n_jobs; i++) {
        iol__live_job *job = &fresh->state.jobs[i];
        const iol__live_job *before = old ? job_in(&old->state, job->job, job->uid) : NULL;
        if (job->judged) {
            job->judged_at = now;
        } else if (before && before->judged && now - before->judged_at < 2 * IOL_RUNNING_JUDGED_SECONDS) {
            job->findings = iol__arena_alloc(&fresh->arena, IOL_LIVE_FINDINGS, sizeof *job->findings);
            memcpy(job->findings, before->findings, before->n_findings * sizeof *job->findings);
            job->n_findings = before->n_findings;
            job->judged = true;
            job->judged_at = before->judged_at;
        }
    }
}

static size_t place_of(const iol__running *r, const char *host) {
    size_t i = 0;
    while (i < r->count && strcmp(r->hosts[i]->host, host) != 0) i++;
    return i;
}

bool iol__running_put(iol__running *r, iol__running_host *fresh) {
    drop_old(r);
    const size_t at = place_of(r, fresh->host);
    iol__running_host *old = at < r->count ? r->hosts[at] : NULL;
    fresh->received = iol__monotonic_seconds();
    keep_findings(old, fresh);
    const size_t held = r->held + fresh->arena.held - (old ? old->arena.held : 0);
    if (held > IOL_RUNNING_BYTES || (!old && r->count == IOL_RUNNING_HOSTS)) return false;
    if (!old && !IOL_GROW(r->hosts, r->room, r->count)) return false;
    r->held = held;
    r->hosts[at] = fresh;
    if (old)
        drop_host(old);
    else
        r->count++;
    r->taken++;
    return true;
}

/* The user's own -------------------------------------------------------------------------------------------------- */

/* A rate needs two looks; a page that nobody looked at for a while gets both at once. */
static void look_here(iol__running *r) {
    static const double recently = 0.9, long_ago = 20;
    const struct timespec pause = {.tv_nsec = 250000000};
    const double age = iol__monotonic_seconds() - r->node.watch.at;
    if (r->node.watch.at > 0 && age < recently) return;
    iol__live_node_look(&r->node);
    if (r->node.watch.at > 0 && age < long_ago) return;
    nanosleep(&pause, NULL);
    iol__live_node_look(&r->node);
}

static size_t wishes_here(const iol__running *r, iol__live_wish wishes[IOL_LIVE_WISHES]) {
    size_t count = 0;
    const double now = iol__monotonic_seconds();
    for (size_t i = 0; i < r->n_wishes && count < IOL_LIVE_WISHES; i++) {
        const iol__live_job *job = job_in(&r->here.state, r->wishes[i].job, r->wishes[i].uid);
        if (job && job->judged && now - job->judged_at < IOL_RUNNING_JUDGED_SECONDS) continue;
        wishes[count++] = (iol__live_wish){.job = r->wishes[i].job, .uid = r->wishes[i].uid};
    }
    return count;
}

static void refresh_here(iol__running *r, const char *cluster) {
    struct utsname name;
    iol__live_wish wishes[IOL_LIVE_WISHES];
    jmp_buf exhausted;
    const double before = r->node.watch.at;
    look_here(r);
    const size_t n_wishes = wishes_here(r, wishes);
    if (r->node.watch.at == before && !n_wishes) return;
    iol__running_host old = r->here;
    r->here = (iol__running_host){.received = iol__monotonic_seconds(), .arena = {.exhausted = &exhausted}};
    snprintf(r->here.host, sizeof r->here.host, "%.100s", uname(&name) == 0 ? name.nodename : "localhost");
    snprintf(r->here.cluster, sizeof r->here.cluster, "%.100s", cluster);
    if (setjmp(exhausted) == 0) {
        r->here.state = iol__live_node_state(&r->node, &r->here.arena, wishes, n_wishes);
        keep_findings(&old, &r->here);
    } else {
        r->here.state = (iol__live_state){0};
    }
    r->here.arena.exhausted = NULL;
    iol__arena_free(&old.arena);
}

void iol__running_refresh(iol__running *r, const char *cluster) {
    drop_old(r);
    if (r->own) refresh_here(r, cluster);
}

/* Jobs ------------------------------------------------------------------------------------------------------------ */

static const char *owner_of(iol__arena *arena, const iol__live_job *job) {
    return job->user ? job->user : iol__arena_print(arena, "uid:%lu", (unsigned long)job->uid);
}

typedef struct running_ref {
    iol__running_part part;
    const char *owner;
} running_ref;

static int compare_refs(const void *a, const void *b) {
    const running_ref *x = a, *y = b;
    int order = strcmp(x->part.host->cluster, y->part.host->cluster);
    if (order == 0) order = (x->part.job->job > y->part.job->job) - (x->part.job->job < y->part.job->job);
    if (order == 0) order = strcmp(x->owner, y->owner);
    return order ? order : strcmp(x->part.host->host, y->part.host->host);
}

static void list_parts(iol__exchange *x, const iol__running_host *host, running_ref *refs, size_t *count) {
    for (size_t i = 0; i < host->state.n_jobs; i++) {
        const iol__live_job *job = &host->state.jobs[i];
        const char *owner = owner_of(&x->arena, job);
        if (!iol__access_owner(&x->viewer, owner)) continue;
        refs[(*count)++] = (running_ref){.part = {host, job}, .owner = owner};
    }
}

/* What of all hosts the viewer may see, parts of a job together. */
static running_ref *visible_parts(iol__exchange *x, size_t *count) {
    const iol__running *r = &x->serve->running;
    size_t most = r->here.state.n_jobs + 1;
    for (size_t i = 0; i < r->count; i++) most += r->hosts[i]->state.n_jobs;
    running_ref *refs = iol__arena_alloc(&x->arena, most, sizeof *refs);
    *count = 0;
    if (r->own) list_parts(x, &r->here, refs, count);
    for (size_t i = 0; i < r->count; i++) list_parts(x, r->hosts[i], refs, count);
    qsort(refs, *count, sizeof *refs, compare_refs);
    return refs;
}

static void add_part(iol__running_job *sum, const iol__running_part *part) {
    const iol__live_job *job = part->job;
    const double age = iol__running_age(part->host);
    sum->processes += job->processes;
    sum->files += job->files;
    sum->open_files += job->open_files;
    iol__live_add(&sum->total, &job->total);
    iol__live_add(&sum->rate, &job->rate);
    if (job->start < sum->start) sum->start = job->start;
    if (age >= sum->age) {
        sum->age = age;
        sum->time = part->host->state.time;
    }
}

static bool is_same_job(const running_ref *a, const running_ref *b) {
    return a->part.job->job == b->part.job->job && strcmp(a->owner, b->owner) == 0 &&
           strcmp(a->part.host->cluster, b->part.host->cluster) == 0;
}

static int compare_running(const void *a, const void *b) {
    const iol__running_job *x = a, *y = b;
    const double now = iol__live_activity(&x->rate), then = iol__live_activity(&y->rate);
    if (now != then) return now < then ? 1 : -1;
    const double all = iol__live_activity(&x->total), other = iol__live_activity(&y->total);
    if (all != other) return all < other ? 1 : -1;
    return (x->job > y->job) - (x->job < y->job);
}

iol__running_job *iol__running_jobs(iol__exchange *x, size_t *count) {
    size_t n_refs;
    const running_ref *refs = visible_parts(x, &n_refs);
    iol__running_job *jobs = iol__arena_alloc(&x->arena, n_refs + 1, sizeof *jobs);
    iol__running_part *parts = iol__arena_alloc(&x->arena, n_refs + 1, sizeof *parts);
    *count = 0;
    for (size_t i = 0; i < n_refs; i++) {
        const iol__live_job *job = refs[i].part.job;
        parts[i] = refs[i].part;
        if (i == 0 || !is_same_job(&refs[i - 1], &refs[i]))
            jobs[(*count)++] = (iol__running_job){.cluster = refs[i].part.host->cluster,
                                                  .owner = refs[i].owner,
                                                  .exe = job->exe,
                                                  .job = job->job,
                                                  .uid = job->uid,
                                                  .start = job->start,
                                                  .parts = &parts[i]};
        jobs[*count - 1].n_parts++;
        add_part(&jobs[*count - 1], &parts[i]);
    }
    qsort(jobs, *count, sizeof *jobs, compare_running);
    return jobs;
}

const iol__running_job *iol__running_find(iol__exchange *x) {
    size_t count;
    const iol__running_job *jobs = iol__running_jobs(x, &count);
    const char *cluster = iol__param(x, "cluster"), *id = iol__param(x, "jobid"), *user = iol__param(x, "user");
    for (size_t i = 0; i < count; i++) {
        char number[24];
        snprintf(number, sizeof number, "%lld", (long long)jobs[i].job);
        if (strcmp(number, id) == 0 && strcmp(jobs[i].cluster, cluster) == 0 &&
            (!user || strcmp(jobs[i].owner, user) == 0)) {
            iol__audit_look(x, jobs[i].owner, jobs[i].cluster, number);
            return &jobs[i];
        }
    }
    return NULL;
}

/* Files and findings ---------------------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b) {
    const iol__live_job_file *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->module, y->module);
}

static int compare_heat(const void *a, const void *b) {
    const iol__live_job_file *x = a, *y = b;
    const double now = iol__live_activity(&x->rate), then = iol__live_activity(&y->rate);
    if (now != then) return now < then ? 1 : -1;
    const double all = iol__live_activity(&x->total), other = iol__live_activity(&y->total);
    return all != other ? (all < other ? 1 : -1) : compare_names(a, b);
}

iol__live_job_file *iol__running_files(iol__exchange *x, const iol__running_job *job, size_t *count) {
    size_t all = 0, kept = 0;
    for (size_t i = 0; i < job->n_parts; i++) all += job->parts[i].job->n_busiest;
    iol__live_job_file *files = iol__arena_alloc(&x->arena, all + 1, sizeof *files);
    all = 0;
    for (size_t i = 0; i < job->n_parts; i++)
        for (size_t f = 0; f < job->parts[i].job->n_busiest; f++) files[all++] = job->parts[i].job->busiest[f];
    qsort(files, all, sizeof *files, compare_names);
    for (size_t i = 0; i < all; i++) {
        if (!kept || compare_names(&files[kept - 1], &files[i]) != 0) {
            files[kept++] = files[i];
            continue;
        }
        iol__live_job_file *same = &files[kept - 1];
        same->open = same->open || files[i].open;
        same->processes += files[i].processes;
        iol__live_add(&same->total, &files[i].total);
        iol__live_add(&same->rate, &files[i].rate);
    }
    qsort(files, kept, sizeof *files, compare_heat);
    *count = kept;
    return files;
}

static iol__live_finding *finding_named(iol__live_finding *findings, size_t count, const char *rule) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(findings[i].rule, rule) == 0) return &findings[i];
    return NULL;
}

static void take_finding(iol__live_finding *all, size_t *count, const iol__live_finding *found) {
    iol__live_finding *known = finding_named(all, *count, found->rule);
    if (!known) {
        if (*count < IOL_LIVE_FINDINGS) all[(*count)++] = *found;
        return;
    }
    const size_t processes = known->processes + found->processes;
    if (found->lost_s > known->lost_s || (isnan(known->lost_s) && !isnan(found->lost_s))) *known = *found;
    known->processes = processes;
}

bool iol__running_findings(iol__exchange *x, const iol__running_job *job, iol__live_finding **findings, size_t *count) {
    bool judged = false;
    *findings = iol__arena_alloc(&x->arena, IOL_LIVE_FINDINGS, sizeof **findings);
    *count = 0;
    for (size_t i = 0; i < job->n_parts; i++) {
        const iol__live_job *part = job->parts[i].job;
        judged = judged || part->judged;
        for (size_t f = 0; f < part->n_findings; f++) take_finding(*findings, count, &part->findings[f]);
    }
    return judged;
}

void iol__running_wish_for(iol__running *r, const iol__running_job *job) {
    const double until = iol__monotonic_seconds() + IOL_RUNNING_WISH_SECONDS;
    for (size_t i = 0; i < r->n_wishes; i++) {
        iol__running_wish *wish = &r->wishes[i];
        if (wish->job != job->job || wish->uid != job->uid || strcmp(wish->cluster, job->cluster) != 0) continue;
        wish->until = until;
        return;
    }
    if (r->n_wishes == IOL_RUNNING_WISHES) return; /* others were first; it may ask again */
    iol__running_wish *wish = &r->wishes[r->n_wishes++];
    *wish = (iol__running_wish){.job = job->job, .uid = job->uid, .until = until};
    snprintf(wish->cluster, sizeof wish->cluster, "%s", job->cluster);
}

double iol__running_age(const iol__running_host *host) { return iol__monotonic_seconds() - host->received; }

double iol__running_share(const iol__live_figures *rate, size_t processes) {
    return processes ? rate->time / (double)processes : NAN;
}
