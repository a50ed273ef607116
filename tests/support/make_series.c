/* make-series DIR: what the servers of a made-up centre counted. Writes DIR/FS/YYYY-MM-DD.hdf5, listings of targets beside
   them, and DIR/series.json: the lines of the site file that name them. One target is slow, one server holds two others'
   targets, and some hours are missing. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "site/series/series.h"

static const char usage[] = "make-series [options] DIR\n"
                            "  --days N     up to the end (30)\n"
                            "  --targets N  of the larger file system (200)\n"
                            "  --step N     seconds (60)\n"
                            "  --end T      seconds since the epoch (now)\n";

enum { DAY = 86400, PER_SERVER = 4, SLOW = 21, LISTING = 900 };

typedef struct plan {
    const char *dir;
    int64_t days, targets, step, end;
} plan;

typedef struct system {
    const char *fs, *backend;
    size_t targets;
    double rate;     /* bytes per second of a target, when busy */
    double capacity; /* bytes of a target */
} fs_system;

static uint64_t state = 42;
static double chance(void) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

static void fill_names(iol__arena *arena, iol__frame *frame, const char *format, const char *backend) {
    for (size_t i = 0; i < frame->columns; i++) frame->names[i] = iol__arena_print(arena, format, backend, i);
    frame->named = frame->columns;
}

/* How busy the file system is at a time: days and nights, and bursts of checkpoints. */
static double load_at(int64_t when) {
    double hour = (double)(when % DAY) / 3600, week = (double)(when / DAY % 7);
    double day = 0.35 + 0.25 * sin((hour - 9) / 24 * 6.2832);
    return (week < 2 ? 0.6 : 1) * day + (when / 1200 % 3 == 0 ? 0.4 : 0);
}

typedef double (*value_at)(const fs_system *s, int64_t when, size_t column);

static double traffic(const fs_system *s, int64_t when, size_t column) {
    double value = s->rate * load_at(when) * (0.6 + 0.8 * chance());
    return column == SLOW ? value * 0.15 : value;
}
static double processor(const fs_system *s, int64_t when, size_t column) {
    (void)s;
    return fmin(100, (12 + 60 * load_at(when) * chance()) * (column == SLOW / PER_SERVER ? 1.7 : 1));
}
static double operations(const fs_system *s, int64_t when, size_t column) {
    (void)s;
    (void)column;
    return 4000 * load_at(when) * (0.5 + chance());
}
static double used(const fs_system *s, int64_t when, size_t column) {
    double share = 0.52 + 0.001 * (double)(column % 190) + 0.0012 * (double)(when / DAY - 20730);
    return s->capacity * fmin(0.97, fmax(0.05, share));
}
static double total(const fs_system *s, int64_t when, size_t column) {
    (void)when;
    (void)column;
    return s->capacity;
}

static const struct matrix {
    const char *dataset, *units, *names;
    value_at value;
    size_t per; /* targets per column; 0: one column */
    int64_t step;
    bool amounts;
} matrices[] = {
    {"datatargets/readbytes", "bytes", "%s-OST%04zx", traffic, 1, 0, true},
    {"datatargets/writebytes", "bytes", "%s-OST%04zx", traffic, 1, 0, true},
    {"dataservers/cpuload", "%", "%s-oss%02zu", processor, PER_SERVER, 0, false},
    {"mdservers/cpuload", "%", "%s-mds%02zu", processor, 0, 0, false},
    {"mdtargets/opens", "ops", "%s-MDT%04zx", operations, 0, 0, true},
    {"mdtargets/getattrs", "ops", "%s-MDT%04zx", operations, 0, 0, true},
    {"fullness/bytes", "bytes", "%s-OST%04zx", used, 1, 900, false},
    {"fullness/bytestotal", "bytes", "%s-OST%04zx", total, 1, 900, false},
};
enum { MATRICES = sizeof matrices / sizeof *matrices };

static void fill(iol__arena *arena, const fs_system *s, const struct matrix *m, int64_t first, int64_t step,
                 int64_t end, iol__frame *frame) {
    size_t columns = m->per ? (s->targets + m->per - 1) / m->per : 1;
    bool gap = first / DAY % 9 == 4; /* two hours of every ninth day are missing */
    iol__frame_make(arena, (size_t)(DAY / step), columns, frame);
    frame->step = step;
    for (size_t r = 0; r < frame->rows; r++) {
        int64_t when = frame->times[r] = first + (int64_t)r * step;
        if (when >= end || (gap && when % DAY >= 10 * 3600 && when % DAY < 12 * 3600)) continue;
        for (size_t i = 0; i < columns; i++)
            *iol__frame_at(frame, r, i) = m->value(s, when, i) * (m->amounts ? (double)step : 1);
    }
    fill_names(arena, frame, m->names, s->backend);
}

