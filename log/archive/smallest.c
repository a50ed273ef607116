/* The smallest form of a log. Columns win by far on logs of some size; on a log of a few records their framing costs more
   than they save, so that plainer forms are tried too. Where the log is the smallest as it is, it is copied. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "log/read/log_internal.h"
#include "log/read/methods.h"
#include "log/write/output.h"
#include "log/write/rewrite.h"

enum { FEW = 256 << 10, COPY_BYTES = 1 << 16, DEFAULT_MODE = 0400 };

/* In order of preference among equals. */
static const iol_write_options forms[] = {
    {.compression = IOL_ARCHIVE},
    {.compression = IOL_ZLIB, .level = 12},
    {.compression = IOL_ZLIB, .level = 9, .one_stream = true},
    {.compression = IOL_ZSTD, .level = 19, .one_stream = true},
};

static bool changes(const iol__rewrite *how) {
    return iol__disguise_any(&how->disguise) || how->keeps || how->reset_metadata || how->n_annotations ||
           how->drop_opaque || how->totals;
}

static iol_write_options smallest_form_of(size_t number, const iol_write_options *options) {
    iol_write_options form = *options;
    form.compression = forms[number].compression;
    form.one_stream = forms[number].one_stream;
    if (number > 0 || !form.level) form.level = forms[number].level;
    return form;
}

/* The log in one form, all but its name. */
static iol_status write_form(iol_log *log, const char *to, const iol_write_options *form, const iol__rewrite *how,
                             iol_writer **writer, uint64_t *bytes, iol_error *error) {
    iol_status status = iol_writer_open(to, form, writer, error);
    if (status != IOL_OK) return status;
    status = iol__rewrite_log(log, *writer, how);
    if (status == IOL_OK) status = iol__writer_complete(*writer, bytes);
    if (status == IOL_OK) return IOL_OK;
    *error = *iol_writer_error(*writer);
    if (error->status == IOL_OK) iol__error_set(error, IOL_SYSTEM, to, IOL_NO_OFFSET, "out of memory");
    iol_writer_abort(*writer);
    *writer = NULL;
    return status;
}

static int copy_smallest_bytes(const iol_log *log, iol__output *output) {
    uint8_t *room = malloc(COPY_BYTES);
    int failed = room ? 0 : ENOMEM;
    for (uint64_t at = 0; !failed && at < log->info.file_bytes;) {
        int64_t got = iol__source_read(log->source, at, room, COPY_BYTES);
        failed = got < 0 ? errno : got == 0 ? EIO : iol__output_write(output, at, room, (size_t)got);
        at += got > 0 ? (uint64_t)got : 0;
    }
    free(room);
    return failed;
}

static iol_status copy_log(const iol_log *log, const char *to, const iol_write_options *options, iol_error *error) {
    iol__output output;
    int failed = iol__output_open(&output, to, options->replace);
    if (!failed) {
        failed = copy_smallest_bytes(log, &output);
        if (failed)
            iol__output_abort(&output);
        else
            failed = iol__output_finish(&output, options->mode ? options->mode : DEFAULT_MODE);
    }
    return failed ? iol__error_set(error, IOL_SYSTEM, to, IOL_NO_OFFSET, "cannot write: %s", strerror(failed)) : IOL_OK;
}

iol_status iol__rewrite_smallest(iol_log *log, const char *to, const iol_write_options *options,
                                 const iol__rewrite *how, bool same_versions, iol_error *error) {
    iol_writer *best = NULL;
    uint64_t least = UINT64_MAX;
    iol_status status = IOL_OK;
    for (size_t i = 0; status == IOL_OK && i < IOL_COUNT(forms) && (i == 0 || least < FEW); i++) {
        const iol_write_options form = smallest_form_of(i, options);
        iol_writer *writer = NULL;
        uint64_t bytes = 0;
        if (i > 0 && !iol__method_here(form.compression)) continue;
        status = write_form(log, to, &form, how, &writer, &bytes, error);
        if (status != IOL_OK) break;
        iol_writer_abort(bytes < least ? best : writer);
        if (bytes < least) best = writer;
        if (bytes < least) least = bytes;
    }
    /* What a mapped file says besides its records is in no region. */
    const bool copy = !changes(how) && same_versions && !log->facts && log->info.file_bytes <= least;
    if (status == IOL_OK && copy) {
        iol_writer_abort(best);
        return copy_log(log, to, options, error);
    }
    if (status == IOL_OK) status = iol_writer_finish(best);
    if (status == IOL_OK) return IOL_OK;
    if (best && iol_writer_error(best)->status != IOL_OK) *error = *iol_writer_error(best);
    iol_writer_abort(best);
    return status;
}
