/* Times as sources and people write them. Without an offset they are local, in the zone of the site (TZ). */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/count.h"
#include "site/connect/connect.h"

static bool times_digits(const char **at, int count, int *value) {
    *value = 0;
    for (int i = 0; i < count; i++, (*at)++) {
        if (!isdigit((unsigned char)**at)) return false;
        *value = *value * 10 + (**at - '0');
    }
    return true;
}

static bool plausible(const struct tm *tm) {
    return tm->tm_mon >= 0 && tm->tm_mon < 12 && tm->tm_mday >= 1 && tm->tm_mday <= 31 && tm->tm_hour < 24 &&
           tm->tm_min < 60 && tm->tm_sec <= 60;
}

/* Whether the wall clock shows this time while summer time is as said. */
static bool shown_with(const struct tm *tm, int summer, time_t *seconds) {
    struct tm is = *tm;
    is.tm_isdst = summer;
    *seconds = mktime(&is);
    return is.tm_isdst == summer && is.tm_hour == tm->tm_hour && is.tm_min == tm->tm_min;
}

/* A local time. When clocks go back an hour comes twice, and the first of the two is meant; mktime() alone would choose by
   what it was asked before. */
static time_t local_seconds(struct tm *tm) {
    time_t summer, winter;
    bool first = shown_with(tm, 1, &summer), second = shown_with(tm, 0, &winter);
    if (first && second) return summer < winter ? summer : winter;
    if (first) return summer;
    return second ? winter : mktime(tm);
}

/* A fraction of a second, then Z, an offset, or nothing. */
static bool times_finish(struct tm *tm, const char *at, double *seconds) {
    double fraction = 0;
    if (*at == '.') {
        char *end;
        fraction = strtod(at, &end);
        at = end;
    }
    tm->tm_isdst = -1;
    if (!plausible(tm)) return false;
    if (!*at) {
        *seconds = (double)local_seconds(tm) + fraction;
        return true;
    }
    int sign = *at == '-' ? -1 : 1, hours = 0, minutes = 0;
    if (*at == 'Z' && !at[1]) {
        at++;
    } else {
        if (*at != '+' && *at != '-') return false;
        at++;
        if (!times_digits(&at, 2, &hours)) return false;
        if (*at == ':') at++;
        if (!times_digits(&at, 2, &minutes)) return false;
    }
    *seconds = (double)timegm(tm) - sign * (hours * 3600 + minutes * 60) + fraction;
    return !*at;
}

/* Seconds since the epoch as a number, as long as a calendar has them: a million years. */
static bool seconds_since(const char *text, double *seconds) {
    char *end;
    *seconds = strtod(text, &end);
    return end != text && !*end && fabs(*seconds) < 3.2e13;
}

bool iol__parse_time(const char *text, double *seconds) {
    struct tm tm = {0};
    if (*text == '@') return seconds_since(text + 1, seconds);
    if (*text && text[strspn(text, "0123456789")] == 0) return seconds_since(text, seconds);
    const char *at = text;
    if (!times_digits(&at, 4, &tm.tm_year) || *at++ != '-' || !times_digits(&at, 2, &tm.tm_mon) || *at++ != '-' ||
        !times_digits(&at, 2, &tm.tm_mday))
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    if (!*at) return times_finish(&tm, at, seconds);
    if ((*at != 'T' && *at != ' ' && *at != '-') || !times_digits((at++, &at), 2, &tm.tm_hour) || *at++ != ':' ||
        !times_digits(&at, 2, &tm.tm_min))
        return false;
    if (*at == ':' && !times_digits((at++, &at), 2, &tm.tm_sec)) return false;
    return times_finish(&tm, at, seconds);
}

bool iol__parse_compact_time(const char *text, double *seconds) {
    struct tm tm = {0};
    const char *at = text;
    if (!times_digits(&at, 4, &tm.tm_year) || !times_digits(&at, 2, &tm.tm_mon) || !times_digits(&at, 2, &tm.tm_mday) ||
        !times_digits(&at, 2, &tm.tm_hour) || !times_digits(&at, 2, &tm.tm_min) || !times_digits(&at, 2, &tm.tm_sec))
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    return times_finish(&tm, at, seconds);
}

void iol__format_time(int64_t seconds, char text[32]) {
    time_t at = (time_t)seconds;
    struct tm tm;
    if (!localtime_r(&at, &tm) || strftime(text, 32, "%Y-%m-%d %H:%M:%S", &tm) == 0) snprintf(text, 32, "?");
}

double iol__time_after(double before, double when) {
    static const int64_t shifts[] = {1800, 3600, 7200}; /* by which clocks go back, somewhere */
    char first[32], second[32];
    if (!(when <= before)) return when;
    iol__format_time(iol__whole(when), first);
    for (size_t i = 0; i < IOL_COUNT(shifts); i++) {
        iol__format_time(iol__whole(when) + shifts[i], second);
        if (strcmp(first, second) == 0) return when + (double)shifts[i];
    }
    return when;
}

int64_t iol__midnight(int64_t seconds, int days) {
    time_t at = (time_t)seconds;
    struct tm tm;
    if (!localtime_r(&at, &tm)) return seconds;
    tm.tm_mday += days;
    tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
    tm.tm_isdst = -1;
    return mktime(&tm);
}
