/* /running and /live: jobs that run and their I/O now, and the nodes that tell of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"
#include "serve/answer.h"
#include "serve/running.h"
#include "serve/serve.h"
#include "site/connect/value.h"
#include "text/text.h"

/* A node tells ------------------------------------------------------------------------------------------------------ */

/* What is freed at the end of the step, unless the server has taken it. */
typedef struct incoming {
    iol__running_host *host;
    iol__tree_document document;
    char *bytes;
    bool parsed;
} incoming;

static void drop_incoming(void *what) {
    incoming *in = what;
    if (in->host) iol__arena_free(&in->host->arena);
    free(in->host);
    if (in->parsed) iol__tree_free(&in->document);
    free(in->bytes);
}

static bool read_state_body(iol__exchange *x, incoming *in) {
    size_t done = 0;
    if (x->body_file < 0 || !x->body_length) return iol__answer_error(x, 400, "a state is expected in the body"), false;
    if (x->body_length > IOL_RUNNING_STATE) return iol__answer_error(x, 413, "a state has at most 4 MiB"), false;
    if (!(in->bytes = malloc(x->body_length))) return iol__answer_error(x, 503, "out of memory"), false;
    while (done < x->body_length) {
        const ssize_t n = pread(x->body_file, in->bytes + done, x->body_length - done, (off_t)done);
        if (n <= 0) return iol__answer_error(x, 503, "the body cannot be read"), false;
        done += (size_t)n;
    }
    const iol__tree_limits limits = {.bytes = IOL_RUNNING_STATE, .values = 1000000, .depth = 8};
    in->parsed = iol__tree_parse(in->bytes, done, "state", &limits, &in->document, NULL) == IOL_OK;
    if (!in->parsed) iol__answer_error(x, 400, "the body is not JSON");
    return in->parsed;
}

/* The host is that of the token: what the document says must agree. */
static bool understand_state(iol__exchange *x, incoming *in) {
    iol__running_host *host = in->host = calloc(1, sizeof *host);
    if (!host) return iol__answer_error(x, 503, "out of memory"), false;
    host->arena = (iol__arena){.exhausted = x->arena.exhausted, .limit = 2 * (size_t)IOL_RUNNING_STATE, .block = 4096};
    const char *wrong = iol__running_read(&host->arena, in->document.top, &host->state);
    if (wrong) return iol__answer_error(x, 400, "the state of a node: %s", wrong), false;
    if (strcmp(host->state.host, x->viewer.user) != 0)
        return iol__answer_error(x, 403, "this token is for another host"), false;
    const char *cluster = host->state.cluster ? host->state.cluster : iol__serve_cluster(x->serve);
    snprintf(host->host, sizeof host->host, "%s", x->viewer.user);
    snprintf(host->cluster, sizeof host->cluster, "%.*s", IOL_USER_NAME - 1, cluster);
    return true;
}

/* Jobs of this host that somebody wants findings of, and that have none yet. */
static void put_wanted(iol__exchange *x, const iol__running *r, const iol__running_host *host) {
    const double now = iol__monotonic_seconds();
    iol__answer wanted;
    iol__answer_within(&wanted, x, "wanted", IOL_SCHEMA_LiveWish);
    for (size_t i = 0; i < host->state.n_jobs; i++) {
        const iol__live_job *job = &host->state.jobs[i];
        bool wished = false;
        for (size_t w = 0; w < r->n_wishes && !wished; w++)
            wished = r->wishes[w].job == job->job && r->wishes[w].uid == job->uid &&
                     strcmp(r->wishes[w].cluster, host->cluster) == 0;
        if (!wished || (job->judged && now - job->judged_at < IOL_RUNNING_JUDGED_SECONDS)) continue;
        iol__fill_LiveWish(&wanted,
                           &(iol__LiveWish_answer){.job_id = iol__arena_print(&x->arena, "%lld", (long long)job->job),
                                                   .uid = (int64_t)job->uid});
    }
    iol__answer_within_end(&wanted);
}

