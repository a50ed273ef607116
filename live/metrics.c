/* A node in the text format of Prometheus. The number of series does not depend on what users do: sums of the node, and as many
   jobs as were asked for. */
#include <stdio.h>

#include "base/count.h"
#include "live/node.h"

static void metric_head(iol__out *out, const char *name, const char *type, const char *help) {
    iol__out_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void node_metric(iol__out *out, const char *name, const char *type, const char *help, double value) {
    metric_head(out, name, type, help);
    iol__out_printf(out, "%s ", name);
    iol__out_double(out, value);
    iol__out_char(out, '\n');
}

/* Names of programs are anything: what would end a label is escaped, what cannot be seen is left out. */
static void put_label(iol__out *out, const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') iol__out_char(out, '\\');
        if ((unsigned char)*c >= ' ' && (unsigned char)*c < 127) iol__out_char(out, *c);
    }
}

static void job_line(iol__out *out, const char *name, const iol__live_job *job, double value) {
    char number[24];
    snprintf(number, sizeof number, "uid:%lu", (unsigned long)job->uid);
    iol__out_printf(out, "%s{job_id=\"%lld\",user=\"", name, (long long)job->job);
    put_label(out, job->user ? job->user : number);
    iol__out_text(out, "\",exe=\"");
    put_label(out, job->exe);
    iol__out_text(out, "\"} ");
    iol__out_double(out, value);
    iol__out_char(out, '\n');
}

static double job_read_bytes(const iol__live_job *job) { return job->total.bytes_read; }
static double job_written_bytes(const iol__live_job *job) { return job->total.bytes_written; }
static double job_calls(const iol__live_job *job) { return iol__live_calls(&job->total); }
static double job_seconds(const iol__live_job *job) { return job->total.time; }
static double job_open_files(const iol__live_job *job) { return (double)job->open_files; }
static double job_processes(const iol__live_job *job) { return (double)job->processes; }

static const struct {
    const char *name, *type, *help;
    double (*value)(const iol__live_job *job);
} job_metrics[] = {
    {"iolite_live_job_read_bytes_total", "counter", "Bytes that processes of the job have read here.", job_read_bytes},
    {"iolite_live_job_written_bytes_total", "counter", "Bytes that they have written.", job_written_bytes},
    {"iolite_live_job_calls_total", "counter", "Reads and writes that they have made.", job_calls},
    {"iolite_live_job_io_seconds_total", "counter", "Time that they have spent in I/O calls.", job_seconds},
    {"iolite_live_job_open_files", "gauge", "Files that they have open.", job_open_files},
    {"iolite_live_job_processes", "gauge", "Recorded processes of the job that run here.", job_processes},
};

static void sum_metrics(iol__out *out, const iol__live_figures *sum) {
    node_metric(out, "iolite_live_read_bytes_total", "counter", "Bytes that recorded programs have read.",
                sum->bytes_read);
    node_metric(out, "iolite_live_written_bytes_total", "counter", "Bytes that recorded programs have written.",
                sum->bytes_written);
    node_metric(out, "iolite_live_reads_total", "counter", "Reads that recorded programs have made.", sum->reads);
    node_metric(out, "iolite_live_writes_total", "counter", "Writes that recorded programs have made.", sum->writes);
    node_metric(out, "iolite_live_io_seconds_total", "counter", "Time that recorded programs have spent in I/O calls.",
                sum->time);
}

static void unseen_metrics(iol__out *out, const iol__live_unseen *unseen) {
    const struct {
        const char *why;
        size_t count;
    } kinds[] = {{"unreadable", unseen->unreadable},
                 {"foreign_run", unseen->foreign_runs},
                 {"hidden", unseen->hidden},
                 {"beyond_limit", unseen->beyond}};
    metric_head(out, "iolite_live_unseen", "gauge",
                "Programs that may be recorded here and cannot be seen, by reason.");
    for (size_t i = 0; i < IOL_COUNT(kinds); i++)
        iol__out_printf(out, "iolite_live_unseen{why=\"%s\"} %zu\n", kinds[i].why, kinds[i].count);
}

void iol__live_metrics(iol__out *out, const iol__live_node *node, const iol__live_state *state, size_t series) {
    node_metric(out, "iolite_live_processes", "gauge", "Recorded processes that run.", (double)state->processes);
    node_metric(out, "iolite_live_jobs", "gauge", "Jobs that they belong to.", (double)node->jobs);
    node_metric(out, "iolite_live_look_time_seconds", "gauge", "When this was looked at.", state->time);
    sum_metrics(out, &node->sum);
    unseen_metrics(out, &state->unseen);
    for (size_t m = 0; series && m < IOL_COUNT(job_metrics); m++) {
        metric_head(out, job_metrics[m].name, job_metrics[m].type, job_metrics[m].help);
        for (size_t i = 0; i < state->n_jobs && i < series; i++)
            job_line(out, job_metrics[m].name, &state->jobs[i], job_metrics[m].value(&state->jobs[i]));
    }
}
