/* Opening and closing a log, and what is known of it without reading records. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log/trailer/custom.h"
#include "log/archive/archive.h"
#include "log/bundle/bundle.h"
#include "log/read/kept.h"
#include "log/read/log_internal.h"
#include "log/read/mapped.h"
#include "log/old/old.h"
#include "log/read/stream.h"
#include "record/hash.h"

/* What tables over the whole log (names, files, ranks) may take. A record that was honestly written needs some thirty
   bytes of the file, ids being random numbers, so twice the file is enough for a table entry each. With the buffers
   that keeps a reader under 64 MiB plus twice the file, whatever the log claims. */
enum { TABLES_BASE = 24 << 20, TABLES_FACTOR = 2 };

static iol_status open_source(iol__source *source, const char *name, iol_log **out, iol_error *error) {
    iol_log *log = malloc(sizeof *log);
    if (log) {
        memset(log, 0, offsetof(iol_log, mounts));
        log->path = strdup(name);
    }
    if (!log || !log->path) {
        free(log);
        iol__source_close(source);
        return iol__error_set(error, IOL_SYSTEM, name, IOL_NO_OFFSET, "out of memory");
    }
    log->source = source;
    log->info.path = log->path;
    log->info.file_bytes = iol__source_size(source);
    log->budget = TABLES_BASE + TABLES_FACTOR * log->info.file_bytes;
    iol_status status = iol__header_read(log, error);
    if (status != IOL_OK) {
        iol_log_close(log);
        return status;
    }
    if (!log->old) {
        if (log->info.compression == IOL_ARCHIVE)
            log->budget = TABLES_BASE + IOL_ARCHIVE_JUSTIFIES * log->info.file_bytes;
        iol__job_read(log); /* a log without a readable job record still has its modules */
        iol__mapped_read(log);
    }
    log->own_job_id = log->job.job_id;
    if (log->job.job_id == 0) log->job.job_id = iol__job_id_of_name(log->path);
    *out = log;
    return IOL_OK;
}

iol_status iol_log_open(const char *path, iol_log **log, iol_error *error) {
    if (log) *log = NULL;
    if (!path || !log) return iol__error_set(error, IOL_INVALID, "iol_log_open", IOL_NO_OFFSET, "an argument is NULL");
    bool standard_input = strcmp(path, "-") == 0;
    iol__source *source;
    int failed = iol__source_open(path, &source);
    if (failed == ENOENT || failed == ENOTDIR || failed == ENAMETOOLONG) { /* the two names together may be too long */
        iol_status status = iol__bundle_log_at(path, log, error);
        if (status != IOL_END) return status;
    }
    if (failed)
        return iol__error_set(error, IOL_SYSTEM, standard_input ? "(standard input)" : path, IOL_NO_OFFSET,
                              "cannot open: %s", strerror(failed));
    return open_source(source, standard_input ? "(standard input)" : path, log, error);
}

iol_status iol__log_open_part(int fd, const char *name, uint64_t offset, uint64_t length, iol_log **log,
                              iol_error *error) {
    *log = NULL;
    iol__source *source;
    int failed = length ? iol__source_part(fd, offset, length, &source) : iol__source_regular_file(fd, &source);
    if (failed) return iol__error_set(error, IOL_SYSTEM, name, IOL_NO_OFFSET, "cannot open: %s", strerror(failed));
    return open_source(source, name, log, error);
}

iol_status iol_log_open_memory(const void *bytes, size_t length, const char *name, iol_log **log, iol_error *error) {
    if (log) *log = NULL;
    if (!name) name = "(memory)";
    if (!log || (!bytes && length))
        return iol__error_set(error, IOL_INVALID, name, IOL_NO_OFFSET, "an argument is NULL");
    iol__source *source;
    if (iol__source_memory(bytes, length, &source) != 0)
        return iol__error_set(error, IOL_SYSTEM, name, IOL_NO_OFFSET, "out of memory");
    return open_source(source, name, log, error);
}

iol_status iol__log_open_owned(uint8_t *bytes, size_t length, const char *name, iol_log **log, iol_error *error) {
    iol__source *source;
    *log = NULL;
    if (iol__source_owned(bytes, length, &source) != 0)
        return iol__error_set(error, IOL_SYSTEM, name, IOL_NO_OFFSET, "out of memory");
    return open_source(source, name, log, error);
}

void iol_log_close(iol_log *log) {
    if (!log) return;
    iol__stream_free(log->spare);
    iol__kept_free(log->kept);
    iol__names_free(&log->names);
    free(log->ids.ids);
    iol__trailer_free(log);
    iol__mapped_free(log);
    iol__custom_free(log->custom);
    free(log->custom);
    iol__old_free(log->old);
    iol__file_mounts_free(log->file_mounts);
    iol__source_close(log->source);
    free(log->path);
    free(log);
}

const iol_info *iol_log_info(const iol_log *log) { return log ? &log->info : NULL; }
const iol_job *iol_log_job(const iol_log *log) { return log ? &log->job : NULL; }

iol_status iol_log_module(const iol_log *log, int slot, iol_module *module) {
    if (!log || !module) return IOL_INVALID;
    if (slot < 0 || slot >= IOL_SLOTS) return IOL_END;
    *module = log->modules[slot];
    return IOL_OK;
}

uint64_t iol_name_id(const void *bytes, size_t length) { return iol__hash(bytes ? bytes : "", bytes ? length : 0, 0); }

size_t iol_counter_count(int slot) {
    if (slot < 0 || slot >= IOL_SLOTS_KNOWN) return 0;
    return (size_t)iol__modules[slot].ints + iol__modules[slot].reals;
}

iol_status iol_counter_at(int slot, size_t index, iol_counter *counter) {
    if (!counter || index >= iol_counter_count(slot)) return IOL_INVALID;
    const iol__counter *c = &iol__modules[slot].counters[index];
    *counter = (iol_counter){c->name, c->unit, iol__counter_meaning(slot, index), (iol_kind)c->kind};
    return IOL_OK;
}

int iol_counter_find(int slot, const char *name) {
    size_t count = name ? iol_counter_count(slot) : 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(iol__modules[slot].counters[i].name, name) == 0) return (int)i;
    return -1;
}

int iol_module_find(const char *name) { return name ? iol__module_find(name) : -1; }
