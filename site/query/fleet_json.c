/* The view over all jobs as one JSON object. */
#include "site/query/fleet_json.h"

#include <math.h>
#include <string.h>

const char *const iol__fleet_interfaces[3] = {"POSIX", "MPI-IO", "STDIO"};

int iol__fleet_interface(const char *id) {
    if (strcmp(id, "mpiio.absent") == 0) return -1;
    if (strncmp(id, "posix.", 6) == 0) return 0;
    if (strncmp(id, "mpiio.", 6) == 0) return 1;
    return strncmp(id, "stdio.", 6) == 0 ? 2 : -1;
}

int64_t iol__fleet_native(const iol__fleet *f, const char *id) {
    int64_t logs = 0;
    for (size_t i = 0; i < f->n_findings; i++)
        if (strcmp(f->findings[i].rule, id) == 0) logs += f->findings[i].logs;
    return logs;
}

static double share(int64_t part, int64_t all) { return all > 0 ? (double)part / (double)all : NAN; }

const char *const iol__fleet_metrics[IOL_METRICS] = {"redundant reads", "metadata", "small writes to shared files"};

static void finding_json(iol__json *json, const iol__fleet *f, const char *key, const char *id, const char *level,
                         int64_t logs) {
    int interface = iol__fleet_interface(id);
    iol__json_put_text(json, key, id);
    iol__json_put_text(json, "level", level);
    iol__json_put_text(json, "interface", interface < 0 ? NULL : iol__fleet_interfaces[interface]);
    iol__json_put_i64(json, "logs", logs);
    iol__json_put_real(json, "share", share(logs, f->logs));
    iol__json_put_real(json, "share_of_interface", interface < 0 ? NAN : share(logs, f->interface[interface]));
}

static void json_findings(iol__json *json, const iol__fleet *f, bool native, bool compat) {
    if (native) {
        iol__json_put_open(json, "findings", '[');
        for (size_t i = 0; i < f->n_findings; i++) {
            iol__json_open(json, '{');
            finding_json(json, f, "rule", f->findings[i].rule, f->findings[i].level, f->findings[i].logs);
            iol__json_put_i64(json, "lost_us", f->findings[i].lost);
            iol__json_put_i64(json, "node_us", f->findings[i].node_time);
            iol__json_close(json, '}');
        }
        iol__json_close(json, ']');
    }
    if (!compat) return;
    iol__json_put_open(json, "compat", '[');
    for (int code = 0; code < IOL_COMPAT_CODES; code++) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "code", iol__compat_rules[code].code);
        finding_json(json, f, "rule", iol__compat_rules[code].id, iol__level_name(iol__compat_rules[code].level),
                     f->compat[code]);
        if (native) iol__json_put_i64(json, "native_logs", iol__fleet_native(f, iol__compat_rules[code].id));
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void job_json(iol__json *json, const iol__fleet_job *j) {
    iol__json_put_open(json, "top", '{');
    iol__json_put_text(json, "cluster", j->cluster);
    iol__json_put_text(json, "job_id", j->jobid);
    iol__json_put_text(json, "user", j->owner);
    iol__json_put_text(json, "program", j->exename);
    iol__json_put_i64(json, "start_us", j->start);
    iol__json_put_i64(json, "nprocs", j->nprocs);
    iol__json_put_i64(json, "bytes_read", j->bytes_read);
    iol__json_put_i64(json, "bytes_written", j->bytes_written);
    iol__json_put_i64(json, "redundant_read_bytes", j->redundant);
    iol__json_put_real(json, "meta_ratio", j->meta_ratio);
    iol__json_put_i64(json, "small_shared_indep_writes", j->small_writes);
    iol__json_close(json, '}');
}

static void limits_json(iol__json *json, const iol__metric_limits *l) {
    iol__json_put_open(json, "limits", '{');
    iol__json_put_real(json, "redundant_read_bytes", l->redundant_bytes);
    iol__json_put_real(json, "meta_ratio", l->meta_ratio);
    iol__json_put_real(json, "nprocs", l->meta_processes);
    iol__json_put_real(json, "meta_s_per_proc", l->meta_seconds);
    iol__json_put_real(json, "small_shared_indep_writes", l->small_writes);
    iol__json_close(json, '}');
}

