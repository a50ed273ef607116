/* The view over all jobs of a period: findings, the three metrics, coverage. */
#ifndef IOL_SITE_FLEET_H
#define IOL_SITE_FLEET_H

#include "insight/compat/compat.h"
#include "insight/findings/engine.h"
#include "insight/facts/metrics.h"
#include "site/query/ranking.h"
#include "site/store/store.h"

typedef struct iol__fleet_finding {
    char *rule;
    char *level;
    int64_t logs, lost, node_time;
} iol__fleet_finding;

enum { IOL_METRICS = 3 };

typedef struct iol__fleet_job {
    char *cluster, *jobid, *owner, *exename, *account;
    int64_t start, nprocs, logs, bytes_read, bytes_written, redundant, small_writes;
    double meta_ratio;
    int64_t selected;
} iol__fleet_job;

typedef struct iol__fleet_metric {
    int64_t jobs, users;
    iol__fleet_job *top; /* NULL: none is selected */
    char *paragraph;     /* about it; NULL without one */
} iol__fleet_metric;

/* Jobs of the batch system in one day, or altogether. */
typedef struct iol__coverage {
    int64_t day;
    int64_t jobs, logged;
    int64_t users, users_logged; /* active ones: with a completed job */
    int64_t core_time, core_time_logged;
} iol__coverage;

/* Jobs of the batch system that have something in common: how Iolite came in, or why there is no log. */
typedef struct iol__fleet_count {
    char *name;
    int64_t jobs, logged;
    int64_t users, users_logged; /* active ones */
    int64_t core_time, core_time_logged;
    char **owners[2]; /* private: of active users, of those with a log; again for every day */
    size_t n_owners[2];
} iol__fleet_count;

typedef struct iol__fleet_month {
    int64_t month; /* 202612 */
    char *cluster;
    int64_t logs, jobs, bytes_read, bytes_written, node_time; /* jobs with a log */
} iol__fleet_month;

typedef struct iol__fleet {
    int64_t logs, users, jobs;        /* with a log */
    int64_t most_logs;                /* of one job */
    double mean_logs, median_logs;    /* per job */
    int64_t interface[3];             /* logs with POSIX, MPI-IO, STDIO */
    int64_t compat[IOL_COMPAT_CODES]; /* logs */
    double took[4];                   /* seconds per log: least, mean, third quartile, most */
    iol__fleet_finding *findings;     /* most logs first */
    size_t n_findings;
    iol__metric_limits limits; /* that the metrics selected by */
    iol__fleet_metric metrics[IOL_METRICS];
    int64_t overlap[IOL_METRICS][IOL_METRICS]; /* jobs that two metrics select */
    iol__fleet_job *selected;
    size_t n_selected;
    iol__coverage all;
    iol__coverage *days;
    size_t n_days;
    iol__fleet_count *entries; /* by how Iolite came in; then those without a log by cause */
    size_t n_entries;
    iol__fleet_count *causes;
    size_t n_causes;
    iol__fleet_month *months;
    size_t n_months;
    iol__ranking lines; /* of code, those with the most node time */
} iol__fleet;

/* Days as in rankings. Free with iol__fleet_free(). */
iol_status iol__fleet_make(iol__store *store, int64_t since, int64_t until, iol__fleet *fleet);
void iol__fleet_free(iol__fleet *fleet);

/* The figure that a metric selects a job by: bytes, a share, or a count. */
double iol__fleet_figure(const iol__fleet_job *job, int metric);
/* What an analyst would write about a job that a metric selects. Free it; NULL without memory. */
struct iol__fleet_log_row; /* of queries.def: the log by which the metric selected it */
char *iol__fleet_paragraph(int metric, const iol__fleet_job *job, const struct iol__fleet_log_row *log);

/* What the metrics select by is kept beside what they selected. */
iol_status iol__fleet_keep_limits(iol__store *store, const iol__metric_limits *limits);
iol_status iol__fleet_limits(iol__store *store, iol__metric_limits *limits);

#endif