void iol__serve_live(iol__exchange *x) {
    iol__running *r = &x->serve->running;
    incoming *in = iol__arena_alloc(&x->arena, 1, sizeof *in);
    iol__at_end(x, drop_incoming, in);
    const bool good = read_state_body(x, in) && understand_state(x, in);
    if (!iol__hold(x, &r->lock)) return;
    if (!good) {
        r->refused++;
        return;
    }
    if (!iol__running_put(r, in->host)) {
        iol__answer_error(x, 503, "there is no room for the states of more nodes");
        return;
    }
    const iol__running_host *host = in->host;
    in->host = NULL;
    iol__one_begin(x);
    iol__json_put_u64(&x->json, "jobs", host->state.n_jobs);
    iol__json_put_real(&x->json, "expires_s", iol__running_life(&host->state));
    put_wanted(x, r, host);
    iol__one_end(x);
}

static void put_live_host(iol__answer *s, const iol__running_host *host) {
    const iol__live_state *state = &host->state;
    iol__fill_LiveHost(s, &(iol__LiveHost_answer){.host = host->host,
                                                  .cluster = host->cluster,
                                                  .time = state->time,
                                                  .age_s = iol__running_age(host),
                                                  .interval_s = state->interval,
                                                  .jobs = (int64_t)(state->n_jobs + state->left_out),
                                                  .processes = (int64_t)state->processes,
                                                  .unreadable = (int64_t)state->unseen.unreadable,
                                                  .foreign_runs = (int64_t)state->unseen.foreign_runs,
                                                  .hidden = (int64_t)state->unseen.hidden,
                                                  .beyond = (int64_t)state->unseen.beyond});
}

void iol__serve_live_hosts(iol__exchange *x) {
    iol__running *r = &x->serve->running;
    iol__answer s;
    if (!iol__hold(x, &r->lock)) return;
    iol__running_refresh(r, iol__serve_cluster(x->serve));
    iol__answer_begin(&s, x, IOL_SCHEMA_LiveHost);
    if (r->own) put_live_host(&s, &r->here);
    for (size_t i = 0; i < r->count; i++) put_live_host(&s, r->hosts[i]);
    iol__answer_end(&s, NULL, -1);
}

/* Jobs -------------------------------------------------------------------------------------------------------------- */

static void put_running(iol__answer *s, const iol__running_job *job) {
    iol__fill_Running(
        s, &(iol__Running_answer){.cluster = job->cluster,
                                  .jobid = iol__arena_print(&s->x->arena, "%lld", (long long)job->job),
                                  .user = job->owner,
                                  .exe = job->exe,
                                  .hosts = (int64_t)job->n_parts,
                                  .processes = (int64_t)job->processes,
                                  .start = (double)job->start,
                                  .files = (int64_t)job->files,
                                  .open_files = (int64_t)job->open_files,
                                  .bytes_read = iol__whole(job->total.bytes_read),
                                  .bytes_written = iol__whole(job->total.bytes_written),
                                  .calls = iol__whole(iol__live_calls(&job->total)),
                                  .io_s = job->total.time,
                                  .read_bps = job->rate.bytes_read,
                                  .write_bps = job->rate.bytes_written,
                                  .calls_per_s = iol__live_calls(&job->rate),
                                  .io_share = iol__unless_nan(iol__running_share(&job->rate, job->processes)),
                                  .time = job->time,
                                  .age_s = job->age});
}

void iol__serve_running(iol__exchange *x) {
    iol__running *r = &x->serve->running;
    const char *user = iol__param(x, "user"), *cluster = iol__param(x, "cluster");
    const size_t limit = (size_t)iol__param_int(x, "limit", 100);
    size_t count, matching = 0;
    iol__answer s;
    if (!iol__hold(x, &r->lock)) return;
    iol__running_refresh(r, iol__serve_cluster(x->serve));
    const iol__running_job *jobs = iol__running_jobs(x, &count);
    iol__answer_begin(&s, x, IOL_SCHEMA_Running);
    for (size_t i = 0; i < count; i++) {
        if ((user && strcmp(user, jobs[i].owner) != 0) || (cluster && strcmp(cluster, jobs[i].cluster) != 0)) continue;
        if (matching++ < limit) put_running(&s, &jobs[i]);
    }
    iol__answer_end(&s, NULL, (int64_t)matching);
}

