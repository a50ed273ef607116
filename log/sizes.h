/* How large files were when they were first opened (the setting FILE_SIZES). In a finished log that is the trailer
   section SIZE: pairs of a record id and a number of bytes, both of 8 bytes, little-endian. */
#ifndef IOL_LOG_SIZES_H
#define IOL_LOG_SIZES_H

#include "iolite/log.h"
#include "log/idmap.h"

#define IOL_TAG_SIZES "SIZE"

typedef struct iol__sizes {
    iol__idmap ids;
    int64_t *bytes; /* by number of the id */
    size_t room;
} iol__sizes;

/* Adds those of this log, as far as they are not known yet. False without memory. */
bool iol__sizes_add(iol_log *log, iol__sizes *sizes);
/* The content of SIZE, to be freed; NULL without memory. */
void *iol__sizes_pack(const iol__sizes *sizes, size_t *length);
void iol__sizes_free(iol__sizes *sizes);

#endif
