/* Jobs come one after the other from one stream of random numbers; each is a user's run of a program, in one or more steps
   with a log each. What a log says follows from the pattern of its program, so that findings, metrics and rates are those
   that such a program has. */
#include "examples/centre/centre.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "schema/schema.h"
#include "tests/support/logrecords.h"

typedef enum pattern {
    COLLECTIVE,
    PER_PROCESS,
    STREAM,
    MANY_READS,
    SMALL_SHARED,
    TEMPORARY,
    AGAIN,
    METADATA,
    RANDOM
} pattern;

typedef struct program {
    const char *name;
    pattern pattern;
    int processes, files;
    int64_t request, requests;
    int share;
    const char *mount;
} program;

static const program programs[] = {
#define PROGRAM(...) {__VA_ARGS__},
#include "examples/centre/centre.def"
#undef PROGRAM
};

enum {
    PROGRAMS = sizeof programs / sizeof *programs,
    USERS = 120,
    ACCOUNTS = 12,
    CORES = 64,
    BLOCK = 1 << 20,
    LARGE_FILES = 11000
};
static const int64_t last_month = 1790812800; /* 1 October 2026 */

typedef struct job {
    const program *program;
    int user, nodes, processes, steps;
    int64_t id, submit, start, end;
    bool extreme; /* a few jobs do far more of what their program does */
    double slow;  /* today's file system against the usual one */
    const char *state, *entry;
} job;

typedef struct centre {
    const centre_plan *plan;
    const char *dir;
    uint64_t random, made;
    FILE *sacct, *entries;
    int64_t next_id;
} centre;

/* Chance -------------------------------------------------------------------------------------------------------- */

