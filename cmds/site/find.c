/* iolite find: where logs are. The index is asked first; then the dated directories of the site, where names say it. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/settings.h"
#include "cmds/site/site_options.h"
#include "text/json.h"
#include "text/text.h"
#include "record/place.h"
#include "site/index/names.h"
#include "site/query/query.h"

typedef struct find_finding {
    const iol__args *args;
    iol__site *site;
    const char *user, *program, *job;
    int64_t since, until;
    char **paths;
    size_t count;
    int outcome;
} find_finding;

static void add_find_path(find_finding *f, char *path) {
    char **larger = path ? realloc(f->paths, (f->count + 1) * sizeof *larger) : NULL;
    if (!larger) {
        fputs("iolite: out of memory\n", stderr);
        exit(EXIT_TROUBLE);
    }
    f->paths = larger;
    f->paths[f->count++] = path;
}

/* The index ----------------------------------------------------------------------------------------------------- */

/* An original that was packed into a bundle and removed is in the index until it looks there again. */
static bool is_gone(const char *path) {
    struct stat status;
    const char *mark = strrchr(path, '#');
    if (lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)) return false;
    if (!mark) return true;
    char *bundle = strndup(path, (size_t)(mark - path));
    const bool gone = bundle && lstat(bundle, &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
    free(bundle);
    return gone;
}

static bool take_find_place(void *context, const iol__place_name_row *place) {
    char *path = iol__path_of_place(place->dir, place->name);
    if (path && is_gone(path))
        free(path);
    else
        add_find_path(context, path);
    return true;
}

static iol_status ask_index(find_finding *f, iol__store *store) {
    iol__sql sql;
    iol__select_place_name(&sql);
    iol__sql_add(&sql, " FROM (SELECT log_id, start FROM log");
    if (f->user) iol__sql_like(&sql, "owner", NULL, &f->user, 1, false);
    if (f->program) iol__sql_like(&sql, "exename", NULL, &f->program, 1, false);
    if (f->job) {
        iol__sql_and(&sql);
        iol__sql_add(&sql, "jobid = ?");
        iol__sql_value(&sql, iol__text(f->job));
    }
    iol__sql_days(&sql, "day", f->since, f->until);
    iol__sql_add(&sql, ") AS one JOIN (SELECT log_id, dir, name FROM place) AS two USING (log_id) "
                       "ORDER BY start, dir, name");
    return iol__ask_place_name(&sql, store, take_find_place, f);
}

/* Directories --------------------------------------------------------------------------------------------------- */

/* A simple pattern of SQL, as the index matches it. */
static bool matches(const char *pattern, const char *text, size_t length) {
    for (; *pattern; pattern++) {
        if (*pattern == '%') {
            for (size_t skip = 0; skip <= length; skip++)
                if (matches(pattern + 1, text + skip, length - skip)) return true;
            return false;
        }
        if (!length) return false;
        if (*pattern != '_' && (*pattern | 32) != (*text | 32)) return false;
        text++;
        length--;
    }
    return length == 0;
}

/* `day`: of which the log must be; NULL: the directory is that of its day. */
static bool find_wanted(const find_finding *f, const char *name, const struct tm *day) {
    iol__log_name parsed;
    if (!iol__is_log_name(name) || !iol__log_name_parse(name, NULL, &parsed)) return false;
    if (day && (parsed.month != day->tm_mon + 1 || parsed.day != day->tm_mday)) return false;
    if (f->job && strtoll(f->job, NULL, 10) != parsed.jobid) return false;
    if (f->program && !strstr(name + parsed.user, f->program)) return false;
    return !f->user || matches(f->user, name, parsed.user);
}

static int find_by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

