/* The site file: all that a centre tells Iolite about itself, in one JSON file. IOLITE_SITE_CONFIG names it, else it is
   /etc/iolite/site.json. No key is needed; unknown ones are left alone, and their owners find them here. */
#ifndef IOL_SITE_SITE_H
#define IOL_SITE_SITE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "insight/findings/engine.h"
#include "site/tree.h"

typedef struct iol__site iol__site;

/* `path` NULL: the usual place, where a missing file is no error and gives a site that says nothing. A file that is named
   must be there. */
iol_status iol__site_open(const char *path, iol__site **site, iol_error *error);
/* The same without looking at what it says, for who explains a file: only its JSON must be right. */
iol_status iol__site_open_unchecked(const char *path, iol__site **site, iol_error *error);
/* Whether the C library knows a time zone. */
bool iol__site_zone_known(const char *zone);
void iol__site_free(iol__site *site);

/* A value of the file, for its owner; NULL: there is none. The key's letter case does not matter. */
const iol__tree *iol__site_value(const iol__site *site, const char *key);
/* The whole file, and its path; NULL where there is none. */
const iol__tree *iol__site_tree(const iol__site *site);
const char *iol__site_path(const iol__site *site);

/* A text with "${NAME}" replaced from the environment where it is defined there. Free it; NULL for NULL. */
char *iol__site_expand(const char *text);

/* The file system of a mount point: the one whose pattern matches the longest piece of it; else the point itself. */
const char *iol__site_fs(const iol__site *site, const char *mountpt);
/* The name of the machine; "local" if the file does not say. */
const char *iol__site_cluster(const iol__site *site);
/* The day of a time (microseconds since the epoch) in the site's time zone, 20261231. */
/* The name of a user, by the site file; NULL: it has none. */
const char *iol__site_user(const iol__site *site, int64_t uid);
int64_t iol__site_day(const iol__site *site, int64_t time);
/* A pattern with a day in it, as a path: /logs/%Y/%m/%d. `padded`: months and days of two digits; else directories that are a month or
   a day have no leading zero, as those that jobs write to (iolite mk-log-dirs). False where there is no room. */
bool iol__site_dated(const char *pattern, const struct tm *day, bool padded, char *path, size_t room);
/* Roots of log trees, dated templates and all: calls `each` for every text below `darshan_log_dirs`. */
void iol__site_log_dirs(const iol__site *site, const char *system, void (*each)(void *, const char *), void *context);
/* What the batch system tells of jobs: calls `each` for every text below `accounting`, "slurm" or the path of a file, which may be dated. */
void iol__site_accounting(const iol__site *site, void (*each)(void *, const char *), void *context);
/* Thresholds of rules, "thresholds": {"site.latency": 0.001}. False with a message for one that makes no sense. */
iol_status iol__site_thresholds(const iol__site *site, iol__rulebook *book, iol_error *error);

#endif
