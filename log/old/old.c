/* Opening a log of 1.x or 2.x: which version, who ran what, where files lie, which modules have records. */
#include "log/old/old.h"

#include <stdlib.h>
#include <string.h>

#include "base/strings.h"
#include "log/read/log_internal.h"
#include "log/read/stream.h"

enum {
    MAGIC = 6567223,
    PIECE_RECORDS = 64,
    BUDGET_BASE = 24 << 20,
    BUDGET_PART = 8, /* of the unpacked bytes: a record justifies an entry in each table */
    DAY = 86400,
};
static const double LATEST = 1e12; /* seconds: no machine runs for longer */

/* Which one it is --------------------------------------------------------------------------------------------------- */

static bool is_old_version(const uint8_t *bytes, size_t length) {
    if (length < 16 || (bytes[0] != '1' && bytes[0] != '2') || bytes[1] != '.') return false;
    size_t end = 2;
    while (end < 8 && bytes[end] >= '0' && bytes[end] <= '9') end++;
    return end > 2 && end < 8 && bytes[end] == 0;
}

bool iol__old_begins(const uint8_t *bytes, size_t length) {
    return iol__wrapping_of(bytes, length) != IOL_NOT_WRAPPED || is_old_version(bytes, length);
}

/* The job id of the two layouts of 2.00 ends where the command line of the other begins. */
static bool has_job_id(const uint8_t *area, bool swap) {
    const int64_t id = iol__i64(area + 48, swap);
    return id >= 0 && id < INT64_C(1) << 40;
}

static bool ends_with_record(const iol__old_version *v, uint64_t bytes) {
    return bytes >= v->area_bytes && (bytes - v->area_bytes) % v->record_bytes == 0;
}

/* The row of the version. Of two the one whose records end with the log and that agrees on the job id; where that is none,
   as in a log that was cut, the job id decides. */
static const iol__old_version *find_layout(const char *version, const uint8_t *area, bool swap, uint64_t bytes) {
    const iol__old_version *found = NULL;
    int best = -1;
    for (size_t i = 0; i < iol__old_versions_count; i++) {
        const iol__old_version *v = &iol__old_versions[i];
        if (strcmp(v->version, version) != 0) continue;
        const int fits = 2 * ends_with_record(v, bytes) + ((v->job_bytes > 48) == has_job_id(area, swap));
        if (fits > best) found = v;
        if (fits > best) best = fits;
    }
    return found;
}

static bool is_end_of_name(const iol__old_record *record, size_t most) {
    const size_t length = strnlen(record->suffix, most);
    for (size_t i = length; i < most; i++)
        if (record->suffix[i]) return false;
    for (size_t i = 0; i < length; i++)
        if ((uint8_t)record->suffix[i] < ' ') return false;
    return length > 0 || record->id == 0;
}

/* Whether the first records make sense in this form: ranks of the job, names that are text, counts and times of people. */
static bool makes_sense(iol_log *log, const iol__old_version *v, int64_t processes, uint64_t bytes) {
    iol__old_record record;
    uint8_t piece[IOL_OLD_AREA];
    for (uint64_t at = v->area_bytes, n = 0; at < bytes && n < PIECE_RECORDS; at += v->record_bytes, n++) {
        if (iol__source_read(log->source, at, piece, v->record_bytes) != v->record_bytes) return false;
        iol__old_decode(v, log->swap, piece, &record);
        if (record.rank < -1 || record.rank >= processes || !is_end_of_name(&record, v->suffix)) return false;
        for (int i = IOL_OLD_CP_INDEP_OPENS; i <= IOL_OLD_CP_POSIX_FDSYNCS; i++)
            if (record.ints[i] < 0 || record.ints[i] >= INT64_C(1) << 48) return false;
        for (int i = IOL_OLD_CP_F_POSIX_READ_TIME; i <= IOL_OLD_CP_F_MPI_WRITE_TIME; i++)
            if (!(record.reals[i] >= 0 && record.reals[i] < 1e15)) return false;
    }
    return true;
}

