/* Logs of Darshan 1.x and 2.x as plain data: their versions, and where each counter of their one flat record is in the
   records of today. Only log/old/ and the text of their parser need it, so that it is apart from schema.h. */
#ifndef IOL_SCHEMA_OLD_H
#define IOL_SCHEMA_OLD_H

#include <stddef.h>
#include <stdint.h>

#include "schema/schema.h"

/* IOL_OLD_CP_POSIX_OPENS is the index of CP_POSIX_OPENS among the integers, IOL_OLD_CP_F_OPEN_TIMESTAMP that of its double
   among the doubles. */
#define OLD_INT(name, since, posix, mpiio, total) IOL_OLD_##name,
#define OLD_REAL(name, since, posix, mpiio, total)
enum {
#include "schema/old_counters.def"
    IOL_OLD_INTS
};
#undef OLD_INT
#undef OLD_REAL
#define OLD_INT(name, since, posix, mpiio, total)
#define OLD_REAL(name, since, posix, mpiio, total) IOL_OLD_##name,
enum {
#include "schema/old_counters.def"
    IOL_OLD_REALS
};
#undef OLD_INT
#undef OLD_REAL

enum {
    IOL_NONE = -1,        /* no counter of today */
    IOL_OLD_SUFFIX = 16,  /* room for a name, with its NUL */
    IOL_OLD_RANKED = 200, /* the mark of counters about the fastest and slowest rank: 1.x had none */
};

typedef enum iol__old_total {
    IOL_OLD_TOTAL_NONE,
    IOL_OLD_TOTAL_SUM,
    IOL_OLD_TOTAL_MAX,
    IOL_OLD_TOTAL_MIN,
    IOL_OLD_TOTAL_FIRST,
    IOL_OLD_TOTAL_COMMON,
    IOL_OLD_TOTAL_VALUE,
} iol__old_total;

typedef struct iol__old_counter {
    char name[32];
    uint8_t since;
    uint8_t total;        /* iol__old_total */
    int16_t posix, mpiio; /* index among the integers or doubles of that module, or IOL_NONE */
} iol__old_counter;

typedef struct iol__old_version {
    char version[8];
    uint8_t generation;
    uint8_t knows;
    uint16_t job_bytes, metadata_bytes, area_bytes;
    uint16_t record_bytes, ints, reals;
    uint8_t suffix; /* characters of a name */
    char limits[8];
} iol__old_version;

typedef struct iol__old_limit {
    char letter;
    const char *text;
} iol__old_limit;

extern const iol__old_counter iol__old_ints[IOL_OLD_INTS], iol__old_reals[IOL_OLD_REALS];
extern const iol__old_version iol__old_versions[];
extern const size_t iol__old_versions_count;
extern const iol__old_limit iol__old_limits[];
extern const size_t iol__old_limits_count;

#endif
