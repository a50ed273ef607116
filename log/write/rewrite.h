/* From a log to a writer: everything that can be read, as it is or changed on the way. What convert and merge are made of. */
#ifndef IOL_LOG_REWRITE_H
#define IOL_LOG_REWRITE_H

#include "log/write/disguise.h"

typedef struct iol__rewrite {
    iol__disguise disguise;
    /* Which files stay; NULL for all. The name is NULL where an id has none. */
    bool (*keeps)(void *context, uint64_t id, const char *name);
    void *context;
    bool reset_metadata;
    const char *const *annotations; /* metadata lines to add */
    size_t n_annotations;
    bool copies;      /* regions that would come out the same are copied, not compressed again */
    bool totals;      /* one record per module in place of all of them: log/figures/totals.h */
    bool drop_opaque; /* leave out regions that nobody here can decode; else they are copied, or rewriting fails */
} iol__rewrite;

/* Whether a region holds records that this Iolite cannot decode: of an unassigned slot, or of an unknown version. */
bool iol__opaque(const iol_log *log, int slot);
/* Whether such regions allow what is asked for; the error names the first that does not. */
iol_status iol__rewrite_check(const iol_log *log, const iol__rewrite *how, iol_error *error);

/* Damage in the log is noted there, and the modules it touches are marked incomplete. The status is the writer's. */
iol_status iol__rewrite_log(iol_log *log, iol_writer *writer, const iol__rewrite *how);

/* The log in whatever form is the smallest, under its name. Where `how` asks for no change and `same_versions` says that
   traces keep theirs, that is never larger than the log itself. */
iol_status iol__rewrite_smallest(iol_log *log, const char *to, const iol_write_options *options,
                                 const iol__rewrite *how, bool same_versions, iol_error *error);

/* One trace record with its segments, as far as `records` can deliver them: how many that is, is found by `ahead`, another
   iterator on the same module that stands before the same record. *cut is set when some are missing. Times are moved by
   `shift`, and *last grows to the latest of them. */
iol_status iol__rewrite_trace(iol_records *records, iol_records *ahead, const iol_record *record, iol_writer *writer,
                              double shift, double *last, bool *cut);

/* Versions of trace records as the log has them, so that rewriting does not change them. */
void iol__rewrite_versions(iol_log *log, iol_write_options *options);

/* A writer of a nameless, uncompressed log, and the log that it wrote, called `name` in messages if that is not NULL. What
   merging keeps its records in. */
iol_status iol__writer_spool(iol_writer **writer, iol_error *error);
/* The same in another compression. */
iol_status iol__writer_spool_as(const iol_write_options *options, iol_writer **writer, iol_error *error);
iol_status iol__writer_reread(iol_writer *writer, const char *name, iol_log **log, iol_error *error);

/* The log may reach the disk after it has its name. */
void iol__writer_unhurried(iol_writer *writer);
/* Mark the module being written as incomplete after all. */
void iol__writer_partial(iol_writer *writer);

/* A module whose bytes are copied because nobody here can decode them. */
iol_status iol__writer_opaque_module(iol_writer *writer, int slot, uint32_t version, bool partial);
iol_status iol__writer_opaque(iol_writer *writer, const void *bytes, size_t length);

/* Whether a region of such records, compressed in this way, is as the writer would have it; then one, and its bytes. */
bool iol__writer_would_copy(const iol_writer *writer, iol_compression compression, int slot, uint32_t version);
iol_status iol__writer_copied(iol_writer *writer, const void *bytes, size_t length);

/* The writer ends with this error. Returns its status. */
iol_status iol__writer_fail(iol_writer *writer, const iol_error *error);
/* Everything is written and the file has no name yet: how long it is. iol_writer_finish() or _abort() comes next. */
iol_status iol__writer_complete(iol_writer *writer, uint64_t *bytes);

#endif
