/* What a log says about its job: totals, extremes, which layer and which file system moved most. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "site/analyze/job.h"
#include "site/connect/logs.h"

static const char *const counters[] = {"BYTES_READ",  "BYTES_WRITTEN",    "READS",          "WRITES",    "F_META_TIME",
                                       "F_READ_TIME", "F_WRITE_TIME",     "OPENS",          "SEQ_READS", "SEQ_WRITES",
                                       "STATS",       "FILE_NOT_ALIGNED", "MEM_NOT_ALIGNED"};
enum { COUNTERS = sizeof counters / sizeof *counters };

typedef struct module {
    const char *key;
    int slot;
    char read[64], written[64]; /* names of its counters of bytes */
    double bytes[2];
    int64_t files[2];
} module;

typedef struct reading {
    iol__arena *arena;
    iol_log *log;
    iol__value *row;
    module modules[64];
    size_t n_modules;
} reading;

static void put(reading *on, const char *figure, const char *counter, double value, bool whole) {
    char key[96], *at = key;
    snprintf(key, sizeof key, "darshan_%s_%s_posix", figure, counter);
    for (; *at; at++)
        if (*at >= 'A' && *at <= 'Z') *at = (char)(*at - 'A' + 'a');
    if (whole)
        iol__map_put_integer(on->arena, on->row, key, iol__whole(value));
    else
        iol__map_put_real(on->arena, on->row, key, value);
}

/* Figures over all POSIX records. */
static void put_posix(reading *on, int slot) {
    double sum[COUNTERS] = {0}, least[COUNTERS], most[COUNTERS];
    size_t n = 0;
    iol_records *records;
    const iol_record *record;
    if (iol_records_open(on->log, slot, &records) != IOL_OK) return;
    while (iol_records_next(records, &record) == IOL_OK) {
        for (size_t i = 0; i < COUNTERS; i++) {
            char name[64];
            snprintf(name, sizeof name, "POSIX_%s", counters[i]);
            double value = iol__log_counter(record, name);
            sum[i] += value;
            least[i] = n && least[i] < value ? least[i] : value;
            most[i] = n && most[i] > value ? most[i] : value;
        }
        n++;
    }
    iol_records_close(records);
    for (size_t i = 0; n && i < COUNTERS; i++) {
        bool whole = strncmp(counters[i], "F_", 2) != 0;
        put(on, "tot", counters[i], sum[i], whole);
        put(on, "ave", counters[i], sum[i] / (double)n, false);
        put(on, "num", counters[i], (double)n, true);
        put(on, "min", counters[i], least[i], whole);
        put(on, "max", counters[i], most[i], whole);
    }
}

static void put_performance(reading *on, int slot) {
    iol_records *records;
    const iol_record *record;
    iol_sum *sum;
    iol_performance is;
    if (iol_records_open(on->log, slot, &records) != IOL_OK) return;
    if (iol_sum_new(on->log, slot, &sum) == IOL_OK) {
        while (iol_records_next(records, &record) == IOL_OK) iol_sum_add(sum, record);
        if (iol_sum_performance(sum, &is) == IOL_OK) {
            iol__map_put_real(on->arena, on->row, "darshan_total_gibs_posix", (double)is.total_bytes / 1073741824.0);
            if (is.total_bytes > 0) {
                iol__map_put_real(on->arena, on->row, "darshan_agg_perf_by_slowest_posix",
                                  iol__six_digits(is.mib_per_second));
                iol__map_put_real(on->arena, on->row, "darshan_io_time",
                                  iol__six_digits(is.slowest_rank_io_time) + iol__six_digits(is.shared_time));
            }
        }
        iol_sum_free(sum);
    }
    iol_records_close(records);
}

/* Layers and mounts ----------------------------------------------------------------------------------------------- */

static bool find_bytes(int slot, const char *tail, char name[64]) {
    iol_counter counter;
    for (size_t i = 0; iol_counter_at(slot, i, &counter) == IOL_OK; i++) {
        size_t length = strlen(counter.name), end = strlen(tail);
        if (length > end && strcmp(counter.name + length - end, tail) == 0) {
            snprintf(name, 64, "%s", counter.name);
            return true;
        }
    }
    return false;
}

static void add_module(reading *on, int slot, const iol_module *found) {
    module *to = &on->modules[on->n_modules];
    char key[32];
    if (!find_bytes(slot, "_BYTES_READ", to->read) || !find_bytes(slot, "_BYTES_WRITTEN", to->written)) return;
    iol__module_key(found->name, key);
    to->key = iol__arena_copy(on->arena, key);
    to->slot = slot;
    iol_records *records;
    const iol_record *record;
    if (iol_records_open(on->log, slot, &records) != IOL_OK) return;
    while (iol_records_next(records, &record) == IOL_OK) {
        const double bytes[2] = {iol__log_counter(record, to->read), iol__log_counter(record, to->written)};
        for (int direction = 0; direction < 2; direction++) {
            to->bytes[direction] += bytes[direction];
            to->files[direction] += bytes[direction] > 0;
        }
    }
    iol_records_close(records);
    on->n_modules++;
}

