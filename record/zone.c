/* Time zones: the files of zoneinfo (RFC 8536), and the text of POSIX ("CET-1CEST,M3.5.0,M10.5.0/3") that TZ may hold and
   that ends such a file. */
#include "record/zone.h"

#include <stdio.h>
#include <string.h>

#include "record/place.h"

enum { HOUR = 3600, DAY = 24 * HOUR, FILE_BYTES = 16384 };

/* The calendar ------------------------------------------------------------------------------------------------------- */

/* By counting the days of 400-year cycles that begin with March. */
enum { CYCLE = 146097, EPOCH = 719468 };

iol__date iol__date_of(int64_t seconds) {
    int64_t days = seconds / DAY - (seconds % DAY < 0), rest = seconds - days * DAY;
    days += EPOCH;
    int64_t cycle = days / CYCLE - (days % CYCLE < 0), in_cycle = days - cycle * CYCLE;
    int64_t year = (in_cycle - in_cycle / 1460 + in_cycle / 36524 - in_cycle / (CYCLE - 1)) / 365;
    int64_t in_year = in_cycle - (365 * year + year / 4 - year / 100), month = (5 * in_year + 2) / 153;
    return (iol__date){.year = year + cycle * 400 + (month >= 10),
                       .month = month < 10 ? month + 3 : month - 9,
                       .day = in_year - (153 * month + 2) / 5 + 1,
                       .seconds = rest};
}

/* The days from the epoch to the first of a month. */
static int64_t days_before(int64_t year, int64_t month) {
    const int64_t from_march = month > 2 ? month - 3 : month + 9, y = year - (month <= 2);
    const int64_t cycle = y / 400 - (y % 400 < 0), in_cycle = y - cycle * 400;
    return cycle * CYCLE + in_cycle * 365 + in_cycle / 4 - in_cycle / 100 + (153 * from_march + 2) / 5 - EPOCH;
}

/* Rules as text ----------------------------------------------------------------------------------------------------- */

/* The day and second of the year at which the clock is changed: the weekday of a week of a month, or a day. */
typedef struct change {
    char form; /* M, J (1 to 365, never 29 February) or 0 (0 to 365) */
    int64_t month, week, day, seconds;
} change;

typedef struct zone_rules {
    int64_t standard, summer; /* offsets */
    bool changes;
    change begins, ends; /* of summer time */
} zone_rules;

static bool zone_take(const char **text, char mark) {
    if (**text != mark) return false;
    ++*text;
    return true;
}

static bool take_zone_number(const char **text, int64_t most, int64_t *number) {
    const char *begin = *text;
    for (*number = 0; **text >= '0' && **text <= '9' && *number <= most; ++*text) *number = *number * 10 + **text - '0';
    return *text > begin && *number <= most;
}

/* Three letters or more, or anything in angle brackets. */
static bool take_zone_name(const char **text) {
    const char *begin = *text;
    if (zone_take(text, '<')) {
        *text += strcspn(*text, ">");
        return zone_take(text, '>');
    }
    while ((**text >= 'a' && **text <= 'z') || (**text >= 'A' && **text <= 'Z')) ++*text;
    return *text - begin >= 3;
}

/* [+-]hh[:mm[:ss]] */
static bool take_zone_time(const char **text, int64_t *seconds) {
    int64_t sign = 1, part = 0;
    if (zone_take(text, '-'))
        sign = -1;
    else
        zone_take(text, '+');
    if (!take_zone_number(text, 167, seconds)) return false;
    *seconds *= HOUR;
    for (int64_t unit = 60; unit > 0 && zone_take(text, ':'); unit /= 60) {
        if (!take_zone_number(text, 59, &part)) return false;
        *seconds += part * unit;
    }
    *seconds *= sign;
    return true;
}

static bool take_change(const char **text, change *to) {
    *to = (change){.seconds = 2 * HOUR};
    if (!zone_take(text, ',')) return false;
    if (zone_take(text, 'M')) {
        to->form = 'M';
        if (!take_zone_number(text, 12, &to->month) || !zone_take(text, '.') || !take_zone_number(text, 5, &to->week) ||
            !zone_take(text, '.') || !take_zone_number(text, 6, &to->day) || to->month == 0 || to->week == 0)
            return false;
    } else {
        if (zone_take(text, 'J')) to->form = 'J';
        if (!take_zone_number(text, 365, &to->day)) return false;
    }
    return !zone_take(text, '/') || take_zone_time(text, &to->seconds);
}

/* Offsets are written west of Greenwich. Where the text has a summer time and no rules for it, those of the USA hold. */
static bool take_rules(const char *text, zone_rules *to) {
    *to = (zone_rules){.standard = 0};
    if (!take_zone_name(&text) || !take_zone_time(&text, &to->standard)) return false;
    to->standard = -to->standard;
    if (!*text) return true;
    if (!take_zone_name(&text)) return false;
    to->changes = true;
    to->summer = to->standard + HOUR;
    if (*text && *text != ',') {
        if (!take_zone_time(&text, &to->summer)) return false;
        to->summer = -to->summer;
    }
    if (!*text) text = ",M3.2.0,M11.1.0";
    return take_change(&text, &to->begins) && take_change(&text, &to->ends) && !*text;
}

