/* The job record: who ran what, when, on how many processes; then its three texts, which are cut into strings here:
   metadata lines, the command line, and the mount table. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"
#include "log/read/log_internal.h"
#include "log/old/old.h"
#include "log/read/stream.h"

enum { METADATA_BYTES = 1024, FIXED_OLD = 1064, FIXED_NEW = 1080 };

static double run_time(const iol_job *job, int minor) {
    if (minor < 41) return (double)(int64_t)((uint64_t)job->end_seconds - (uint64_t)job->start_seconds + 1);
    double start = (double)job->start_seconds + (double)job->start_nanoseconds / 1e9;
    double end = (double)job->end_seconds + (double)job->end_nanoseconds / 1e9;
    return end - start;
}

int64_t iol__job_id_of_name(const char *path) {
    const char *bundle = strstr(path, ".bundle#"), *name = iol__base_name(bundle ? strchr(bundle, '#') + 1 : path);
    int64_t id = 0;
    for (const char *at = strstr(name, "_id"); at; at = strstr(at + 1, "_id")) {
        char *end = NULL;
        const long long number = isdigit((unsigned char)at[3]) ? strtoll(at + 3, &end, 10) : 0;
        if (number > 0 && number < INT64_MAX && strchr("_-.", *end)) id = number;
    }
    return id;
}

static void read_fixed(iol_log *log, const uint8_t *bytes) {
    bool old = log->info.minor < 41, swap = log->swap;
    iol_job *job = &log->job;
    int64_t field[7];
    int fields = old ? 5 : 7;
    for (int i = 0; i < fields; i++) field[i] = iol__i64(bytes + 8 * i, swap);
    job->uid = field[0];
    job->start_seconds = field[1];
    job->start_nanoseconds = old ? 0 : field[2];
    job->end_seconds = field[old ? 2 : 3];
    job->end_nanoseconds = old ? 0 : field[4];
    job->processes = field[old ? 3 : 5];
    job->job_id = field[old ? 4 : 6];
    job->run_time = run_time(job, log->info.minor);
}

void iol__job_metadata(iol_log *log) {
    char *rest = log->metadata_text;
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        char *equals = strchr(line, '=');
        if (!equals) continue;
        *equals = 0;
        log->metadata[log->n_metadata++] = (iol__metadata){line, equals + 1};
    }
}

/* The next word of a mount entry, terminated in place; white space includes further newlines. */
static char *cut_job_record_word(char **at) {
    char *word = *at;
    while (isspace((unsigned char)*word)) word++;
    if (!*word) return NULL;
    char *end = word;
    while (*end && !isspace((unsigned char)*end)) end++;
    *at = *end ? end + 1 : end;
    *end = 0;
    return word;
}

static int longest_first(const void *a, const void *b) {
    const iol__log_mount *x = a, *y = b;
    if (x->point_length != y->point_length) return x->point_length > y->point_length ? -1 : 1;
    return x->type < y->type ? -1 : x->type > y->type; /* text order: the types lie in one buffer */
}

void iol__job_sort_mounts(iol_log *log) { qsort(log->mounts, log->n_mounts, sizeof *log->mounts, longest_first); }

/* Every newline starts an entry, also one inside the command line; entries of fewer than two words are passed over. Each
   is cut from a copy of its own line and what follows, since an entry may reach past the next newline. */
static void cut_mounts(iol_log *log, const char *text) {
    char *room = log->mount_text;
    char *room_end = log->mount_text + sizeof log->mount_text;
    for (const char *newline = strchr(text, '\n'); newline; newline = strchr(newline + 1, '\n')) {
        char entry[IOL_JOB_BYTES + 1];
        strcpy(entry, newline + 1);
        char *at = entry;
        char *type = cut_job_record_word(&at);
        char *point = type ? cut_job_record_word(&at) : NULL;
        if (!point) continue;
        size_t type_bytes = strlen(type) + 1, point_bytes = strlen(point) + 1;
        if ((size_t)(room_end - room) < type_bytes + point_bytes || log->n_mounts == IOL_MOUNTS) break;
        iol__log_mount *mount = &log->mounts[log->n_mounts++];
        mount->type = memcpy(room, type, type_bytes);
        mount->point = memcpy(room + type_bytes, point, point_bytes);
        mount->point_length = point_bytes - 1;
        room += type_bytes + point_bytes;
    }
    iol__job_sort_mounts(log);
}

iol_status iol__job_read(iol_log *log) {
    bool old = log->info.minor < 41;
    uint64_t offset = old ? IOL_HEADER_OLD : IOL_HEADER_NEW;
    size_t fixed = old ? FIXED_OLD : FIXED_NEW;
    log->job.exe = log->exe_text;
    log->info.job_damaged = true; /* until it was read */
    iol__stream *stream;
    iol_status status = iol__stream_open(log, -1, offset, log->info.job_bytes, &stream);
    if (status != IOL_OK) return status;
    const uint8_t *bytes;
    size_t have = iol__stream_peek(stream, IOL_JOB_BYTES, &bytes);
    if (have > IOL_JOB_BYTES) have = IOL_JOB_BYTES;
    if (have < fixed) {
        status = iol__stream_status(stream);
        if (status == IOL_OK)
            status = iol__fail(log, IOL_DAMAGED, -1, offset, "the job record has %zu bytes instead of at least %zu",
                               have, fixed);
        goto out;
    }
    log->info.job_damaged = false;
    read_fixed(log, bytes);
    memcpy(log->metadata_text, bytes + fixed - METADATA_BYTES, METADATA_BYTES);
    memcpy(log->exe_text, bytes + fixed, have - fixed);
    iol__job_metadata(log);
    cut_mounts(log, log->exe_text);
    log->exe_text[strcspn(log->exe_text, "\n")] = 0;
    log->info.mapped = log->info.mapped && log->job.end_seconds == 0;
    iol__old_converted(log);
out:
    iol__stream_close(stream);
    return status;
}

size_t iol_log_metadata_count(const iol_log *log) { return log ? log->n_metadata : 0; }

iol_status iol_log_metadata(const iol_log *log, size_t index, const char **key, const char **value) {
    if (!log || !key || !value || index >= log->n_metadata) return IOL_INVALID;
    *key = log->metadata[index].key;
    *value = log->metadata[index].value;
    return IOL_OK;
}

size_t iol_log_mount_count(const iol_log *log) { return log ? log->n_mounts : 0; }

iol_status iol_log_mount(const iol_log *log, size_t index, const char **point, const char **type) {
    if (!log || !point || !type || index >= log->n_mounts) return IOL_INVALID;
    *point = log->mounts[index].point;
    *type = log->mounts[index].type;
    return IOL_OK;
}

size_t iol__mount_index(const iol_log *log, const char *name) {
    size_t i = log->old || log->file_mounts ? iol__old_mount(log, name) : log->n_mounts;
    if (log->old || i < log->n_mounts) return i;
    i = 0; /* a log that was made from old and new ones has whole names too */
    while (i < log->n_mounts && (!name || strncmp(log->mounts[i].point, name, log->mounts[i].point_length) != 0)) i++;
    return i;
}

bool iol_log_mount_of(const iol_log *log, const char *name, const char **point, const char **type) {
    if (!point || !type) return false;
    *point = *type = "UNKNOWN";
    const size_t i = log && name ? iol__mount_index(log, name) : SIZE_MAX;
    if (i == SIZE_MAX || i == log->n_mounts) return false;
    *point = log->mounts[i].point;
    *type = log->mounts[i].type;
    return true;
}
