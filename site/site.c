/* Reading the site file. Patterns are compiled once; days are counted with the zone's rules as the C library has them, once
   per day and then from memory, because every log asks. */
#include "site/site.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "text/plain_file.h"

#ifndef IOLITE_SITE_FILE
#define IOLITE_SITE_FILE "/etc/iolite/site.json"
#endif

typedef struct mount_rule {
    regex_t pattern;
    const char *fs;
} mount_rule;

struct iol__site {
    iol__tree_document document;
    char *path;
    mount_rule *mounts;
    size_t n_mounts;
};

/* Opening ------------------------------------------------------------------------------------------------------- */

static iol_status wrong(iol_error *error, iol_status status, const char *format, const char *a, const char *b) {
    if (!error) return status;
    *error = (iol_error){.status = status, .slot = -1, .offset = IOL_NO_OFFSET};
    snprintf(error->message, sizeof error->message, format, a, b);
    return status;
}

const iol__tree *iol__site_value(const iol__site *site, const char *key) {
    return site ? iol__tree_member_any_case(site->document.top, key) : NULL;
}

static iol_status compile_mounts(iol__site *site, iol_error *error) {
    const iol__tree *map = iol__site_value(site, "mount_to_fsname");
    if (!map || map->kind != IOL_TREE_OBJECT || !map->count) return IOL_OK;
    site->mounts = calloc(map->count, sizeof *site->mounts);
    if (!site->mounts) return wrong(error, IOL_SYSTEM, "out of memory%s%s", "", "");
    for (const iol__tree *m = map->first; m; m = m->next) {
        mount_rule *rule = &site->mounts[site->n_mounts];
        rule->fs = iol__tree_text(m);
        if (!rule->fs)
            return wrong(error, IOL_INVALID, "site file: mount_to_fsname: '%.80s' is not a text%s", m->key, "");
        if (regcomp(&rule->pattern, m->key, REG_EXTENDED) != 0)
            return wrong(error, IOL_INVALID, "site file: mount_to_fsname: '%.80s' is not a regular expression%s",
                         m->key, "");
        site->n_mounts++;
    }
    return IOL_OK;
}

bool iol__site_zone_known(const char *zone) {
    char path[256];
    int length = snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", zone);
    if (length < 0 || (size_t)length >= sizeof path || strstr(zone, "..")) return false;
    return access("/usr/share/zoneinfo", F_OK) != 0 || access(path, R_OK) == 0;
}

/* The C library's zone is the process's; every day and every local time of a site is in the site's. */
static iol_status set_zone(const iol__site *site, iol_error *error) {
    const char *zone = iol__tree_text(iol__site_value(site, "timezone"));
    if (!zone) return IOL_OK;
    if (!iol__site_zone_known(zone))
        return wrong(error, IOL_INVALID, "site file: there is no time zone '%.80s'%s", zone, "");
    setenv("TZ", zone, 1);
    tzset();
    return IOL_OK;
}

iol_status iol__site_open_unchecked(const char *path, iol__site **out, iol_error *error) {
    iol__site *site = calloc(1, sizeof *site);
    *out = NULL;
    if (!site) return wrong(error, IOL_SYSTEM, "out of memory%s%s", "", "");
    const char *named = path ? path : getenv("IOLITE_SITE_CONFIG");
    const char *file = named && *named ? named : IOLITE_SITE_FILE;
    iol_status status = IOL_OK;
    if (!path && !iol__plain_file_is(file) && errno == EINVAL) {
        status = wrong(error, IOL_INVALID, "%.200s: %s", file, iol__plain_file_trouble(EINVAL));
    } else if ((named && *named) || access(file, F_OK) == 0) {
        site->path = strdup(file);
        status = iol__tree_read(file, &(iol__tree_limits){.bytes = 16 << 20, .lenient = true}, &site->document, error);
        if (status == IOL_OK && site->document.top->kind != IOL_TREE_OBJECT)
            status = wrong(error, IOL_INVALID, "%.200s: a site file is one JSON object%s", file, "");
    }
    if (status == IOL_OK)
        *out = site;
    else
        iol__site_free(site);
    return status;
}

