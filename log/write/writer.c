/* Writing a log: job, names, modules, trailer, and the header last. Regions follow each other without gaps; each is
   compressed by the packer while it is written. Everything goes to a file that gets its name only when it is
   complete. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log/archive/archive.h"
#include "log/write/deflater.h"
#include "log/read/log_internal.h"
#include "log/read/methods.h"
#include "log/write/output.h"
#include "log/write/packer.h"
#include "log/write/rewrite.h"
#include "record/encode.h"
#include "record/trailer.h"

enum {
    JOB_FIXED = 1080,
    JOB_TEXT = IOL_JOB_BYTES - JOB_FIXED, /* with its NUL */
    METADATA_BYTES = 1024,
    MOUNT_MOST = 255,
    DEFAULT_MODE = 0400,
    TRAILER_LEVEL = 6,
    FEW_NAMES = 4 << 20, /* bytes of names that any file justifies */
};

/* What has been written last. */
typedef enum writer_stage { NOTHING, JOB, NAMES, MODULES, TRAILER } writer_stage;

struct iol_writer {
    iol__output output;
    char *path;
    iol_write_options options;
    writer_stage stage;
    int slot; /* module being written */
    uint64_t offset, region_start;
    uint8_t header[IOL_HEADER_NEW];
    iol__packer *packer;
    uint64_t segments_due; /* of the last trace record */
    bool thread_segments;
    bool opaque;         /* the module's bytes are copied, not encoded */
    bool completed;      /* nothing is missing but the name */
    uint64_t name_bytes; /* what they take in a reader's memory */
    uint64_t flags;
    uint64_t trailer_start;
    uint32_t trailer_crc;
    iol_error error;
};

/* Errors and bytes ------------------------------------------------------------------------------------------------ */

static iol_status writer_refuse(iol_writer *w, const char *why) {
    return iol__error_set(&w->error, IOL_INVALID, w->path, IOL_NO_OFFSET, "%s", why);
}

/* Keeps the first error; later ones follow from it. */
static iol_status broken(iol_writer *w, int error) {
    if (w->error.status != IOL_OK) return w->error.status;
    return iol__error_set(&w->error, IOL_SYSTEM, w->path, w->offset, "cannot write: %s", strerror(error));
}

static bool writer_sink(void *context, const void *bytes, size_t length) {
    iol_writer *w = context;
    int error = iol__output_write(&w->output, w->offset, bytes, length);
    if (error) {
        broken(w, error);
        return false;
    }
    w->offset += length;
    return true;
}

static iol_status packed(iol_writer *w, bool good) { return good ? IOL_OK : broken(w, ENOMEM); }

static void writer_put(iol_writer *w, size_t at, const void *value, size_t bytes) {
    memcpy(w->header + at, value, bytes);
}
static void put_writer_u64(iol_writer *w, size_t at, uint64_t value) { writer_put(w, at, &value, sizeof value); }

/* Opening --------------------------------------------------------------------------------------------------------- */

static void start_header(iol_writer *w) {
    writer_put(w, 0, "3.41", 4);
    put_writer_u64(w, 8, 6567223);
    w->header[16] = (uint8_t)w->options.compression;
}

/* A caller with an older header has a shorter struct; one with a newer header asks for nothing that is not known here. */
static void take_writer_options(iol_write_options *own, const iol_write_options *options) {
    size_t released = offsetof(iol_write_options, dxt_mpiio) + sizeof options->dxt_mpiio; /* in 0.1 */
    size_t given = options->size ? options->size : released;
    memcpy(own, options, given < sizeof *own ? given : sizeof *own);
}

