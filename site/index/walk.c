/* Depth first, one directory open at a time on the way down. */
#include "site/index/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/grow.h"
#include "site/index/names.h"

enum { DEEPEST = 64, MOST_LINKS = 40, DIRECTORY = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };

/* Opening ------------------------------------------------------------------------------------------------------- */

/* Where a path that was named leads. */
typedef struct steps {
    int at;         /* the directory that is reached so far, O_PATH */
    char *rest;     /* to go */
    char name[256]; /* the next step, or the file at the end */
    unsigned links; /* that were followed */
} steps;

/* Root, or an indexer with the right to read everything. */
static bool works_for_everybody(void) {
    /* As <linux/capability.h> has them; a musl without the kernel's headers does not. */
    enum { VERSION_3 = 0x20080522, DAC_READ_SEARCH = 2 };
    struct {
        uint32_t version;
        int pid;
    } head = {.version = VERSION_3};
    struct {
        uint32_t effective, permitted, inheritable;
    } rights[2] = {{0}};
    if (geteuid() == 0) return true;
    return syscall(SYS_capget, &head, rights) == 0 && rights[0].effective >> DAC_READ_SEARCH & 1;
}

/* A link in the path: what it says comes before the rest. An indexer that works for everybody does not follow a user's links: a
   directory of the day could be one by now. */
static int follow(steps *w, int link, const struct stat *status) {
    char target[PATH_MAX], *rest;
    ssize_t length = readlinkat(link, "", target, sizeof target - 1);
    if (length < 0) return errno;
    target[length] = 0;
    if (++w->links > MOST_LINKS || (status->st_uid != 0 && status->st_uid != geteuid() && works_for_everybody()))
        return ELOOP;
    if (asprintf(&rest, "%s/%s", target, w->rest) < 0) return ENOMEM;
    free(w->rest);
    w->rest = rest;
    if (*target != '/') return 0;
    close(w->at);
    w->at = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    return w->at < 0 ? errno : 0;
}

/* The next name of the rest; false: there is none. */
static bool walk_next_name(steps *w) {
    char *from = w->rest + strspn(w->rest, "/");
    size_t length = strcspn(from, "/");
    if (!length || length >= sizeof w->name) return false;
    memcpy(w->name, from, length);
    w->name[length] = 0;
    from += length;
    memmove(w->rest, from + strspn(from, "/"), strlen(from + strspn(from, "/")) + 1);
    return true;
}

/* One step. `arrived`: it is a file, and `at` the directory that it is in. */
static int walk_step(steps *w, bool *arrived) {
    struct stat status;
    int next = openat(w->at, w->name, O_PATH | O_NOFOLLOW | O_CLOEXEC), error = 0;
    if (next < 0 || fstat(next, &status) != 0) {
        error = errno;
    } else if (S_ISLNK(status.st_mode)) {
        error = follow(w, next, &status);
    } else if (S_ISDIR(status.st_mode)) {
        close(w->at);
        w->at = next;
        return 0;
    } else {
        *arrived = true;
        error = *w->rest ? ENOTDIR : 0;
    }
    if (next >= 0) close(next);
    return error;
}

