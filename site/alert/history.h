/* How fast earlier runs were: of the same program by the same user on as many processes. One pass over the jobs before a
   period gives those of all of them; jobs of the period are added as they come. */
#ifndef IOL_SITE_ALERT_HISTORY_H
#define IOL_SITE_ALERT_HISTORY_H

#include "base/arena.h"
#include "site/store/store.h"

typedef struct iol__alert_history iol__alert_history;

/* With the half year before a day (20261231); 0: with nothing. */
iol_status iol__alert_history_load(iol__arena *arena, iol__store *store, int64_t since, iol__alert_history **history);

/* A run, and what came before it. */
typedef struct iol__alert_run {
    const char *owner, *exename;
    int64_t nprocs, start;
    double rate; /* bytes per second of I/O time; NAN or 0: not known */
} iol__alert_run;

/* How many times slower it was than the median of up to 60 earlier ones, NAN: not known; and how many there are. The run is
   an earlier one to those that follow: they must come in the order of their starts. */
double iol__alert_slowdown(iol__alert_history *history, const iol__alert_run *run, size_t *earlier);

#endif
