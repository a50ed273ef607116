/* What the log says of memory maps of files (the custom module MAPS of the runtime), added up over ranks. */
#ifndef IOL_LOG_MAPS_H
#define IOL_LOG_MAPS_H

#include "iolite/log.h"

#define IOL_MAPS_MODULE "MAPS"

typedef struct iol__map_sums {
    double files, count, bytes; /* maps of 64 KiB and more, and their length; 0: none are in the log */
    double used;                /* bytes of their pages that processes used */
    double pieces;              /* runs of neighbouring pages that these make */
    double unmeasured;          /* maps of which that is not known */
    const char *largest; /* the file with the most that was used by one process; as long as the log. NULL: none */
    double largest_used;
} iol__map_sums;

void iol__map_sums_of(iol_log *log, iol__map_sums *sums);

#endif
