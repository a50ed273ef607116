/* The view over all jobs of a period: findings, the three metrics, coverage. */
#ifndef IOL_SITE_FLEET_H
#define IOL_SITE_FLEET_H

#include "insight/compat.h"
#include "insight/engine.h"
#include "site/store/store.h"

typedef struct iol__fleet_finding {
    char *rule;
    char *level;
    int64_t logs, lost, node_time;
} iol__fleet_finding;

enum { IOL_METRICS = 3 };

typedef struct iol__fleet_job {
    char *cluster, *jobid, *owner, *exename, *account;
    int64_t start, nprocs, logs, run, bytes_read, bytes_written, redundant, small_writes, meta_time;
    double meta_ratio;
    int64_t selected;
} iol__fleet_job;

typedef struct iol__fleet_metric {
    int64_t jobs, users;
    iol__fleet_job *top; /* NULL: none is selected */
} iol__fleet_metric;

/* Jobs of the batch system in one day, or altogether. */
typedef struct iol__coverage {
    int64_t day;
    int64_t jobs, logged;
    int64_t users, users_logged; /* active ones: with a completed job */
    int64_t core_time, core_time_logged;
} iol__coverage;

typedef struct iol__fleet_count {
    char *name, *cause;
    int64_t jobs, logged;
} iol__fleet_count;

typedef struct iol__fleet_month {
    int64_t month; /* 202612 */
    char *cluster;
    int64_t logs, bytes_read, bytes_written, node_time;
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
    iol__fleet_metric metrics[IOL_METRICS];
    int64_t overlap[IOL_METRICS][IOL_METRICS]; /* jobs that two metrics select */
    iol__fleet_job *selected;
    size_t n_selected;
    iol__coverage all;
    iol__coverage *days;
    size_t n_days;
    iol__fleet_count *entries; /* by the way in; then those without a log by cause */
    size_t n_entries;
    iol__fleet_count *causes;
    size_t n_causes;
    iol__fleet_month *months;
    size_t n_months;
} iol__fleet;

/* Days as in rankings. Free with iol__fleet_free(). */
iol_status iol__fleet_make(iol__store *store, int64_t since, int64_t until, iol__fleet *fleet);
void iol__fleet_free(iol__fleet *fleet);

#endif
