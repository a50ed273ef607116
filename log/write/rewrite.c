/* Rewriting a log, region by region, with memory for one record. */
#include "log/write/rewrite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "log/trailer/custom.h"
#include "log/trailer/cuts.h"
#include "log/trailer/id_pairs.h"
#include "log/read/dialect.h"
#include "log/read/log_internal.h"
#include "log/old/old.h"
#include "log/read/stream.h"
#include "log/figures/totals.h"
#include "log/trailer/unseen.h"
#include "record/removals.h"
#include "record/where.h"

enum { METADATA_BYTES = 1024, BATCH = 512 };

/* Job ------------------------------------------------------------------------------------------------------------- */

static void add_rewrite_line(char *text, const char *line, size_t length) {
    size_t have = strlen(text);
    if (length + 1 >= METADATA_BYTES - have) return;
    memcpy(text + have, line, length);
    text[have + length] = '\n';
    text[have + length + 1] = 0;
}

static void rewrite_compose_metadata(const iol_log *log, const iol__rewrite *how, const iol__totals *totals,
                                     char text[METADATA_BYTES]) {
    const char *key, *value;
    text[0] = 0;
    for (size_t i = 0; !how->reset_metadata && iol_log_metadata(log, i, &key, &value) == IOL_OK; i++) {
        char line[METADATA_BYTES + 2];
        if (!iol__disguise_keeps_metadata(&how->disguise, key, value)) continue;
        if (log->old && strcmp(key, "prev_ver") == 0) continue; /* comes below */
        size_t key_length = strlen(key), value_length = strlen(value);
        memcpy(line, key, key_length);
        line[key_length] = '=';
        memcpy(line + key_length + 1, value, value_length);
        add_rewrite_line(text, line, key_length + 1 + value_length);
    }
    if (log->old && !how->reset_metadata) {
        char line[32] = "prev_ver=";
        strcat(line, log->old->origin->version);
        add_rewrite_line(text, line, strlen(line));
    }
    for (size_t i = 0; i < how->n_annotations; i++)
        add_rewrite_line(text, how->annotations[i], strlen(how->annotations[i]));
    for (size_t i = 0; totals && iol__totals_line(totals, i); i++)
        add_rewrite_line(text, iol__totals_line(totals, i), strlen(iol__totals_line(totals, i)));
}

static iol_status write_rewrite_job(iol_log *log, iol_writer *writer, const iol__rewrite *how,
                                    const iol__totals *totals) {
    const iol__disguise *d = &how->disguise;
    char metadata[METADATA_BYTES], exe[IOL_PSEUDONYM];
    rewrite_compose_metadata(log, how, totals, metadata);
    iol_job job = log->job;
    job.uid = iol__disguise_uid(d, job.uid);
    job.job_id = iol__disguise_job_id(d, log->old ? job.job_id : log->own_job_id);
    job.exe = iol__disguise_exe(d, job.exe, exe);
    char(*points)[IOL_PSEUDONYM] = calloc(log->n_mounts + 1, sizeof *points);
    const char **mounts = calloc(2 * log->n_mounts + 2, sizeof *mounts);
    iol_status status = IOL_SYSTEM;
    if (points && mounts) {
        for (size_t i = 0; i < log->n_mounts; i++) {
            mounts[2 * i] = iol__disguise_mount(d, log->mounts[i].point, points[i]);
            mounts[2 * i + 1] = iol__disguise_type(d, log->mounts[i].type);
        }
        status = iol_writer_job(writer, &job, metadata, mounts, log->n_mounts);
    }
    free(points);
    free(mounts);
    return status;
}

/* Names ----------------------------------------------------------------------------------------------------------- */

static bool rewrite_keeps(const iol__rewrite *how, uint64_t id, const char *name) {
    return !how->keeps || how->keeps(how->context, id, name);
}

static iol_status write_rewrite_names(iol_log *log, iol_writer *writer, const iol__rewrite *how) {
    uint64_t id;
    const char *name;
    for (size_t i = 0; iol_log_name_at(log, i, &id, &name) == IOL_OK; i++) {
        char room[IOL_PSEUDONYM];
        if (!rewrite_keeps(how, id, name)) continue;
        iol_status status = iol_writer_name(writer, iol__disguise_id(&how->disguise, log, id),
                                            iol__disguise_name(&how->disguise, log, name, room));
        if (status != IOL_OK) return status;
    }
    return IOL_OK;
}

