/* What Lustre's servers counted for each job: which part of it this job's log holds, and who else moved data. From
   job_stats, or from series with a column per job. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "site/analyze/job.h"
#include "text/number.h"

typedef struct job_stats_share {
    const char *job;
    double bytes;
} job_stats_share;

/* The number of a job in what jobid_var puts there: what the site's pattern matches, else the whole text. */
static const char *job_stats_number_of(const iol__job_sources *from, iol__arena *arena, const char *text) {
    const iol__value *pattern = iol__places_get(from->site, "jobid_pattern");
    if (!pattern || pattern->kind != IOL__TEXT) return text;
    for (const char *at = text; *at; at++) {
        size_t length = 0;
        char *anchored = iol__arena_print(arena, "^(%s)", pattern->text);
        if (iol__regex_matches(anchored, at, &length) && length) return iol__arena_text(arena, at, length);
    }
    return text;
}

static void job_stats_add(iol__arena *arena, iol__value *to, const char *job, double bytes) {
    double old = iol__map_number(to, job);
    if (bytes > 0) iol__map_put_real(arena, to, job, (isnan(old) ? 0 : old) + bytes);
}

static void add_listing(iol__job_sources *from, const iol__value *stats, iol__value *to) {
    static const char *const kinds[] = {"read_bytes", "write_bytes"};
    for (size_t i = 0; i < stats->count; i++)
        for (size_t k = 0; k < 2; k++)
            job_stats_add(from->scratch, to, job_stats_number_of(from, from->scratch, stats->keys[i]),
                          iol__map_number(iol__map_get(stats->items[i], kinds[k]), "sum"));
}

static void add_series(iol__job_sources *from, const char *fs, int64_t start, int64_t end, iol__value *to) {
    static const char *const datasets[] = {"jobs/readbytes", "jobs/writebytes"};
    for (size_t k = 0; k < 2; k++) {
        iol__frame frame;
        char why[400];
        if (iol__range_read(from->ranges, from->scratch, fs, datasets[k], start, end, &frame, why) != IOL_OK) continue;
        for (size_t i = 0; i < frame.columns; i++) {
            double sum = 0;
            for (size_t row = 0; row < frame.rows; row++) sum += fmax(0, *iol__frame_at(&frame, row, i));
            /* "910001@OST0003": what one server counted */
            const char *job = iol__arena_text(from->scratch, frame.names[i], strcspn(frame.names[i], "@"));
            if (*job) job_stats_add(from->scratch, to, job_stats_number_of(from, from->scratch, job), sum);
        }
    }
}

static int job_stats_by_bytes(const void *a, const void *b) {
    const job_stats_share *x = a, *y = b;
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

/* "910002 (45%), 910007 (8%)": the three that moved most. */
static const char *name_others(iol__arena *arena, const iol__value *jobs, const char *own, double all) {
    job_stats_share *others = iol__arena_alloc(arena, jobs->count + 1, sizeof *others);
    size_t count = 0;
    for (size_t i = 0; i < jobs->count; i++)
        if (!own || strcmp(jobs->keys[i], own) != 0)
            others[count++] = (job_stats_share){jobs->keys[i], jobs->items[i]->real};
    qsort(others, count, sizeof *others, job_stats_by_bytes);
    char *text = NULL, part[IOL_HUMAN];
    for (size_t i = 0; i < count && i < 3; i++)
        text = iol__arena_print(arena, "%s%sjob %s (%s)", text ? text : "", text ? ", " : "", others[i].job,
                                iol__human_share(part, others[i].bytes / all));
    return text;
}

const iol__value *iol__job_listing(iol__job_sources *from, const char *key, const char *fs, int64_t start, int64_t end,
                                   bool first, iol_status (*read)(iol__request *, iol__value **)) {
    iol__value *files = iol__places_files(from->scratch, from->site, key, fs, start, end, first);
    if (files->count == 0) return NULL;
    const char **paths = iol__arena_alloc(from->scratch, files->count, sizeof *paths);
    for (size_t i = 0; i < files->count; i++) paths[i] = files->items[i]->text;
    iol__request request = {.arena = from->scratch, .paths = paths, .n_paths = files->count};
    iol__value *listing;
    if (read(&request, &listing) == IOL_OK) return listing;
    iol__site_say("%s", request.why);
    return NULL;
}

void iol__job_put_stats(iol__job_sources *from, const char *fs, int64_t start, int64_t end, iol__value *row) {
    iol__arena *arena = from->arena;
    iol__value *jobs = iol__value_new(from->scratch, IOL__MAP);
    const char *own = iol__map_text(row, "_jobid");
    const iol__value *stats = from->job_stats;
    if (!stats) stats = iol__job_listing(from, "job_stats_files", fs, end, end, false, iol__read_job_stats);
    if (stats)
        add_listing(from, stats, jobs);
    else
        add_series(from, fs, start, end, jobs);
    if (jobs->count == 0) return;
    double all = 0, mine = own ? iol__map_number(jobs, own) : NAN;
    for (size_t i = 0; i < jobs->count; i++) all += jobs->items[i]->real;
    if (isnan(mine)) mine = 0;
    iol__map_put_real(arena, row, "jobstats_bytes", mine);
    iol__map_put_real(arena, row, "jobstats_total_bytes", all);
    iol__map_put_integer(arena, row, "jobstats_jobs", (int64_t)jobs->count);
    iol__map_put_real(arena, row, "coverage_factor_jobstats", all > 0 ? mine / all : NAN);
    double log =
        iol__map_number(row, "darshan_tot_bytes_read_posix") + iol__map_number(row, "darshan_tot_bytes_written_posix");
    if (!isnan(log)) iol__map_put_real(arena, row, "jobstats_log_share", mine > 0 ? log / mine : NAN);
    const char *others = name_others(from->scratch, jobs, own, all);
    if (others) iol__map_put_text(arena, row, "jobstats_others", others);
}