iol_status iol_writer_open(const char *path, const iol_write_options *options, iol_writer **out, iol_error *error) {
    if (out) *out = NULL;
    if (!path || !out)
        return iol__error_set(error, IOL_INVALID, "iol_writer_open", IOL_NO_OFFSET, "an argument is NULL");
    iol_writer *w = calloc(1, sizeof *w);
    if (!w) return iol__error_set(error, IOL_SYSTEM, path, IOL_NO_OFFSET, "out of memory");
    w->output.fd = -1;
    w->path = strdup(path);
    if (options) take_writer_options(&w->options, options);
    if (!w->options.mode) w->options.mode = DEFAULT_MODE;
    w->offset = IOL_HEADER_NEW;
    w->packer = iol__packer_new(w->options.compression, w->options.level, w->options.one_stream, writer_sink, w);
    iol_status status = IOL_OK;
    if (!w->packer)
        status = iol__error_set(
            error, IOL_UNSUPPORTED, path, IOL_NO_OFFSET, "this build of Iolite cannot compress with %s",
            iol__method_name(w->options.compression) ? iol__method_name(w->options.compression) : "that");
    int failed = !w->path ? ENOMEM : status == IOL_OK ? iol__output_open(&w->output, path, w->options.replace) : 0;
    if (failed)
        status = iol__error_set(error, IOL_SYSTEM, path, IOL_NO_OFFSET, "cannot write: %s",
                                failed == ENOTSUP ? "it is not an ordinary file" : strerror(failed));
    if (status != IOL_OK) {
        iol_writer_abort(w);
        return status;
    }
    start_header(w);
    *out = w;
    return IOL_OK;
}

const iol_error *iol_writer_error(const iol_writer *w) { return w ? &w->error : NULL; }

static void writer_release(iol_writer *w) {
    iol__packer_free(w->packer);
    free(w->path);
    free(w);
}

void iol_writer_abort(iol_writer *w) {
    if (!w) return;
    iol__output_abort(&w->output);
    writer_release(w);
}

/* Job ------------------------------------------------------------------------------------------------------------- */

/* The command line, with newlines made blanks: they would be taken for mounts. */
static size_t put_writer_command(char *to, const char *exe, size_t room) {
    size_t length = strlen(exe);
    if (length > room) {
        static const char cut[] = "<TRUNCATED>";
        length = room;
        memcpy(to, exe, length - (sizeof cut - 1));
        memcpy(to + length - (sizeof cut - 1), cut, sizeof cut - 1);
    } else {
        memcpy(to, exe, length);
    }
    for (size_t i = 0; i < length; i++)
        if (to[i] == '\n') to[i] = ' ';
    return length;
}

static size_t put_writer_mount(char *to, size_t at, const char *point, const char *type) {
    size_t point_length = strlen(point), type_length = strlen(type), length = point_length + type_length + 2;
    if (length > MOUNT_MOST || at + length > JOB_TEXT - 1) return at;
    to[at++] = '\n';
    memcpy(to + at, type, type_length);
    at += type_length;
    to[at++] = '\t';
    memcpy(to + at, point, point_length);
    return at + point_length;
}

/* Command line and mounts. Without any mount other readers do not find the command line, so it is cut for one if it
   must be. The one that stands for none is a point that no path begins with: files stay without a mount. */
static size_t put_writer_text(char *to, const char *exe, const char *const *mounts, size_t n_mounts) {
    static const char *const unknown[] = {"unknown", "unknown"};
    if (n_mounts == 0) {
        mounts = unknown;
        n_mounts = 1;
    }
    size_t command = put_writer_command(to, exe, JOB_TEXT - 1), at = command;
    for (size_t i = 0; i < n_mounts; i++) at = put_writer_mount(to, at, mounts[2 * i], mounts[2 * i + 1]);
    if (at > command) return at;
    const char *const *last = mounts + 2 * (n_mounts - 1);
    if (strlen(last[0]) + strlen(last[1]) + 2 > MOUNT_MOST) last = unknown;
    at = put_writer_command(to, exe, JOB_TEXT - 1 - (strlen(last[0]) + strlen(last[1]) + 2));
    return put_writer_mount(to, at, last[0], last[1]);
}

iol_status iol_writer_job(iol_writer *w, const iol_job *job, const char *metadata, const char *const *mounts,
                          size_t n_mounts) {
    if (!w) return IOL_INVALID;
    if (!job || (n_mounts && !mounts)) return writer_refuse(w, "an argument is NULL");
    for (size_t i = 0; i < 2 * n_mounts; i++)
        if (!mounts[i]) return writer_refuse(w, "an argument is NULL");
    if (w->stage != NOTHING) return writer_refuse(w, "the job comes first, and once");
    uint8_t record[IOL_JOB_BYTES] = {0};
    const int64_t fields[] = {job->uid,         job->start_seconds,   job->start_nanoseconds,
                              job->end_seconds, job->end_nanoseconds, job->processes,
                              job->job_id};
    memcpy(record, fields, sizeof fields);
    size_t length = metadata ? strlen(metadata) : 0;
    if (length > METADATA_BYTES - 1) length = METADATA_BYTES - 1;
    if (length) memcpy(record + sizeof fields, metadata, length);
    char *text = (char *)record + JOB_FIXED;
    size_t at = put_writer_text(text, job->exe ? job->exe : "", mounts, n_mounts);
    bool good = iol__packer_record(w->packer, JOB_FIXED + at + 1) &&
                iol__packer_bytes(w->packer, record, JOB_FIXED + at + 1) && iol__packer_end(w->packer);
    if (!good) return packed(w, false);
    w->stage = JOB;
    w->region_start = w->offset;
    put_writer_u64(w, 32, w->offset);
    return IOL_OK;
}

