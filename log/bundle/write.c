/* Logs one after the other, then the directory twice and the foot twice. */
#include "log/bundle/write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "log/read/log_internal.h"
#include "log/write/output.h"
#include "record/hash.h"

enum { COPY_BYTES = 1 << 16, ROOM = 1 << 20 };

struct iol__bundle_writer {
    iol__output output;
    char *path;
    iol__framer *framer;
    iol__bundle_foot foot;
    uint64_t offset;
    iol__body waiting; /* to be written at offset */
    iol__body dictionary, page, directory, table;
    iol__bundle_entry last;
    char *first; /* name in the page */
    uint32_t in_page;
    iol_error error;
};

static iol_status write_fail(iol__bundle_writer *w, iol_status status, const char *why) {
    if (w->error.status == IOL_OK) iol__error_set(&w->error, status, w->path, IOL_NO_OFFSET, "%s", why);
    return w->error.status;
}

static iol_status write_no_memory(iol__bundle_writer *w) { return write_fail(w, IOL_SYSTEM, "out of memory"); }

static iol_status write_flush(iol__bundle_writer *w) {
    const int failed =
        w->waiting.length ? iol__output_write(&w->output, w->offset, w->waiting.bytes, w->waiting.length) : 0;
    if (failed) return iol__error_set(&w->error, IOL_SYSTEM, w->path, w->offset, "cannot write: %s", strerror(failed));
    w->offset += w->waiting.length;
    w->waiting.length = 0;
    return IOL_OK;
}

static iol_status write_put(iol__bundle_writer *w, const void *bytes, size_t length) {
    if (w->error.status != IOL_OK) return w->error.status;
    if (length && !iol__body_put(&w->waiting, bytes, length)) return write_no_memory(w);
    return w->waiting.length >= ROOM ? write_flush(w) : IOL_OK;
}

static uint64_t position(const iol__bundle_writer *w) { return w->offset + w->waiting.length; }

/* The dictionary is kept as it is: to unpack it would take longer than to unpack a log with it. */
static iol_status put_dictionary(iol__bundle_writer *w, const uint8_t *bytes, size_t length) {
    iol__bundle_span *d = &w->foot.dictionary;
    if (!length) return IOL_OK;
    if (!iol__body_put(&w->dictionary, bytes, length)) return write_no_memory(w);
    *d = (iol__bundle_span){.offset = position(w), .stored = w->dictionary.length, .raw = length};
    d->check = iol__bundle_check(0, w->dictionary.bytes, w->dictionary.length);
    return write_put(w, w->dictionary.bytes, w->dictionary.length);
}

iol_status iol__bundle_writer_open(const char *path, const char *shown, const uint8_t *dictionary, size_t bytes,
                                   iol__bundle_writer **out, iol_error *error) {
    *out = NULL;
    if (!iol__frames_here())
        return iol__error_set(error, IOL_UNSUPPORTED, shown, IOL_NO_OFFSET, "this build of Iolite has no zstd");
    iol__bundle_writer *w = calloc(1, sizeof *w);
    if (!w) return iol__error_set(error, IOL_SYSTEM, shown, IOL_NO_OFFSET, "out of memory");
    w->output.fd = -1;
    w->path = strdup(shown);
    w->framer = iol__framer_new();
    const int failed = w->path && w->framer ? iol__output_open(&w->output, path, false) : ENOMEM;
    if (failed) {
        iol__bundle_writer_abort(w);
        return iol__error_set(error, IOL_SYSTEM, shown, IOL_NO_OFFSET, "cannot write: %s", strerror(failed));
    }
    uint8_t head[IOL_BUNDLE_HEAD];
    iol__bundle_head(head);
    iol_status status = write_put(w, head, sizeof head);
    if (status == IOL_OK) status = put_dictionary(w, dictionary, bytes);
    if (status == IOL_OK) {
        *out = w;
    } else {
        *error = w->error;
        iol__bundle_writer_abort(w);
    }
    return status;
}

const iol_error *iol__bundle_writer_error(const iol__bundle_writer *w) { return &w->error; }

/* Directory -------------------------------------------------------------------------------------------------------------- */

static iol_status end_page(iol__bundle_writer *w) {
    if (!w->in_page) return IOL_OK;
    const size_t before = w->directory.length;
    iol__bundle_page page = {
        .offset = before, .raw = (uint32_t)w->page.length, .entries = w->in_page, .first = w->first};
    if (!iol__frame_pack(w->framer, NULL, w->page.bytes, w->page.length, &w->directory)) return write_no_memory(w);
    page.stored = (uint32_t)(w->directory.length - before);
    page.check = iol__bundle_check(0, w->directory.bytes + before, page.stored);
    if (!iol__bundle_page_put(&w->table, &page)) return write_no_memory(w);
    free(w->first);
    w->first = NULL;
    w->in_page = 0;
    w->page.length = 0;
    return IOL_OK;
}

static iol_status add_entry(iol__bundle_writer *w, const iol__bundle_entry *entry) {
    char *name = strdup(entry->name);
    if (!name) return write_no_memory(w);
    if (!w->in_page) w->first = strdup(name);
    if ((!w->in_page && !w->first) || !iol__bundle_entry_put(&w->page, entry, w->in_page ? &w->last : NULL)) {
        free(name);
        return write_no_memory(w);
    }
    free((char *)(uintptr_t)w->last.name);
    w->last = *entry;
    w->last.name = name;
    w->foot.logs++;
    w->foot.log_bytes += entry->size;
    return ++w->in_page == IOL_BUNDLE_PAGE ? end_page(w) : IOL_OK;
}

/* Logs ------------------------------------------------------------------------------------------------------------------- */