static uint64_t chance(centre *c) { /* splitmix64 */
    uint64_t z = c->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double fraction(centre *c) { return (double)(chance(c) >> 11) * 0x1p-53; }
static int below(centre *c, int n) { return (int)(chance(c) % (uint64_t)n); }
/* Around 1, rarely below a half or above two. */
static double around(centre *c) { return exp(0.7 * (fraction(c) + fraction(c) + fraction(c) - 1.5)); }

static void die(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    exit(4);
}

/* Records ------------------------------------------------------------------------------------------------------- */

typedef struct traffic {
    bool write;
    int64_t requests, size, extent; /* of all ranks together; the highest offset */
    double in_order;                /* share of the requests */
    double start, time;             /* of all ranks together */
} traffic;

static int bucket_of(int64_t length) {
    static const int64_t most[] = {100, 1024, 10240, 102400, 1048576, 4194304, 10485760, 104857600, 1073741824};
    int bucket = 0;
    while (bucket < 9 && length > most[bucket]) bucket++;
    return bucket;
}

static void add_access(lm_counts *n, const traffic *a, int64_t ranks, double wall) {
    int w = a->write;
    int64_t *i = n->ints;
    double *r = n->reals;
    int64_t ordered = (int64_t)((double)a->requests * a->in_order);
    i[w ? IOL_POSIX_WRITES : IOL_POSIX_READS] += a->requests;
    i[w ? IOL_POSIX_BYTES_WRITTEN : IOL_POSIX_BYTES_READ] += a->requests * a->size;
    i[w ? IOL_POSIX_MAX_BYTE_WRITTEN : IOL_POSIX_MAX_BYTE_READ] = a->extent - 1;
    i[w ? IOL_POSIX_SEQ_WRITES : IOL_POSIX_SEQ_READS] += ordered;
    i[w ? IOL_POSIX_CONSEC_WRITES : IOL_POSIX_CONSEC_READS] += ordered * 9 / 10;
    i[(w ? IOL_POSIX_SIZE_WRITE_0_100 : IOL_POSIX_SIZE_READ_0_100) + bucket_of(a->size)] += a->requests;
    if (a->size % BLOCK) i[IOL_POSIX_FILE_NOT_ALIGNED] += a->requests;
    i[IOL_POSIX_ACCESS1_ACCESS] = a->size;
    i[IOL_POSIX_ACCESS1_COUNT] += a->requests;
    r[w ? IOL_POSIX_F_WRITE_TIME : IOL_POSIX_F_READ_TIME] += a->time;
    r[w ? IOL_POSIX_F_WRITE_START_TIMESTAMP : IOL_POSIX_F_READ_START_TIMESTAMP] = a->start;
    r[w ? IOL_POSIX_F_WRITE_END_TIMESTAMP : IOL_POSIX_F_READ_END_TIMESTAMP] =
        fmin(wall, a->start + a->time / (double)ranks * 1.2);
    r[w ? IOL_POSIX_F_MAX_WRITE_TIME : IOL_POSIX_F_MAX_READ_TIME] =
        a->time / (double)(a->requests ? a->requests : 1) * 5;
    i[w ? IOL_POSIX_MAX_WRITE_TIME_SIZE : IOL_POSIX_MAX_READ_TIME_SIZE] = a->size;
}

static void start_file(lm_counts *n, int64_t opens, int64_t stats, double meta, double at, double wall) {
    memset(n, 0, sizeof *n);
    n->ints[IOL_POSIX_OPENS] = opens;
    n->ints[IOL_POSIX_STATS] = stats;
    n->ints[IOL_POSIX_MODE] = 0644;
    n->ints[IOL_POSIX_MEM_ALIGNMENT] = 8;
    n->ints[IOL_POSIX_FILE_ALIGNMENT] = BLOCK;
    n->reals[IOL_POSIX_F_META_TIME] = meta;
    n->reals[IOL_POSIX_F_OPEN_START_TIMESTAMP] = at;
    n->reals[IOL_POSIX_F_OPEN_END_TIMESTAMP] = at + 0.002;
    n->reals[IOL_POSIX_F_CLOSE_START_TIMESTAMP] = wall * 0.97;
    n->reals[IOL_POSIX_F_CLOSE_END_TIMESTAMP] = wall * 0.97 + 0.002;
}

/* What the reduction over ranks would have left. */
static void share_out(centre *c, lm_counts *n, int64_t ranks) {
    double time = n->reals[IOL_POSIX_F_READ_TIME] + n->reals[IOL_POSIX_F_WRITE_TIME] + n->reals[IOL_POSIX_F_META_TIME];
    int64_t moved = n->ints[IOL_POSIX_BYTES_READ] + n->ints[IOL_POSIX_BYTES_WRITTEN];
    double mean = time / (double)ranks, lag = 1.1 + fraction(c);
    n->ints[IOL_POSIX_FASTEST_RANK] = 0;
    n->ints[IOL_POSIX_SLOWEST_RANK] = ranks - 1;
    n->ints[IOL_POSIX_FASTEST_RANK_BYTES] = n->ints[IOL_POSIX_SLOWEST_RANK_BYTES] = moved / ranks;
    n->reals[IOL_POSIX_F_FASTEST_RANK_TIME] = mean / lag;
    n->reals[IOL_POSIX_F_SLOWEST_RANK_TIME] = mean * lag;
    n->reals[IOL_POSIX_F_VARIANCE_RANK_TIME] = mean * mean * (lag - 1) * (lag - 1) / 4;
}

static void through_mpiio(lm_log *log, uint64_t id, const lm_counts *posix, bool collective, int64_t ranks) {
    lm_counts n = {0};
    int64_t calls = posix->ints[IOL_POSIX_WRITES];
    n.ints[IOL_MPIIO_COLL_OPENS] = ranks;
    n.ints[collective ? IOL_MPIIO_COLL_WRITES : IOL_MPIIO_INDEP_WRITES] = calls;
    n.ints[IOL_MPIIO_MODE] = 5;
    n.ints[IOL_MPIIO_BYTES_WRITTEN] = posix->ints[IOL_POSIX_BYTES_WRITTEN];
    memcpy(&n.ints[IOL_MPIIO_SIZE_READ_AGG_0_100], &posix->ints[IOL_POSIX_SIZE_READ_0_100],
           2 * IOL_SIZE_BUCKETS * sizeof *n.ints);
    memcpy(&n.ints[IOL_MPIIO_FASTEST_RANK], &posix->ints[IOL_POSIX_FASTEST_RANK], 4 * sizeof *n.ints);
    memcpy(n.reals, posix->reals, IOL_MPIIO_REALS * sizeof *n.reals);
    n.reals[IOL_MPIIO_F_WRITE_TIME] *= 1.1;
    lm_fixed(lm_records(log, LM_MPIIO, 3), LM_MPIIO, 3, id, -1, 0, &n);
}

static void put_posix(lm_log *log, uint64_t id, int64_t rank, const lm_counts *n) {
    lm_fixed(lm_records(log, LM_POSIX, 4), LM_POSIX, 4, id, rank, 0, n);
}

static void put_stripes(centre *c, lm_log *log, uint64_t id, int64_t rank, int64_t count) {
    int64_t osts[16], first = below(c, 64);
    for (int64_t i = 0; i < count; i++) osts[i] = (first + i) % 64;
    lm_component one = {{BLOCK, count, 0, 16, 0, -1, 0}, ""};
    lm_lustre_2(lm_records(log, LM_LUSTRE, 2), id, rank, &one, 1, osts, (size_t)count);
}

static uint64_t name_of(lm_log *log, const job *j, const char *what, int number) {
    char name[200];
    snprintf(name, sizeof name, "%s/user%03d/run%lld/%s.%04d", j->program->mount, j->user, (long long)(j->id % 1000),
             what, number);
    uint64_t id = lm_id(name);
    lm_name(log, id, name);
    return id;
}

/* Seconds that a number of requests take: a latency for each, and a rate. */
static double seconds_of(centre *c, const job *j, int64_t requests, int64_t size) {
    return j->slow * around(c) * ((double)requests * 0.0004 + (double)requests * (double)size / 4e8);
}

/* No process spends more time in its files than it runs. */
static double limited(const job *j, double seconds, double wall, int64_t ranks) {
    const int64_t per_process = ranks > 1 ? j->program->files : (j->program->files - 1) / j->processes + 1;
    return fmin(seconds, 0.4 * wall * (double)ranks / (double)per_process);
}

/* Patterns ------------------------------------------------------------------------------------------------------- */

static void shared_file(centre *c, lm_log *log, const job *j, int number, double wall, bool collective) {
    const program *p = j->program;
    int64_t ranks = j->processes, writers = collective && ranks > 8 ? ranks / 8 : ranks,
            requests = p->requests * writers * (j->extreme && !collective ? 1000 : 1);
    lm_counts n;
    uint64_t id = name_of(log, j, "checkpoint", number);
    start_file(&n, ranks, 0, 0.001 * (double)ranks * j->slow, 1 + number, wall);
    add_access(&n,
               &(traffic){true, requests, p->request, requests * p->request, collective ? 0.98 : 0.6, wall * 0.1,
                          limited(j, seconds_of(c, j, requests, p->request) * (collective ? 1 : 6), wall, ranks)},
               ranks, wall);
    share_out(c, &n, ranks);
    put_posix(log, id, -1, &n);
    through_mpiio(log, id, &n, collective, ranks);
    put_stripes(c, log, id, -1, collective ? 8 : 1);
}

static void own_file(centre *c, lm_log *log, const job *j, int number, double wall) {
    const program *p = j->program;
    lm_counts n;
    uint64_t id = name_of(log, j, p->pattern == METADATA ? "field" : "part", number);
    int64_t rank = number % j->processes, requests = p->requests * (j->extreme && p->pattern == AGAIN ? 20000 : 1);
    bool meta = p->pattern == METADATA, read = p->pattern == MANY_READS || p->pattern == AGAIN || p->pattern == RANDOM;
    double opening = (meta ? j->extreme ? 400 : 0.4 : 0.003) * j->slow * around(c);
    start_file(&n, meta ? 3 : 1, meta ? 12 : 1, fmin(opening, 0.55 * wall), 0.5 + 0.01 * number, wall);
    int64_t extent = requests * p->request / (p->pattern == AGAIN ? 40 : 1);
    traffic a = {!read,
                 requests,
                 p->request,
                 extent,
                 p->pattern == RANDOM ? 0.1 : 0.97,
                 wall * (0.1 + 0.5 * fraction(c)),
                 limited(j, seconds_of(c, j, requests, p->request), wall, 1)};
    add_access(&n, &a, 1, wall);
    if (p->pattern == TEMPORARY) {
        a.write = false;
        a.start += a.time;
        add_access(&n, &a, 1, wall);
    }
    put_posix(log, id, rank, &n);
    if (*p->mount == '/' && p->mount[1] == 's') put_stripes(c, log, id, rank, 1);
}

static void text_log(centre *c, lm_log *log, const job *j, double wall) {
    lm_counts n = {0};
    int64_t lines = 50 + below(c, 400);
    n.ints[IOL_STDIO_OPENS] = 1;
    n.ints[IOL_STDIO_WRITES] = lines;
    n.ints[IOL_STDIO_FLUSHES] = lines / 10;
    n.ints[IOL_STDIO_BYTES_WRITTEN] = lines * 80;
    n.ints[IOL_STDIO_MAX_BYTE_WRITTEN] = lines * 80 - 1;
    n.reals[IOL_STDIO_F_META_TIME] = 0.001;
    n.reals[IOL_STDIO_F_WRITE_TIME] = (double)lines * 2e-5;
    n.reals[IOL_STDIO_F_OPEN_START_TIMESTAMP] = 0.1;
    n.reals[IOL_STDIO_F_OPEN_END_TIMESTAMP] = 0.101;
    n.reals[IOL_STDIO_F_WRITE_START_TIMESTAMP] = 0.2;
    n.reals[IOL_STDIO_F_WRITE_END_TIMESTAMP] = wall * 0.99;
    lm_fixed(lm_records(log, LM_STDIO, 2), LM_STDIO, 2, name_of(log, j, "out", 0), 0, 0, &n);
}

static void fill_log(centre *c, lm_log *log, const job *j, double wall, bool large) {
    const program *p = j->program;
    if (p->pattern == COLLECTIVE || p->pattern == SMALL_SHARED)
        for (int i = 0; i < p->files; i++) shared_file(c, log, j, i, wall, p->pattern == COLLECTIVE);
    else
        for (int i = 0; i < p->files; i++) own_file(c, log, j, i, wall);
    for (int i = 0; large && i < LARGE_FILES; i++) own_file(c, log, j, 1000 + i, wall);
    text_log(c, log, j, wall);
}

/* Files --------------------------------------------------------------------------------------------------------- */

static void make_dirs(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST) die("make-centre: %s: %s\n", path, strerror(errno));
        *slash = '/';
    }
}

