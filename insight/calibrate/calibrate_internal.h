/* What one log says, between the file that looks at it and the one that collects. */
#ifndef IOL_INSIGHT_CALIBRATE_INTERNAL_H
#define IOL_INSIGHT_CALIBRATE_INTERNAL_H

#include "base/arena.h"
#include "insight/calibrate/calibrate.h"

/* On one file system; NaN: it says nothing. */
typedef struct iol__observed_mount {
    const char *point;
    double ost, node; /* bytes per second, the best seen */
    double small_s;   /* of all small requests */
    double small;     /* how many */
} iol__observed_mount;

/* How far a job goes towards a threshold that a rule compares something with. */
typedef struct iol__observed_limit {
    double value; /* NaN: no rule asked, or the log cannot tell */
    bool below;   /* the rule asks whether something is less */
} iol__observed_limit;

struct iol__observation {
    iol__arena arena;
    bool complete; /* memory lasted */
    bool healthy;
    iol__observed_mount *mounts;
    size_t n_mounts;
    iol__observed_limit *limits; /* by threshold */
};

#endif