/* The absolute path of a directory that is held. */
static char *walk_path_of(int fd) {
    char name[40], target[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(name, target, sizeof target - 1);
    return length < 0 ? NULL : strndup(target, (size_t)length);
}

int iol__walk_open(const char *path, iol__walk_root *root) {
    *root = (iol__walk_root){.fd = -1};
    steps w = {.at = open(*path == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC), .rest = strdup(path)};
    bool arrived = false;
    int error = w.at < 0 ? errno : !w.rest ? ENOMEM : !*path ? ENOENT : 0;
    while (!error && !arrived && walk_next_name(&w)) error = walk_step(&w, &arrived);
    if (!error && !arrived && *w.rest && w.rest[strspn(w.rest, "/")]) error = ENAMETOOLONG;
    if (!error && (root->fd = openat(w.at, ".", DIRECTORY)) < 0) error = errno;
    if (!error && !(root->path = walk_path_of(root->fd))) error = errno;
    if (!error && arrived && !(root->file = strdup(w.name))) error = ENOMEM;
    if (w.at >= 0) close(w.at);
    free(w.rest);
    if (error) iol__walk_root_close(root);
    return error;
}

void iol__walk_root_close(iol__walk_root *root) {
    if (root->fd >= 0) close(root->fd);
    free(root->path);
    free(root->file);
    *root = (iol__walk_root){.fd = -1};
}

static bool one_owner(int open_dir, const char *name, const struct stat *target) {
    struct stat link;
    if (fstatat(open_dir, name, &link, AT_SYMLINK_NOFOLLOW) != 0) return false;
    return link.st_uid == target->st_uid || link.st_uid == 0 || link.st_uid == geteuid();
}

/* O_PATH opens nothing: a device notices nothing, a FIFO does not wait, a lease is not broken. Then the same inode is
   opened through the descriptor, whatever its name may mean by now. */
int iol__walk_open_file(int open_dir, const char *name, struct stat *status) {
    int at = openat(open_dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    bool link = at >= 0 && fstat(at, status) == 0 && S_ISLNK(status->st_mode);
    if (link) {
        close(at);
        at = openat(open_dir, name, O_PATH | O_CLOEXEC);
    }
    if (at < 0) return -1;
    int fd = -1, error = EINVAL;
    if (fstat(at, status) != 0)
        error = errno;
    else if (link && !one_owner(open_dir, name, status))
        error = ELOOP;
    else if (S_ISREG(status->st_mode)) {
        char path[40];
        snprintf(path, sizeof path, "/proc/self/fd/%d", at);
        fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        error = errno;
    }
    close(at);
    if (fd < 0) errno = error;
    return fd;
}

int iol__walk_open_dir(const iol__walk_dir *dir) {
    int fd = fcntl(dir->root->fd, F_DUPFD_CLOEXEC, 0);
    char *path = strdup(dir->path), *rest = path;
    for (char *part; fd >= 0 && path && (part = strsep(&rest, "/"));) {
        if (!*part) continue;
        int next = openat(fd, part, DIRECTORY);
        int error = errno;
        close(fd);
        fd = next;
        errno = error;
    }
    free(path);
    return fd;
}

/* Walking ------------------------------------------------------------------------------------------------------- */

static iol__walk_dir *new_dir(const iol__walk_root *root, const iol__walk_dir *parent, const char *name) {
    iol__walk_dir *dir = calloc(1, sizeof *dir);
    char *whole = NULL;
    if (!dir) return NULL;
    dir->root = root;
    int length = parent ? asprintf(&dir->path, "%s%s%s", parent->path, *parent->path ? "/" : "", name)
                        : asprintf(&dir->path, "%s", "");
    bool top = strcmp(root->path, "/") == 0;
    if (length >= 0 && asprintf(&whole, "%s%s%s", root->path, *dir->path && !top ? "/" : "", dir->path) >= 0)
        dir->key = iol__key_of_path(whole);
    free(whole);
    if (dir->key) return dir;
    iol__walk_dir_free(dir);
    return NULL;
}

void iol__walk_dir_free(iol__walk_dir *dir) {
    if (!dir) return;
    free(dir->path);
    free(dir->key);
    free(dir->bundle);
    free(dir);
}

typedef struct name_list {
    char **names;
    size_t count;
} name_list;

static bool add_walk_name(name_list *list, const char *name) {
    if (!IOL_GROW_NEXT(list->names, list->count)) return false;
    list->names[list->count] = strdup(name);
    return list->names[list->count++] != NULL;
}

static int walk_by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void free_walk_names(name_list *list) {
    for (size_t i = 0; i < list->count; i++) free(list->names[i]);
    free(list->names);
}

/* Sorts entries of a directory into files and directories. */
static bool list_dir(DIR *stream, name_list *files, name_list *bundles, name_list *dirs) {
    errno = 0;
    for (struct dirent *entry; (entry = readdir(stream)); errno = 0) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        bool unknown = entry->d_type == DT_UNKNOWN;
        if ((unknown || entry->d_type == DT_REG || entry->d_type == DT_LNK) && iol__is_log_name(name))
            add_walk_name(files, name);
        else if ((unknown || entry->d_type == DT_REG) && iol__is_bundle_name(name))
            add_walk_name(bundles, name);
        else if (unknown || entry->d_type == DT_DIR)
            add_walk_name(dirs, name);
    }
    return errno == 0;
}

static void visit_files(const iol__walk *walk, iol__walk_dir *dir, int fd, const name_list *files) {
    for (size_t i = 0; i < files->count; i++) {
        struct stat status;
        if (fstatat(fd, files->names[i], &status, AT_SYMLINK_NOFOLLOW) != 0) continue; /* it went away */
        if (S_ISREG(status.st_mode) || S_ISLNK(status.st_mode))
            walk->file(walk->context, dir, files->names[i], &status);
    }
}

/* A bundle is visited like a directory of its own. */
static void visit_walk_bundle(const iol__walk *walk, const iol__walk_dir *dir, const char *name) {
    iol__walk_dir *below = walk->bundle ? new_dir(dir->root, NULL, "") : NULL;
    char *key = iol__key_of_path(name), *whole = NULL;
    if (!below || !key || asprintf(&whole, "%s/%s#", strcmp(dir->key, "/") == 0 ? "" : dir->key, key) < 0) {
        iol__walk_dir_free(below);
    } else {
        free(below->path);
        free(below->key);
        below->path = strdup(dir->path);
        below->key = whole;
        below->bundle = strdup(name);
        if (below->path && below->bundle)
            walk->bundle(walk->context, below);
        else
            iol__walk_dir_free(below);
    }
    free(key);
}

static void walk_visit(const iol__walk *walk, iol__walk_dir *dir, int fd, int depth);

static void descend(const iol__walk *walk, const iol__walk_dir *dir, int fd, const char *name, int depth) {
    iol__walk_dir *below = new_dir(dir->root, dir, name);
    int next = below ? openat(fd, name, DIRECTORY) : -1;
    if (next < 0) {
        if (below && errno != ENOENT && errno != ELOOP && errno != ENOTDIR)
            walk->trouble(walk->context, below->key, errno);
        iol__walk_dir_free(below);
        return;
    }
    walk_visit(walk, below, next, depth + 1);
}

/* Takes the descriptor, and hands the directory on. */
static void walk_visit(const iol__walk *walk, iol__walk_dir *dir, int fd, int depth) {
    name_list files = {0}, bundles = {0}, dirs = {0};
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    DIR *stream = copy >= 0 ? fdopendir(copy) : NULL;
    if (!stream) {
        walk->trouble(walk->context, dir->key, errno);
        if (copy >= 0) close(copy);
    } else {
        walk->enter(walk->context, dir);
        bool complete = list_dir(stream, &files, &bundles, &dirs);
        if (!complete) walk->trouble(walk->context, dir->key, errno);
        closedir(stream);
        if (files.count) qsort(files.names, files.count, sizeof *files.names, walk_by_name);
        if (bundles.count) qsort(bundles.names, bundles.count, sizeof *bundles.names, walk_by_name);
        if (dirs.count) qsort(dirs.names, dirs.count, sizeof *dirs.names, walk_by_name);
        visit_files(walk, dir, fd, &files);
        walk->leave(walk->context, dir, complete);
        for (size_t i = 0; i < bundles.count; i++) visit_walk_bundle(walk, dir, bundles.names[i]);
        for (size_t i = 0; i < dirs.count && depth < DEEPEST; i++) descend(walk, dir, fd, dirs.names[i], depth);
        if (dirs.count && depth == DEEPEST) walk->trouble(walk->context, dir->key, ELOOP);
    }
    free_walk_names(&files);
    free_walk_names(&bundles);
    free_walk_names(&dirs);
    close(fd);
}

void iol__walk_tree(const iol__walk_root *root, const iol__walk *walk) {
    iol__walk_dir *dir = new_dir(root, NULL, "");
    int fd = fcntl(root->fd, F_DUPFD_CLOEXEC, 0);
    if (!dir || fd < 0) {
        walk->trouble(walk->context, root->path, errno);
        if (fd >= 0) close(fd);
        iol__walk_dir_free(dir);
        return;
    }
    if (!root->file) {
        walk_visit(walk, dir, fd, 0);
        return;
    }
    struct stat status;
    walk->enter(walk->context, dir);
    if (iol__is_bundle_name(root->file))
        visit_walk_bundle(walk, dir, root->file);
    else if (fstatat(fd, root->file, &status, AT_SYMLINK_NOFOLLOW) == 0)
        walk->file(walk->context, dir, root->file, &status);
    else
        walk->trouble(walk->context, root->path, errno);
    walk->leave(walk->context, dir, false);
    close(fd);
}
