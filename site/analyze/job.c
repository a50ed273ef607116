/* Rows of jobs. */
#include "site/analyze/job.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "site/analyze/jobinfo.h"
#include "text/number.h"
#include "text/text.h"

/* Records of the job that a row is about; NULL: none were given. */
static const iol__value *own_records(const iol__job_sources *from, const iol__value *row) {
    const char *id = iol__map_text(row, "_jobid");
    return id ? iol__map_get(from->records, id) : NULL;
}

/* Nodes from the records that were given, else from whom the site file names for that. */
static void put_topology(iol__job_sources *from, iol__value *row) {
    const iol__value *records = own_records(from, row);
    const char *id = iol__map_text(row, "_jobid");
    char *why = NULL;
    if (!from->nodes || !id) return;
    if (!records) records = iol__job_node_records(from->scratch, from->site, id, &why);
    if (!records) {
        iol__site_say("the nodes of job %s are not known, so it has no radius%s%s", id, why ? ": " : "",
                      why ? why : "");
        return;
    }
    const iol__value *radius = iol__job_radius(from->scratch, from->nodes, iol__job_nodes(from->scratch, records));
    for (size_t i = 0; i < radius->count; i++)
        iol__map_put_real(from->arena, row, iol__arena_print(from->arena, "topology_%s", radius->keys[i]),
                          radius->items[i]->real);
}

static void put_job_others(iol__job_sources *from, int64_t start, int64_t end, iol__value *row) {
    static const char *const keys[][2] = {{"numjobs", "jobsdb_concurrent_jobs"},
                                          {"numnodes", "jobsdb_concurrent_nodes"},
                                          {"nodehrs", "jobsdb_concurrent_nodehrs"}};
    if (!from->jobsdb) return;
    iol__request request = {.arena = from->scratch,
                            .paths = &from->jobsdb,
                            .n_paths = 1,
                            .ranged = true,
                            .start = start,
                            .end = end,
                            .host = from->job_host};
    iol__value *found;
    if (iol__read_jobsdb(&request, &found) != IOL_OK) {
        iol__site_say("%s", request.why);
        return;
    }
    for (size_t i = 0; i < 3; i++)
        iol__map_put(from->arena, row, keys[i][1], iol__value_copy(from->arena, iol__map_get(found, keys[i][0])));
}

static void put_share(iol__arena *arena, iol__value *row, const char *name, double part, double whole) {
    if (isnan(part) || isnan(whole)) return;
    double share = whole > 0 ? part / whole : NAN;
    iol__map_put_real(arena, row, iol__arena_print(arena, "coverage_factor_%s", name), share);
    iol__map_put_real(arena, row, iol__arena_print(arena, "contention_%s", name), 1 - share);
}

void iol__job_put_coverage(iol__arena *arena, iol__value *row) {
    double read = iol__map_number(row, "darshan_tot_bytes_read_posix"),
           written = iol__map_number(row, "darshan_tot_bytes_written_posix");
    double fs_read = iol__map_number(row, "fs_tot_bytes_read"),
           fs_written = iol__map_number(row, "fs_tot_bytes_written");
    put_share(arena, row, "bw", read + written, fs_read + fs_written);
    put_share(arena, row, "read_bw", read, fs_read);
    put_share(arena, row, "write_bw", written, fs_written);
    put_share(arena, row, "opens", iol__map_number(row, "darshan_tot_opens_posix"),
              iol__map_number(row, "fs_tot_open_ops"));
    put_share(arena, row, "stats", iol__map_number(row, "darshan_tot_stats_posix"),
              iol__map_number(row, "fs_tot_getattr_ops"));
    put_share(arena, row, "ops",
              iol__map_number(row, "darshan_tot_reads_posix") + iol__map_number(row, "darshan_tot_writes_posix"),
              iol__map_number(row, "fs_tot_read_ops") + iol__map_number(row, "fs_tot_write_ops"));
}

/* Node hours of the job among those of all that ran. The nodes are those of its record, else as many as its processes
   need. */
static void put_node_share(iol__job_sources *from, iol__value *row) {
    double all = iol__map_number(row, "jobsdb_concurrent_nodehrs"), each = NAN, nodes = NAN;
    if (isnan(all)) return;
    const iol__value *records = own_records(from, row);
    if (records) nodes = (double)iol__job_nodes(from->scratch, records)->count;
    each = iol__value_number(iol__places_get(from->site, "processes_per_node"));
    if (!(nodes > 0) && each > 0) nodes = ceil(iol__map_number(row, "darshan_nprocs") / each);
    if (nodes > 0) put_share(from->arena, row, "nodehrs", nodes * iol__map_number(row, "darshan_walltime") / 3600, all);
}

