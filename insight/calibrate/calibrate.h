/* What a site's own logs say about its thresholds: how fast its file systems are, how long its smallest requests take,
   and what is usual in jobs that are fine. One log is looked at on any thread; what they say is collected on one.
   Values are proposals: nothing here changes a rulebook. */
#ifndef IOL_INSIGHT_CALIBRATE_H
#define IOL_INSIGHT_CALIBRATE_H

#include "insight/findings/engine.h"

/* One log ------------------------------------------------------------------------------------------------------- */

typedef struct iol__observation iol__observation;

/* Free with iol__observation_free(). */
iol_status iol__observe(iol_log *log, const iol__rulebook *book, iol__observation **out, iol_error *error);
void iol__observation_free(iol__observation *observation);

/* Many of them ---------------------------------------------------------------------------------------------------- */

typedef struct iol__calibration iol__calibration;

/* A proposal needs at least `least` logs behind it. NULL without memory. */
iol__calibration *iol__calibration_new(const iol__rulebook *book, size_t least);
void iol__calibration_free(iol__calibration *calibration);
/* False without memory. */
bool iol__calibration_add(iol__calibration *calibration, const iol__observation *observation);

typedef enum iol__basis {
    IOL_BASIS_OST,     /* rate of large requests by storage target, 95th percentile */
    IOL_BASIS_NODE,    /* the same by node */
    IOL_BASIS_LATENCY, /* seconds of a small request, 10th percentile */
    IOL_BASIS_MOST,    /* healthy jobs: 90% are not above */
    IOL_BASIS_LEAST,   /* healthy jobs: 90% are not below */
} iol__basis;

typedef struct iol__proposal {
    const char *path;  /* of the threshold */
    const char *mount; /* for this one alone; NULL: everywhere */
    iol__basis basis;
    double value; /* NaN without a log */
    double now;   /* the value in force */
    size_t logs;  /* behind it */
    bool usable;  /* enough logs, and a value that means something */
} iol__proposal;

size_t iol__calibration_logs(const iol__calibration *calibration);
size_t iol__calibration_healthy(const iol__calibration *calibration); /* I/O below 5 % of the run time */
size_t iol__calibration_least(const iol__calibration *calibration);
/* In the order of a config: everywhere, then mount by mount. Free the list; what it points at is the calibration's.
   NULL without memory. */
iol__proposal *iol__calibration_propose(iol__calibration *calibration, size_t *count);

#endif