/* Records --------------------------------------------------------------------------------------------------------- */

/* How many segments of the next record can really be read. */
static void count_rewrite_segments(iol_records *ahead, uint64_t *writes, uint64_t *reads) {
    const iol_record *record;
    iol_segment batch[BATCH];
    size_t got;
    uint64_t total = 0;
    *writes = *reads = 0;
    if (iol_records_next(ahead, &record) != IOL_OK) return;
    uint64_t claimed = record->trace.writes;
    while (iol_records_segments(ahead, batch, BATCH, &got) == IOL_OK) total += got;
    *writes = total < claimed ? total : claimed;
    *reads = total - *writes;
}

static void shift_segments(iol_segment *segments, size_t count, double shift, double *last) {
    for (size_t i = 0; i < count; i++) {
        iol__where_shift(&segments[i].start, &segments[i].end, shift);
        if (segments[i].end > *last && isfinite(segments[i].end)) *last = segments[i].end;
    }
}

iol_status iol__rewrite_trace(iol_records *records, iol_records *ahead, const iol_record *record, iol_writer *writer,
                              double shift, double *last, bool *cut) {
    iol_record copy = *record;
    count_rewrite_segments(ahead, &copy.trace.writes, &copy.trace.reads);
    *cut = copy.trace.writes != record->trace.writes || copy.trace.reads != record->trace.reads;
    iol_status status = iol_writer_record(writer, &copy);
    iol_segment batch[BATCH];
    size_t got;
    while (status == IOL_OK && iol_records_segments(records, batch, BATCH, &got) == IOL_OK) {
        shift_segments(batch, got, shift, last);
        status = iol_writer_segments(writer, batch, got);
    }
    return status;
}

typedef struct module_copy {
    iol_log *log;
    iol_writer *writer;
    const iol__rewrite *how;
    iol_module module;
    iol_records *records, *ahead;
    iol__disguise_room room;
    bool begun;
    iol_record header; /* waits for a record to go before */
} module_copy;

/* A module is begun by its first record, so that one without any leaves no trace. */
static iol_status rewrite_begin(module_copy *c) {
    if (c->begun) return IOL_OK;
    c->begun = true;
    iol_status status = iol_writer_module(c->writer, c->module.slot, c->module.partial);
    return status == IOL_OK && c->header.header ? iol_writer_record(c->writer, &c->header) : status;
}

/* The header of APMPI and APXC belongs to all records: it stays if any of them does. */
static iol_status copy_header(module_copy *c, const iol_record *record) {
    c->header = *record;
    if (!iol__disguise_record(&c->how->disguise, c->log, &c->header, &c->room)) return IOL_SYSTEM;
    if (c->begun) return iol_writer_record(c->writer, &c->header);
    return c->how->keeps ? IOL_OK : rewrite_begin(c);
}

static iol_status copy_record(module_copy *c, const iol_record *record, bool *cut) {
    if (record->header) return copy_header(c, record);
    bool trace = iol__modules[record->slot].form == IOL_FORM_TRACE;
    if (!rewrite_keeps(c->how, record->id, iol_log_name(c->log, record->id))) {
        const iol_record *skipped;
        if (trace) iol_records_next(c->ahead, &skipped);
        return IOL_OK;
    }
    iol_record copy = *record;
    iol_status status = rewrite_begin(c);
    if (status != IOL_OK) return status;
    if (!iol__disguise_record(&c->how->disguise, c->log, &copy, &c->room)) return IOL_SYSTEM;
    double last = 0;
    return trace ? iol__rewrite_trace(c->records, c->ahead, &copy, c->writer, 0, &last, cut)
                 : iol_writer_record(c->writer, &copy);
}