static void find_modules(reading *on) {
    static const char *const first[] = {"POSIX", "MPI-IO", "STDIO"};
    iol_module found;
    for (size_t i = 0; i < 3; i++)
        if (iol_log_module(on->log, iol_module_find(first[i]), &found) == IOL_OK && found.length)
            add_module(on, iol_module_find(first[i]), &found);
    for (int slot = 0; iol_log_module(on->log, slot, &found) == IOL_OK && on->n_modules < 64; slot++) {
        bool known = !found.length || !found.name;
        for (size_t i = 0; !known && i < 3; i++) known = slot == iol_module_find(first[i]);
        if (!known) add_module(on, slot, &found);
    }
}

/* The longest mount point that the path is below. */
static const char *mount_of(const iol_log *log, const char *path) {
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

static void add_mounts(reading *on, const module *from, iol__value *mounts) {
    iol_records *records;
    const iol_record *record;
    if (iol_records_open(on->log, from->slot, &records) != IOL_OK) return;
    while (iol_records_next(records, &record) == IOL_OK) {
        const char *mount = mount_of(on->log, iol_log_name(on->log, iol_record_id(record)));
        iol__value *bytes = iol__map_open(on->arena, mounts, mount, IOL__MAP);
        double read = iol__map_number(bytes, "read"), written = iol__map_number(bytes, "written");
        iol__map_put_real(on->arena, bytes, "read", (isnan(read) ? 0 : read) + iol__log_counter(record, from->read));
        iol__map_put_real(on->arena, bytes, "written",
                          (isnan(written) ? 0 : written) + iol__log_counter(record, from->written));
    }
    iol_records_close(records);
}

static const char *put_mounts(reading *on, const module *const biggest[2]) {
    static const char *const directions[] = {"read", "write"}, *const keys[] = {"read", "written"};
    iol__value *mounts = iol__value_new(on->arena, IOL__MAP);
    const char *names[2] = {NULL, NULL};
    double bytes[2] = {-1, -1};
    add_mounts(on, biggest[0], mounts);
    if (biggest[1] != biggest[0]) add_mounts(on, biggest[1], mounts);
    size_t *order = iol__map_order(on->arena, mounts);
    for (size_t i = 0; i < mounts->count; i++)
        for (int direction = 0; direction < 2; direction++) {
            double here = iol__map_number(mounts->items[order[i]], keys[direction]);
            if (here > bytes[direction]) {
                bytes[direction] = here;
                names[direction] = mounts->keys[order[i]];
            }
        }
    for (int direction = 0; direction < 2 && names[direction]; direction++) {
        iol__map_put_text(on->arena, on->row,
                          iol__arena_print(on->arena, "darshan_biggest_%s_fs", directions[direction]),
                          names[direction]);
        iol__map_put_integer(on->arena, on->row,
                             iol__arena_print(on->arena, "darshan_biggest_%s_fs_bytes", directions[direction]),
                             iol__whole(bytes[direction]));
    }
    return bytes[1] > bytes[0] ? names[1] : names[0];
}

static const char *put_biggest(reading *on) {
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
    return put_mounts(on, biggest);
}

static void put_header(reading *on, const iol_job *job) {
    const char *exe = job->exe ? job->exe : "";
    iol__map_put_integer(on->arena, on->row, "darshan_walltime", job->end_seconds - job->start_seconds + 1);
    iol__map_put_integer(on->arena, on->row, "darshan_end_time", job->end_seconds);
    iol__map_put_integer(on->arena, on->row, "darshan_start_time", job->start_seconds);
    iol__map_put_text(on->arena, on->row, "darshan_jobid", iol__arena_print(on->arena, "%lld", (long long)job->job_id));
    iol__map_put_integer(on->arena, on->row, "darshan_nprocs", job->processes);
    iol__map_put_text(on->arena, on->row, "darshan_app", iol__arena_text(on->arena, exe, strcspn(exe, " \t")));
}

iol_status iol__job_put_log(iol__arena *arena, const char *path, iol__value *row, iol__job_log *facts, char why[400]) {
    reading *on = iol__arena_alloc(arena, 1, sizeof *on);
    iol_error error;
    iol_status status = iol_log_open(path, &on->log, &error);
    if (status != IOL_OK) {
        snprintf(why, 400, "%s", error.message);
        return status;
    }
    on->arena = arena;
    on->row = row;
    const iol_job *job = iol_log_job(on->log);
    int posix = iol_module_find("POSIX");
    *facts = (iol__job_log){.start = job->start_seconds,
                            .end = job->end_seconds,
                            .job_id = iol__arena_print(arena, "%lld", (long long)job->job_id)};
    put_header(on, job);
    put_performance(on, posix);
    put_posix(on, posix);
    find_modules(on);
    const char *mount = put_biggest(on);
    facts->mount = mount ? iol__arena_copy(arena, mount) : NULL;
    facts->damaged = iol_log_error_count(on->log) > 0;
    if (facts->damaged) iol__site_say("partial: %s", iol_log_error(on->log, 0)->message);
    iol_log_close(on->log);
    return IOL_OK;
}