/* Early releases wrote versions that are described nowhere: they are read in the newest form that fits all of the file. */
static const iol__old_version *guess_layout(iol_log *log, const uint8_t *area) {
    const uint64_t bytes = log->info.file_bytes;
    for (size_t i = iol__old_versions_count; i-- > 0;) {
        const iol__old_version *v = &iol__old_versions[i];
        const int64_t processes = v->generation == 1 ? iol__u32(area + 24, log->swap) : iol__i64(area + 40, log->swap);
        if (v->version[0] != (char)area[0] || bytes <= v->area_bytes || !ends_with_record(v, bytes)) continue;
        if (makes_sense(log, v, processes, bytes)) return v;
    }
    return NULL;
}

static bool little_endian_host(void) { return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; }

static bool believable_processes(uint32_t processes) { return processes > 0 && processes <= 1 << 24; }

/* 2.x has a magic number; 1.x was for big-endian machines, unless the number of processes says otherwise. */
static bool find_order(const uint8_t *area, bool *swap) {
    if (area[0] == '2') {
        *swap = iol__u64(area + 8, true) == MAGIC;
        return *swap || iol__u64(area + 8, false) == MAGIC;
    }
    const bool big = little_endian_host();
    *swap =
        believable_processes(iol__u32(area + 24, big)) || !believable_processes(iol__u32(area + 24, !big)) ? big : !big;
    return true;
}

/* The job ------------------------------------------------------------------------------------------------------------- */

static void read_job(iol_log *log, const uint8_t *area) {
    const iol__old_version *v = log->old->version;
    const bool swap = log->swap;
    iol_job *job = &log->job;
    if (v->generation == 1) {
        job->uid = iol__u32(area + 12, swap);
        job->start_seconds = (int32_t)iol__u32(area + 16, swap);
        job->end_seconds = (int32_t)iol__u32(area + 20, swap);
        job->processes = (int32_t)iol__u32(area + 24, swap);
    } else {
        job->uid = iol__i64(area + 16, swap);
        job->start_seconds = iol__i64(area + 24, swap);
        job->end_seconds = iol__i64(area + 32, swap);
        job->processes = iol__i64(area + 40, swap);
        if (v->job_bytes > 48) job->job_id = iol__i64(area + 48, swap);
    }
    const int64_t start = job->start_seconds, end = job->end_seconds;
    job->run_time = end >= start ? (double)(int64_t)((uint64_t)end - (uint64_t)start + 1) : 0;
    memcpy(log->metadata_text, area + v->job_bytes - v->metadata_bytes, v->metadata_bytes);
    iol__job_metadata(log);
}

/* "\n<device>\t<type>\t<mount point>", behind the command line. */
static void read_devices(iol_log *log) {
    iol__old *old = log->old;
    char *rest = strchr(old->text, '\n');
    if (rest) *rest++ = 0;
    for (char *line = rest ? strsep(&rest, "\n") : NULL; line; line = strsep(&rest, "\n")) {
        char *type = strchr(line, '\t'), *point = type ? strchr(type + 1, '\t') : NULL, *end;
        if (!point || old->n_devices == IOL_OLD_DEVICES || log->n_mounts == IOL_MOUNTS) continue;
        *type++ = *point++ = 0;
        const int64_t device = strtoll(line, &end, 10);
        if (end == line || *end) continue;
        old->devices[old->n_devices++] = (iol__old_device){device, point, type};
        log->mounts[log->n_mounts++] = (iol__log_mount){point, type, strlen(point)};
    }
    iol__job_sort_mounts(log);
    memcpy(log->exe_text, old->text, strlen(old->text) + 1);
}

/* Records ------------------------------------------------------------------------------------------------------------- */

iol_status iol__old_record_at(iol_log *log, uint64_t number, iol__old_record *record) {
    const iol__old_version *v = log->old->version;
    uint8_t bytes[IOL_OLD_AREA];
    if (number >= log->old->count) return IOL_END;
    const int64_t got = iol__source_read(log->source, v->area_bytes + number * v->record_bytes, bytes, v->record_bytes);
    if (got != v->record_bytes)
        return iol__fail(log, IOL_SYSTEM, -1, IOL_NO_OFFSET, "record %llu cannot be read", (unsigned long long)number);
    iol__old_decode(v, log->swap, bytes, record);
    return IOL_OK;
}

typedef struct survey {
    uint64_t slots;
    double first, last; /* of the times */
} survey;

