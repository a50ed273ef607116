/* A whole file that is one gzip or bzip2 stream, as a source of the bytes inside.
   Darshan 1.x and 2.x wrote their logs so, and archives compress newer ones. Everything that reads a log reads it at many
   places, so the stream is unpacked first: into memory while it is small, else into a file without a name. How much may
   come out is bounded by what went in. */
#ifndef IOL_LOG_OLD_INFLATE_H
#define IOL_LOG_OLD_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iolite/log.h"
#include "log/read/source.h"

typedef enum iol__wrapping { IOL_NOT_WRAPPED, IOL_WRAPPED_GZIP, IOL_WRAPPED_BZIP2 } iol__wrapping;

/* How a file is packed, by its first bytes. */
iol__wrapping iol__wrapping_of(const uint8_t *bytes, size_t length);
const char *iol__wrapping_name(iol__wrapping packing);

/* Unpack all of it. IOL_OK; or what went wrong, with `why` (a constant text or one of strerror()), and in *plain all that
   came out before that, NULL if nothing did. */
iol_status iol__unwrap(iol__source *packed, iol__wrapping packing, iol__source **plain, const char **why);

#endif