/* When a change is, in seconds since the epoch of the clock that it changes. */
static int64_t moment(const change *when, int64_t year) {
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    int64_t day = days_before(year, 1);
    if (when->form == 'M') {
        const int64_t first = days_before(year, when->month);
        const int64_t next = when->month == 12 ? days_before(year + 1, 1) : days_before(year, when->month + 1);
        const int64_t weekday = ((first + 4) % 7 + 7) % 7; /* the epoch was a Thursday */
        day = first + (when->day - weekday + 7) % 7 + (when->week - 1) * 7;
        if (day >= next) day -= 7;
    } else if (when->form == 'J') {
        day += when->day - 1 + (leap && when->day >= 60);
    } else {
        day += when->day;
    }
    return day * DAY + when->seconds;
}

static int64_t offset_by_rules(const zone_rules *zone, int64_t seconds) {
    if (!zone->changes) return zone->standard;
    const int64_t year = iol__date_of(seconds + zone->standard).year;
    const int64_t begins = moment(&zone->begins, year) - zone->standard,
                  ends = moment(&zone->ends, year) - zone->summer;
    const bool summer = begins < ends ? seconds >= begins && seconds < ends : seconds >= begins || seconds < ends;
    return summer ? zone->summer : zone->standard;
}

/* Compiled rules ------------------------------------------------------------------------------------------------------ */

/* Numbers are big-endian and of two's complement. */
static int64_t number_at(const unsigned char *at, unsigned bytes) {
    uint64_t value = at[0] & 0x80 ? UINT64_MAX : 0;
    for (unsigned i = 0; i < bytes; i++) value = value << 8 | at[i];
    return (int64_t)value;
}

typedef struct zone_block {
    const unsigned char *changes, *types, *kinds, *end; /* end: of all its parts */
    uint64_t n_changes, n_kinds;
    unsigned wide; /* bytes of an instant */
} zone_block;

enum { HEADER = 44, KIND = 6 };

/* One of the two that a file has: the first has instants of 4 bytes. */
static bool find_block(const unsigned char *at, const unsigned char *end, unsigned wide, zone_block *to) {
    if (end - at < HEADER || memcmp(at, "TZif", 4) != 0) return false;
    uint64_t n[6]; /* marks of UT and of standard time, leap seconds, changes, kinds, letters */
    for (unsigned i = 0; i < 6; i++) {
        n[i] = (uint64_t)number_at(at + 20 + (size_t)4 * i, 4);
        if (n[i] > FILE_BYTES) return false;
    }
    *to = (zone_block){.changes = at + HEADER, .n_changes = n[3], .n_kinds = n[4], .wide = wide};
    const uint64_t length = n[3] * wide + n[3] + n[4] * KIND + n[5] + n[2] * (wide + 4) + n[1] + n[0];
    if (n[4] == 0 || length > (uint64_t)(end - to->changes)) return false;
    to->types = to->changes + n[3] * wide;
    to->kinds = to->types + n[3];
    to->end = to->changes + length;
    return true;
}

static int64_t offset_in_block(const zone_block *from, int64_t seconds, const char *after) {
    uint64_t low = 0, high = from->n_changes; /* the changes before `low` are past */
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (number_at(from->changes + middle * from->wide, from->wide) <= seconds)
            low = middle + 1;
        else
            high = middle;
    }
    zone_rules zone;
    if (low == from->n_changes && *after && take_rules(after, &zone)) return offset_by_rules(&zone, seconds);
    const uint64_t kind = low > 0 ? from->types[low - 1] : 0;
    return kind < from->n_kinds ? number_at(from->kinds + kind * KIND, 4) : 0;
}

static bool offset_in_file(const char *path, int64_t seconds, iol__read_file read, int64_t *offset) {
    static unsigned char bytes[FILE_BYTES + 1];
    const long got = read(path, (char *)bytes, FILE_BYTES);
    zone_block found;
    if (got < HEADER || !find_block(bytes, bytes + got, 4, &found)) return false;
    char *after = (char *)bytes + got;
    *after = '\0';
    if (bytes[4] >= '2') {
        if (!find_block(found.end, bytes + got, 8, &found)) return false;
        after = (char *)bytes + (found.end - bytes);
        after += *after == '\n';
        after[strcspn(after, "\n")] = '\0';
    }
    *offset = offset_in_block(&found, seconds, after);
    return true;
}

int64_t iol__utc_offset(char **environment, int64_t seconds, iol__read_file read) {
    static char path[512];
    const char *zone = iol__variable(environment, "TZ"), *folder = iol__variable(environment, "TZDIR");
    int64_t offset = 0;
    if (!zone) return offset_in_file("/etc/localtime", seconds, read, &offset) ? offset : 0;
    zone += *zone == ':';
    if (!*zone) return 0;
    const bool whole = *zone == '/';
    const int length = snprintf(path, sizeof path, "%s%s%s",
                                whole               ? ""
                                : folder && *folder ? folder
                                                    : "/usr/share/zoneinfo",
                                whole ? "" : "/", zone);
    if (length > 0 && (size_t)length < sizeof path && offset_in_file(path, seconds, read, &offset)) return offset;
    zone_rules text;
    return take_rules(zone, &text) ? offset_by_rules(&text, seconds) : 0;
}