static void write_file(const char *path, const void *data, size_t length) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, data, length) != (ssize_t)length || close(fd) != 0)
        die("make-centre: %s: %s\n", path, strerror(errno));
}

static void path_of(const centre *c, const job *j, int step, int64_t start, char path[512]) {
    struct tm tm;
    time_t time = (time_t)start;
    gmtime_r(&time, &tm);
    snprintf(path, 512, "%s/logs/%d/%d/%d/user%03d_%s_id%lld-%d_%d-%d-%d-%llu_1.darshan", c->dir, tm.tm_year + 1900,
             tm.tm_mon + 1, tm.tm_mday, j->user, j->program->name, (long long)j->id, 1000 + step, tm.tm_mon + 1,
             tm.tm_mday, tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec, (unsigned long long)(c->random >> 1));
}

/* Cut short, empty, or something else. */
static size_t damage(centre *c, uint8_t *data, size_t length) {
    int kind = below(c, 3);
    if (kind == 0) return 0;
    if (kind == 1) return length / 2;
    memset(data, 'x', length < 400 ? length : 400);
    return length;
}

static void make_log(centre *c, const job *j, int step) {
    double wall = (double)(j->end - j->start) / j->steps;
    int64_t start = j->start + (int64_t)(wall * step);
    bool large = below(c, 1000) < c->plan->large, broken = below(c, 1000) < c->plan->broken;
    char path[512], command[256];
    lm_log *log = lm_new(41, false, LM_ZLIB);
    log->uid = 20000 + j->user;
    log->start = start;
    log->start_ns = (int64_t)(chance(c) % 1000000000);
    log->end = start + (int64_t)wall;
    log->end_ns = 0;
    log->processes = j->processes;
    log->job_id = j->id;
    log->metadata = "lib_ver=3.4.4\nh=romio_no_indep_rw=true;cb_nodes=4\n";
    snprintf(command, sizeof command,
             "/sw/apps/bin/%s --case %d\nlustre\t/scratch\ngpfs\t/project\nlustre\t/flash\nnfs\t/home\next4\t/",
             j->program->name, below(c, 50));
    log->text = command;
    fill_log(c, log, j, wall, large);
    size_t length;
    uint8_t *data = lm_finish(log, &length);
    if (broken) length = damage(c, data, length);
    path_of(c, j, step, start, path);
    if (step == 0 || (log->start / 86400) != (j->start / 86400)) make_dirs(path);
    write_file(path, data, length);
    free(data);
    lm_free(log);
}

