/* What a log says about its job: totals, extremes, which layer and which file system moved most. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/analyze/job.h"
#include "site/connect/logs.h"

/* Counters of POSIX that there are figures of. */
static const char *const counters[] = {"BYTES_READ",  "BYTES_WRITTEN",    "READS",          "WRITES",    "F_META_TIME",
                                       "F_READ_TIME", "F_WRITE_TIME",     "OPENS",          "SEQ_READS", "SEQ_WRITES",
                                       "STATS",       "FILE_NOT_ALIGNED", "MEM_NOT_ALIGNED"};
enum { COUNTERS = IOL_COUNT(counters) };

/* Bytes below one mount point, read and written. */
typedef struct mount_bytes {
    const char *point;
    double bytes[2];
} mount_bytes;

typedef struct module {
    const char *key;
    int slot;
    size_t index[2]; /* of its counters of bytes, read and written */
    double bytes[2];
    int64_t files[2];
    mount_bytes *mounts;
    size_t n_mounts;
} module;

/* Figures over all POSIX records. */
typedef struct posix_figures {
    size_t index[COUNTERS];
    double sum[COUNTERS], least[COUNTERS], most[COUNTERS];
    size_t records;
    iol_sum *performance; /* NULL: not known */
} posix_figures;

typedef struct job_log_reading {
    iol__arena *arena;
    iol_log *log;
    iol__value *row;
    module modules[64];
    size_t n_modules;
    posix_figures posix;
} job_log_reading;

/* Reading: each record once ----------------------------------------------------------------------------------------- */

/* As the reference prints it. */
static double value_at(const iol_record *record, size_t index) {
    iol_value value;
    if (iol_record_counter(record, index, &value) != IOL_OK) return 0;
    return value.kind == IOL_REAL   ? iol__six_digits(value.as.d)
           : value.kind == IOL_UINT ? (double)value.as.u
                                    : (double)value.as.i;
}

/* The place of a counter whose name ends so. */
static bool find_counter(int slot, const char *tail, size_t *index) {
    iol_counter counter;
    for (*index = 0; iol_counter_at(slot, *index, &counter) == IOL_OK; ++*index) {
        size_t length = strlen(counter.name), end = strlen(tail);
        if (length > end && strcmp(counter.name + length - end, tail) == 0) return true;
    }
    return false;
}

static void find_posix_counters(job_log_reading *on, int slot) {
    iol_counter counter;
    for (size_t at = 0; iol_counter_at(slot, at, &counter) == IOL_OK; at++)
        for (size_t i = 0; i < COUNTERS; i++)
            if (strcmp(counter.name + strlen("POSIX_"), counters[i]) == 0) on->posix.index[i] = at;
    if (iol_sum_new(on->log, slot, &on->posix.performance) != IOL_OK) on->posix.performance = NULL;
}

static void add_posix(posix_figures *p, const iol_record *record) {
    for (size_t i = 0; i < COUNTERS; i++) {
        const double value = value_at(record, p->index[i]);
        p->sum[i] += value;
        p->least[i] = p->records && p->least[i] < value ? p->least[i] : value;
        p->most[i] = p->records && p->most[i] > value ? p->most[i] : value;
    }
    p->records++;
    if (p->performance) iol_sum_add(p->performance, record);
}

/* The longest mount point that the path is below. */
static const char *job_log_mount_of(const iol_log *log, const char *path) {
    const char *point, *type, *best = "_unknown";
    size_t longest = 0;
    for (size_t i = 0; path && *path == '/' && iol_log_mount(log, i, &point, &type) == IOL_OK; i++) {
        size_t length = strlen(point);
        bool below = strncmp(path, point, length) == 0 &&
                     (path[length] == '/' || !path[length] || (length && point[length - 1] == '/'));
        if (below && length > longest) {
            longest = length;
            best = point;
        }
    }
    return best;
}

static mount_bytes *job_log_mount_at(iol__arena *arena, mount_bytes **list, size_t *count, const char *point) {
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i].point, point) == 0) return &(*list)[i];
    *list = iol__arena_grow(arena, *list, *count, sizeof **list);
    (*list)[*count] = (mount_bytes){.point = iol__arena_copy(arena, point)};
    return &(*list)[(*count)++];
}

