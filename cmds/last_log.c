/* The places of iol__place_next(): a flat directory, or trees of years, months and days, of which the last day with a log of
   this user counts. Names say whose a log is; the file has to be theirs too. */
#include "cmds/last_log.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/settings.h"
#include "log/read/endings.h"
#include "record/place.h"

typedef struct log_search {
    char best[PATH_MAX];
    struct timespec when;
    bool found;
} log_search;

static bool is_later(const struct timespec *a, const struct timespec *b) {
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* True if a log of this user is there. */
static bool look_in(log_search *l, const char *directory) {
    DIR *stream = opendir(directory);
    bool some = false;
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        char path[PATH_MAX];
        struct stat facts;
        if (!iol__ends_as_log(entry->d_name)) continue;
        if (snprintf(path, sizeof path, "%s/%s", directory, entry->d_name) >= (int)sizeof path) continue;
        if (lstat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_uid != geteuid()) continue;
        some = true;
        if (l->found && !is_later(&facts.st_mtim, &l->when)) continue;
        l->found = true;
        l->when = facts.st_mtim;
        memcpy(l->best, path, strlen(path) + 1);
    }
    if (stream) closedir(stream);
    return some;
}

static int larger_first(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

/* The names in a directory that are numbers, the largest first. */
static size_t list_numbers(const char *directory, int *numbers, size_t most) {
    DIR *stream = opendir(directory);
    size_t n = 0;
    for (struct dirent *entry; stream && n < most && (entry = readdir(stream));) {
        char *end;
        const long number = strtol(entry->d_name, &end, 10);
        if (end != entry->d_name && !*end && number > 0 && number < 10000) numbers[n++] = (int)number;
    }
    if (stream) closedir(stream);
    if (n) qsort(numbers, n, sizeof *numbers, larger_first);
    return n;
}

enum { YEAR, MONTH, DAY, LEVELS, MOST_NUMBERS = 256 };

/* Depth first, from the last day backwards, to the first one that has a log. */
static bool look_below(log_search *l, const char *root, int level) {
    int numbers[MOST_NUMBERS];
    char path[PATH_MAX];
    const size_t n = list_numbers(root, numbers, MOST_NUMBERS);
    for (size_t i = 0; i < n; i++) {
        if (snprintf(path, sizeof path, "%s/%d", root, numbers[i]) >= (int)sizeof path) continue;
        if (level == DAY ? look_in(l, path) : look_below(l, path, level + 1)) return true;
    }
    return false;
}

/* The directory of a place, without a date. */
static void look_at_place(log_search *l, const iol__place *place) {
    char directory[IOL_PLACE_BYTES];
    snprintf(directory, sizeof directory, "%s", place->path);
    const int parts = place->dated ? 1 + LEVELS : 1;
    for (int i = 0; i < parts; i++) {
        char *slash = strrchr(directory, '/');
        if (!slash) return;
        *slash = 0;
    }
    if (place->dated)
        look_below(l, directory, YEAR);
    else
        look_in(l, directory);
}

static bool find_last_log(char path[PATH_MAX]) {
    log_search l = {.found = false};
    iol__place place;
    unsigned candidate = 0;
    const iol__place_facts facts = {.user = "", .program = "", .environment = environ};
    const iol__config *config = load_settings(NULL);
    while (iol__place_next(config, &facts, &candidate, &place))
        if (!place.exact) look_at_place(&l, &place);
    if (l.found) memcpy(path, l.best, PATH_MAX);
    return l.found;
}

iol__args with_last_log(const iol__args *args, char path[PATH_MAX], char *operand[1]) {
    iol__args with = *args;
    if (args->n_operands || !find_last_log(path)) return with;
    tell_stderr("the last log is %s", path);
    operand[0] = path;
    with.operands = operand;
    with.n_operands = 1;
    return with;
}
