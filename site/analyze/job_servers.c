/* What the servers of a file system saw while a job ran. */
#include <math.h>
#include <string.h>

#include "base/count.h"
#include "site/analyze/job.h"
#include "site/analyze/numbers.h"

enum { LEAST_OSTS = 8 };
static const double SLOW_SHARE = 0.5, BUSY = 1 << 20; /* bytes per second of the median OST */

typedef struct job_servers_asking {
    iol__job_sources *from;
    const char *fs;
    int64_t start, end;
    iol__value *row;
    size_t absent; /* datasets that could not be had */
    char why[400];
} job_servers_asking;

static bool job_servers_read(job_servers_asking *on, const char *dataset, iol__frame *frame) {
    char why[400];
    iol_status status =
        iol__range_read(on->from->ranges, on->from->scratch, on->fs, dataset, on->start, on->end, frame, why);
    if (status != IOL_OK && !on->absent++) memcpy(on->why, why, sizeof why);
    return status == IOL_OK && frame->rows && frame->columns;
}

static void job_servers_put(job_servers_asking *on, const char *key, double value) {
    iol__map_put_real(on->from->arena, on->row, key, value);
}

static void put_volume(job_servers_asking *on, const char *figure, const char *direction, const char *tail,
                       double bytes) {
    iol__arena *arena = on->from->arena;
    job_servers_put(on, iol__arena_print(arena, "fs_%s_bytes_%s%s", figure, direction, tail), bytes);
    job_servers_put(on, iol__arena_print(arena, "fs_%s_gibs_%s%s", figure, direction, tail), bytes / 1073741824.0);
}

/* OSTs that moved far less than the others while these were busy: one or a few of many. */
static void put_job_servers_slow(job_servers_asking *on, const iol__frame *frame, const char *direction) {
    iol__arena *scratch = on->from->scratch;
    double *totals = iol__arena_alloc(scratch, frame->columns + 1, sizeof *totals), *sorted;
    sorted = iol__arena_alloc(scratch, frame->columns + 1, sizeof *sorted);
    for (size_t row = 0; row < frame->rows; row++)
        for (size_t i = 0; i < frame->columns; i++) {
            double value = *iol__frame_at(frame, row, i);
            if (!isnan(value)) totals[i] += value;
        }
    memcpy(sorted, totals, frame->columns * sizeof *sorted);
    double median = iol__five_of(sorted, frame->columns).median;
    char *names = NULL;
    size_t slow = 0;
    for (size_t i = 0; i < frame->columns; i++)
        if (totals[i] < SLOW_SHARE * median) {
            names = iol__arena_print(scratch, "%s%s%s", names ? names : "", names ? "," : "", frame->names[i]);
            slow++;
        }
    bool telling = frame->columns >= LEAST_OSTS && median / (double)frame->rows > BUSY && slow * 10 <= frame->columns;
    if (slow && telling)
        iol__map_put_text(on->from->arena, on->row, iol__arena_print(on->from->arena, "fs_slow_osts_%s", direction),
                          names);
}

static void put_traffic(job_servers_asking *on, const char *dataset, const char *direction) {
    iol__frame frame;
    double total = 0, most = -INFINITY, least = INFINITY;
    size_t zeros = 0;
    if (!job_servers_read(on, dataset, &frame) || frame.step <= 0) return;
    for (size_t row = 0; row < frame.rows; row++) {
        double sum = 0;
        for (size_t i = 0; i < frame.columns; i++) {
            double value = *iol__frame_at(&frame, row, i);
            if (isnan(value)) continue;
            sum += value;
            zeros += value == 0;
        }
        total += sum;
        most = fmax(most, sum);
        least = fmin(least, sum);
    }
    put_job_servers_slow(on, &frame, direction);
    put_volume(on, "tot", direction, "", total * (double)frame.step);
    put_volume(on, "ave", direction, "_per_sec", total / (double)frame.rows);
    put_volume(on, "max", direction, "_per_sec", most);
    put_volume(on, "min", direction, "_per_sec", least);
    job_servers_put(on, iol__arena_print(on->from->arena, "fs_frac_zero_%s", direction),
                    (double)zeros / (double)(frame.rows * frame.columns));
}

