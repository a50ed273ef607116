/* Causes outside the program, from the row of a job and from what the servers did all day: the "site" part of the context
   document, which rules about causes outside read. What is not known is left out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "site/analyze/job.h"
#include "site/analyze/striped.h"

typedef struct causes {
    iol__job_sources *from;
    const iol__value *row;
    iol__value *result;
    const char *fs;
    int64_t start, end;
} causes;

static void causes_put(causes *on, const char *key, double value) {
    if (isfinite(value)) iol__map_put_real(on->from->arena, on->result, key, value);
}

static bool causes_read(causes *on, const char *dataset, int64_t start, int64_t end, iol__frame *frame) {
    char why[400];
    return iol__range_read(on->from->ranges, on->from->scratch, on->fs, dataset, start, end, frame, why) == IOL_OK &&
           frame->rows && frame->columns;
}

/* Mean over time of the sum over columns; missing steps are left out. */
static double mean_rate(const iol__frame *frame) {
    double sum = 0;
    size_t rows = 0;
    for (size_t row = 0; row < frame->rows; row++) {
        double here = 0;
        bool any = false;
        for (size_t i = 0; i < frame->columns; i++) {
            double value = *iol__frame_at(frame, row, i);
            any |= !isnan(value);
            here += isnan(value) ? 0 : value;
        }
        sum += here;
        rows += any;
    }
    return rows ? sum / (double)rows : NAN;
}

/* Mean of several datasets while the job ran, over their mean of the day. */
static double against_day(causes *on, const char *const *datasets) {
    double now = 0, day = 0;
    int64_t midnight = iol__midnight(on->start, 0), next = iol__midnight(on->end, 1);
    bool known = false;
    for (; *datasets; datasets++) {
        iol__frame frame;
        if (!causes_read(on, *datasets, on->start, on->end, &frame)) continue;
        double here = mean_rate(&frame);
        if (isnan(here) || !causes_read(on, *datasets, midnight, next, &frame)) continue;
        now += here;
        day += mean_rate(&frame);
        known = true;
    }
    return known && day > 0 ? now / day : NAN;
}

/* "fs-OST0014" to 20; -1 if it is none. */
static int64_t ost_number(const char *name) {
    const char *at = strstr(name, "OST");
    char *end;
    if (!at) return -1;
    int64_t number = strtol(at + 3, &end, 16);
    return end == at + 3 ? -1 : number;
}

/* Bytes of the job on each OST: those of a file spread over its OSTs evenly. */
static iol__value *own_osts(causes *on, iol_log *log) {
    iol__value *bytes = iol__value_new(on->from->scratch, IOL__MAP);
    iol__striped files = {0};
    char why[400];
    if (iol__striped_add(on->from->scratch, log, "the log", &files, why) != IOL_OK) return bytes;
    for (size_t i = 0; i < files.count; i++)
        for (size_t k = 0; k < files.files[i].n_osts; k++) {
            char *key = iol__arena_print(on->from->scratch, "%lld", (long long)files.files[i].osts[k]);
            double old = iol__map_number(bytes, key);
            iol__map_put_real(on->from->scratch, bytes, key,
                              (isnan(old) ? 0 : old) + files.files[i].bytes / (double)files.files[i].n_osts);
        }
    return bytes;
}

static void add_columns(causes *on, const char *dataset, iol__value *totals) {
    iol__frame frame;
    if (!causes_read(on, dataset, on->start, on->end, &frame)) return;
    for (size_t i = 0; i < frame.columns; i++) {
        int64_t number = ost_number(frame.names[i]);
        double sum = 0;
        for (size_t row = 0; row < frame.rows; row++) sum += fmax(0, *iol__frame_at(&frame, row, i));
        if (number < 0) continue;
        char *key = iol__arena_print(on->from->scratch, "%lld", (long long)number);
        double old = iol__map_number(totals, key);
        iol__map_put_real(on->from->scratch, totals, key, (isnan(old) ? 0 : old) + sum);
    }
}