static iol_status copy_module(module_copy *c) {
    int slot = c->module.slot;
    iol_status status = c->module.partial ? rewrite_begin(c) : IOL_OK;
    if (c->module.length == 0 || status != IOL_OK) return status;
    if (iol_records_open(c->log, slot, &c->records) != IOL_OK) return IOL_OK;
    bool trace = iol__modules[slot].form == IOL_FORM_TRACE;
    if (trace) status = iol_records_open(c->log, slot, &c->ahead);
    const iol_record *record;
    bool cut = false;
    iol_status read = IOL_OK;
    while (status == IOL_OK && !cut && (read = iol_records_next(c->records, &record)) == IOL_OK)
        status = copy_record(c, record, &cut);
    if (status == IOL_OK && (cut || read != IOL_END)) {
        status = rewrite_begin(c);
        if (status == IOL_OK) iol__writer_partial(c->writer);
    }
    iol_records_close(c->records);
    iol_records_close(c->ahead);
    free(c->room.components);
    return status;
}

/* Regions that stay as they are ------------------------------------------------------------------------------------ */

/* Every record can be read, and is what its version says. */
static bool is_sound(iol_log *log, int slot) {
    iol_records *records;
    const iol_record *record;
    iol_status status;
    if (iol_records_open(log, slot, &records) != IOL_OK) return false;
    const iol__segment_form *form = iol__records_form(records);
    const bool newest = log->modules[slot].version == (unsigned)iol__modules[slot].current;
    bool sound = !form || (!form->text && form->thread == newest && !log->segments_doubted[slot == IOL_SLOT_DXT_MPIIO]);
    while (sound && (status = iol_records_next(records, &record)) != IOL_END) sound = status == IOL_OK;
    iol_records_close(records);
    return sound && !(log->damaged >> slot & 1);
}

/* Records of other forms may come out in another way: heat maps are made even, gaps of LUSTRE are left out. */
static bool is_unchanged(iol_log *log, const iol_writer *writer, const iol__rewrite *how, int slot) {
    const iol_module *module = &log->modules[slot];
    if (!how->copies || how->keeps || iol__disguise_any(&how->disguise)) return false;
    if (log->old || log->facts || log->swap || !module->length || slot >= IOL_SLOTS_KNOWN) return false;
    const int form = iol__modules[slot].form;
    if (form != IOL_FORM_FIXED && form != IOL_FORM_TRACE) return false;
    return iol__writer_would_copy(writer, log->info.compression, slot, module->version) && is_sound(log, slot);
}

static iol_status copy_region(iol_log *log, iol_writer *writer, int slot) {
    enum { PIECE = 1 << 16 };
    const iol_module *module = &log->modules[slot];
    iol_status status = iol__writer_opaque_module(writer, slot, module->version, module->partial);
    uint8_t *bytes = malloc(PIECE);
    if (!bytes) return IOL_SYSTEM;
    for (uint64_t at = 0; status == IOL_OK && at < module->length;) {
        const uint64_t left = module->length - at;
        const int64_t got = iol__source_read(log->source, module->offset + at, bytes, left < PIECE ? left : PIECE);
        if (got <= 0) {
            iol_error error;
            iol__error_set(&error, IOL_SYSTEM, log->path, module->offset + at, "cannot be read any more");
            status = iol__writer_fail(writer, &error);
            break;
        }
        status = iol__writer_copied(writer, bytes, (size_t)got);
        at += (uint64_t)got;
    }
    free(bytes);
    return status;
}

/* Regions that nobody here can decode ------------------------------------------------------------------------------ */

bool iol__opaque(const iol_log *log, int slot) {
    const iol_module *module = &log->modules[slot];
    if (slot == IOL_SLOT_NULL || slot >= IOL_SLOTS_KNOWN) return module->length || module->partial;
    return module->length && !iol__version_find(slot, module->version);
}

iol_status iol__rewrite_check(const iol_log *log, const iol__rewrite *how, iol_error *error) {
    for (int slot = 0; slot < IOL_SLOTS; slot++) {
        const iol_module *module = &log->modules[slot];
        if (!iol__opaque(log, slot) || how->drop_opaque) continue;
        const char *why = iol__disguise_any(&how->disguise) ? "they cannot be made anonymous"
                          : how->keeps                      ? "files cannot be selected in them"
                          : log->swap && module->length     ? "their byte order cannot be changed"
                                                            : NULL;
        if (!why) continue;
        return iol__error_set(error, IOL_UNSUPPORTED, log->path, module->offset,
                              "%s%sslot %d has %llu bytes of records (version %u) that this Iolite does not know; %s",
                              module->name ? module->name : "", module->name ? ": " : "", slot,
                              (unsigned long long)module->length, module->version, why);
    }
    return IOL_OK;
}

