/* The head of a log as its writers at run time fill it: version 3.41, in the byte order of the machine. */
#ifndef IOL_RECORD_HEADER_H
#define IOL_RECORD_HEADER_H

#include <stddef.h>
#include <stdint.h>

#include "schema/schema.h"

#define IOL_LOG_VERSION "3.41"
enum {
    IOL_LOG_MAGIC = 6567223,
    IOL_LOG_ZLIB = 0,
    IOL_LOG_PLAIN = 2,   /* not compressed */
    IOL_LOG_TEXT = 3016, /* room for command line and mounts, NUL included */
    IOL_LOG_METADATA = 1024,
};

typedef struct iol__region {
    uint64_t at, bytes;
} iol__region;

typedef struct iol__log_header {
    char version[8];
    int64_t magic;
    uint8_t compression, padding[7];
    uint64_t partial;
    iol__region names;
    iol__region modules[IOL_SLOTS];
    uint32_t versions[IOL_SLOTS];
} iol__log_header;

typedef struct iol__log_job {
    int64_t uid, start_s, start_ns, end_s, end_ns, processes, id;
    char metadata[IOL_LOG_METADATA];
} iol__log_job;

_Static_assert(sizeof(iol__log_header) == 1328 && offsetof(iol__log_header, modules) == 48 &&
                   offsetof(iol__log_header, versions) == 1072,
               "the header of log version 3.41");
_Static_assert(sizeof(iol__log_job) == 1080 && offsetof(iol__log_job, metadata) == 56, "the job of log version 3.41");

#endif
