/* Days as numbers, by the calendar of the site's time zone. */
#include "site/query/period.h"

#include <time.h>

time_t iol__noon_of(int64_t day) {
    struct tm tm = {.tm_year = (int)(day / 10000) - 1900,
                    .tm_mon = (int)(day / 100 % 100) - 1,
                    .tm_mday = (int)(day % 100),
                    .tm_hour = 12,
                    .tm_isdst = -1};
    int month = tm.tm_mon, date = tm.tm_mday;
    time_t time = mktime(&tm);
    return tm.tm_mon == month && tm.tm_mday == date ? time : -1;
}

int64_t iol__day_of(time_t time) {
    struct tm tm;
    localtime_r(&time, &tm);
    return (int64_t)(tm.tm_year + 1900) * 10000 + (tm.tm_mon + 1) * 100 + tm.tm_mday;
}

bool iol__period_before(int64_t since, int64_t until, int64_t *before_since, int64_t *before_until) {
    time_t from = iol__noon_of(since), to = until ? iol__noon_of(until) : time(NULL);
    if (from == -1 || to == -1 || to < from - 43200) return false;
    time_t days = (to - from + 43200) / 86400 + 1;
    *before_until = iol__day_of(from - 86400);
    *before_since = iol__day_of(from - days * 86400);
    return true;
}
