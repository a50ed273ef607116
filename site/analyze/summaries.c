/* Reading and selecting job summaries. */
#include "site/analyze/summaries.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site/connect/table.h"

iol_status iol__summaries_read(iol__arena *arena, const char *path, iol__value **rows, char why[400]) {
    iol__feed feed;
    iol_status status = iol__feed_open(path, &feed, why);
    if (status != IOL_OK) return status;
    if (*why) iol__site_say("%s", why);
    iol__request request = {.arena = arena};
    *rows = iol__request_json(&request, &feed);
    if (!*rows) *rows = iol__csv_rows(arena, feed.bytes, feed.length);
    iol__feed_close(&feed);
    const iol__value *first = (*rows)->kind == IOL__LIST && (*rows)->count ? (*rows)->items[0] : NULL;
    if (iol__map_get(first, "_datetime_start") || iol__map_get(first, "darshan_start_time")) return IOL_OK;
    snprintf(why, 400, "%.300s: no table of job summaries", path);
    return IOL_DAMAGED;
}

double iol__summary_start(const iol__value *row) {
    double start = iol__map_number(row, "_datetime_start");
    const char *text = iol__map_text(row, "_datetime_start");
    if (text && iol__parse_time(text, &start)) return start;
    return isnan(start) ? iol__map_number(row, "darshan_start_time") : start;
}

const char *iol__summary_app(const iol__value *row) {
    const char *app = iol__map_text(row, "darshan_app"), *slash = app ? strrchr(app, '/') : NULL;
    return slash ? slash + 1 : app ? app : "";
}

bool iol__summary_writes(const iol__value *row) {
    return iol__map_number(row, "darshan_biggest_write_api_bytes") >
           iol__map_number(row, "darshan_biggest_read_api_bytes");
}

static bool of_fs(const iol__value *row, const char *fs) {
    static const char *const keys[] = {"_file_system", "darshan_biggest_write_fs", "darshan_biggest_read_fs"};
    for (size_t i = 0; i < 3; i++) {
        const char *is = iol__map_text(row, keys[i]);
        if (is && (i ? strncmp(is, fs, strlen(fs)) : strcmp(is, fs)) == 0) return true;
    }
    return false;
}

static bool summaries_fits(const iol__value *row, const iol__selection *wanted) {
    double start = iol__summary_start(row);
    if (row->kind != IOL__MAP) return false;
    if (wanted->app && strcmp(iol__summary_app(row), wanted->app) != 0) return false;
    if (wanted->fs && !of_fs(row, wanted->fs)) return false;
    if (wanted->direction && iol__summary_writes(row) != (wanted->direction > 0)) return false;
    if (wanted->ranged && !(start >= (double)wanted->start && start < (double)wanted->end)) return false;
    return !(wanted->least_gib > 0) || iol__map_number(row, "darshan_total_gibs_posix") > wanted->least_gib;
}

static int summaries_by_start(const void *a, const void *b) {
    double x = iol__summary_start(*(iol__value *const *)a), y = iol__summary_start(*(iol__value *const *)b);
    return (x > y) - (x < y);
}

iol__value *iol__summaries_select(iol__arena *arena, const iol__value *rows, const iol__selection *wanted) {
    iol__value *kept = iol__value_new(arena, IOL__LIST);
    for (size_t i = 0; i < rows->count; i++)
        if (summaries_fits(rows->items[i], wanted)) iol__list_add(arena, kept, rows->items[i]);
    if (kept->count) qsort(kept->items, kept->count, sizeof *kept->items, summaries_by_start);
    return kept;
}

/* Metrics -------------------------------------------------------------------------------------------------------- */

static double summaries_either(const iol__value *row, const char *bytes, const char *gibs) {
    double value = iol__map_number(row, bytes);
    return isnan(value) ? iol__map_number(row, gibs) * 1073741824.0 : value;
}

static double summaries_share(double part, double whole) {
    double value = part / whole;
    return isfinite(value) ? value : NAN;
}

static double coverage_of(const iol__value *row, const char *what) {
    double read = summaries_either(row, "darshan_tot_bytes_read_posix", ""),
           written = summaries_either(row, "darshan_tot_bytes_written_posix", "");
    double fs_read = summaries_either(row, "fs_tot_bytes_read", "fs_tot_gibs_read"),
           fs_written = summaries_either(row, "fs_tot_bytes_written", "fs_tot_gibs_written");
    double all =
        isnan(read + written) ? iol__map_number(row, "darshan_total_gibs_posix") * 1073741824.0 : read + written;
    if (strcmp(what, "bw") == 0) return summaries_share(all, fs_read + fs_written);
    if (strcmp(what, "read_bw") == 0) return summaries_share(read, fs_read);
    if (strcmp(what, "write_bw") == 0) return summaries_share(written, fs_written);
    if (strcmp(what, "opens") == 0)
        return summaries_share(iol__map_number(row, "darshan_tot_opens_posix"),
                               iol__map_number(row, "fs_tot_open_ops"));
    if (strcmp(what, "stats") == 0)
        return summaries_share(iol__map_number(row, "darshan_tot_stats_posix"),
                               iol__map_number(row, "fs_tot_getattr_ops"));
    return NAN;
}

double iol__summary_metric(const iol__value *row, const char *key) {
    double value = iol__map_number(row, key);
    if (!isnan(value)) return isfinite(value) ? value : NAN;
    return strncmp(key, "coverage_factor_", 16) == 0 ? coverage_of(row, key + 16) : NAN;
}
