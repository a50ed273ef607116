/* make-runs DIR: logs of runs to compare, as DIR/NAME.darshan. One shared file that all ranks write and sync; what
   differs between the groups is planted, and the times of a group vary as those of real runs do. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schema/schema.h"
#include "tests/support/logrecords.h"

enum { RUNS = 5 };

typedef struct plan {
    const char *name; /* of the group */
    const char *command;
    int runs;
    int64_t ranks, writes, syncs, size; /* size: of a write */
    int bucket;                         /* counter of that size */
    double run_time, slowest;           /* seconds; of the whole run, of the slowest rank's I/O */
} plan;

/* The first two are a published pair of one run each: requests and syncs changed at once. `buffered` changes the
   requests of `plain` alone, `again` nothing at all, and `unsynced` only the syncs of `synced`. */
static const plan plans[] = {
    {"ior-before", "/opt/ior/bin/ior -t 1k -e", 1, 256, 262144, 262144, 1024, IOL_POSIX_SIZE_WRITE_100_1K, 465, 464.8},
    {"ior-after", "/opt/ior/bin/ior -t 1m -e", 1, 256, 256, 256, 1 << 20, IOL_POSIX_SIZE_WRITE_100K_1M, 2, 1.59},
    {"plain", "/home/ana/bin/heat3d", RUNS, 64, 640000, 0, 1000, IOL_POSIX_SIZE_WRITE_100_1K, 100, 60},
    {"again", "/home/ana/bin/heat3d", RUNS, 64, 640000, 0, 1000, IOL_POSIX_SIZE_WRITE_100_1K, 101, 60.5},
    {"buffered", "/home/ana/bin/heat3d", RUNS, 64, 640, 0, 1000000, IOL_POSIX_SIZE_WRITE_100K_1M, 45, 4},
    {"synced", "/home/ana/bin/heat3d", RUNS, 64, 64000, 64000, 1 << 23, IOL_POSIX_SIZE_WRITE_4M_10M, 300, 250},
    {"unsynced", "/home/ana/bin/heat3d", RUNS, 64, 64000, 64, 1 << 23, IOL_POSIX_SIZE_WRITE_4M_10M, 100, 50},
    {"small", "/home/ana/bin/heat3d", 2, 32, 640000, 0, 1000, IOL_POSIX_SIZE_WRITE_100_1K, 100, 60},
    {"other", "/usr/bin/<b>solver\x1b[31m", RUNS, 64, 640000, 0, 1000, IOL_POSIX_SIZE_WRITE_100_1K, 100, 60},
};

/* By how much the runs of a group are off, in an order of its own for every group and figure. */
static double varied(double value, const plan *p, size_t order, int run) {
    static const double factors[RUNS] = {1.000, 0.971, 1.043, 1.012, 0.982};
    return p->runs == 1 ? value : value * factors[((size_t)run + order) % RUNS];
}

static void put_file(lm_log *log, const plan *p, double slowest) {
    static const char name[] = "/scratch/ana/out.dat";
    lm_counts c = {0};
    int64_t volume = p->writes * p->size;
    c.ints[IOL_POSIX_OPENS] = p->ranks;
    c.ints[IOL_POSIX_WRITES] = p->writes;
    c.ints[IOL_POSIX_CONSEC_WRITES] = c.ints[IOL_POSIX_SEQ_WRITES] = p->writes - p->ranks;
    c.ints[IOL_POSIX_FSYNCS] = p->syncs;
    c.ints[IOL_POSIX_BYTES_WRITTEN] = volume;
    c.ints[IOL_POSIX_MAX_BYTE_WRITTEN] = volume - 1;
    c.ints[p->bucket] = p->writes;
    c.ints[IOL_POSIX_ACCESS1_ACCESS] = p->size;
    c.ints[IOL_POSIX_ACCESS1_COUNT] = p->writes;
    c.ints[IOL_POSIX_SLOWEST_RANK_BYTES] = c.ints[IOL_POSIX_FASTEST_RANK_BYTES] = volume / p->ranks;
    c.reals[IOL_POSIX_F_WRITE_TIME] = 0.97 * slowest * (double)p->ranks;
    c.reals[IOL_POSIX_F_META_TIME] = 0.001 * slowest * (double)p->ranks;
    c.reals[IOL_POSIX_F_SLOWEST_RANK_TIME] = slowest;
    c.reals[IOL_POSIX_F_FASTEST_RANK_TIME] = 0.95 * slowest;
    lm_fixed(lm_records(log, LM_POSIX, 4), LM_POSIX, 4, lm_id(name), -1, 0, &c);
    lm_name(log, lm_id(name), name);
}

static lm_log *log_of(const plan *p, size_t group, int run) {
    lm_log *log = lm_new(41, false, LM_ZLIB);
    char text[200];
    double run_time = varied(p->run_time, p, 2 * group, run);
    snprintf(text, sizeof text, "%s\next4\t/\nlustre\t/scratch", p->command);
    log->text = strdup(text);
    log->start = 1762430400 + run * 86400;
    log->start_ns = 0;
    log->end = log->start + (int64_t)run_time;
    log->end_ns = (int64_t)((run_time - (double)(int64_t)run_time) * 1e9);
    log->processes = p->ranks;
    log->job_id = 1000 * (int64_t)group + run;
    put_file(log, p, varied(p->slowest, p, 3 * group + 1, run));
    return log;
}

static bool write_run(const char *directory, const plan *p, size_t group, int run) {
    char path[4096];
    lm_log *log = log_of(p, group, run);
    size_t length;
    uint8_t *file = lm_finish(log, &length);
    if (p->runs == 1)
        snprintf(path, sizeof path, "%s/%s.darshan", directory, p->name);
    else
        snprintf(path, sizeof path, "%s/%s-%d.darshan", directory, p->name, run + 1);
    FILE *f = fopen(path, "wb");
    bool done = f && fwrite(file, 1, length, f) == length;
    if (f && fclose(f) != 0) done = false;
    if (!done) fprintf(stderr, "make-runs: %s: %s\n", path, strerror(errno));
    free((char *)(uintptr_t)log->text);
    lm_free(log);
    free(file);
    return done;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: make-runs DIR\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        for (int run = 0; run < plans[i].runs; run++)
            if (!write_run(argv[1], &plans[i], i, run)) return 1;
    return 0;
}