static iol_status check_name(iol__bundle_writer *w, const char *name) {
    if (w->error.status != IOL_OK) return w->error.status;
    if (!iol__bundle_name_good(name)) return write_fail(w, IOL_INVALID, "a log has a name that no bundle can hold");
    if (w->last.name && strcmp(w->last.name, name) >= 0) return write_fail(w, IOL_INVALID, "logs are not in order");
    return IOL_OK;
}

iol_status iol__bundle_writer_add(iol__bundle_writer *w, const iol__bundle_entry *entry, const uint8_t *log,
                                  size_t length, const iol__packed *packed) {
    iol__bundle_entry e = *entry;
    iol_status status = check_name(w, e.name);
    const bool plain = packed->form == IOL_PACKED_AS_IT_IS;
    e.size = length;
    e.form = packed->form;
    e.offset = position(w);
    e.columns = packed->columns.length;
    e.frame = packed->frame.length;
    e.recipe = packed->recipe;
    e.check = iol__bundle_check(0, log, length);
    e.hash = iol__hash(log, length, 0);
    e.stored_check = plain ? e.check : iol__bundle_check(0, packed->columns.bytes, packed->columns.length);
    if (!plain) e.stored_check = iol__bundle_check(e.stored_check, packed->frame.bytes, packed->frame.length);
    if (status == IOL_OK && plain) status = write_put(w, log, length);
    if (status == IOL_OK && !plain) status = write_put(w, packed->columns.bytes, packed->columns.length);
    if (status == IOL_OK && !plain) status = write_put(w, packed->frame.bytes, packed->frame.length);
    return status == IOL_OK ? add_entry(w, &e) : status;
}

iol_status iol__bundle_writer_copy(iol__bundle_writer *w, const iol__bundle_entry *entry, int fd, uint64_t length) {
    iol__bundle_entry e = *entry;
    uint8_t piece[COPY_BYTES];
    iol_status status = check_name(w, e.name);
    e.size = length;
    e.form = IOL_PACKED_AS_IT_IS;
    e.offset = position(w);
    e.columns = e.frame = e.recipe = 0;
    e.check = 0;
    for (uint64_t at = 0; status == IOL_OK && at < length;) {
        const size_t part = length - at < sizeof piece ? (size_t)(length - at) : sizeof piece;
        const ssize_t n = pread(fd, piece, part, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return write_fail(w, IOL_SYSTEM, "a log became shorter while it was read");
        e.check = iol__bundle_check(e.check, piece, (size_t)n);
        status = write_put(w, piece, (size_t)n);
        at += (uint64_t)n;
    }
    e.stored_check = e.check;
    return status == IOL_OK ? add_entry(w, &e) : status;
}

/* The end ---------------------------------------------------------------------------------------------------------------- */

static iol_status make_write_directory(iol__bundle_writer *w) {
    iol__body table = {0};
    const char *with = iol__encoders_here();
    iol_status status = end_page(w);
    w->foot.directory.raw = w->directory.length;
    bool good = status == IOL_OK && iol__body_varint(&table, strlen(with)) &&
                iol__body_put(&table, with, strlen(with)) &&
                (!w->table.length || iol__body_put(&table, w->table.bytes, w->table.length));
    const size_t before = w->directory.length;
    good = good && iol__frame_pack(w->framer, NULL, table.bytes, table.length, &w->directory);
    w->foot.table_raw = table.length;
    w->foot.directory.stored = w->directory.length;
    if (good) w->foot.directory.check = iol__bundle_check(0, w->directory.bytes + before, w->directory.length - before);
    free(table.bytes);
    return good ? IOL_OK : write_no_memory(w);
}

static iol_status write_complete(iol__bundle_writer *w) {
    uint8_t foot[IOL_BUNDLE_FOOT];
    iol_status status = make_write_directory(w);
    w->foot.directory.offset = position(w);
    if (status == IOL_OK) status = write_put(w, w->directory.bytes, w->directory.length);
    w->foot.dictionary.copy = position(w);
    if (status == IOL_OK) status = write_put(w, w->dictionary.bytes, w->dictionary.length);
    w->foot.directory.copy = position(w);
    if (status == IOL_OK) status = write_put(w, w->directory.bytes, w->directory.length);
    w->foot.bytes = position(w) + 2 * sizeof foot;
    iol__bundle_foot_write(&w->foot, foot);
    for (int i = 0; status == IOL_OK && i < 2; i++) status = write_put(w, foot, sizeof foot);
    return status == IOL_OK ? write_flush(w) : status;
}

int iol__bundle_writer_complete(iol__bundle_writer *w) {
    if (w->error.status != IOL_OK || write_complete(w) != IOL_OK) return -1;
    if (fsync(w->output.fd) == 0) return w->output.fd;
    write_fail(w, IOL_SYSTEM, strerror(errno));
    return -1;
}

static void write_release(iol__bundle_writer *w) {
    iol__body *bodies[] = {&w->waiting, &w->dictionary, &w->page, &w->directory, &w->table};
    for (size_t i = 0; i < IOL_COUNT(bodies); i++) free(bodies[i]->bytes);
    free((char *)(uintptr_t)w->last.name);
    free(w->first);
    free(w->path);
    iol__framer_free(w->framer);
    free(w);
}

iol_status iol__bundle_writer_finish(iol__bundle_writer *w, mode_t mode, iol_error *error) {
    const int failed = iol__output_finish(&w->output, mode);
    const iol_status status =
        failed ? iol__error_set(error, IOL_SYSTEM, w->path, IOL_NO_OFFSET, "cannot write: %s", strerror(failed))
               : IOL_OK;
    write_release(w);
    return status;
}

void iol__bundle_writer_abort(iol__bundle_writer *w) {
    if (!w) return;
    iol__output_abort(&w->output);
    write_release(w);
}
