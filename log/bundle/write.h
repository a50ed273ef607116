/* Making a bundle. It appears under its name whole or not at all, as logs do. */
#ifndef IOL_LOG_BUNDLE_WRITE_H
#define IOL_LOG_BUNDLE_WRITE_H

#include <sys/types.h>

#include "iolite/log.h"
#include "log/bundle/directory.h"

typedef struct iol__bundle_writer iol__bundle_writer;

/* `dictionary` is the one that logs are packed with; 0 bytes: none. A file that is there is never replaced.
   Messages call it `shown`. */
iol_status iol__bundle_writer_open(const char *path, const char *shown, const uint8_t *dictionary, size_t bytes,
                                   iol__bundle_writer **writer, iol_error *error);
/* A log, in ascending order of names. Of the entry what is known of the file is taken: name, mtime, mode, owner. */
iol_status iol__bundle_writer_add(iol__bundle_writer *writer, const iol__bundle_entry *entry, const uint8_t *log,
                                  size_t length, const iol__packed *packed);
/* One that is copied from a file as it is, because of its size. */
iol_status iol__bundle_writer_copy(iol__bundle_writer *writer, const iol__bundle_entry *entry, int fd, uint64_t length);
/* Complete, to disk, and under its name. The writer is gone either way. */
iol_status iol__bundle_writer_finish(iol__bundle_writer *writer, mode_t mode, iol_error *error);
void iol__bundle_writer_abort(iol__bundle_writer *writer);
/* What went wrong. */
const iol_error *iol__bundle_writer_error(const iol__bundle_writer *writer);
/* Everything is on disk but the name: a descriptor to read it back, which stays the writer's. -1 if something failed. */
int iol__bundle_writer_complete(iol__bundle_writer *writer);

#endif