static void put_osts(causes *on, iol_log *log) {
    const iol__value *own = own_osts(on, log);
    iol__value *all = iol__value_new(on->from->scratch, IOL__MAP);
    double least = INFINITY;
    int64_t shared = 0;
    if (own->count == 0) return;
    add_columns(on, "datatargets/readbytes", all);
    add_columns(on, "datatargets/writebytes", all);
    for (size_t i = 0; i < own->count; i++) {
        double whole = iol__map_number(all, own->keys[i]), mine = own->items[i]->real;
        /* More than the servers saw was in caches; what was hardly used says nothing. */
        if (!(whole > 0) || mine > 1.2 * whole || mine < 1 << 20) continue;
        least = fmin(least, mine / whole);
        shared += mine < 0.5 * whole;
    }
    causes_put(on, "ost_coverage", least);
    if (isfinite(least)) causes_put(on, "shared_osts", (double)shared);
}

/* Of names with commas between them; 0 for NULL. */
static double count_causes_names(const char *names) {
    double count = names != NULL;
    for (; names && (names = strchr(names, ',')); names++) count++;
    return count;
}

static void put_slow(causes *on) {
    static const char *const keys[] = {"fs_slow_osts_written", "fs_slow_osts_read"};
    double count = 0, first = NAN;
    for (size_t i = 0; i < 2; i++) {
        const char *names = iol__map_text(on->row, keys[i]);
        if (!names || count > 0) continue;
        first = (double)ost_number(names);
        count = count_causes_names(names);
    }
    if (!isnan(iol__map_number(on->row, "fs_tot_bytes_written"))) causes_put(on, "slow_osts", count);
    if (count > 0 && first >= 0) causes_put(on, "slow_ost", first);
}

/* Arrays that lack a disk or are being rebuilt: from a listing, or from a series of servers that count theirs. */
static void put_rebuilds(causes *on) {
    double count = 0;
    iol__frame frame;
    const iol__value *arrays = on->from->arrays;
    if (!arrays) arrays = iol__job_listing(on->from, "md_files", on->fs, on->start, on->start, false, iol__read_md);
    for (size_t i = 0; arrays && i < arrays->count; i++) {
        const iol__value *degraded = iol__map_get(arrays->items[i], "degraded");
        const char *action = iol__map_text(arrays->items[i], "action");
        count += (degraded && degraded->flag) || (action && strcmp(action, "check") != 0);
    }
    bool known = arrays != NULL;
    if (causes_read(on, "dataservers/degraded", on->start, on->end, &frame)) {
        known = true;
        for (size_t i = 0; i < frame.columns; i++) {
            double most = 0;
            for (size_t row = 0; row < frame.rows; row++) most = fmax(most, *iol__frame_at(&frame, row, i));
            count += most;
        }
    }
    if (known) causes_put(on, "rebuilds", count);
}

iol__value *iol__job_causes(iol__job_sources *from, iol_log *log, const iol__value *row) {
    static const char *const traffic[] = {"datatargets/readrates", "datatargets/writerates", NULL};
    static const char *const network[] = {"network/inbytes", "network/outbytes", "network/bytes", NULL};
    causes on = {.from = from,
                 .row = row,
                 .result = iol__value_new(from->arena, IOL__MAP),
                 .fs = iol__map_text(row, "_file_system"),
                 .start = iol__whole(iol__map_number(row, "_datetime_start")),
                 .end = iol__whole(iol__map_number(row, "_datetime_end"))};
    double share = iol__map_number(row, "coverage_factor_jobstats");
    if (isnan(share)) share = iol__map_number(row, "coverage_factor_bw");
    if (share <= 1.2) causes_put(&on, "coverage", fmin(share, 1));
    causes_put(&on, "server_load", iol__map_number(row, "fs_max_oss_cpu") / 100);
    causes_put(&on, "mds_load", iol__map_number(row, "fs_max_mds_cpu") / 100);
    causes_put(&on, "fullest", iol__map_number(row, "fshealth_ost_most_full_pct") / 100);
    /* Servers that hold fewer than others are not taken for fail-overs. */
    if (!isnan(iol__map_number(row, "fshealth_ost_overloaded_ost_count")))
        causes_put(&on, "failover_osts", count_causes_names(iol__map_text(row, "fshealth_ost_overloaded_osts")));
    double jobs = iol__map_number(row, "jobsdb_concurrent_jobs");
    if (isnan(jobs)) jobs = iol__map_number(row, "jobstats_jobs");
    if (jobs >= 1) causes_put(&on, "other_jobs", jobs - 1);
    put_slow(&on);
    if (on.fs) {
        causes_put(&on, "load", against_day(&on, traffic));
        causes_put(&on, "network", against_day(&on, network));
        put_osts(&on, log);
        put_rebuilds(&on);
    }
    return on.result;
}
