/* The state of a node as a document. The portal reads it with serve/running_read.c. */
#include <stdio.h>

#include "live/state.h"

static void put_live_figures(iol__json *json, const char *key, const iol__live_figures *f) {
    iol__json_put_open(json, key, '{');
    iol__json_put_real(json, "bytes_read", f->bytes_read);
    iol__json_put_real(json, "bytes_written", f->bytes_written);
    iol__json_put_real(json, "reads", f->reads);
    iol__json_put_real(json, "writes", f->writes);
    iol__json_put_real(json, "time", f->time);
    iol__json_close(json, '}');
}

static void put_live_file(iol__json *json, const iol__live_job_file *file) {
    iol__json_open(json, '{');
    iol__json_put_text(json, "name", file->name);
    iol__json_put_text(json, "module", file->module);
    iol__json_put_bool(json, "open", file->open);
    iol__json_put_u64(json, "processes", file->processes);
    put_live_figures(json, "total", &file->total);
    put_live_figures(json, "per_second", &file->rate);
    iol__json_close(json, '}');
}

static void put_live_findings(iol__json *json, const iol__live_job *job) {
    iol__json_put_open(json, "findings", '[');
    for (size_t i = 0; i < job->n_findings; i++) {
        const iol__live_finding *found = &job->findings[i];
        iol__json_open(json, '{');
        iol__json_put_text(json, "rule", found->rule);
        iol__json_put_text(json, "level", found->level);
        iol__json_put_text(json, "title", found->title);
        iol__json_put_real(json, "lost_s", found->lost_s);
        iol__json_put_u64(json, "processes", found->processes);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void put_live_job(iol__json *json, const iol__live_job *job) {
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)job->job);
    iol__json_open(json, '{');
    iol__json_put_text(json, "job_id", number);
    iol__json_put_u64(json, "uid", job->uid);
    iol__json_put_text(json, "user", job->user);
    iol__json_put_text(json, "exe", job->exe);
    iol__json_put_i64(json, "start", job->start);
    iol__json_put_u64(json, "processes", job->processes);
    iol__json_put_u64(json, "files", job->files);
    iol__json_put_u64(json, "open_files", job->open_files);
    put_live_figures(json, "total", &job->total);
    put_live_figures(json, "per_second", &job->rate);
    iol__json_put_open(json, "busiest", '[');
    for (size_t i = 0; i < job->n_busiest; i++) put_live_file(json, &job->busiest[i]);
    iol__json_close(json, ']');
    if (job->judged) put_live_findings(json, job);
    iol__json_close(json, '}');
}

void iol__live_state_json(iol__json *json, const iol__live_state *s) {
    iol__json_open(json, '{');
    iol__json_put_i64(json, "version", 1);
    iol__json_put_text(json, "host", s->host);
    iol__json_put_text(json, "cluster", s->cluster);
    iol__json_put_real(json, "time", s->time);
    iol__json_put_real(json, "interval", s->interval);
    iol__json_put_u64(json, "processes", s->processes);
    iol__json_put_open(json, "unseen", '{');
    iol__json_put_u64(json, "unreadable", s->unseen.unreadable);
    iol__json_put_u64(json, "foreign_runs", s->unseen.foreign_runs);
    iol__json_put_u64(json, "hidden", s->unseen.hidden);
    iol__json_put_u64(json, "beyond", s->unseen.beyond);
    iol__json_close(json, '}');
    iol__json_put_open(json, "jobs", '[');
    for (size_t i = 0; i < s->n_jobs; i++) put_live_job(json, &s->jobs[i]);
    iol__json_close(json, ']');
    iol__json_put_u64(json, "jobs_left_out", s->left_out);
    iol__json_close(json, '}');
    iol__json_finish(json);
}
