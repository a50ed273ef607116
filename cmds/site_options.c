/* Options that the commands about a centre share. */
#include "cmds/site_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *store_url(const iol__args *args) {
    const char *url = argument_value(args, OPT_STORE);
    if (!url) url = argument_value(args, OPT_HISTORY_STORE);
    return url ? url : getenv("IOLITE_STORE");
}

bool open_site(const iol__args *args, iol__site **site) {
    iol_error error;
    if (iol__site_open(argument_value(args, OPT_SITE_FILE), site, &error) == IOL_OK) return true;
    fprintf(stderr, "iolite: %s\n", error.message);
    return false;
}

int open_store(const char *url, iol__store_mode mode, iol__store **store) {
    iol_error error;
    iol_status status = iol__store_open(url, mode, store, &error);
    if (status == IOL_OK) return EXIT_DONE;
    fprintf(stderr, "iolite: %s\n", error.message);
    return status == IOL_NOT_A_LOG || status == IOL_UNSUPPORTED ? EXIT_INPUT : EXIT_TROUBLE;
}

int store_trouble(const iol__store *store) {
    fprintf(stderr, "iolite: %s\n", iol__store_error(store));
    return EXIT_TROUBLE;
}

/* Noon of a day, as a time; -1 if there is no such day. */
static time_t noon(int64_t day) {
    struct tm tm = {.tm_year = (int)(day / 10000) - 1900,
                    .tm_mon = (int)(day / 100 % 100) - 1,
                    .tm_mday = (int)(day % 100),
                    .tm_hour = 12,
                    .tm_isdst = -1};
    int month = tm.tm_mon, date = tm.tm_mday;
    time_t time = mktime(&tm);
    return tm.tm_mon == month && tm.tm_mday == date ? time : -1;
}

static int64_t day_of(time_t time) {
    struct tm tm;
    localtime_r(&time, &tm);
    return (int64_t)(tm.tm_year + 1900) * 10000 + (tm.tm_mon + 1) * 100 + tm.tm_mday;
}

bool read_day(const iol__args *args, int option, int64_t *day) {
    const char *text = argument_value(args, option);
    int year, month, date, end = 0;
    *day = 0;
    if (!text) return true;
    bool last = option == OPT_UNTIL;
    if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &date, &end) == 3 && !text[end]) {
        *day = (int64_t)year * 10000 + month * 100 + date;
    } else if (sscanf(text, "%4d-%2d%n", &year, &month, &end) == 2 && !text[end]) {
        *day = (int64_t)year * 10000 + month * 100 + 1;
        if (last) {
            int64_t next = month == 12 ? (int64_t)(year + 1) * 10000 + 101 : *day + 100;
            if (noon(next) != -1) *day = day_of(noon(next) - 86400);
        }
    } else if (sscanf(text, "%4d%n", &year, &end) == 1 && !text[end]) {
        *day = (int64_t)year * 10000 + (last ? 1231 : 101);
    }
    return *day >= 19000101 && noon(*day) != -1;
}

bool period_before(int64_t since, int64_t until, int64_t *before_since, int64_t *before_until) {
    time_t from = noon(since), to = until ? noon(until) : time(NULL);
    if (from == -1 || to == -1 || to < from - 43200) return false;
    time_t days = (to - from + 43200) / 86400 + 1;
    *before_until = day_of(from - 86400);
    *before_since = day_of(from - days * 86400);
    return true;
}

const char *with_commas(char buffer[32], uint64_t value) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value), at = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) buffer[at++] = ',';
        buffer[at++] = digits[i];
    }
    buffer[at] = 0;
    return buffer;
}