static void survey_times(survey *s, const iol__old_record *record) {
    for (int i = IOL_OLD_CP_F_OPEN_TIMESTAMP; i <= IOL_OLD_CP_F_WRITE_END_TIMESTAMP; i++) {
        const double time = record->reals[i];
        if (!(time > 0)) continue;
        if (!(s->first > 0) || time < s->first) s->first = time;
        if (time > s->last) s->last = time;
    }
}

/* What the records have something for. A large log is read twice, but it has been unpacked to be read. */
static iol_status survey_records(iol_log *log, survey *s) {
    const iol__old_version *v = log->old->version;
    iol__old_record record;
    uint8_t *piece = malloc((size_t)PIECE_RECORDS * v->record_bytes);
    if (!piece) return IOL_SYSTEM;
    for (uint64_t at = 0; at < log->old->count; at += PIECE_RECORDS) {
        const int64_t got = iol__source_read(log->source, v->area_bytes + at * v->record_bytes, piece,
                                             (size_t)PIECE_RECORDS * v->record_bytes);
        for (int64_t i = 0; i < got / v->record_bytes; i++) {
            iol__old_decode(v, log->swap, piece + i * v->record_bytes, &record);
            s->slots |= iol__old_slots(&record);
            log->old->stdio += record.ints[IOL_OLD_CP_POSIX_FOPENS] > 0;
            log->old->folded += record.id == 0;
            survey_times(s, &record);
        }
    }
    free(piece);
    return IOL_OK;
}

static void set_modules(iol_log *log, uint64_t slots) {
    const iol__old *old = log->old;
    for (int i = 0; i < IOL_SLOTS; i++) {
        const bool used = slots >> i & 1;
        log->modules[i] = (iol_module){
            .slot = i,
            .name = i < IOL_SLOTS_KNOWN ? iol__modules[i].name : NULL,
            .offset = used ? old->version->area_bytes : 0,
            .length = used ? old->count * old->version->record_bytes : 0,
            .version = used ? iol__modules[i].current : 0,
        };
    }
}

/* Versions before 2.05 did not subtract the start. On machines whose clock counts from the epoch, times do so too; on others
   they count from when the machine was started, so that nothing but their distances is known. */
static double time_origin(iol_log *log, const survey *s) {
    const double start = (double)log->job.start_seconds, run_time = log->job.run_time;
    if (!strchr(log->old->version->limits, 'N')) return 0;
    if (start >= 365.0 * DAY && s->first > start - DAY && s->last < start + run_time + DAY) return start;
    if (!(s->last > run_time + 1 && s->last < LATEST) || !(s->last - s->first <= run_time + 1)) return 0;
    iol__note(log, "Times of this log count from a moment that is not known; they are shown from the first one on.");
    return (double)(int64_t)(s->first * 1e3 - 1) / 1e3; /* a time of 0 would mean that it never came */
}

static iol_status read_old_records(iol_log *log) {
    const iol__old_version *v = log->old->version;
    const uint64_t bytes = log->info.file_bytes - v->area_bytes;
    survey s = {0};
    log->old->count = bytes / v->record_bytes;
    if (bytes % v->record_bytes)
        iol__fail(log, IOL_DAMAGED, -1, log->info.file_bytes, "the log ends with %llu bytes of a record of %u",
                  (unsigned long long)(bytes % v->record_bytes), v->record_bytes);
    const iol_status status = survey_records(log, &s);
    set_modules(log, s.slots);
    log->time_origin = time_origin(log, &s);
    return status;
}

static void note_form(iol_log *log) {
    iol__old *old = log->old;
    const char *version = iol__old_version_of(log)->version;
    old->form_note = log->n_notes;
    iol__note(log,
              "A log of Darshan %c.x (version %s%s%s): of names it has the last %d characters, and counters that came "
              "later are not known.",
              *version, version, log->wrapping ? ", compressed with " : "",
              log->wrapping ? iol__wrapping_name((iol__wrapping)log->wrapping) : "", old->origin->suffix);
    if (old->stdio)
        iol__note(log,
                  "Files that were opened as streams (fopen): %llu; calls on them are not among the reads and writes, "
                  "but their bytes and times are.",
                  (unsigned long long)old->stdio);
    if (old->folded)
        iol__note(log, "Processes that had too many files have one record for all of them: %llu.",
                  (unsigned long long)old->folded);
}

bool iol__job_id_known(const iol_log *log) { return log->job.job_id != 0 || !iol__old_version_of(log); }

