/* Periods of days, 20261231: which days a period has, and those before it. */
#ifndef IOL_SITE_PERIOD_H
#define IOL_SITE_PERIOD_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Noon of a day, as a time; -1 if there is no such day. And the day of a time. */
time_t iol__noon_of(int64_t day);
int64_t iol__day_of(time_t time);
/* The days before a period, as many as it has. `until` 0 stands for today. */
bool iol__period_before(int64_t since, int64_t until, int64_t *before_since, int64_t *before_until);

#endif
