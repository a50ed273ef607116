/* Logs by their names. A job id must be the whole one: 123 does not find 1234. */
#include "site/analyze/find_logs.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Digits up to one of these characters; NULL if something else comes. */
static const char *find_logs_digits(const char *at, const char *ends) {
    size_t length = strspn(at, "0123456789");
    return length && strchr(ends, at[length]) ? at + length : NULL;
}

/* What follows "_id": job, process, date, numbers, suffix. */
static bool tail_fits(const char *at, iol__dated_name *parts) {
    const char *job = at, *end = find_logs_digits(at, "-_");
    if (!end || end - job >= (ptrdiff_t)sizeof parts->job) return false;
    snprintf(parts->job, sizeof parts->job, "%.*s", (int)(end - job), job);
    if (*end == '-' && !(end = find_logs_digits(end + 1, "_"))) return false;
    const char *month = end + 1, *day = find_logs_digits(month, "-");
    const char *second = day ? find_logs_digits(day + 1, "-") : NULL,
               *number = second ? find_logs_digits(second + 1, "-") : NULL;
    const char *seconds = number ? find_logs_digits(number + 1, "_") : NULL,
               *suffix = seconds ? find_logs_digits(seconds + 1, ".") : NULL;
    if (!suffix || (strcmp(suffix, ".darshan") != 0 && strcmp(suffix, ".darshan_partial") != 0)) return false;
    parts->month = (int)strtol(month, NULL, 10);
    parts->day = (int)strtol(day + 1, NULL, 10);
    parts->second = strtoll(second + 1, NULL, 10);
    return true;
}

bool iol__dated_name_parse(const char *name, iol__dated_name *parts) {
    const char *underscore = strchr(name, '_');
    if (!underscore || underscore - name >= (ptrdiff_t)sizeof parts->user) return false;
    snprintf(parts->user, sizeof parts->user, "%.*s", (int)(underscore - name), name);
    for (const char *at = name + strlen(name); at > underscore; at--)
        if (strncmp(at, "_id", 3) == 0 && tail_fits(at + 3, parts)) {
            snprintf(parts->exe, sizeof parts->exe, "%.*s", (int)(at - underscore - 1), underscore + 1);
            return true;
        }
    return false;
}

/* Logs of a directory: all of them, or those whose names tell this day. */
static void find_logs_look_in(iol__arena *arena, iol__value *found, const char *directory, const struct tm *day,
                              const char *user, const char *job) {
    DIR *open = opendir(directory);
    iol__dated_name parts;
    if (!open) return;
    for (struct dirent *entry; (entry = readdir(open));) {
        if (!iol__dated_name_parse(entry->d_name, &parts)) continue;
        if (day && (parts.month != day->tm_mon + 1 || parts.day != day->tm_mday)) continue;
        if ((user && strcmp(user, parts.user) != 0) || (job && strcmp(job, parts.job) != 0)) continue;
        iol__list_add(arena, found, iol__of_text(arena, iol__arena_print(arena, "%s/%s", directory, entry->d_name)));
    }
    closedir(open);
}

iol__value *iol__find_logs(iol__arena *arena, const iol__places *site, int64_t start, int64_t end, const char *user,
                           const char *job) {
    iol__value *found = iol__value_new(arena, IOL__LIST);
    enum { MOST_DAYS = 3660 };
    int64_t day = iol__midnight(start, 0);
    for (int i = 0; day <= end && i < MOST_DAYS; i++, day = iol__midnight(start, i)) {
        iol__value *roots = iol__places_files(arena, site, "darshan_log_dirs", NULL, day, day, false);
        time_t when = (time_t)day;
        struct tm tm;
        if (!localtime_r(&when, &tm)) break;
        /* A root of a dated tree, or a directory that the site file's pattern has dated itself. */
        for (size_t k = 0; k < roots->count; k++) {
            find_logs_look_in(arena, found,
                              iol__arena_print(arena, "%s/%d/%d/%d", roots->items[k]->text, tm.tm_year + 1900,
                                               tm.tm_mon + 1, tm.tm_mday),
                              NULL, user, job);
            find_logs_look_in(arena, found, roots->items[k]->text, &tm, user, job);
        }
    }
    return found;
}