typedef struct job_servers_figures {
    double sum, mean, most, least; /* mean: of the means of columns */
    size_t missing;
} job_servers_figures;

static job_servers_figures job_servers_figures_of(const iol__frame *frame) {
    job_servers_figures is = {.most = -INFINITY, .least = INFINITY};
    double means = 0;
    size_t measured = 0;
    for (size_t i = 0; i < frame->columns; i++) {
        double sum = 0, n = 0;
        for (size_t row = 0; row < frame->rows; row++) {
            double value = *iol__frame_at(frame, row, i);
            if (isnan(value)) {
                is.missing++;
                continue;
            }
            sum += value;
            n++;
            is.most = fmax(is.most, value);
            is.least = fmin(is.least, value);
        }
        is.sum += sum;
        if (n > 0) means += sum / n;
        measured += n > 0;
    }
    is.mean = measured ? means / (double)measured : NAN;
    if (!measured) is.most = is.least = NAN;
    return is;
}

static void put_load(job_servers_asking *on, const char *dataset, const char *servers, bool missing) {
    iol__frame frame;
    if (!job_servers_read(on, dataset, &frame)) return;
    job_servers_figures is = job_servers_figures_of(&frame);
    job_servers_put(on, iol__arena_print(on->from->arena, "fs_ave_%s_cpu", servers), is.mean);
    job_servers_put(on, iol__arena_print(on->from->arena, "fs_max_%s_cpu", servers), is.most);
    if (missing) job_servers_put(on, "fs_frac_missing", (double)is.missing / (double)(frame.rows * frame.columns));
}

/* Requests of data, where the source counts them. */
static void put_requests(job_servers_asking *on) {
    static const char *const directions[][2] = {{"datatargets/readoprates", "fs_tot_read_ops"},
                                                {"datatargets/writeoprates", "fs_tot_write_ops"}};
    for (size_t i = 0; i < 2; i++) {
        iol__frame frame;
        size_t absent = on->absent;
        if (job_servers_read(on, directions[i][0], &frame) && frame.step > 0)
            job_servers_put(on, directions[i][1], job_servers_figures_of(&frame).sum * (double)frame.step);
        on->absent = absent; /* few sources have them */
    }
}

static void put_operations(job_servers_asking *on) {
    static const char *const operations[] = {"open",  "close",  "mknod",    "link",   "unlink",  "mkdir",
                                             "rmdir", "rename", "getxattr", "statfs", "setattr", "getattr"};
    iol__arena *arena = on->from->arena;
    for (size_t i = 0; i < IOL_COUNT(operations); i++) {
        iol__frame frame;
        if (!job_servers_read(on, iol__arena_print(on->from->scratch, "mdtargets/%srates", operations[i]), &frame) ||
            frame.step <= 0)
            continue;
        job_servers_figures is = job_servers_figures_of(&frame);
        job_servers_put(on, iol__arena_print(arena, "fs_tot_%s_ops", operations[i]), is.sum * (double)frame.step);
        job_servers_put(on, iol__arena_print(arena, "fs_ave_%s_ops_per_sec", operations[i]), is.mean);
        job_servers_put(on, iol__arena_print(arena, "fs_max_%s_ops_per_sec", operations[i]), is.most);
        job_servers_put(on, iol__arena_print(arena, "fs_min_%s_ops_per_sec", operations[i]), is.least);
    }
}

void iol__job_put_servers(iol__job_sources *from, const char *fs, int64_t start, int64_t end, iol__value *row) {
    job_servers_asking on = {.from = from, .fs = fs, .start = start, .end = end, .row = row};
    put_traffic(&on, "datatargets/readrates", "read");
    put_traffic(&on, "datatargets/writerates", "written");
    if (on.absent < 2) {
        put_load(&on, "dataservers/cpuload", "oss", true);
        put_load(&on, "mdservers/cpuload", "mds", false);
        put_operations(&on);
        if (on.from->coverage) put_requests(&on);
    }
    if (on.absent) iol__site_say("%s", on.why);
}
