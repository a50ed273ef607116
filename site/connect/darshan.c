/* Logs of Iolite and Darshan as a tree: header, mounts, and per module counters by file and rank, totals and the
   performance estimate. */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "base/strings.h"
#include "schema/schema.h"
#include "site/connect/connect.h"
#include "site/connect/logs.h"
#include "site/index/names.h"

double iol__six_digits(double value) {
    char text[400];
    snprintf(text, sizeof text, "%.6f", value);
    return strtod(text, NULL);
}

double iol__log_counter(const iol_record *record, const char *name) {
    iol_value value;
    if (iol_record_find(record, name, &value) != IOL_OK) return 0;
    return value.kind == IOL_REAL   ? iol__six_digits(value.as.d)
           : value.kind == IOL_UINT ? (double)value.as.u
                                    : (double)value.as.i;
}

void iol__module_key(const char *name, char key[32]) {
    size_t used = 0;
    for (; *name && used < 31; name++)
        if (*name != '-' && *name != '/') key[used++] = (char)tolower((unsigned char)*name);
    key[used] = 0;
}

static void put_local(iol__arena *arena, iol__value *header, const char *key, int64_t seconds) {
    time_t when = (time_t)seconds;
    struct tm tm;
    char text[64] = "";
    if (localtime_r(&when, &tm)) strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &tm);
    iol__map_put_text(arena, header, key, text);
}

