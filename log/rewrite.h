/* From a log to a writer: everything that can be read, as it is or changed on the way. What convert and merge are made of. */
#ifndef IOL_LOG_REWRITE_H
#define IOL_LOG_REWRITE_H

#include "log/disguise.h"

typedef struct iol__rewrite {
    iol__disguise disguise;
    /* Which files stay; NULL for all. The name is NULL where an id has none. */
    bool (*keeps)(void *context, uint64_t id, const char *name);
    void *context;
    bool reset_metadata;
    const char *const *annotations; /* metadata lines to add */
    size_t n_annotations;
} iol__rewrite;

/* Damage in the log is noted there, and the modules it touches are marked incomplete. The status is the writer's. */
iol_status iol__rewrite_log(iol_log *log, iol_writer *writer, const iol__rewrite *how);

/* One trace record with its segments, as far as `records` can deliver them: how many that is, is found by `ahead`, another
   iterator on the same module that stands before the same record. *cut is set when some are missing. Times are moved by
   `shift`, and *last grows to the latest of them. */
iol_status iol__rewrite_trace(iol_records *records, iol_records *ahead, const iol_record *record, iol_writer *writer,
                              double shift, double *last, bool *cut);

/* Versions of trace records as the log has them, so that rewriting does not change them. */
void iol__rewrite_versions(const iol_log *log, iol_write_options *options);

/* A writer of a nameless, uncompressed log, and the log that it wrote. What merging keeps its records in. */
iol_status iol__writer_spool(iol_writer **writer, iol_error *error);
iol_status iol__writer_reread(iol_writer *writer, iol_log **log, iol_error *error);

/* Mark the module being written as incomplete after all. */
void iol__writer_partial(iol_writer *writer);

#endif