/* Jobs ---------------------------------------------------------------------------------------------------------- */

/* A tenth more every month: the later, the more likely. */
static int64_t pick_start(centre *c) {
    int months = c->plan->months;
    double all = 0, at;
    for (int m = 0; m < months; m++) all += pow(1.1, m);
    at = fraction(c) * all;
    int month = 0;
    while (month < months - 1 && at > pow(1.1, month)) at -= pow(1.1, month++);
    return last_month - (int64_t)(months - 1 - month) * 30 * 86400 + (int64_t)(fraction(c) * 30 * 86400);
}

static const program *pick_program(centre *c, int user) {
    int all = 0, n = 0;
    if (below(c, 10) < 6) return &programs[(user * 7 + 3) % PROGRAMS]; /* the one that this user runs most */
    for (int i = 0; i < PROGRAMS; i++) all += programs[i].share;
    for (int at = below(c, all); at >= programs[n].share; n++) at -= programs[n].share;
    return &programs[n];
}

static job pick_job(centre *c) {
    static const int scales[] = {1, 1, 1, 2, 2, 4};
    double few = fraction(c);
    job j = {.user = (int)(USERS * few * few), .id = c->next_id++}; /* few users run most jobs */
    j.program = pick_program(c, j.user);
    j.processes = j.program->processes * scales[below(c, 6)];
    j.nodes = (j.processes + CORES - 1) / CORES;
    j.steps = below(c, 100) < 85 ? 1 : below(c, 100) < 95 ? 2 + below(c, 8) : 30 + below(c, 40);
    j.start = pick_start(c);
    j.submit = j.start - 60 - below(c, 7200);
    j.end = j.start + (int64_t)(600 * around(c) * (j.steps > 1 ? 3 : 1));
    j.slow = around(c) * (j.start / 86400 % 11 == 3 ? 4 : 1); /* some days are bad */
    int fate = below(c, 100);
    j.state = fate < 88 ? "COMPLETED" : fate < 94 ? "FAILED" : fate < 98 ? "TIMEOUT" : "CANCELLED";
    j.entry = "preloaded";
    j.extreme = below(c, 1000) < 15;
    if (j.extreme && j.program->pattern == METADATA) j.processes = 256;
    return j;
}

