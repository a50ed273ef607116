/* Finding logs in the dated trees of a site, by day, user and job, from their names alone. */
#ifndef IOL_SITE_ANALYZE_FIND_LOGS_H
#define IOL_SITE_ANALYZE_FIND_LOGS_H

#include "site/analyze/places.h"

typedef struct iol__dated_name {
    char user[128], exe[256], job[32];
    int month, day;
    int64_t second;
} iol__dated_name;

/* <user>_<exe>_id<job>[-<pid>]_<month>-<day>-<second>-<number>_<seconds>.darshan; false for other names. */
bool iol__dated_name_parse(const char *name, iol__dated_name *parts);

/* Paths of logs of the local days of [start, end], of any user and job where these are NULL. */
iol__value *iol__find_logs(iol__arena *arena, const iol__places *site, int64_t start, int64_t end, const char *user,
                           const char *job);

#endif