static iol_status copy_opaque(iol_log *log, iol_writer *writer, int slot) {
    const iol_module *module = &log->modules[slot];
    iol_status status = iol__writer_opaque_module(writer, slot, module->version, module->partial);
    iol__stream *stream;
    if (status != IOL_OK || !module->length) return status;
    if (iol__stream_open(log, slot, module->offset, module->length, &stream) != IOL_OK) {
        iol__writer_partial(writer);
        return IOL_OK;
    }
    const uint8_t *bytes;
    size_t have;
    while (status == IOL_OK && (have = iol__stream_peek(stream, 1, &bytes)) > 0) {
        status = iol__writer_opaque(writer, bytes, have);
        iol__stream_consume(stream, have);
    }
    if (iol__stream_status(stream) != IOL_OK) iol__writer_partial(writer);
    iol__stream_close(stream);
    return status;
}

/* The whole ------------------------------------------------------------------------------------------------------- */

/* A mapped file has no trailer, but what would be in it. */
static iol_status write_rewrite_custom(iol_log *log, iol_writer *writer) {
    size_t length;
    const iol__custom *custom = iol__custom_of(log);
    void *bytes = custom->count || custom->damaged ? iol__custom_pack(custom, &length) : NULL;
    iol_status status = bytes ? iol_writer_trailer(writer, IOL_TAG_CUSTOM, bytes, length) : IOL_OK;
    free(bytes);
    return status;
}

/* Of what is not in an anonymous log it still says how much there is. */
static iol_status write_unseen(iol_log *log, iol_writer *writer) {
    iol__unseen unseen = {0};
    char *text = NULL;
    size_t length;
    iol__unseen_add(log, &unseen);
    if (!iol__unseen_total(&unseen)) return IOL_OK;
    iol__unseen_forget_names(&unseen);
    FILE *file = open_memstream(&text, &length);
    if (file) iol__unseen_print(file, &unseen);
    const bool good = file && fclose(file) == 0;
    iol_status status = good ? iol_writer_trailer(writer, IOL_TAG_UNSEEN, text, length) : IOL_SYSTEM;
    free(text);
    return status;
}

static iol_status write_text_section(iol_writer *writer, const char *tag, bool good, char *text, size_t length) {
    iol_status status = good ? IOL_OK : IOL_SYSTEM;
    if (good && length) status = iol_writer_trailer(writer, tag, text, length);
    free(text);
    return status;
}

static iol_status write_old_mounts(iol_log *log, iol_writer *writer, bool with_files) {
    char *text;
    size_t length;
    const bool good = iol__old_mounts_text(log, with_files, &text, &length);
    return write_text_section(writer, IOL_TAG_OLD_MOUNTS, good, text, length);
}

static iol_status write_old_sections(iol_log *log, iol_writer *writer) {
    char *text;
    size_t length;
    const bool good = iol__old_rest_text(log, 0, &text, &length);
    const iol_status status = write_text_section(writer, IOL_TAG_OLD, good, text, length);
    return status == IOL_OK ? write_old_mounts(log, writer, true) : status;
}

/* Names may be others, and stand elsewhere. */
static iol_status write_removals(iol_log *log, iol_writer *writer) {
    iol__id_pairs removed = {0};
    size_t length = 0;
    void *bytes =
        iol__id_pairs_add(log, IOL_PAIRS_REMOVED, 0, &removed) ? iol__id_pairs_pack(&removed, NULL, &length) : NULL;
    iol_status status = bytes ? iol_writer_trailer(writer, IOL_TAG_REMOVED, bytes, length) : IOL_SYSTEM;
    free(bytes);
    iol__id_pairs_free(&removed);
    return status;
}