static void write_day(const plan *p, const fs_system *s, int64_t first) {
    iol__arena arena = {0};
    iol__series_part parts[MATRICES];
    iol__frame frames[MATRICES];
    char day[16], why[400];
    time_t seconds = (time_t)first;
    struct tm tm;
    strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&seconds, &tm));
    for (size_t i = 0; i < MATRICES; i++) {
        int64_t step = matrices[i].step ? matrices[i].step : p->step;
        fill(&arena, s, &matrices[i], first, step, p->end, &frames[i]);
        parts[i] = (iol__series_part){
            .dataset = matrices[i].dataset, .units = matrices[i].units, .source = "made-up", .frame = &frames[i]};
    }
    const char *path = iol__arena_print(&arena, "%s/%s/%s.hdf5", p->dir, s->fs, day);
    if (iol__series_commit(&arena, path, first, first + DAY, parts, MATRICES, why) != IOL_OK) {
        fprintf(stderr, "make-series: %s: %s\n", path, why);
        exit(1);
    }
    iol__arena_free(&arena);
}

/* Two servers are down on the last days: their targets are with the next one. */
static void list_targets(const plan *p, const fs_system *s, int64_t first) {
    char day[16], path[4096];
    time_t seconds = (time_t)first;
    struct tm tm;
    strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&seconds, &tm));
    snprintf(path, sizeof path, "%s/%s/%s-map.txt", p->dir, s->fs, day);
    FILE *map = fopen(path, "we");
    for (int64_t when = first; map && when < first + DAY && when < p->end; when += LISTING) {
        fprintf(map, "BEGIN %lld\n", (long long)when);
        for (size_t i = 0; i < s->targets; i++) {
            size_t server = i / PER_SERVER;
            if (first + 4 * (int64_t)DAY > p->end && server == 7) server = 6;
            fprintf(
                map,
                "%3zu UP osc %s-OST%04zx-osc-ffff885f81a64000 8dbdc7f6-8f86-86ea-052f-357e2db2a7d9 5 10.1.2.%zu@o2ib\n",
                i + 4, s->backend, i, server + 1);
        }
    }
    if (map) fclose(map);
    snprintf(path, sizeof path, "%s/%s/%s-full.txt", p->dir, s->fs, day);
    FILE *full = fopen(path, "we");
    for (int64_t when = first; full && when < first + DAY && when < p->end; when += LISTING) {
        fprintf(full, "BEGIN %lld\n", (long long)when);
        for (size_t i = 0; i < s->targets; i++) {
            double kib = s->capacity / 1024, there = used(s, when, i) / 1024;
            fprintf(full, "%s-OST%04zx_UUID %.0f %.0f %.0f %.0f%% /%s[OST:%zu]\n", s->backend, i, kib, there,
                    kib - there, 100 * there / kib, s->fs, i);
        }
    }
    if (full) fclose(full);
}

static int64_t number(const char *text) {
    char *end;
    long long value = strtoll(text, &end, 10);
    if (*text && !*end && value > 0) return value;
    fputs(usage, stderr);
    exit(2);
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"days", required_argument, NULL, 'd'},
                                            {"targets", required_argument, NULL, 't'},
                                            {"step", required_argument, NULL, 's'},
                                            {"end", required_argument, NULL, 'e'},
                                            {0}};
    plan p = {.days = 30, .targets = 200, .step = 60, .end = (int64_t)time(NULL)};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        int64_t value = option == '?' ? number("") : number(optarg);
        *(option == 'd' ? &p.days : option == 't' ? &p.targets : option == 's' ? &p.step : &p.end) = value;
    }
    if (optind + 1 != argc) return fputs(usage, stderr), 2;
    p.dir = argv[optind];
    const fs_system systems[] = {{"scratch", "onyxfs", (size_t)p.targets, 240e6, 180e12},
                                 {"flash", "onyxbb", (size_t)p.targets / 10 + 1, 900e6, 12e12}};
    char path[4096];
    mkdir(p.dir, 0755);
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", p.dir, systems[i].fs);
        mkdir(path, 0755);
        for (int64_t day = p.end / DAY - p.days + 1; day <= p.end / DAY; day++) {
            write_day(&p, &systems[i], day * DAY);
            list_targets(&p, &systems[i], day * DAY);
        }
    }
    snprintf(path, sizeof path, "%s/series.json", p.dir);
    FILE *json = fopen(path, "we");
    if (!json) return perror(path), 1;
    static const char *const keys[][2] = {
        {"hdf5_files", ".hdf5"}, {"lfsstatus_map_files", "-map.txt"}, {"lfsstatus_fullness_files", "-full.txt"}};
    for (size_t k = 0; k < 3; k++)
        fprintf(json, "\"%s\": {\"scratch\": \"%s/scratch/%%Y-%%m-%%d%s\", \"flash\": \"%s/flash/%%Y-%%m-%%d%s\"},\n",
                keys[k][0], p.dir, keys[k][1], p.dir, keys[k][1]);
    fputs("\"fsname_to_backend_name\": {\"scratch\": \"onyxfs\", \"flash\": \"onyxbb\"},\n", json);
    return fclose(json) == 0 ? 0 : 1;
}