static void put_surroundings(iol__job_sources *from, const char *fs, int64_t start, int64_t end, iol__value *row) {
    if (fs)
        iol__map_put_text(from->arena, row, "_file_system", fs);
    else
        iol__map_put(from->arena, row, "_file_system", iol__value_new(from->arena, IOL__NOTHING));
    if (fs) iol__job_put_servers(from, fs, start, end, row);
    put_topology(from, row);
    if (fs) iol__job_put_health(from, fs, start, row);
    put_job_others(from, start, end, row);
    if (from->coverage) iol__job_put_coverage(from->arena, row);
    if (from->coverage) put_node_share(from, row);
    if (fs) iol__job_put_stats(from, fs, start, end, row);
}

/* The job is the one that was asked for; else that of the log; else the only one that there is a record of. */
static void put_frame(iol__job_sources *from, int64_t start, int64_t end, const char *id, iol__value *row) {
    iol__map_put_integer(from->arena, row, "_datetime_start", start);
    iol__map_put_integer(from->arena, row, "_datetime_end", end);
    bool known = id && iol__map_get(from->records, id);
    if (from->job_id)
        id = from->job_id;
    else if (!known && from->records && from->records->count == 1)
        id = from->records->keys[0];
    if (id) iol__map_put_text(from->arena, row, "_jobid", id);
}

iol_status iol__job_of_log(iol__job_sources *from, const char *path, iol__value **row, char why[400]) {
    iol_log *log;
    iol_error error;
    iol_status status = iol_log_open(path, &log, &error);
    if (status != IOL_OK) {
        snprintf(why, 400, "%s", error.message);
        return status;
    }
    *row = iol__job_of_open_log(from, log);
    iol_log_close(log);
    return IOL_OK;
}

iol__value *iol__job_of_open_log(iol__job_sources *from, iol_log *log) {
    iol__job_log facts;
    iol__value *own = iol__value_new(from->arena, IOL__MAP), *row = iol__value_new(from->arena, IOL__MAP);
    iol__job_put_open_log(from->arena, log, own, &facts);
    from->ranges->partial = from->ranges->partial || facts.damaged;
    double later = iol__value_number(iol__places_get(from->site, "lmt_timestep"));
    int64_t end = facts.end + (isnan(later) ? 5 : iol__whole(later));
    put_frame(from, facts.start, end, facts.job_id, row);
    for (size_t i = 0; i < own->count; i++) iol__map_put(from->arena, row, own->keys[i], own->items[i]);
    const char *fs = from->fs ? from->fs : facts.mount ? iol__places_fs_of(from->site, facts.mount) : NULL;
    put_surroundings(from, fs, facts.start, end, row);
    return row;
}

iol_status iol__job_of_range(iol__job_sources *from, int64_t start, int64_t end, iol__value **row, char why[400]) {
    *row = iol__value_new(from->arena, IOL__MAP);
    if (!from->fs) {
        snprintf(why, 400, "a file system is needed: --fs");
        return IOL_INVALID;
    }
    put_frame(from, start, end, NULL, *row);
    put_surroundings(from, from->fs, start, end, *row);
    return IOL_OK;
}

/* Sentences ------------------------------------------------------------------------------------------------------- */

static const double gib = 1073741824;

/* A sentence in lines of a terminal; names of others are made harmless. */
__attribute__((format(printf, 2, 3))) static void say(iol__out *out, const char *format, ...) {
    char text[2000];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    iol__out_wrapped(out, 80, 2, 0, text);
}

static void say_own(iol__out *out, const iol__value *row) {
    const char *app = iol__map_text(row, "darshan_app");
    double speed = iol__map_number(row, "darshan_agg_perf_by_slowest_posix"),
           volume = iol__map_number(row, "darshan_total_gibs_posix");
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN];
    if (app)
        say(out, "%s on %s processes took %s.", app, iol__human_number(a, iol__map_number(row, "darshan_nprocs")),
            iol__human_seconds(b, iol__map_number(row, "darshan_walltime")));
    if (speed > 0)
        say(out, "It moved %s at %s and spent %s in I/O.", iol__human_bytes(a, volume * gib),
            iol__human_rate(b, speed * 1048576), iol__human_seconds(c, iol__map_number(row, "darshan_io_time")));
}