static iol_status write_rewrite_trailer(iol_log *log, iol_writer *writer, const iol__disguise *disguise) {
    if (iol__disguise_any(disguise)) {
        const iol_status status = write_unseen(log, writer);
        /* Pseudonyms of files begin with that of their mount. */
        return status == IOL_OK ? write_old_mounts(log, writer, !disguise->names) : status;
    }
    if (log->facts) return write_rewrite_custom(log, writer);
    if (log->old) return write_old_sections(log, writer);
    const bool by_name = iol__id_pairs_by_name(log);
    const size_t count = iol_log_trailer_count(log);
    iol_status status = by_name ? write_removals(log, writer) : IOL_OK;
    for (size_t i = 0; status == IOL_OK && i < count; i++) {
        char tag[5];
        const void *bytes;
        size_t length;
        if (iol_log_trailer(log, i, tag, &bytes, &length) != IOL_OK || strcmp(tag, IOL_TAG_CUTS) == 0) continue;
        if (strcmp(tag, IOL_TAG_REMOVED_NAMES) == 0 || (by_name && strcmp(tag, IOL_TAG_REMOVED) == 0)) continue;
        status = iol_writer_trailer(writer, tag, bytes, length);
    }
    if (status != IOL_OK) return status;
    char *text;
    size_t texts_length;
    const bool good = iol__segment_texts(log, 0, &text, &texts_length);
    return write_text_section(writer, IOL_TAG_SEGMENT_TEXTS, good, text, texts_length);
}

static iol_status write_rewrite_module(iol_log *log, iol_writer *writer, const iol__rewrite *how, int slot) {
    if (iol__opaque(log, slot)) return how->drop_opaque ? IOL_OK : copy_opaque(log, writer, slot);
    if (is_unchanged(log, writer, how, slot)) return copy_region(log, writer, slot);
    module_copy copy = {.log = log, .writer = writer, .how = how, .module = log->modules[slot]};
    return copy.module.length || copy.module.partial ? copy_module(&copy) : IOL_OK;
}

static iol_status rewrite_totals(iol_log *log, iol_writer *writer, const iol__rewrite *how) {
    iol__totals *totals = iol__totals_of(log);
    iol_status status = totals ? write_rewrite_job(log, writer, how, totals) : IOL_SYSTEM;
    if (status == IOL_OK) status = iol__totals_write(totals, writer);
    if (status == IOL_OK) status = write_unseen(log, writer);
    iol__totals_free(totals);
    return status;
}

iol_status iol__rewrite_log(iol_log *log, iol_writer *writer, const iol__rewrite *how) {
    iol_error error;
    log->stored_times = !how->reset_metadata; /* values stay as they are, if a reader can tell what times count from */
    if (how->totals) return rewrite_totals(log, writer, how);
    if (iol__rewrite_check(log, how, &error) != IOL_OK) return iol__writer_fail(writer, &error);
    iol_status status = write_rewrite_job(log, writer, how, NULL);
    if (status == IOL_OK) status = write_rewrite_names(log, writer, how);
    for (int slot = 0; status == IOL_OK && slot < IOL_SLOTS; slot++)
        status = write_rewrite_module(log, writer, how, slot);
    if (status == IOL_OK) status = write_rewrite_trailer(log, writer, &how->disguise);
    return status == IOL_OK ? iol__cuts_write(writer, log->damaged | iol__cuts_of(log)) : status;
}

/* A dialect that names threads, under whatever version, is written in the standard form that has them. */
static bool dialect_has_threads(iol_log *log, int slot) {
    iol_records *records;
    const iol_record *record;
    if (!log->modules[slot].length || iol_records_open(log, slot, &records) != IOL_OK) return false;
    const iol__segment_form *form = iol__records_form(records);
    bool threads = form->thread;
    while (!threads && form->text && iol_records_next(records, &record) == IOL_OK) threads = record->trace.threads;
    iol_records_close(records);
    return threads;
}

void iol__rewrite_versions(iol_log *log, iol_write_options *options) {
    if (dialect_has_threads(log, IOL_SLOT_DXT_POSIX)) options->dxt_posix = 2;
    if (dialect_has_threads(log, IOL_SLOT_DXT_MPIIO)) options->dxt_mpiio = 3;
}