/* Names and modules ----------------------------------------------------------------------------------------------- */

iol_status iol_writer_name(iol_writer *w, uint64_t id, const char *name) {
    if (!w) return IOL_INVALID;
    if (!name) return writer_refuse(w, "an argument is NULL");
    if (w->stage != JOB && w->stage != NAMES)
        return writer_refuse(w, "names come after the job and before the modules");
    w->stage = NAMES;
    w->name_bytes += strlen(name) + 1 + IOL_NAME_COST;
    return packed(w, iol__packer_name(w->packer, id, name, strlen(name)));
}

/* The region that is being written ends here. */
static iol_status end_writer_region(iol_writer *w) {
    if (w->segments_due) return writer_refuse(w, "a trace record has fewer segments than it said");
    if (!iol__packer_end(w->packer)) return packed(w, false);
    uint64_t length = w->offset - w->region_start;
    if (w->stage == NAMES || w->stage == JOB) {
        put_writer_u64(w, 40, length);
    } else if (w->stage == MODULES) {
        size_t map = 48 + 16 * (size_t)w->slot;
        put_writer_u64(w, map, w->region_start);
        put_writer_u64(w, map + 8, length);
    }
    w->region_start = w->offset;
    return IOL_OK;
}

/* The last region ends here. An archive can be so small that a reader would not believe how many names it holds; a hole
   makes up for that. */
static iol_status end_regions(iol_writer *w) {
    iol_status status = end_writer_region(w);
    uint64_t least = IOL_ARCHIVE_TABLES * w->name_bytes / IOL_ARCHIVE_JUSTIFIES;
    if (status != IOL_OK || w->options.compression != IOL_ARCHIVE || w->name_bytes <= FEW_NAMES || w->offset >= least)
        return status;
    w->offset = least - 1;
    return packed(w, writer_sink(w, "", 1));
}

static uint32_t writer_version_of(const iol_writer *w, int slot) {
    if (slot == IOL_SLOT_DXT_POSIX) return w->options.dxt_posix ? w->options.dxt_posix : 1;
    if (slot == IOL_SLOT_DXT_MPIIO) return w->options.dxt_mpiio ? w->options.dxt_mpiio : 2;
    return iol__modules[slot].current;
}

static iol_status begin_module(iol_writer *w, int slot, uint32_t version, bool partial) {
    if (w->stage == NOTHING || w->stage == TRAILER)
        return writer_refuse(w, "modules come after the job and before the trailer");
    if (w->stage == MODULES && slot <= w->slot) return writer_refuse(w, "modules come in order of their slots");
    iol_status status = end_writer_region(w);
    if (status != IOL_OK) return status;
    w->stage = MODULES;
    w->slot = slot;
    writer_put(w, 1072 + 4 * (size_t)slot, &version, sizeof version);
    if (partial) w->flags |= UINT64_C(1) << slot;
    return IOL_OK;
}

iol_status iol_writer_module(iol_writer *w, int slot, bool partial) {
    if (!w) return IOL_INVALID;
    if (slot <= IOL_SLOT_NULL || slot >= IOL_SLOTS_KNOWN) return writer_refuse(w, "there is no such module");
    uint32_t version = writer_version_of(w, slot);
    if (!iol__version_find(slot, version)) return writer_refuse(w, "there is no such version of trace records");
    w->thread_segments = version == iol__modules[slot].current;
    w->opaque = false;
    return begin_module(w, slot, version, partial);
}

iol_status iol__writer_opaque_module(iol_writer *w, int slot, uint32_t version, bool partial) {
    if (slot < 0 || slot >= IOL_SLOTS) return writer_refuse(w, "there is no such slot");
    w->opaque = true;
    return begin_module(w, slot, version, partial);
}