int64_t iol__own_job_id(const iol_log *log) {
    const iol__old_version *version = iol__old_version_of(log);
    return version && version->generation == 1 ? 0 : log->own_job_id;
}

bool iol__start_known(const iol_log *log) { return log->job.start_seconds >= 365 * DAY || !iol__old_version_of(log); }

/* Opening ------------------------------------------------------------------------------------------------------------- */

static iol_status read_flat(iol_log *log, const uint8_t *area, size_t have, iol_error *error) {
    char version[9] = {0};
    iol__old *old = log->old;
    memcpy(version, area, 8);
    memcpy(log->info.version, version, sizeof version);
    if (!find_order(area, &log->swap))
        return iol__error_set(error, IOL_NOT_A_LOG, log->path, 8, "not a Darshan log (no magic number)");
    old->version = find_layout(version, area, log->swap, log->info.file_bytes);
    if (!old->version && (old->version = guess_layout(log, area)))
        iol__note(log, "Log version '%s' is not described anywhere; all records have the form of version %s.", version,
                  old->version->version);
    if (!old->version)
        return iol__error_set(
            error, IOL_UNSUPPORTED, log->path, 0,
            "log version '%s'; of the old ones Iolite reads 1.21 to 1.24 and 2.00 to 2.06, and others "
            "whose records have the form of one of these",
            version);
    if (have < old->version->area_bytes)
        return iol__error_set(error, IOL_DAMAGED, log->path, have,
                              "the log ends inside the job area, which has %u bytes", old->version->area_bytes);
    log->info.foreign_order = log->swap;
    log->info.compression = IOL_UNCOMPRESSED;
    log->job.exe = log->exe_text;
    memcpy(old->text, area + old->version->job_bytes, (size_t)old->version->area_bytes - old->version->job_bytes);
    read_job(log, area);
    const iol__old_version *origin = iol__old_version_of(log);
    old->origin = origin->knows <= old->version->knows ? origin : old->version;
    read_devices(log);
    log->trailer_read = true; /* there is none */
    const iol_status status = read_old_records(log);
    note_form(log);
    return status;
}

/* From here on the log is what was in the stream. */
static iol_status use_unpacked(iol_log *log, iol__wrapping packing, iol_error *error) {
    iol__source *plain;
    const char *why;
    if (log->wrapping) return iol__error_set(error, IOL_NOT_A_LOG, log->path, 0, "compressed more than once");
    const iol_status status = iol__unwrap(log->source, packing, &plain, &why);
    if (!plain)
        return iol__error_set(error, status, log->path, 0, "a file compressed with %s: %s", iol__wrapping_name(packing),
                              why);
    iol__source_close(log->source);
    log->source = plain;
    log->wrapping = (int)packing;
    log->info.file_bytes = iol__source_size(plain);
    log->budget = BUDGET_BASE + log->info.file_bytes / BUDGET_PART;
    if (status != IOL_OK) iol__fail(log, status, -1, IOL_NO_OFFSET, "%s: %s", iol__wrapping_name(packing), why);
    return iol__header_read(log, error);
}

iol_status iol__old_open(iol_log *log, const uint8_t *bytes, size_t length, iol_error *error) {
    const iol__wrapping packing = iol__wrapping_of(bytes, length);
    if (packing != IOL_NOT_WRAPPED) return use_unpacked(log, packing, error);
    uint8_t area[IOL_OLD_AREA] = {0};
    const int64_t got = iol__source_read(log->source, 0, area, sizeof area);
    log->old = calloc(1, sizeof *log->old);
    if (got < 0 || !log->old) return iol__error_set(error, IOL_SYSTEM, log->path, 0, "cannot read the job area");
    return read_flat(log, area, (size_t)got, error);
}

void iol__old_free(iol__old *old) { free(old); }

const iol__old_version *iol__old_version_of(const iol_log *log) {
    const char *version = log->old ? log->old->version->version : NULL;
    for (size_t i = 0; i < log->n_metadata; i++)
        if (strcmp(log->metadata[i].key, "prev_ver") == 0) version = log->metadata[i].value;
    for (size_t i = 0; version && i < iol__old_versions_count; i++)
        if (strcmp(iol__old_versions[i].version, version) == 0) return &iol__old_versions[i];
    return log->old ? log->old->version : NULL;
}