static void put_darshan_command(iol__arena *arena, iol__value *header, const char *exe) {
    iol__value *words = iol__map_open(arena, header, "exe", IOL__LIST);
    char *copy = iol__arena_copy(arena, exe ? exe : ""), *rest = NULL;
    for (char *word = strtok_r(copy, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
        iol__list_add(arena, words, iol__of_text(arena, word));
}

static void put_darshan_header(iol__arena *arena, const iol_log *log, iol__value *into) {
    static const struct {
        iol_compression method;
        const char *name;
    } methods[] = {{IOL_ZLIB, "ZLIB"},
                   {IOL_BZIP2, "BZIP2"},
                   {IOL_UNCOMPRESSED, "NONE"},
                   {IOL_ZSTD, "ZSTD"},
                   {IOL_ARCHIVE, "ARCHIVE"}};
    iol__value *header = iol__map_open(arena, into, "header", IOL__MAP);
    const iol_info *info = iol_log_info(log);
    const iol_job *job = iol_log_job(log);
    for (size_t i = 0; i < IOL_COUNT(methods); i++)
        if (methods[i].method == info->compression) iol__map_put_text(arena, header, "compression", methods[i].name);
    iol__map_put_text(arena, header, "version", info->version);
    iol__map_put_integer(arena, header, "uid", job->uid);
    iol__map_put_text(arena, header, "jobid", iol__arena_print(arena, "%lld", (long long)job->job_id));
    iol__map_put_integer(arena, header, "nprocs", job->processes);
    iol__map_put_integer(arena, header, "start_time", job->start_seconds);
    iol__map_put_integer(arena, header, "end_time", job->end_seconds);
    iol__map_put_integer(arena, header, "walltime", job->end_seconds - job->start_seconds + 1);
    put_local(arena, header, "start_time_string", job->start_seconds);
    put_local(arena, header, "end_time_string", job->end_seconds);
    put_darshan_command(arena, header, job->exe);
    iol__value *metadata = iol__map_open(arena, header, "metadata", IOL__LIST);
    const char *key, *value;
    for (size_t i = 0; iol_log_metadata(log, i, &key, &value) == IOL_OK; i++)
        iol__list_add(arena, metadata, iol__of_text(arena, iol__arena_print(arena, "%s = %s", key, value)));
    iol__value *mounts = iol__map_open(arena, into, "mounts", IOL__MAP);
    for (size_t i = 0; iol_log_mount(log, i, &key, &value) == IOL_OK; i++) iol__map_put_text(arena, mounts, key, value);
}

/* What the name of the file says; nothing for names of another form. */
static void put_darshan_name(iol__arena *arena, const char *path, const char *exe, iol__value *into) {
    const char *name = iol__base_name(path);
    const size_t command = exe ? strcspn(exe, " \t") : 0;
    iol__log_name is;
    if (!iol__log_name_parse(name, command ? iol__base_name(iol__arena_text(arena, exe, command)) : NULL, &is)) return;
    iol__value *map = iol__map_open(arena, into, "log_name", IOL__MAP);
    if (is.user) iol__map_put_text(arena, map, "user", iol__arena_text(arena, name, is.user));
    if (is.program)
        iol__map_put_text(arena, map, "program",
                          iol__arena_text(arena, name + (is.user ? is.user + 1 : 0), is.program));
    iol__map_put_text(arena, map, "jobid", iol__arena_print(arena, "%lld", (long long)is.jobid));
    if (is.pid >= 0) iol__map_put_integer(arena, map, "pid", is.pid);
    if (is.month) iol__map_put_integer(arena, map, "month", is.month);
    if (is.day) iol__map_put_integer(arena, map, "day", is.day);
    if (is.seconds >= 0) iol__map_put_integer(arena, map, "seconds", is.seconds);
    if (is.hash) iol__map_put_text(arena, map, "node_hash", iol__arena_text(arena, is.hash, is.hash_length));
    if (is.write_seconds >= 0) iol__map_put_integer(arena, map, "write_seconds", is.write_seconds);
}

/* Counters ------------------------------------------------------------------------------------------------------- */

/* Modules by any of their names: mpiio, MPI-IO. */
static bool darshan_wants_module(const iol__request *request, const char *key) {
    char wanted[32];
    for (size_t i = 0; i < request->n_modules; i++) {
        iol__module_key(request->modules[i], wanted);
        if (strcmp(key, wanted) == 0) return true;
    }
    return request->n_modules == 0;
}

/* Counters by their name or a pattern, with or without the module in front. */
static bool darshan_wants_counter(const iol__request *request, const char *bare, const char *full) {
    for (size_t i = 0; i < request->n_counters; i++)
        if (fnmatch(request->counters[i], bare, FNM_CASEFOLD) == 0 ||
            fnmatch(request->counters[i], full, FNM_CASEFOLD) == 0)
            return true;
    return request->n_counters == 0;
}

/* POSIX_BYTES_READ to BYTES_READ. */
static const char *bare_name(int slot, const char *name) {
    iol_counter first;
    size_t common = 0;
    if (iol_counter_at(slot, 0, &first) == IOL_OK) common = strcspn(first.name, "_") + 1;
    bool prefixed = common && strncmp(first.name, name, common) == 0;
    return prefixed ? name + common : name;
}

/* Counters of which a record has -1: its writer did not know them, and then their sum is not known either. */
enum { MOST_INTS = 256 };
typedef struct unknown_sums {
    bool is[MOST_INTS];
} unknown_sums;

static void note_unknown(unknown_sums *unknown, const iol_record *record) {
    const iol__module *module = &iol__modules[iol_record_slot(record)];
    iol_value value;
    for (size_t i = 0; i < module->ints && i < MOST_INTS && iol_record_counter(record, i, &value) == IOL_OK; i++) {
        const unsigned reduce = module->counters[i].reduce;
        const bool sum = reduce == IOL_REDUCE_SUM || reduce == IOL_REDUCE_SUM_M1;
        if (sum && value.kind == IOL_INT && value.as.i == -1) unknown->is[i] = true;
    }
}

/* `unknown`: NULL for a record, which is shown as it is. */
static void put_darshan_counters(iol__request *request, const iol_record *record, const unknown_sums *unknown,
                                 iol__value *into) {
    int slot = iol_record_slot(record);
    iol_counter counter;
    iol_value value;
    for (size_t i = 0; iol_counter_at(slot, i, &counter) == IOL_OK; i++) {
        const char *name = bare_name(slot, counter.name);
        if (!darshan_wants_counter(request, name, counter.name) || iol_record_counter(record, i, &value) != IOL_OK)
            continue;
        if (unknown && i < MOST_INTS && unknown->is[i])
            iol__map_put(request->arena, into, name, iol__value_new(request->arena, IOL__NOTHING));
        else if (value.kind == IOL_REAL)
            iol__map_put_real(request->arena, into, name, iol__six_digits(value.as.d));
        else
            iol__map_put_integer(request->arena, into, name, value.as.i);
    }
}

/* What a record has besides its counters, unless it is not wanted. */
static void put_more(iol__request *request, iol__value *into, const char *name, iol__value *value) {
    if (darshan_wants_counter(request, name, name)) iol__map_put(request->arena, into, name, value);
}

static void put_more_integer(iol__request *request, iol__value *into, const char *name, int64_t value) {
    put_more(request, into, name, iol__of_integer(request->arena, value));
}

bool iol__component_used(const iol_record *record, const iol_stripes *stripes) {
    enum { INITIALISED = 0x10 };
    iol_stripes other;
    const int64_t *osts;
    bool known = false; /* whether the log knows of any */
    for (size_t i = 0; iol_record_component(record, i, &other, &osts) == IOL_OK; i++)
        known = known || (other.flags > 0 && (other.flags & INITIALISED));
    return !known || stripes->flags < 0 || (stripes->flags & INITIALISED);
}

/* Old and new layouts look the same: size, width, and the OSTs of all parts that are in use. */
static void put_stripes(iol__request *request, const iol_record *record, iol__value *into) {
    iol__arena *arena = request->arena;
    iol_stripes stripes;
    const int64_t *osts;
    int64_t width = 0;
    iol__value *seen = iol__value_new(arena, IOL__MAP);
    for (size_t i = 0; iol_record_component(record, i, &stripes, &osts) == IOL_OK; i++) {
        if (i == 0) put_more_integer(request, into, "STRIPE_SIZE", stripes.size);
        for (int64_t k = 0; iol__component_used(record, &stripes) && k < stripes.count; k++) {
            char *key = iol__arena_print(arena, "%lld", (long long)osts[k]);
            if (osts[k] < 0 || iol__map_get(seen, key)) continue;
            iol__map_put_integer(arena, seen, key, 1);
            put_more_integer(request, into, iol__arena_print(arena, "OST_ID_%lld", (long long)width++), osts[k]);
        }
    }
    put_more_integer(request, into, "STRIPE_WIDTH", width);
}

/* The same as the log has it, part by part. */
static void put_components(iol__request *request, const iol_record *record, iol__value *into) {
    iol__arena *arena = request->arena;
    iol_stripes is;
    const int64_t *osts;
    int64_t all = 0;
    size_t count = iol_record_components(record);
    for (size_t i = 0; i < count && iol_record_component(record, i, &is, &osts) == IOL_OK; i++) {
        const struct {
            const char *name;
            int64_t value;
        } numbers[] = {{"STRIPE_SIZE", is.size},
                       {"STRIPE_COUNT", is.count},
                       {"EXT_START", is.extent_start},
                       {"EXT_END", is.extent_end},
                       {"MIRROR_ID", is.mirror}};
        const struct {
            const char *name, *text;
        } texts[] = {
            {"STRIPE_PATTERN", iol__lustre_pattern(is.pattern)},
            {"FLAGS", iol__lustre_flags((char[IOL_LUSTRE_FLAGS_TEXT]){0}, is.flags)},
        };
        for (size_t k = 0; k < IOL_COUNT(numbers); k++)
            put_more_integer(request, into, iol__arena_print(arena, "COMP%zu_%s", i + 1, numbers[k].name),
                             numbers[k].value);
        for (size_t k = 0; k < IOL_COUNT(texts); k++)
            put_more(request, into, iol__arena_print(arena, "COMP%zu_%s", i + 1, texts[k].name),
                     iol__value_of_text(arena, texts[k].text));
        put_more(request, into, iol__arena_print(arena, "COMP%zu_POOL_NAME", i + 1),
                 iol__of_text(arena, *is.pool ? is.pool : "N/A"));
        for (int64_t k = 0; k < is.count; k++)
            put_more_integer(request, into, iol__arena_print(arena, "COMP%zu_OST_ID_%lld", i + 1, (long long)k),
                             osts[k]);
        all += is.count > 0 ? is.count : 0;
    }
    put_more_integer(request, into, "NUM_COMPONENTS", (int64_t)count);
    put_more_integer(request, into, "NUM_STRIPES", all);
}

static void put_heat(iol__request *request, const iol_record *record, iol__value *into) {
    iol_heatmap heat;
    if (iol_record_heatmap(record, &heat) != IOL_OK) return;
    put_more(request, into, "F_BIN_WIDTH_SECONDS", iol__of_real(request->arena, iol__six_digits(heat.bin_width)));
    for (size_t i = 0; i < heat.bins; i++) {
        put_more_integer(request, into, iol__arena_print(request->arena, "READ_BIN_%zu", i), heat.read[i]);
        put_more_integer(request, into, iol__arena_print(request->arena, "WRITE_BIN_%zu", i), heat.written[i]);
    }
}

static void put_darshan_performance(iol__arena *arena, iol__value *module, const iol_sum *sum) {
    iol_performance is;
    if (iol_sum_performance(sum, &is) != IOL_OK) return;
    iol__value *perf = iol__map_open(arena, module, "_perf", IOL__MAP);
    iol__map_put_integer(arena, perf, "total_bytes", is.total_bytes);
    iol__map_put_integer(arena, perf, "slowest_rank_unique_files", is.slowest_rank);
    iol__map_put_real(arena, perf, "slowest_rank_io_time_unique_files", iol__six_digits(is.slowest_rank_io_time));
    iol__map_put_real(arena, perf, "slowest_rank_meta_only_time_unique_files",
                      iol__six_digits(is.slowest_rank_meta_time));
    iol__map_put_real(arena, perf, "slowest_rank_rw_only_time_unique_files", iol__six_digits(is.slowest_rank_rw_time));
    iol__map_put_real(arena, perf, "time_by_slowest_shared_files", iol__six_digits(is.shared_time));
    iol__map_put_real(arena, perf, "agg_perf_by_slowest", iol__six_digits(is.mib_per_second));
}

static void put_darshan_module(iol__request *request, iol_log *log, int slot, iol__value *counters, const char *key) {
    iol__arena *arena = request->arena;
    iol_records *records;
    const iol_record *record;
    iol_sum *sum = NULL;
    unknown_sums unknown = {0};
    iol__value *module = iol__value_new(arena, IOL__MAP);
    if (iol_records_open(log, slot, &records) != IOL_OK) return;
    if (request->total || request->perf) iol_sum_new(log, slot, &sum);
    while (iol_records_next(records, &record) == IOL_OK) {
        if (sum) iol_sum_add(sum, record);
        if (sum) note_unknown(&unknown, record);
        iol_trace trace;
        if (!request->base || iol_record_trace(record, &trace) == IOL_OK) continue; /* traces have no counters */
        const char *name = iol_log_name(log, iol_record_id(record));
        if (!name) name = iol__arena_print(arena, "%llu", (unsigned long long)iol_record_id(record));
        iol__value *ranks = iol__map_open(arena, module, name, IOL__MAP);
        iol__value *values =
            iol__map_open(arena, ranks, iol__arena_print(arena, "%lld", (long long)iol_record_rank(record)), IOL__MAP);
        put_darshan_counters(request, record, NULL, values);
        if (iol_record_components(record)) {
            put_stripes(request, record, values);
            put_components(request, record, values);
        }
        put_heat(request, record, values);
    }
    if (sum && request->total)
        put_darshan_counters(request, iol_sum_total(sum), &unknown, iol__map_open(arena, module, "_total", IOL__MAP));
    if (sum && request->perf) put_darshan_performance(arena, module, sum);
    if (sum) iol_sum_free(sum);
    iol_records_close(records);
    if (module->count) iol__map_put(arena, counters, key, module);
}

/* What a cache of another time holds, without modules that are not wanted now. */
static iol__value *cached(iol__request *request, const iol__feed *feed) {
    iol__value *tree = iol__request_json(request, feed);
    const iol__value *stored = iol__map_get(tree, "counters");
    if (!stored || stored->kind != IOL__MAP || !request->n_modules) return tree;
    iol__value *kept = iol__value_new(request->arena, IOL__MAP);
    for (size_t i = 0; i < stored->count; i++)
        if (darshan_wants_module(request, stored->keys[i]))
            iol__map_put(request->arena, kept, stored->keys[i], stored->items[i]);
    iol__map_put(request->arena, tree, "counters", kept);
    return tree;
}

/* Whether the file is a JSON cache; if it is, `*status` says how reading it went. */
static bool read_cached(iol__request *request, iol__value **out, iol_status *status) {
    char first = 0;
    FILE *file = fopen(request->paths[0], "re");
    if (file && fread(&first, 1, 1, file) != 1) first = 0;
    if (file) fclose(file);
    if (first != '{') return false;
    iol__feed feed;
    *status = iol__request_feed(request, 0, &feed);
    if (*status != IOL_OK) return true;
    *out = cached(request, &feed);
    iol__feed_close(&feed);
    if (!*out) *status = IOL_DAMAGED;
    if (*out && !iol__map_get(*out, "header"))
        *status = iol__refuse(request, IOL_DAMAGED, "%.200s: no cached log", request->paths[0]);
    return true;
}

iol_status iol__read_darshan(iol__request *request, iol__value **out) {
    iol_log *log;
    iol_error error;
    if (request->n_paths != 1) return iol__refuse(request, IOL_INVALID, "one log is needed");
    iol_status status;
    char room[32];
    int fd;
    if (read_cached(request, out, &status)) return status;
    const char *plain = iol__feed_plain(request->paths[0], room, &fd, request->why);
    if (!plain) return IOL_DAMAGED;
    status = iol_log_open(plain, &log, &error);
    if (fd >= 0) close(fd);
    if (status != IOL_OK) return iol__refuse(request, status, "%s", error.message);
    if (*request->why) iol__partial(request, "%.190s", request->why);
    *request->why = 0;
    if (!request->total && !request->perf) request->base = true;
    *out = iol__value_new(request->arena, IOL__MAP);
    put_darshan_header(request->arena, log, *out);
    put_darshan_name(request->arena, request->paths[0], iol_log_job(log)->exe, *out);
    iol__value *counters = iol__map_open(request->arena, *out, "counters", IOL__MAP);
    iol_module module;
    for (int slot = 0; iol_log_module(log, slot, &module) == IOL_OK; slot++) {
        char key[32];
        if (!module.length || !module.name) continue;
        iol__module_key(module.name, key);
        if (darshan_wants_module(request, key)) put_darshan_module(request, log, slot, counters, key);
    }
    for (size_t i = 0; i < iol_log_error_count(log) && iol_log_error(log, i); i++)
        iol__partial(request, "%.190s", iol_log_error(log, i)->message);
    iol_log_close(log);
    return IOL_OK;
}
