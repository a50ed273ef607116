/* Health of a file system at a time: how full its OSTs are, and which servers hold the OSTs of others. */
#ifndef IOL_SITE_ANALYZE_HEALTH_H
#define IOL_SITE_ANALYZE_HEALTH_H

#include "site/analyze/places.h"

/* A day of listings is {epoch: {fs: ...}}; one listing is {fs: ...}. The block to use for a time: the last one at or
   before it, the first one if it is earlier than all. NULL if there is none for this file system. */
typedef struct iol__sample {
    const iol__value *block; /* of the file system */
    int64_t when, next;      /* of the block and of the one behind it; 0: not known */
} iol__sample;

iol__sample iol__sample_at(iol__arena *arena, const iol__value *listing, const char *fs, int64_t when);

/* ost_count, ost_avg_full_kib and so on; empty without OSTs. `when` may be INT64_MAX, for the last sample. */
iol__value *iol__fullness_of(iol__arena *arena, const iol__sample *sample, int64_t when);
/* ost_overloaded_oss_count and so on, and the OSTs on servers that hold more than usual. The block is one of `lctl`. */
iol__value *iol__failures_of(iol__arena *arena, const iol__sample *sample, int64_t when);
/* Addresses of OSTs: number as text to address. */
iol__value *iol__servers_of(iol__arena *arena, const iol__value *block);

#endif