static void add_job_log_record(job_log_reading *on, module *to, const iol_record *record) {
    const char *point = job_log_mount_of(on->log, iol_log_name(on->log, iol_record_id(record)));
    mount_bytes *mount = job_log_mount_at(on->arena, &to->mounts, &to->n_mounts, point);
    for (int direction = 0; direction < 2; direction++) {
        const double bytes = value_at(record, to->index[direction]);
        to->bytes[direction] += bytes;
        to->files[direction] += bytes > 0;
        mount->bytes[direction] += bytes;
    }
}

static void read_job_log_module(job_log_reading *on, int slot, const iol_module *found) {
    const bool posix = slot == iol_module_find("POSIX");
    module *to = &on->modules[on->n_modules];
    char key[32];
    iol_records *records;
    const iol_record *record;
    if (!find_counter(slot, "_BYTES_READ", &to->index[0]) || !find_counter(slot, "_BYTES_WRITTEN", &to->index[1]))
        return;
    if (iol_records_open(on->log, slot, &records) != IOL_OK) return;
    iol__module_key(found->name, key);
    to->key = iol__arena_copy(on->arena, key);
    to->slot = slot;
    if (posix) find_posix_counters(on, slot);
    while (iol_records_next(records, &record) == IOL_OK) {
        add_job_log_record(on, to, record);
        if (posix) add_posix(&on->posix, record);
    }
    iol_records_close(records);
    on->n_modules++;
}

static void read_job_log_modules(job_log_reading *on) {
    static const char *const first[] = {"POSIX", "MPI-IO", "STDIO"};
    iol_module found;
    for (size_t i = 0; i < 3; i++)
        if (iol_log_module(on->log, iol_module_find(first[i]), &found) == IOL_OK && found.length)
            read_job_log_module(on, iol_module_find(first[i]), &found);
    for (int slot = 0; iol_log_module(on->log, slot, &found) == IOL_OK && on->n_modules < 64; slot++) {
        bool known = !found.length || !found.name;
        for (size_t i = 0; !known && i < 3; i++) known = slot == iol_module_find(first[i]);
        if (!known) read_job_log_module(on, slot, &found);
    }
}

/* Keys -------------------------------------------------------------------------------------------------------------- */

static void job_log_put(job_log_reading *on, const char *figure, const char *counter, double value, bool whole) {
    char key[96], *at = key;
    snprintf(key, sizeof key, "darshan_%s_%s_posix", figure, counter);
    for (; *at; at++)
        if (*at >= 'A' && *at <= 'Z') *at = (char)(*at - 'A' + 'a');
    if (whole)
        iol__map_put_integer(on->arena, on->row, key, iol__whole(value));
    else
        iol__map_put_real(on->arena, on->row, key, value);
}

static void put_posix(job_log_reading *on) {
    const posix_figures *p = &on->posix;
    const double n = (double)p->records;
    for (size_t i = 0; p->records && i < COUNTERS; i++) {
        bool whole = strncmp(counters[i], "F_", 2) != 0;
        job_log_put(on, "tot", counters[i], p->sum[i], whole);
        job_log_put(on, "ave", counters[i], p->sum[i] / n, false);
        job_log_put(on, "num", counters[i], n, true);
        job_log_put(on, "min", counters[i], p->least[i], whole);
        job_log_put(on, "max", counters[i], p->most[i], whole);
    }
}

static void put_performance(job_log_reading *on) {
    iol_performance is;
    if (!on->posix.performance || iol_sum_performance(on->posix.performance, &is) != IOL_OK) return;
    iol__map_put_real(on->arena, on->row, "darshan_total_gibs_posix", (double)is.total_bytes / 1073741824.0);
    if (is.total_bytes <= 0) return;
    iol__map_put_real(on->arena, on->row, "darshan_agg_perf_by_slowest_posix", iol__six_digits(is.mib_per_second));
    iol__map_put_real(on->arena, on->row, "darshan_io_time",
                      iol__six_digits(is.slowest_rank_io_time) + iol__six_digits(is.shared_time));
}

static int by_point(const void *a, const void *b) {
    return strcmp(((const mount_bytes *)a)->point, ((const mount_bytes *)b)->point);
}

