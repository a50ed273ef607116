/* Slow OSTs: does the speed of files go with whether they are on an OST? */
#ifndef IOL_SITE_ANALYZE_BAD_OST_H
#define IOL_SITE_ANALYZE_BAD_OST_H

#include "site/analyze/numbers.h"
#include "site/analyze/striped.h"
#include "site/connect/value.h"

typedef struct iol__suspect {
    int64_t ost;
    const char *server; /* NULL: this is about an OST */
    iol__correlation is;
    double adjusted; /* p, for as many tests as were made */
} iol__suspect;

typedef struct iol__suspects {
    iol__suspect *list; /* by coefficient, smallest first */
    size_t count;
    size_t files; /* with a time */
} iol__suspects;

/* One entry for every OST on which some files are and others are not. `servers`: OST number as text to address, to test
   servers instead; may be NULL. */
iol__suspects iol__find_suspects(iol__arena *arena, const iol__striped *files, const iol__value *servers);

#endif