/* Everybody can make names in the common tree: of directories, and of links to anything. */
static bool is_plain_file(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static void find_in_directory(find_finding *f, const char *dir, const struct tm *day) {
    struct dirent **entries;
    int n = scandir(dir, &entries, NULL, find_by_name);
    for (int i = 0; i < n; i++) {
        char *path = NULL;
        if (find_wanted(f, entries[i]->d_name, day) && asprintf(&path, "%s/%s", dir, entries[i]->d_name) < 0)
            path = NULL;
        if (path && is_plain_file(path))
            add_find_path(f, path);
        else
            free(path);
        free(entries[i]);
    }
    if (n >= 0) free(entries);
}

/* The root of a tree of days, or a pattern that has the day in it. */
static void find_look_in(find_finding *f, const char *root, const struct tm *day) {
    char dir[PATH_MAX], other[PATH_MAX];
    if (!strchr(root, '%')) {
        const int length =
            snprintf(dir, sizeof dir, "%s/%d/%d/%d", root, day->tm_year + 1900, day->tm_mon + 1, day->tm_mday);
        if (length > 0 && length < (int)sizeof dir) find_in_directory(f, dir, NULL);
        return;
    }
    if (!iol__site_dated(root, day, true, dir, sizeof dir) || !iol__site_dated(root, day, false, other, sizeof other))
        return;
    find_in_directory(f, dir, day);
    if (strcmp(dir, other) != 0) find_in_directory(f, other, day);
}

/* From the first day to the last, both in the site's time zone. */
static void look_below(void *context, const char *template) {
    find_finding *f = context;
    char *root = iol__site_expand(template);
    int64_t last = f->until ? f->until : f->since;
    for (int64_t at = f->since, guard = 0; root && at <= last && guard < 40000; guard++) {
        struct tm tm = {.tm_year = (int)(at / 10000) - 1900,
                        .tm_mon = (int)(at / 100 % 100) - 1,
                        .tm_mday = (int)(at % 100),
                        .tm_hour = 12,
                        .tm_isdst = -1};
        mktime(&tm);
        find_look_in(f, root, &tm);
        tm.tm_mday++;
        tm.tm_isdst = -1;
        mktime(&tm);
        at = (int64_t)(tm.tm_year + 1900) * 10000 + (tm.tm_mon + 1) * 100 + tm.tm_mday;
    }
    free(root);
}

typedef struct counted_dirs {
    find_finding *f;
    size_t count;
} counted_dirs;

static void look_in_site_dir(void *context, const char *template) {
    counted_dirs *d = context;
    d->count++;
    look_below(d->f, template);
}

/* Where the site file names no directories, logs are where jobs write them. */
static void look_where_jobs_write(find_finding *f) {
    counted_dirs dirs = {.f = f};
    iol__site_log_dirs(f->site, argument_value(f->args, OPT_OF_SYSTEM), look_in_site_dir, &dirs);
    if (dirs.count) return;
    const char *tree = load_settings(NULL)->values[IOL_SET_LOG_PATH].text, *home = getenv("HOME");
    char *own = NULL;
    if (*tree) look_below(f, tree);
    if (home && *home == '/' && asprintf(&own, "%s/.local/share/iolite/logs", home) >= 0) look_below(f, own);
    free(own);
}

/* The command --------------------------------------------------------------------------------------------------- */

/* What is found in both places is printed once. */
static void drop_copies(find_finding *f) {
    char **real = calloc(f->count + 1, sizeof *real);
    size_t n = 0;
    for (size_t i = 0; real && i < f->count; i++) {
        char *path = realpath(f->paths[i], NULL);
        bool known = false;
        for (size_t k = 0; path && k < n && !known; k++) known = real[k] && strcmp(real[k], path) == 0;
        if (known) {
            free(path);
            free(f->paths[i]);
            continue;
        }
        real[n] = path;
        f->paths[n++] = f->paths[i];
    }
    for (size_t i = 0; real && i < n; i++) free(real[i]);
    if (real) f->count = n;
    free(real);
}

static void find_print(const find_finding *f, iol__out *out) {
    iol__json json;
    if (!f->args->given[OPT_SITE_JSON]) {
        for (size_t i = 0; i < f->count; i++) iol__out_printf(out, "%s\n", f->paths[i]);
        return;
    }
    iol__json_start(&json, out, 1);
    iol__json_open(&json, '[');
    for (size_t i = 0; i < f->count; i++) iol__json_text(&json, f->paths[i]);
    iol__json_close(&json, ']');
    iol__json_finish(&json);
}

static bool has_find_store(const iol__args *args) {
    if (store_url(args)) return true;
    char *usual = iol__store_usual();
    bool there = usual && access(usual + strlen("sqlite:"), F_OK) == 0;
    free(usual);
    return there;
}

static int find_logs(find_finding *f) {
    const char *root = argument_value(f->args, OPT_LOG_ROOT);
    if (has_find_store(f->args)) {
        iol__store *store;
        int outcome = open_store(store_url(f->args), IOL_STORE_READ, &store);
        if (outcome != EXIT_DONE) return outcome;
        if (ask_index(f, store) != IOL_OK) outcome = store_trouble(store);
        iol__store_close(store);
        if (outcome != EXIT_DONE) return outcome;
    }
    size_t indexed = f->count;
    if (f->since && root)
        look_below(f, root);
    else if (f->since)
        look_where_jobs_write(f);
    if (indexed && f->count > indexed) drop_copies(f);
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    find_print(f, &out);
    return finish_output(&out, EXIT_DONE);
}

/* Broken logs --------------------------------------------------------------------------------------------------- */

static bool print_broken(void *context, const iol__failure_row *file) {
    iol__out *out = context;
    iol__out_safe(out, file->dir);
    iol__out_char(out, '/');
    iol__out_safe(out, file->name);
    iol__out_text(out, ": ");
    iol__out_safe(out, file->state);
    iol__out_text(out, ": ");
    if (file->reason) iol__out_safe(out, file->reason);
    iol__out_char(out, '\n');
    return true;
}

static int find_broken(const iol__args *args) {
    iol__store *store;
    int outcome = open_store(store_url(args), IOL_STORE_READ, &store);
    if (outcome != EXIT_DONE) return outcome;
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    iol__sql sql;
    iol__select_failure(&sql);
    iol__sql_add(&sql, " FROM place WHERE state IN ('broken', 'damaged') ORDER BY dir, name");
    if (iol__ask_failure(&sql, store, print_broken, &out) != IOL_OK) outcome = store_trouble(store);
    iol__store_close(store);
    return finish_output(&out, outcome);
}

/* Without options, users get their own logs of the last month. */
static int find_own_or_asked(find_finding *f) {
    char user[256];
    time_t month_ago = time(NULL) - 31 * 86400;
    struct tm day, today;
    const time_t now = time(NULL);
    if (f->user || f->program || f->job || f->since) return find_logs(f);
    iol__user_name(environ, geteuid(), user, sizeof user);
    localtime_r(&month_ago, &day);
    localtime_r(&now, &today);
    f->user = user;
    f->since = (int64_t)(day.tm_year + 1900) * 10000 + (day.tm_mon + 1) * 100 + day.tm_mday;
    f->until = (int64_t)(today.tm_year + 1900) * 10000 + (today.tm_mon + 1) * 100 + today.tm_mday;
    return find_logs(f);
}

int cmd_find(const iol__args *args) {
    find_finding f = {.args = args,
                      .user = argument_value(args, OPT_OF_USER),
                      .program = argument_value(args, OPT_OF_PROGRAM),
                      .job = argument_value(args, OPT_OF_JOB)};
    if (args->n_operands) return usage_error(args, "no operand is expected");
    if (!open_site(args, &f.site)) return EXIT_INPUT;
    int outcome;
    if (!read_day(args, OPT_SINCE, &f.since) || !read_day(args, OPT_UNTIL, &f.until))
        outcome = usage_error(args, "dates are YYYY-MM-DD, YYYY-MM or YYYY");
    else if (args->given[OPT_BROKEN])
        outcome = find_broken(args);
    else
        outcome = find_own_or_asked(&f);
    for (size_t i = 0; i < f.count; i++) free(f.paths[i]);
    free(f.paths);
    iol__site_free(f.site);
    return outcome;
}
