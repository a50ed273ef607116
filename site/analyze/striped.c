/* From the records of a log to its striped files. */
#include "site/analyze/striped.h"

#include <stdio.h>

#include "base/idmap.h"
#include "site/connect/connect.h"
#include "site/connect/logs.h"

typedef struct striped_gathering {
    iol__arena *arena;
    iol__idmap ids;
    iol__striped_file *files; /* by number of the id */
    size_t count;
} striped_gathering;

static iol_status add_striped_posix(striped_gathering *to, const iol_record *record) {
    size_t number = iol__idmap_add(&to->ids, iol_record_id(record));
    if (number == IOL_IDMAP_NONE) return IOL_SYSTEM;
    if (number == to->count) {
        to->files = iol__arena_grow(to->arena, to->files, to->count, sizeof *to->files);
        to->files[to->count++] = (iol__striped_file){0};
    }
    iol__striped_file *file = &to->files[number];
    double time = iol__log_counter(record, "POSIX_F_READ_TIME") + iol__log_counter(record, "POSIX_F_WRITE_TIME") +
                  iol__log_counter(record, "POSIX_F_META_TIME");
    file->bytes += iol__log_counter(record, "POSIX_BYTES_READ") + iol__log_counter(record, "POSIX_BYTES_WRITTEN");
    if (time > file->slowest) file->slowest = time;
    file->times = iol__arena_grow(to->arena, file->times, file->n_times, sizeof *file->times);
    file->times[file->n_times++] = time;
    return IOL_OK;
}

static void add_ost(iol__arena *arena, iol__striped_file *file, int64_t ost) {
    for (size_t i = 0; i < file->n_osts; i++)
        if (file->osts[i] == ost) return;
    file->osts = iol__arena_grow(arena, file->osts, file->n_osts, sizeof *file->osts);
    file->osts[file->n_osts++] = ost;
}

static iol_status add_layout(striped_gathering *to, const iol_record *record) {
    size_t number = iol__idmap_find(&to->ids, iol_record_id(record));
    iol_stripes stripes;
    const int64_t *osts;
    if (number == IOL_IDMAP_NONE) return IOL_OK;
    for (size_t i = 0; iol_record_component(record, i, &stripes, &osts) == IOL_OK; i++)
        for (int64_t k = 0; iol__component_used(record, &stripes) && k < stripes.count; k++)
            if (osts[k] >= 0) add_ost(to->arena, &to->files[number], osts[k]);
    return IOL_OK;
}

static iol_status striped_each_record(striped_gathering *to, iol_log *log, const char *module,
                                      iol_status (*take)(striped_gathering *, const iol_record *)) {
    iol_records *records;
    const iol_record *record;
    iol_status status = IOL_OK;
    if (iol_records_open(log, iol_module_find(module), &records) != IOL_OK) return IOL_END;
    while (status == IOL_OK && iol_records_next(records, &record) == IOL_OK) status = take(to, record);
    iol_records_close(records);
    return status;
}

static void keep_striped(striped_gathering *from, iol_log *log, iol__striped *into) {
    for (size_t i = 0; i < from->count; i++) {
        if (!from->files[i].n_osts) continue;
        const char *name = iol_log_name(log, from->ids.keys[i]);
        into->files = iol__arena_grow(from->arena, into->files, into->count, sizeof *into->files);
        into->files[into->count] = from->files[i];
        into->files[into->count].when = iol_log_job(log)->start_seconds;
        into->files[into->count++].name =
            name ? iol__arena_copy(from->arena, name)
                 : iol__arena_print(from->arena, "%llu", (unsigned long long)from->ids.keys[i]);
    }
}

iol_status iol__striped_add(iol__arena *arena, iol_log *log, const char *path, iol__striped *into, char why[400]) {
    striped_gathering to = {.arena = arena};
    into->logs++;
    iol_status status = striped_each_record(&to, log, "POSIX", add_striped_posix);
    if (status == IOL_OK) status = striped_each_record(&to, log, "LUSTRE", add_layout);
    if (status == IOL_END) {
        iol__site_say("%s: no POSIX or no Lustre records, so nothing is known about its OSTs", path);
        into->skipped++;
        status = IOL_OK;
    }
    if (status == IOL_OK) keep_striped(&to, log, into);
    if (status != IOL_OK) snprintf(why, 400, "out of memory");
    if (iol_log_error_count(log)) iol__site_say("partial: %s", iol_log_error(log, 0)->message);
    into->damaged += iol_log_error_count(log) > 0;
    iol__idmap_free(&to.ids);
    return status;
}

iol_status iol__striped_read(iol__arena *arena, const char *path, iol__striped *into, char why[400]) {
    iol_log *log;
    iol_error error;
    iol_status status = iol_log_open(path, &log, &error);
    if (status != IOL_OK) {
        snprintf(why, 400, "%s", error.message);
        return status;
    }
    status = iol__striped_add(arena, log, path, into, why);
    iol_log_close(log);
    return status;
}