static void list_job(centre *c, const job *j) {
    fprintf(c->sacct, "%lld|%lld|user%03d|acct%02d|%s|%s|%s|%lld|%lld|%lld|%lld|%d|%d|nid[%06d-%06d]|\n",
            (long long)j->id, (long long)j->id, j->user, j->user % ACCOUNTS, j->nodes > 2 ? "large" : "regular",
            j->program->name, j->state, (long long)j->submit, (long long)j->start, (long long)j->end,
            (long long)(j->end - j->start), j->nodes, j->nodes * CORES, 1000 + j->user, 1000 + j->user + j->nodes - 1);
    fprintf(c->entries, "%lld start=%lld entry=%s status=%s\n", (long long)j->id, (long long)j->start, j->entry,
            j->state);
}

/* One job in five leaves no log, for different reasons. */
static void job_without_log(centre *c) {
    static const char *const entries[] = {"opted-out", "absent", "absent", "preloaded", "linked"};
    job j = pick_job(c);
    j.entry = entries[below(c, 5)];
    if (strcmp(j.entry, "linked") == 0) j.state = "FAILED";
    list_job(c, &j);
}

static void job_with_logs(centre *c) {
    job j = pick_job(c);
    if (j.program->pattern == AGAIN) j.entry = "linked";
    if (!c->made && c->plan->steps) {
        j.steps = c->plan->steps;
        j.end = j.start + 20 * j.steps;
    }
    list_job(c, &j);
    for (int step = 0; step < j.steps && c->made < c->plan->logs; step++, c->made++)
        if (!c->plan->lists_only) make_log(c, &j, step);
}

static FILE *open_list(const char *dir, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    make_dirs(path);
    FILE *list = fopen(path, "w");
    if (!list) die("make-centre: %s: %s\n", path, strerror(errno));
    return list;
}

static void write_site(const char *dir) {
    FILE *site = open_list(dir, "site.json");
    fprintf(site,
            "// The made-up centre.\n{\n  \"cluster\": \"onyx\",\n  \"timezone\": \"UTC\",\n"
            "  \"mount_to_fsname\": {\"^/scratch\": \"scratch\", \"^/project\": \"project\", \"^/flash\": \"flash\", "
            "\"^/home\": \"home\"},\n"
            "  \"darshan_log_dirs\": {\"onyx\": \"%s/logs\"},\n  \"thresholds\": {\"site.ppn\": %d}\n}\n",
            dir, CORES);
    fclose(site);
}

void centre_make(const centre_plan *plan, const char *dir) {
    centre c = {.plan = plan, .dir = dir, .random = plan->seed, .next_id = 4000000};
    c.sacct = open_list(dir, "sacct.txt");
    c.entries = open_list(dir, "entries.txt");
    fputs("JobIDRaw|JobID|User|Account|Partition|JobName|State|Submit|Start|End|ElapsedRaw|NNodes|AllocCPUS|NodeList|"
          "NTasks\n",
          c.sacct);
    write_site(dir);
    while (c.made < plan->logs) {
        if (below(&c, 5) == 0) job_without_log(&c);
        job_with_logs(&c);
    }
    if (fclose(c.sacct) != 0 || fclose(c.entries) != 0) die("make-centre: %s: %s\n", dir, strerror(errno));
}
