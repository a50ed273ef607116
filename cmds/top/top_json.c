/* One look of iolite top as JSON: the same figures for the node, jobs, processes and files, since the start and in a
   second. */
#include <stdlib.h>
#include <time.h>

#include "cmds/top/top.h"

enum { MOST_JOBS = 4096 };

static void put_top_json_figures(iol__json *json, const char *key, const iol__live_figures *f) {
    iol__json_put_open(json, key, '{');
    iol__json_put_real(json, "bytes_read", f->bytes_read);
    iol__json_put_real(json, "bytes_written", f->bytes_written);
    iol__json_put_real(json, "reads", f->reads);
    iol__json_put_real(json, "writes", f->writes);
    iol__json_put_real(json, "time", f->time);
    iol__json_close(json, '}');
}

/* Processes of a run may know different jobs: what counts is the one that the run is listed under. */
static int64_t top_json_job_of(const iol__live_process *p, const top_job *jobs, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (p->run && jobs[i].run == p->run) return jobs[i].job;
    return p->job;
}

static void put_process(iol__json *json, const iol__live_process *p, int64_t job) {
    static const char *const trends[] = {"shrinking", "steady", "growing"};
    iol__json_open(json, '{');
    iol__json_put_i64(json, "pid", p->pid);
    iol__json_put_i64(json, "uid", p->uid);
    iol__json_put_i64(json, "job_id", job);
    iol__json_put_id(json, "run", p->run);
    iol__json_put_text(json, "command", p->command);
    iol__json_put_text(json, "trend", trends[iol__live_trend(p) + 1]);
    put_top_json_figures(json, "total", &p->total);
    put_top_json_figures(json, "per_second", &p->rate);
    iol__json_put_open(json, "layers", '[');
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        if (!iol__live_used(&p->layer_total[slot])) continue;
        iol__json_open(json, '{');
        iol__json_put_text(json, "module", iol__modules[slot].name);
        put_top_json_figures(json, "total", &p->layer_total[slot]);
        put_top_json_figures(json, "per_second", &p->layer_rate[slot]);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    iol__json_close(json, '}');
}

static void put_top_json_jobs(iol__json *json, const top_job *jobs, size_t count) {
    iol__json_put_open(json, "jobs", '[');
    for (size_t i = 0; i < count; i++) {
        iol__json_open(json, '{');
        iol__json_put_i64(json, "job_id", jobs[i].job);
        iol__json_put_id(json, "run", jobs[i].run);
        iol__json_put_u64(json, "processes", jobs[i].processes);
        iol__json_put_text(json, "command", jobs[i].first->command);
        put_top_json_figures(json, "total", &jobs[i].total);
        put_top_json_figures(json, "per_second", &jobs[i].rate);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void put_top_json_files(iol__json *json, const iol__live_watch *w) {
    iol__live_hot hot[IOL_LIVE_HOT];
    size_t count = iol__live_hottest(w, NULL, NULL, false, hot);
    iol__json_put_open(json, "files", '[');
    for (size_t i = 0; i < count; i++) {
        iol__json_open(json, '{');
        iol__json_put_id(json, "id", hot[i].id);
        iol__json_put_text(json, "name", hot[i].name);
        iol__json_put_text(json, "module", iol__modules[hot[i].slot].name);
        iol__json_put_u64(json, "processes", hot[i].processes);
        put_top_json_figures(json, "total", &hot[i].total);
        put_top_json_figures(json, "per_second", &hot[i].rate);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

void top_json(iol__json *json, const iol__live_watch *w) {
    top_job *jobs = calloc(MOST_JOBS, sizeof *jobs);
    const size_t count = jobs ? top_jobs(w, jobs, MOST_JOBS) : 0;
    iol__json_open(json, '{');
    iol__json_put_i64(json, "time", (int64_t)time(NULL));
    iol__json_put_real(json, "interval", w->elapsed);
    iol__json_put_u64(json, "unreadable", w->unreadable);
    iol__json_put_u64(json, "foreign_runs", w->foreign_runs);
    put_top_json_jobs(json, jobs, count);
    iol__json_put_open(json, "processes", '[');
    for (size_t i = 0; i < w->count; i++)
        put_process(json, w->processes[i], top_json_job_of(w->processes[i], jobs, count));
    iol__json_close(json, ']');
    put_top_json_files(json, w);
    iol__json_close(json, '}');
    iol__json_finish(json);
    free(jobs);
}