iol_status iol__writer_opaque(iol_writer *w, const void *bytes, size_t length) {
    if (w->stage != MODULES || !w->opaque) return writer_refuse(w, "bytes of a module that is known");
    const uint8_t *at = bytes;
    for (size_t part; length > 0; at += part, length -= part) {
        part = length < IOL_PACKER_OPAQUE ? length : IOL_PACKER_OPAQUE;
        if (!iol__packer_opaque(w->packer, at, part)) return packed(w, false);
    }
    return IOL_OK;
}

bool iol__writer_would_copy(const iol_writer *w, iol_compression compression, int slot, uint32_t version) {
    return compression == w->options.compression && compression != IOL_ARCHIVE && writer_version_of(w, slot) == version;
}

/* The packer is empty: the region before was ended when this one began. */
iol_status iol__writer_copied(iol_writer *w, const void *bytes, size_t length) {
    if (w->stage != MODULES || !w->opaque) return writer_refuse(w, "bytes of a module that is encoded");
    return packed(w, writer_sink(w, bytes, length));
}

iol_status iol__writer_fail(iol_writer *w, const iol_error *error) {
    w->error = *error;
    return error->status;
}

void iol__writer_unhurried(iol_writer *w) { w->output.unhurried = true; }

void iol__writer_partial(iol_writer *w) { w->flags |= UINT64_C(1) << w->slot; }

iol_status iol_writer_record(iol_writer *w, const iol_record *record) {
    if (!w) return IOL_INVALID;
    if (!record) return writer_refuse(w, "an argument is NULL");
    if (w->stage != MODULES || record->slot != w->slot || w->opaque)
        return writer_refuse(w, "a record of another module");
    if (w->segments_due) return writer_refuse(w, "a trace record has fewer segments than it said");
    size_t bytes = iol__encoded_bytes(record);
    size_t segment_bytes = w->thread_segments ? IOL_SEGMENT_THREAD_BYTES : IOL_SEGMENT_BYTES;
    uint64_t total = bytes;
    if (iol__modules[w->slot].form == IOL_FORM_TRACE) {
        w->segments_due = record->trace.writes + record->trace.reads;
        total += w->segments_due * segment_bytes;
    }
    if (total == bytes) {
        uint8_t *room = iol__packer_room(w->packer, bytes);
        if (room) {
            iol__encode(record, room);
            return IOL_OK;
        }
    } else if (!iol__packer_record(w->packer, total)) {
        return packed(w, false);
    }
    if (w->error.status != IOL_OK) return w->error.status;
    uint8_t *copy = malloc(bytes);
    bool good = copy != NULL;
    if (good) iol__encode(record, copy);
    if (total != bytes) iol__packer_rows(w->packer, bytes);
    good = good && iol__packer_bytes(w->packer, copy, bytes);
    free(copy);
    if (total != bytes) iol__packer_rows(w->packer, segment_bytes);
    return packed(w, good);
}

iol_status iol_writer_segments(iol_writer *w, const iol_segment *segments, size_t count) {
    if (!w) return IOL_INVALID;
    if (count && !segments) return writer_refuse(w, "an argument is NULL");
    if (count > w->segments_due) return writer_refuse(w, "more segments than the trace record said");
    w->segments_due -= count;
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[IOL_SEGMENT_THREAD_BYTES];
        uint8_t *end = iol__encode_segment(&segments[i], w->thread_segments, bytes);
        if (!iol__packer_bytes(w->packer, bytes, (size_t)(end - bytes))) return packed(w, false);
    }
    return IOL_OK;
}

/* Trailer and end ------------------------------------------------------------------------------------------------- */

static bool trailer_bytes(iol_writer *w, const void *bytes, size_t length) {
    w->trailer_crc = iol__crc32(w->trailer_crc, bytes, length);
    return writer_sink(w, bytes, length);
}

