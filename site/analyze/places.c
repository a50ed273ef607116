/* The site file, as far as data of the site needs it. */
#include "site/analyze/places.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "site/site.h"
#include "base/count.h"

/* "${NAME}" from the environment; left as it is where that has none. */
static const char *expanded(iol__arena *arena, const char *text) {
    const char *open = strstr(text, "${"), *close = open ? strchr(open, '}') : NULL;
    if (!close) return text;
    const char *name = iol__arena_text(arena, open + 2, (size_t)(close - open - 2)), *value = getenv(name);
    size_t kept = (size_t)((value ? open : close + 1) - text);
    return iol__arena_print(arena, "%.*s%s%s", (int)kept, text, value ? value : "", expanded(arena, close + 1));
}

/* Some keys may come from the environment: IOLITE_HDF5_FILES and the like, as JSON or as a plain text. */
static void take_environment(iol__arena *arena, iol__value *settings) {
    static const char *const keys[][2] = {{"hdf5_files", "IOLITE_HDF5_FILES"},
                                          {"isdct_files", "IOLITE_ISDCT_FILES"},
                                          {"lfsstatus_fullness_files", "IOLITE_LFSSTATUS_FULLNESS_FILES"},
                                          {"lfsstatus_map_files", "IOLITE_LFSSTATUS_MAP_FILES"},
                                          {"darshan_log_dirs", "IOLITE_DARSHAN_LOG_DIRS"},
                                          {"esnet_snmp_url", "IOLITE_ESNET_SNMP_URL"}};
    for (size_t i = 0; i < IOL_COUNT(keys); i++) {
        const char *text = getenv(keys[i][1]);
        if (!text || !*text) continue;
        iol__value *value = iol__value_parse(arena, text, strlen(text), NULL);
        iol__map_put(arena, settings, keys[i][0], value ? value : iol__of_text(arena, text));
    }
}

iol_status iol__places_open(iol__arena *arena, const char *path, bool from_here, iol__places *site, char why[400]) {
    iol__site *file;
    iol_error error;
    *site = (iol__places){.settings = iol__value_new(arena, IOL__MAP)};
    iol_status status = iol__site_open(path, &file, &error);
    if (status != IOL_OK) {
        snprintf(why, 400, "%s", error.message);
        return status;
    }
    iol__places_of(arena, file, from_here, site);
    iol__site_free(file);
    return IOL_OK;
}

void iol__places_of(iol__arena *arena, const iol__site *file, bool from_here, iol__places *site) {
    const iol__tree *tree = iol__site_tree(file);
    iol__value *settings = tree ? iol__value_of_tree(arena, tree) : iol__value_new(arena, IOL__MAP);
    *site = (iol__places){.settings = settings};
    const char *slash = iol__site_path(file) ? strrchr(iol__site_path(file), '/') : NULL;
    if (iol__site_path(file)) site->path = iol__arena_copy(arena, iol__site_path(file));
    if (!from_here && slash)
        site->directory = iol__arena_text(arena, iol__site_path(file), (size_t)(slash - iol__site_path(file)));
    take_environment(arena, settings);
}

const iol__value *iol__places_get(const iol__places *site, const char *key) {
    const iol__value *settings = site->settings, *value = iol__map_get(settings, key);
    for (size_t i = 0; !value && i < settings->count; i++)
        if (strcasecmp(settings->keys[i], key) == 0) value = settings->items[i];
    return value;
}

const char *iol__places_fs_of(const iol__places *site, const char *mount) {
    const iol__value *names = iol__places_get(site, "mount_to_fsname");
    const char *best = NULL;
    size_t longest = 0, length;
    for (size_t i = 0; names && names->kind == IOL__MAP && i < names->count; i++)
        if (names->items[i]->kind == IOL__TEXT && iol__regex_matches(names->keys[i], mount, &length) &&
            (!best || length > longest)) {
            best = names->items[i]->text;
            longest = length;
        }
    return best;
}

const char *iol__places_backend(const iol__places *site, const char *fs) {
    return fs ? iol__map_text(iol__places_get(site, "fsname_to_backend_name"), fs) : NULL;
}

const char *iol__places_path(iol__arena *arena, const iol__places *site, const char *path) {
    return site->directory && *path != '/' ? iol__arena_print(arena, "%s/%s", site->directory, path)
                                           : iol__arena_copy(arena, path);
}

const char *iol__places_input(iol__arena *arena, const iol__places *site, const char *input) {
    bool address = input && memchr(input, ':', strcspn(input, "/"));
    return !input || address ? input : iol__places_path(arena, site, input);
}

/* Files of days --------------------------------------------------------------------------------------------------- */

typedef struct places_finding {
    iol__arena *arena;
    const iol__places *site;
    const char *fs;
    bool first;
    struct tm day;
    iol__value *found, *seen;
    size_t of_day;
} places_finding;

static void add_places_file(places_finding *on, const char *path) {
    on->of_day++;
    if (iol__map_get(on->seen, path)) return;
    iol__map_put_integer(on->arena, on->seen, path, 1);
    iol__list_add(on->arena, on->found, iol__of_text(on->arena, path));
}

/* A name of one instant, or all names that a pattern with * ? [ stands for. */
static void try_name(places_finding *on, const char *template, const struct tm *when, bool padded) {
    char dated[1024];
    glob_t names;
    if (on->first && on->of_day) return;
    if (!iol__site_dated(template, when, padded, dated, sizeof dated)) return;
    const char *path = iol__places_path(on->arena, on->site, dated);
    if (access(path, R_OK) == 0) {
        add_places_file(on, iol__arena_copy(on->arena, path));
    } else if (strpbrk(dated, "*?[") && glob(path, 0, NULL, &names) == 0) {
        for (size_t i = 0; i < names.gl_pathc && !(on->first && on->of_day); i++)
            add_places_file(on, iol__arena_copy(on->arena, names.gl_pathv[i]));
        globfree(&names);
    }
}

/* Each hour has a name of its own where the template says so. */
static void try_template(places_finding *on, const char *template) {
    struct tm when = on->day;
    template = expanded(on->arena, template);
    int hours = strstr(template, "%H") ? 24 : 1;
    for (when.tm_hour = 0; when.tm_hour < hours; when.tm_hour++) {
        try_name(on, template, &when, true);
        try_name(on, template, &when, false);
    }
}

static void try_templates(places_finding *on, const iol__value *templates, int depth) {
    if (!templates || depth > 8) return;
    if (templates->kind == IOL__TEXT) try_template(on, templates->text);
    if (templates->kind == IOL__MAP && on->fs) {
        try_templates(on, iol__map_get(templates, on->fs), depth + 1);
        return;
    }
    for (size_t i = 0; (templates->kind == IOL__LIST || templates->kind == IOL__MAP) && i < templates->count; i++)
        try_templates(on, templates->items[i], depth + 1);
}

iol__value *iol__places_files(iol__arena *arena, const iol__places *site, const char *key, const char *fs,
                              int64_t start, int64_t end, bool first) {
    places_finding on = {.arena = arena, .site = site, .fs = fs, .first = first};
    on.found = iol__value_new(arena, IOL__LIST);
    on.seen = iol__value_new(arena, IOL__MAP);
    enum { MOST_DAYS = 36600 };
    int64_t day = iol__midnight(start, 0);
    for (int i = 0; day <= end && i < MOST_DAYS; i++, day = iol__midnight(start, i)) {
        time_t when = (time_t)day;
        if (!localtime_r(&when, &on.day)) break;
        on.of_day = 0;
        try_templates(&on, iol__places_get(site, key), 0);
    }
    return on.found;
}
