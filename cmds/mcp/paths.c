/* Which files a client may have read: logs below directories that were named when the server was started, and nothing else.
   A path is resolved first and checked then; the file is opened before the last check, and the child is given the open file,
   so that nobody can put another one in its place. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "cmds/mcp/paths.h"
#include "log/read/endings.h"

enum { DEPTH_MOST = 16, LOGS_MOST = 100000 };

static bool is_below(const char *path, const char *root) {
    const size_t length = strlen(root);
    return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0' || strcmp(root, "/") == 0);
}

static bool is_allowed(const mcp_roots *roots, const char *resolved) {
    for (size_t i = 0; i < roots->count; i++)
        if (is_below(resolved, roots->list[i])) return true;
    return false;
}

/* Where a path leads, if that is below a root; one that is relative, from each root in turn. */
static bool resolve_below_roots(const mcp_roots *roots, const char *path, char resolved[4096]) {
    char joined[PATH_MAX];
    if (*path == '/') return realpath(path, resolved) && is_allowed(roots, resolved);
    for (size_t i = 0; i < roots->count; i++) {
        if ((size_t)snprintf(joined, sizeof joined, "%s/%s", roots->list[i], path) >= sizeof joined) continue;
        if (realpath(joined, resolved) && is_allowed(roots, resolved)) return true;
    }
    return false;
}

/* What was opened is still the file that was checked. */
static bool opened_is_allowed(const mcp_roots *roots, int fd) {
    char link[64], now[PATH_MAX];
    struct stat facts;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, now, sizeof now - 1);
    if (length <= 0 || fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
    now[length] = '\0';
    return is_allowed(roots, now);
}

int open_log_below_roots(void *context, const char *path, char why[400]) {
    const mcp_roots *roots = context;
    char resolved[4096];
    const int fd = resolve_below_roots(roots, path, resolved)
                       ? open(resolved, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                       : -1;
    if (fd >= 0 && opened_is_allowed(roots, fd)) return fd;
    if (fd >= 0) close(fd);
    snprintf(why, 400, "there is no log '%.300s' below the directories that may be read", path);
    return -1;
}

/* Listing ----------------------------------------------------------------------------------------------------- */

typedef struct listed_log {
    char *path;
    long long bytes, changed;
} listed_log;

typedef struct mcp_paths_listing {
    const char *contains;
    listed_log *logs;
    size_t count, room;
} mcp_paths_listing;

static void keep_mcp_paths_log(mcp_paths_listing *l, const char *path, const struct stat *facts) {
    if (l->contains && !strstr(path, l->contains)) return;
    if (!IOL_GROW(l->logs, l->room, l->count)) return;
    l->logs[l->count] = (listed_log){strdup(path), facts->st_size, facts->st_mtime};
    if (l->logs[l->count].path) l->count++;
}

static void list_below(mcp_paths_listing *l, int parent, const char *name, const char *path, int depth) {
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    if (!folder) {
        if (fd >= 0) close(fd);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) && l->count < LOGS_MOST;) {
        char inside[PATH_MAX];
        struct stat facts;
        if (entry->d_name[0] == '.' || fstatat(fd, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if ((size_t)snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) >= sizeof inside) continue;
        if (S_ISREG(facts.st_mode) && iol__ends_as_log(entry->d_name)) keep_mcp_paths_log(l, inside, &facts);
        if (S_ISDIR(facts.st_mode) && depth < DEPTH_MOST) list_below(l, fd, entry->d_name, inside, depth + 1);
    }
    closedir(folder);
}

static int newest_first(const void *a, const void *b) {
    const listed_log *x = a, *y = b;
    if (x->changed != y->changed) return x->changed < y->changed ? 1 : -1;
    return strcmp(x->path, y->path);
}

void list_logs_below_roots(void *context, const char *contains, size_t most, iol__json *json) {
    const mcp_roots *roots = context;
    mcp_paths_listing l = {.contains = contains};
    for (size_t i = 0; i < roots->count; i++) list_below(&l, AT_FDCWD, roots->list[i], roots->list[i], 0);
    if (l.count) qsort(l.logs, l.count, sizeof *l.logs, newest_first);
    iol__json_put_i64(json, "total", (int64_t)l.count);
    iol__json_put_open(json, "logs", '[');
    for (size_t i = 0; i < l.count; i++) {
        if (i < most) {
            iol__json_open(json, '{');
            iol__json_put_text(json, "path", l.logs[i].path);
            iol__json_put_i64(json, "file_bytes", l.logs[i].bytes);
            iol__json_put_i64(json, "changed_unix_seconds", l.logs[i].changed);
            iol__json_close(json, '}');
        }
        free(l.logs[i].path);
    }
    iol__json_close(json, ']');
    free(l.logs);
}