iol_status iol_writer_trailer(iol_writer *w, const char *tag, const void *bytes, size_t length) {
    if (!w) return IOL_INVALID;
    if (!tag || (length && !bytes)) return writer_refuse(w, "an argument is NULL");
    if (w->stage == NOTHING) return writer_refuse(w, "the trailer comes after the job");
    if (strlen(tag) != 4) return writer_refuse(w, "a trailer tag has four characters");
    if (w->stage != TRAILER) {
        iol_status status = end_regions(w);
        if (status != IOL_OK) return status;
        w->stage = TRAILER;
        w->trailer_start = w->offset;
    }
    uint8_t *room = malloc(length + 1);
    if (!room) return packed(w, false);
    const size_t stored = iol__deflate_fitted(TRAILER_LEVEL, bytes, length, room, length);
    const bool smaller = stored > 0;
    uint8_t head[IOL_TRAILER_HEAD];
    iol__trailer_head(head, tag, smaller ? IOL_TRAILER_ZLIB : IOL_TRAILER_STORED, smaller ? stored : length, length);
    bool good =
        trailer_bytes(w, head, sizeof head) && trailer_bytes(w, smaller ? room : bytes, smaller ? stored : length);
    free(room);
    return packed(w, good);
}

static iol_status end_trailer(iol_writer *w) {
    uint8_t footer[IOL_TRAILER_FOOTER];
    iol__trailer_footer_write(footer, &(iol__trailer_footer){.version = IOL_TRAILER_VERSION,
                                                             .crc = w->trailer_crc,
                                                             .offset = w->trailer_start,
                                                             .length = w->offset - w->trailer_start});
    return packed(w, writer_sink(w, footer, sizeof footer));
}

/* Everything is written, header included; the file has no name yet. */
static iol_status writer_complete(iol_writer *w) {
    if (w->completed) return IOL_OK;
    if (w->stage == NOTHING) return writer_refuse(w, "a log has at least a job");
    if (w->error.status != IOL_OK) return w->error.status;
    iol_status status = w->stage == TRAILER ? end_trailer(w) : end_regions(w);
    if (status != IOL_OK) return status;
    put_writer_u64(w, 24, w->flags);
    int failed = iol__output_write(&w->output, 0, w->header, sizeof w->header);
    w->completed = !failed;
    return failed ? broken(w, failed) : IOL_OK;
}

iol_status iol__writer_complete(iol_writer *w, uint64_t *bytes) {
    iol_status status = writer_complete(w);
    *bytes = w->offset;
    return status;
}

iol_status iol_writer_finish(iol_writer *w) {
    if (!w) return IOL_INVALID;
    iol_status status = writer_complete(w);
    if (status != IOL_OK) return status;
    int failed = iol__output_finish(&w->output, w->options.mode);
    if (failed) return broken(w, failed);
    writer_release(w);
    return IOL_OK;
}

/* Spools ---------------------------------------------------------------------------------------------------------- */

iol_status iol__writer_spool(iol_writer **out, iol_error *error) {
    /* The newest trace form loses nothing. */
    const iol_write_options plain = {.compression = IOL_UNCOMPRESSED,
                                     .one_stream = true,
                                     .dxt_posix = iol__modules[IOL_SLOT_DXT_POSIX].current,
                                     .dxt_mpiio = iol__modules[IOL_SLOT_DXT_MPIIO].current};
    return iol__writer_spool_as(&plain, out, error);
}

iol_status iol__writer_spool_as(const iol_write_options *options, iol_writer **out, iol_error *error) {
    static const char name[] = "temporary file";
    *out = NULL;
    iol_writer *w = calloc(1, sizeof *w);
    if (!w) return iol__error_set(error, IOL_SYSTEM, name, IOL_NO_OFFSET, "out of memory");
    take_writer_options(&w->options, options);
    w->output.fd = -1;
    w->path = strdup(name);
    w->offset = IOL_HEADER_NEW;
    w->packer = iol__packer_new(w->options.compression, w->options.level, w->options.one_stream, writer_sink, w);
    int failed = w->path && w->packer ? iol__output_anonymous(&w->output) : ENOMEM;
    if (failed) {
        iol_writer_abort(w);
        return iol__error_set(error, IOL_SYSTEM, name, IOL_NO_OFFSET, "cannot be made in %s: %s",
                              iol__temporary_directory(), strerror(failed));
    }
    start_header(w);
    *out = w;
    return IOL_OK;
}

iol_status iol__writer_reread(iol_writer *w, const char *name, iol_log **log, iol_error *error) {
    *log = NULL;
    iol_status status = writer_complete(w);
    if (status != IOL_OK) {
        *error = w->error;
    } else {
        status = iol__log_open_part(w->output.fd, name ? name : w->path, 0, w->offset, log, error);
    }
    iol_writer_abort(w);
    return status;
}