iol_status iol__site_open(const char *path, iol__site **out, iol_error *error) {
    iol__site *site;
    iol_status status = iol__site_open_unchecked(path, &site, error);
    if (status == IOL_OK) status = compile_mounts(site, error);
    if (status == IOL_OK) status = set_zone(site, error);
    if (status != IOL_OK) iol__site_free(site);
    *out = status == IOL_OK ? site : NULL;
    return status;
}

void iol__site_free(iol__site *site) {
    if (!site) return;
    for (size_t i = 0; i < site->n_mounts; i++) regfree(&site->mounts[i].pattern);
    free(site->mounts);
    free(site->path);
    iol__tree_free(&site->document);
    free(site);
}

const iol__tree *iol__site_tree(const iol__site *site) { return site->document.top; }
const char *iol__site_path(const iol__site *site) { return site->path; }

/* Values -------------------------------------------------------------------------------------------------------- */

char *iol__site_expand(const char *text) {
    char *expanded = NULL;
    size_t length;
    FILE *to = text ? open_memstream(&expanded, &length) : NULL;
    if (!to) return NULL;
    while (*text) {
        const char *close = strncmp(text, "${", 2) == 0 ? strchr(text, '}') : NULL;
        char name[128];
        size_t room = close ? (size_t)(close - text) - 2 : 0;
        const char *value = NULL;
        if (close && room < sizeof name) {
            memcpy(name, text + 2, room);
            name[room] = 0;
            value = getenv(name);
        }
        if (value) {
            fputs(value, to);
            text = close + 1;
        } else {
            putc(*text++, to);
        }
    }
    fclose(to);
    return expanded;
}

const char *iol__site_fs(const iol__site *site, const char *mountpt) {
    const char *best = mountpt;
    regoff_t longest = 0;
    for (size_t i = 0; site && i < site->n_mounts; i++) {
        regmatch_t match;
        if (regexec(&site->mounts[i].pattern, mountpt, 1, &match, 0) != 0) continue;
        if (match.rm_eo - match.rm_so <= longest) continue;
        longest = match.rm_eo - match.rm_so;
        best = site->mounts[i].fs;
    }
    return best;
}

const char *iol__site_cluster(const iol__site *site) {
    const char *name = iol__tree_text(iol__site_value(site, "cluster"));
    if (!name) name = iol__tree_text(iol__site_value(site, "jobhost"));
    if (!name) name = iol__tree_text(iol__site_value(site, "nersc_host"));
    return name && *name ? name : "local";
}

const char *iol__site_user(const iol__site *site, int64_t uid) {
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)uid);
    const iol__tree *users = site ? iol__site_value(site, "users") : NULL;
    return users ? iol__tree_text(iol__tree_member(users, number)) : NULL;
}

/* Days ---------------------------------------------------------------------------------------------------------- */

/* The day that a thread asked for last. */
typedef struct known_day {
    time_t from, until;
    int64_t day;
} known_day;

static bool find_day(time_t seconds, known_day *known) {
    struct tm tm;
    if (!localtime_r(&seconds, &tm)) return false;
    struct tm start = {.tm_year = tm.tm_year, .tm_mon = tm.tm_mon, .tm_mday = tm.tm_mday, .tm_isdst = -1};
    struct tm next = {.tm_year = tm.tm_year, .tm_mon = tm.tm_mon, .tm_mday = tm.tm_mday + 1, .tm_isdst = -1};
    known->day = (int64_t)(tm.tm_year + 1900) * 10000 + (tm.tm_mon + 1) * 100 + tm.tm_mday;
    known->from = mktime(&start);
    known->until = mktime(&next);
    return true;
}

int64_t iol__site_day(const iol__site *site, int64_t microseconds) {
    static _Thread_local known_day known;
    (void)site;
    time_t seconds = (time_t)(microseconds / 1000000);
    bool same = known.day && seconds >= known.from && seconds < known.until;
    return same || find_day(seconds, &known) ? known.day : 0;
}

