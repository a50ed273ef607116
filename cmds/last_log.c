/* Of a flat directory the latest log of this user counts; of a tree of years, months and days, that of the last day which has
   one. The file has to be the user's own. */
#include "cmds/last_log.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/log_places.h"
#include "log/read/endings.h"

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

enum { YEAR, MONTH, DAY, MOST_NUMBERS = 256 };

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

static void look_at_place(void *context, const char *directory, bool dated) {
    if (dated)
        look_below(context, directory, YEAR);
    else
        look_in(context, directory);
}

static bool find_last_log(char path[PATH_MAX]) {
    log_search l = {.found = false};
    each_log_place(look_at_place, &l);
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
