/* Local time without the C library, for a program that must not notice. The library's localtime_r() reads the zone once
   and keeps it, so that a program that sets TZ afterwards would get the wrong time; it sets tzname and timezone, takes a
   lock and allocates. Reads TZ as the library does: a file of compiled rules, or the rules themselves. */
#ifndef IOL_RECORD_ZONE_H
#define IOL_RECORD_ZONE_H

#include <stdint.h>

#include "schema/resolve.h"

typedef struct iol__date {
    int64_t year, month, day, seconds; /* seconds of the day */
} iol__date;

/* The date of a number of seconds since the epoch. */
iol__date iol__date_of(int64_t seconds);
/* Seconds east of Greenwich at an instant; 0 where the zone cannot be read. Not for two threads at once. */
int64_t iol__utc_offset(char **environment, int64_t seconds, iol__read_file read);

#endif