/* Log trees and thresholds ------------------------------------------------------------------------------------------ */

static void each_text(const iol__tree *value, void (*each)(void *, const char *), void *context) {
    if (!value) return;
    if (value->kind == IOL_TREE_TEXT) each(context, value->text);
    for (const iol__tree *item = value->first; item; item = item->next) each_text(item, each, context);
}

/* Relative paths of the site file start at its directory, whoever reads them; where there is nothing of that name, here. */
typedef struct from_site_file {
    const char *path;
    void (*each)(void *, const char *);
    void *context;
} from_site_file;

/* Whether the part of a template that has no dates and patterns is there. */
static bool begins_somewhere(const char *template) {
    const size_t plain = strcspn(template, "%*?[");
    char *start = strndup(template, plain);
    if (start && template[plain]) *(strrchr(start, '/') ? strrchr(start, '/') : start) = 0;
    const bool is = start && access(start, F_OK) == 0;
    free(start);
    return is;
}

static void resolve_relative(void *context, const char *text) {
    const from_site_file *from = context;
    const char *slash = strrchr(from->path, '/');
    char *whole = NULL;
    if (*text != '/' && strncmp(text, "${", 2) != 0 && slash &&
        asprintf(&whole, "%.*s/%s", (int)(slash - from->path), from->path, text) < 0)
        whole = NULL;
    from->each(from->context, whole && begins_somewhere(whole) ? whole : text);
    free(whole);
}

/* Whether this is a whole name of a path: /%m/ */
static bool is_whole_name(const char *pattern, const char *at) {
    return at > pattern && at[-1] == '/' && (at[1] == 'm' || at[1] == 'd') && (at[2] == '/' || !at[2]);
}

bool iol__site_dated(const char *pattern, const struct tm *day, bool padded, char *path, size_t room) {
    char plain[4096];
    size_t used = 0;
    for (const char *at = pattern; *at && used + 3 < sizeof plain; at++) {
        plain[used++] = *at;
        if (*at == '%' && !padded && is_whole_name(pattern, at)) plain[used++] = '-';
        if (*at == '%' && at[1] == '%') plain[used++] = *++at;
    }
    plain[used] = 0;
    return *plain && strftime(path, room, plain, day) > 0;
}

void iol__site_log_dirs(const iol__site *site, const char *system, void (*each)(void *, const char *), void *context) {
    const char *own = getenv("IOLITE_DARSHAN_LOG_DIRS");
    if (own && *own) {
        iol__tree_document document;
        if (iol__tree_parse(own, strlen(own), "IOLITE_DARSHAN_LOG_DIRS", NULL, &document, NULL) != IOL_OK) {
            each(context, own);
            return;
        }
        const iol__tree *chosen = system ? iol__tree_member(document.top, system) : document.top;
        each_text(chosen, each, context);
        iol__tree_free(&document);
        return;
    }
    const iol__tree *dirs = iol__site_value(site, "darshan_log_dirs");
    from_site_file from = {site->path, each, context};
    each_text(system && dirs && dirs->kind == IOL_TREE_OBJECT ? iol__tree_member(dirs, system) : dirs, resolve_relative,
              &from);
}

void iol__site_accounting(const iol__site *site, void (*each)(void *, const char *), void *context) {
    each_text(iol__site_value(site, "accounting"), each, context);
}

iol_status iol__site_thresholds(const iol__site *site, iol__rulebook *book, iol_error *error) {
    const iol__tree *map = iol__site_value(site, "thresholds");
    if (!map || map->kind != IOL_TREE_OBJECT) return IOL_OK;
    for (const iol__tree *m = map->first; m; m = m->next) {
        char assignment[256];
        const char *value = iol__tree_scalar(m);
        if (!value) return wrong(error, IOL_INVALID, "site file: thresholds: '%.80s' is not a number%s", m->key, "");
        snprintf(assignment, sizeof assignment, "%.120s=%.100s", m->key, value);
        iol_status status = iol__rulebook_set(book, assignment, error);
        if (status != IOL_OK) return status;
    }
    return IOL_OK;
}
