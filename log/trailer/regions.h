/* The parts of a program that it marked itself (the custom module REGIONS), added up over ranks, and what share of the
   job's I/O went on in them. */
#ifndef IOL_LOG_REGIONS_H
#define IOL_LOG_REGIONS_H

#include "iolite/log.h"
#include "base/idmap.h"

#define IOL_REGIONS_MODULE "REGIONS"

typedef struct iol__marked_region {
    const char *name; /* as long as the log */
    uint64_t id;
    double ranks, count, unended, unbalanced, unmeasured;
    double bytes_read, bytes_written;
    double time, slowest; /* all ranks together; the longest single time */
    double first, last;   /* seconds since the start of the job; 0: never */
    double io_time;       /* of processes while they were in it, all ranks together */
    double io_share;      /* of the I/O time of all records; NAN: there is none */
} iol__marked_region;

typedef struct iol__regions {
    iol__marked_region *all; /* largest I/O time first */
    size_t count;
    size_t module;  /* among the custom ones of the log */
    double io_time; /* of all POSIX and STDIO records */
    iol__idmap ids; /* by number of the region */
} iol__regions;

/* None if nothing was marked. False without memory. */
bool iol__regions_make(iol_log *log, iol__regions *regions);
/* The number of a region by the id of its record; IOL_IDMAP_NONE: there is none. */
size_t iol__regions_find(const iol__regions *regions, uint64_t id);
void iol__regions_free(iol__regions *regions);

#endif