/* Of equal mounts the first by name. */
static const char *put_job_log_mounts(job_log_reading *on, const module *const biggest[2]) {
    static const char *const directions[] = {"read", "write"};
    mount_bytes *all = NULL;
    size_t count = 0;
    const mount_bytes *most[2] = {NULL, NULL};
    for (int m = 0; m < (biggest[1] == biggest[0] ? 1 : 2); m++)
        for (size_t i = 0; i < biggest[m]->n_mounts; i++) {
            mount_bytes *to = job_log_mount_at(on->arena, &all, &count, biggest[m]->mounts[i].point);
            for (int direction = 0; direction < 2; direction++)
                to->bytes[direction] += biggest[m]->mounts[i].bytes[direction];
        }
    if (!count) return NULL;
    qsort(all, count, sizeof *all, by_point);
    for (int direction = 0; direction < 2; direction++) {
        most[direction] = all;
        for (size_t i = 1; i < count; i++)
            if (all[i].bytes[direction] > most[direction]->bytes[direction]) most[direction] = &all[i];
        iol__map_put_text(on->arena, on->row,
                          iol__arena_print(on->arena, "darshan_biggest_%s_fs", directions[direction]),
                          most[direction]->point);
        iol__map_put_integer(on->arena, on->row,
                             iol__arena_print(on->arena, "darshan_biggest_%s_fs_bytes", directions[direction]),
                             iol__whole(most[direction]->bytes[direction]));
    }
    return most[1]->bytes[1] > most[0]->bytes[0] ? most[1]->point : most[0]->point;
}

static const char *put_biggest(job_log_reading *on) {
    static const char *const directions[] = {"read", "write"};
    const module *biggest[2];
    if (on->n_modules == 0) return NULL;
    for (int direction = 0; direction < 2; direction++) {
        biggest[direction] = &on->modules[0];
        for (size_t i = 1; i < on->n_modules; i++)
            if (on->modules[i].bytes[direction] > biggest[direction]->bytes[direction])
                biggest[direction] = &on->modules[i];
        char *key = iol__arena_print(on->arena, "darshan_biggest_%s_api", directions[direction]);
        iol__map_put_text(on->arena, on->row, key, biggest[direction]->key);
        iol__map_put_integer(on->arena, on->row, iol__arena_print(on->arena, "%s_bytes", key),
                             iol__whole(biggest[direction]->bytes[direction]));
        iol__map_put_integer(on->arena, on->row, iol__arena_print(on->arena, "%s_files", key),
                             biggest[direction]->files[direction]);
    }
    return put_job_log_mounts(on, biggest);
}

static void put_header(job_log_reading *on, const iol_job *job) {
    const char *exe = job->exe ? job->exe : "";
    iol__map_put_integer(on->arena, on->row, "darshan_walltime", job->end_seconds - job->start_seconds + 1);
    iol__map_put_integer(on->arena, on->row, "darshan_end_time", job->end_seconds);
    iol__map_put_integer(on->arena, on->row, "darshan_start_time", job->start_seconds);
    iol__map_put_text(on->arena, on->row, "darshan_jobid", iol__arena_print(on->arena, "%lld", (long long)job->job_id));
    iol__map_put_integer(on->arena, on->row, "darshan_nprocs", job->processes);
    iol__map_put_text(on->arena, on->row, "darshan_app", iol__arena_text(on->arena, exe, strcspn(exe, " \t")));
}

void iol__job_put_open_log(iol__arena *arena, iol_log *log, iol__value *row, iol__job_log *facts) {
    job_log_reading *on = iol__arena_alloc(arena, 1, sizeof *on);
    const iol_job *job = iol_log_job(log);
    *on = (job_log_reading){.arena = arena, .log = log, .row = row};
    *facts = (iol__job_log){.start = job->start_seconds,
                            .end = job->end_seconds,
                            .job_id = iol__arena_print(arena, "%lld", (long long)job->job_id)};
    read_job_log_modules(on);
    put_header(on, job);
    put_performance(on);
    put_posix(on);
    iol_sum_free(on->posix.performance);
    const char *mount = put_biggest(on);
    facts->mount = mount ? iol__arena_copy(arena, mount) : NULL;
    facts->damaged = iol_log_error_count(log) > 0;
    if (facts->damaged) iol__site_say("partial: %s", iol_log_error(log, 0)->message);
}

iol_status iol__job_put_log(iol__arena *arena, const char *path, iol__value *row, iol__job_log *facts, char why[400]) {
    iol_log *log;
    iol_error error;
    iol_status status = iol_log_open(path, &log, &error);
    if (status != IOL_OK) {
        snprintf(why, 400, "%s", error.message);
        return status;
    }
    iol__job_put_open_log(arena, log, row, facts);
    iol_log_close(log);
    return IOL_OK;
}