static void put_hosts(iol__exchange *x, const iol__running_job *job) {
    iol__answer s;
    iol__answer_within(&s, x, "nodes", IOL_SCHEMA_RunningHost);
    for (size_t i = 0; i < job->n_parts; i++) {
        const iol__live_job *part = job->parts[i].job;
        iol__fill_RunningHost(&s, &(iol__RunningHost_answer){.host = job->parts[i].host->host,
                                                             .processes = (int64_t)part->processes,
                                                             .open_files = (int64_t)part->open_files,
                                                             .bytes_read = iol__whole(part->total.bytes_read),
                                                             .bytes_written = iol__whole(part->total.bytes_written),
                                                             .read_bps = part->rate.bytes_read,
                                                             .write_bps = part->rate.bytes_written,
                                                             .calls_per_s = iol__live_calls(&part->rate),
                                                             .age_s = iol__running_age(job->parts[i].host)});
    }
    iol__answer_within_end(&s);
}

static void put_files(iol__exchange *x, const iol__running_job *job) {
    enum { SHOWN = 20 };
    size_t count;
    iol__answer s;
    const iol__live_job_file *files = iol__running_files(x, job, &count);
    iol__answer_within(&s, x, "busiest", IOL_SCHEMA_RunningFile);
    for (size_t i = 0; i < count && i < SHOWN; i++)
        iol__fill_RunningFile(&s, &(iol__RunningFile_answer){.name = files[i].name,
                                                             .module = files[i].module,
                                                             .open = files[i].open,
                                                             .processes = (int64_t)files[i].processes,
                                                             .bytes_read = iol__whole(files[i].total.bytes_read),
                                                             .bytes_written = iol__whole(files[i].total.bytes_written),
                                                             .calls = iol__whole(iol__live_calls(&files[i].total)),
                                                             .io_s = files[i].total.time,
                                                             .read_bps = files[i].rate.bytes_read,
                                                             .write_bps = files[i].rate.bytes_written,
                                                             .calls_per_s = iol__live_calls(&files[i].rate)});
    iol__answer_within_end(&s);
}

static void put_running_findings(iol__exchange *x, const iol__running_job *job) {
    iol__live_finding *findings;
    size_t count;
    iol__answer s;
    if (!iol__running_findings(x, job, &findings, &count)) {
        iol__json_put_text(&x->json, "findings", NULL);
        return;
    }
    iol__answer_within(&s, x, "findings", IOL_SCHEMA_RunningFinding);
    for (size_t i = 0; i < count; i++)
        iol__fill_RunningFinding(&s, &(iol__RunningFinding_answer){.rule = findings[i].rule,
                                                                   .level = findings[i].level,
                                                                   .title = findings[i].title,
                                                                   .lost_s = iol__unless_nan(findings[i].lost_s),
                                                                   .processes = (int64_t)findings[i].processes});
    iol__answer_within_end(&s);
}

void iol__serve_running_job(iol__exchange *x) {
    iol__running *r = &x->serve->running;
    iol__answer s;
    if (!iol__hold(x, &r->lock)) return;
    iol__running_refresh(r, iol__serve_cluster(x->serve));
    const iol__running_job *job = iol__running_find(x);
    if (job && iol__param_flag(x, "findings") == 1) {
        iol__running_wish_for(r, job);
        iol__running_refresh(r, iol__serve_cluster(x->serve)); /* one's own are made at once */
        job = iol__running_find(x);
    }
    if (!job) {
        iol__not_found(x);
        return;
    }
    iol__one_begin(x);
    iol__answer_one(&s, x, "job", IOL_SCHEMA_Running);
    put_running(&s, job);
    put_hosts(x, job);
    put_files(x, job);
    put_running_findings(x, job);
    iol__one_end(x);
}
