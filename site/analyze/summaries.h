/* Tables of job summaries: rows as `iolite job` prints them, from CSV or JSON, and what analyses derive from them. */
#ifndef IOL_SITE_ANALYZE_SUMMARIES_H
#define IOL_SITE_ANALYZE_SUMMARIES_H

#include "site/connect/connect.h"

/* Which rows to use; what is NULL or 0 does not matter. */
typedef struct iol__selection {
    const char *app; /* base name of the program */
    const char *fs;  /* logical name, or how its mount point begins */
    int direction;   /* 1: jobs that write more than they read; -1: the others */
    bool ranged;
    int64_t start, end;
    double least_gib; /* moved at least so much */
} iol__selection;

iol_status iol__summaries_read(iol__arena *arena, const char *path, iol__value **rows, char why[400]);
/* The rows that are wanted, by start of the job. */
iol__value *iol__summaries_select(iol__arena *arena, const iol__value *rows, const iol__selection *wanted);

double iol__summary_start(const iol__value *row); /* seconds since the epoch; NAN if it is not known */
const char *iol__summary_app(const iol__value *row);
bool iol__summary_writes(const iol__value *row);
/* A metric by its key, also those that follow from others, such as coverage factors. NAN: not known. */
double iol__summary_metric(const iol__value *row, const char *key);

#endif
