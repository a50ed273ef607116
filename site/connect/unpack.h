/* Decompression of whole inputs: gzip, bzip2, xz and zstd by their first bytes; everything else is taken as it is. */
#ifndef IOL_SITE_CONNECT_UNPACK_H
#define IOL_SITE_CONNECT_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "iolite/log.h"

typedef struct iol__unpacked {
    char *bytes;
    size_t length, room;
    bool too_large;
} iol__unpacked;

/* Room for at least this many bytes more and a NUL; false without memory, or beyond what an input may be. */
bool iol__unpack_room(iol__unpacked *all, size_t more);
/* Whether these first bytes of a file say that it is compressed. */
bool iol__unpack_packed(const void *bytes, size_t length);
/* `why` is a constant text where something is wrong. A stream that ends early, or is damaged behind its beginning, gives
   IOL_OK with a text. */
iol_status iol__unpack(const void *bytes, size_t length, iol__unpacked *all, const char **why);

#endif