static void json_metrics(iol__json *json, const iol__fleet *f) {
    iol__json_put_open(json, "metrics", '[');
    for (int m = 0; m < IOL_METRICS; m++) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "metric", iol__fleet_metrics[m]);
        iol__json_put_i64(json, "jobs", f->metrics[m].jobs);
        iol__json_put_i64(json, "users", f->metrics[m].users);
        iol__json_put_open(json, "overlap", '[');
        for (int n = 0; n < IOL_METRICS; n++) iol__json_i64(json, f->overlap[m][n]);
        iol__json_close(json, ']');
        if (f->metrics[m].top) {
            iol__json_put_real(json, "largest", iol__fleet_figure(f->metrics[m].top, m));
            job_json(json, f->metrics[m].top);
        }
        if (f->metrics[m].paragraph) iol__json_put_text(json, "paragraph", f->metrics[m].paragraph);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void coverage_json(iol__json *json, const iol__coverage *c) {
    if (c->day) iol__json_put_i64(json, "day", c->day);
    iol__json_put_i64(json, "jobs", c->jobs);
    iol__json_put_i64(json, "jobs_logged", c->logged);
    iol__json_put_i64(json, "users", c->users);
    iol__json_put_i64(json, "users_logged", c->users_logged);
    iol__json_put_i64(json, "core_us", c->core_time);
    iol__json_put_i64(json, "core_us_logged", c->core_time_logged);
}

static void entries_json(iol__json *json, const iol__fleet *f) {
    iol__json_put_open(json, "entries", '[');
    for (size_t i = 0; i < f->n_entries; i++) {
        const iol__fleet_count *e = &f->entries[i];
        iol__json_open(json, '{');
        iol__json_put_text(json, "name", e->name);
        coverage_json(json, &(iol__coverage){.jobs = e->jobs,
                                             .logged = e->logged,
                                             .users = e->users,
                                             .users_logged = e->users_logged,
                                             .core_time = e->core_time,
                                             .core_time_logged = e->core_time_logged});
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void causes_json(iol__json *json, const iol__fleet *f) {
    iol__json_put_open(json, "no_log", '[');
    for (size_t i = 0; i < f->n_causes; i++) {
        iol__json_open(json, '{');
        iol__json_put_text(json, "name", f->causes[i].name);
        iol__json_put_i64(json, "jobs", f->causes[i].jobs);
        iol__json_put_i64(json, "core_us", f->causes[i].core_time);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void json_coverage(iol__json *json, const iol__fleet *f) {
    iol__json_put_open(json, "coverage", '{');
    coverage_json(json, &f->all);
    entries_json(json, f);
    causes_json(json, f);
    iol__json_put_open(json, "days", '[');
    for (size_t i = 0; i < f->n_days; i++) {
        iol__json_open(json, '{');
        coverage_json(json, &f->days[i]);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    iol__json_close(json, '}');
}

static void json_months(iol__json *json, const iol__fleet *f) {
    iol__json_put_open(json, "months", '[');
    for (size_t i = 0; i < f->n_months; i++) {
        iol__json_open(json, '{');
        if (f->months[i].month)
            iol__json_put_i64(json, "month", f->months[i].month);
        else
            iol__json_put_real(json, "month", NAN);
        iol__json_put_text(json, "cluster", f->months[i].cluster);
        iol__json_put_i64(json, "logs", f->months[i].logs);
        iol__json_put_i64(json, "jobs", f->months[i].jobs);
        iol__json_put_i64(json, "bytes_read", f->months[i].bytes_read);
        iol__json_put_i64(json, "bytes_written", f->months[i].bytes_written);
        iol__json_put_i64(json, "node_us", f->months[i].node_time);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void json_lines(iol__json *json, const iol__ranking *lines) {
    iol__json_put_open(json, "lines", '[');
    for (size_t i = 0; i < lines->count; i++) {
        const iol__ranked *one = &lines->list[i];
        iol__json_open(json, '{');
        iol__json_put_text(json, "line", one->key[0]);
        iol__json_put_text(json, "program", one->key[1]);
        iol__json_put_text(json, "build", one->key[2]);
        iol__json_put_i64(json, "node_us", one->value);
        iol__json_put_real(json, "share", share(one->value, lines->total));
        iol__json_put_i64(json, "logs", one->logs);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

void iol__fleet_json(iol__json *json, const iol__fleet *f, bool native, bool compat) {
    static const char *const names[] = {"least", "mean", "third_quartile", "most"};
    iol__json_open(json, '{');
    iol__json_put_i64(json, "logs", f->logs);
    iol__json_put_i64(json, "jobs", f->jobs);
    iol__json_put_i64(json, "users", f->users);
    iol__json_put_real(json, "logs_per_job_mean", f->mean_logs);
    iol__json_put_real(json, "logs_per_job_median", f->median_logs);
    iol__json_put_i64(json, "logs_per_job_most", f->most_logs);
    iol__json_put_open(json, "interfaces", '{');
    for (int i = 0; i < 3; i++) iol__json_put_i64(json, iol__fleet_interfaces[i], f->interface[i]);
    iol__json_close(json, '}');
    iol__json_put_open(json, "seconds_per_log", '{');
    for (int i = 0; i < 4; i++) iol__json_put_real(json, names[i], f->took[i]);
    iol__json_close(json, '}');
    json_findings(json, f, native, compat);
    limits_json(json, &f->limits);
    json_metrics(json, f);
    json_coverage(json, f);
    json_months(json, f);
    json_lines(json, &f->lines);
    iol__json_close(json, '}');
}