static void say_servers(iol__out *out, const iol__value *row) {
    double share = iol__map_number(row, "coverage_factor_bw"), missing = iol__map_number(row, "fs_frac_missing");
    char a[IOL_HUMAN], b[IOL_HUMAN], c[IOL_HUMAN];
    double total = iol__map_number(row, "fs_tot_gibs_read") + iol__map_number(row, "fs_tot_gibs_written");
    if (isnan(total)) {
        say(out, "Nothing is known about what the servers saw while it ran.");
        return;
    }
    say(out, "The servers moved %s while it ran; their load was up to %s (OSS) and %s (MDS).",
        iol__human_bytes(a, total * gib), iol__human_share(b, iol__map_number(row, "fs_max_oss_cpu") / 100),
        iol__human_share(c, iol__map_number(row, "fs_max_mds_cpu") / 100));
    if (share > 1.2)
        say(out, "The log has more than the servers saw: their data is incomplete, or the traffic stayed in caches.");
    else if (share >= 0.8)
        say(out, "%s of that was this job's, so others did not slow it down by their traffic.",
            iol__human_share(a, fmin(share, 1)));
    else if (!isnan(share))
        say(out, "Only %s of that was this job's: others used the file system at the same time.",
            iol__human_share(a, share));
    if (missing > 0) say(out, "%s of the servers' samples are missing.", iol__human_share(a, missing));
}

static void say_stats(iol__out *out, const iol__value *row) {
    char a[IOL_HUMAN], b[IOL_HUMAN];
    double bytes = iol__map_number(row, "jobstats_bytes"), share = iol__map_number(row, "jobstats_log_share"),
           part = iol__map_number(row, "coverage_factor_jobstats");
    const char *others = iol__map_text(row, "jobstats_others");
    if (bytes > 0 && !isnan(part))
        say(out, "The servers count %s for this job, %s of what all jobs moved.", iol__human_bytes(a, bytes),
            iol__human_share(b, part));
    if (share > 0 && share < 0.9)
        say(out, "Its log holds %s of that: the rest was moved by processes that were not recorded.",
            iol__human_share(a, share));
    else if (share >= 0.9 && share <= 1.2)
        say(out, "Its log holds all of that (%s).", iol__human_share(a, share));
    else if (share > 1.2)
        say(out, "Its log holds %s times as much: the rest stayed in caches.", iol__human_number(a, share));
    if (others && part < 0.8) say(out, "Others that moved data at the same time: %s.", others);
}

static void say_slow(iol__out *out, const iol__value *row) {
    static const char *const directions[][2] = {{"fs_slow_osts_written", "written to"},
                                                {"fs_slow_osts_read", "read from"}};
    for (size_t i = 0; i < 2; i++) {
        const char *names = iol__map_text(row, directions[i][0]);
        if (names)
            say(out, "Less than half as much was %s %s as to the median OST: the others had to wait for it.",
                directions[i][1], names);
    }
}

static void say_health(iol__out *out, const iol__value *row) {
    const char *name = iol__map_text(row, "fshealth_ost_most_full_name");
    const char *moved = iol__map_text(row, "fshealth_ost_overloaded_osts");
    double full = iol__map_number(row, "fshealth_ost_most_full_pct");
    char a[IOL_HUMAN], b[IOL_HUMAN];
    if (moved) say(out, "Servers held more OSTs than usual, a fail-over: %s.", moved);
    if (full >= 80)
        say(out, "The fullest OST, %s, was %s full, which slows writing down.", name ? name : "?",
            iol__human_share(a, full / 100));
    double jobs = iol__map_number(row, "jobsdb_concurrent_jobs");
    if (jobs > 0)
        say(out, "%s jobs ran on the machine at that time, with %s nodes.", iol__human_number(a, jobs),
            iol__human_number(b, iol__map_number(row, "jobsdb_concurrent_nodes")));
    double radius = iol__map_number(row, "topology_job_max_radius");
    if (!isnan(radius)) say(out, "Its nodes were up to %s away from their centre.", iol__human_number(a, radius));
}

void iol__job_text(iol__out *out, const iol__value *row) {
    char from[32], to[32];
    const char *id = iol__map_text(row, "_jobid"), *fs = iol__map_text(row, "_file_system");
    iol__format_time(iol__whole(iol__map_number(row, "_datetime_start")), from);
    iol__format_time(iol__whole(iol__map_number(row, "_datetime_end")), to);
    say(out, "Job %s, %s to %s, on %s", id ? id : "?", from, to, fs ? fs : "an unknown file system");
    say_own(out, row);
    say_servers(out, row);
    say_stats(out, row);
    say_slow(out, row);
    say_health(out, row);
}
