/* Bundles: many logs in one file, dense, indexed and checksummed. A log of a bundle is addressed as BUNDLE#NAME wherever a
   log can be named. A bundle is hostile input as a log is: every number is checked before it is used. */
#ifndef IOL_LOG_BUNDLE_BUNDLE_H
#define IOL_LOG_BUNDLE_BUNDLE_H

#include "iolite/log.h"
#include "log/bundle/directory.h"

typedef struct iol__bundle iol__bundle;

/* Whether a file begins like a bundle. */
bool iol__is_bundle(int fd);
/* IOL_NOT_A_LOG if it is not a bundle. One is used by one thread at a time. */
iol_status iol__bundle_open(const char *path, iol__bundle **bundle, iol_error *error);
/* The descriptor stays the caller's; messages call it `name`. */
iol_status iol__bundle_open_file(int fd, const char *name, iol__bundle **bundle, iol_error *error);
void iol__bundle_close(iol__bundle *bundle);

uint64_t iol__bundle_count(const iol__bundle *bundle);
/* Bytes of all its logs, and of the bundle. */
uint64_t iol__bundle_log_bytes(const iol__bundle *bundle);
uint64_t iol__bundle_bytes(const iol__bundle *bundle);
/* The compression libraries that it was packed with. */
const char *iol__bundle_packed_with(const iol__bundle *bundle);

/* Every log, in the order of names. False from `each` ends it. The entry lives until `each` returns. Pages that cannot be
   read are left out, and the error says so. */
iol_status iol__bundle_each(iol__bundle *bundle, bool (*each)(void *context, const iol__bundle_entry *entry),
                            void *context, iol_error *error);
/* A log by its name; IOL_INVALID if there is none. The entry lives until the next call. */
iol_status iol__bundle_find(iol__bundle *bundle, const char *name, iol__bundle_entry *entry, iol_error *error);

/* The log as it was, byte by byte, checked. Free the bytes. */
iol_status iol__bundle_restore(iol__bundle *bundle, const iol__bundle_entry *entry, uint8_t **bytes, iol_error *error);
/* The same content where the compression libraries of this machine cannot make the same bytes. */
iol_status iol__bundle_content(iol__bundle *bundle, const iol__bundle_entry *entry, uint8_t **bytes, size_t *length,
                               iol_error *error);
/* A log that is too large for that, to a file that is open. */
iol_status iol__bundle_copy(iol__bundle *bundle, const iol__bundle_entry *entry, int to, iol_error *error);
/* The log, opened: all that is in it, though perhaps not in the compression that it had. */
iol_status iol__bundle_log(iol__bundle *bundle, const iol__bundle_entry *entry, iol_log **log, iol_error *error);

/* Both copies of what is there twice; `wrong` hears of each that is damaged. */
void iol__bundle_verify(iol__bundle *bundle, void (*wrong)(void *context, const char *what), void *context);

/* For iol_log_open(): "BUNDLE#NAME". IOL_END if no part of the path before a '#' is a file. */
iol_status iol__bundle_log_at(const char *path, iol_log **log, iol_error *error);

#endif
