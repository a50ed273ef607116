/* The list, and the two things that are done to what is on it. */
#include "site/index/retain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"

enum {
    BLOCK = 512,      /* what st_blocks counts */
    LARGE = 64 << 20, /* bytes from which the size of a file matters */
};

/* Listing ---------------------------------------------------------------------------------------------------------------- */

typedef struct retain_listing {
    const iol__retaining *how;
    iol__retained_list *to;
    const char *prefix; /* of names, where several trees were named */
    int error;
} retain_listing;

/* A file of holes costs its owner nothing, and whoever packs it a disk. Where the file system compresses, logs hardly take less:
   they are compressed already. */
static bool is_hollow(const struct stat *st) { return st->st_size > LARGE && st->st_blocks < st->st_size / BLOCK / 2; }

/* Why a file is left alone; NULL: it is a log. A second name could be of a file outside of the tree, which its owner did not
   put there. */
static const char *retain_refusal(const struct stat *st) {
    if (S_ISLNK(st->st_mode)) return "a link, left alone";
    if (!S_ISREG(st->st_mode)) return "not an ordinary file, left alone";
    if (st->st_nlink != 1) return "it has more than one name (hard links), left alone";
    if (is_hollow(st)) return "most of it is a hole, left alone";
    return NULL;
}

static void retain_skip(retain_listing *l, const iol__walk_dir *dir, const char *name, const char *why) {
    char *path = NULL;
    l->to->skipped++;
    if (!l->how->trouble || asprintf(&path, "%s/%s", dir->key, name) < 0) return;
    l->how->trouble(l->how->context, path, why);
    free(path);
}

static void retain_enter(void *context, iol__walk_dir *dir) {
    retain_listing *l = context;
    iol__retained_list *to = l->to;
    iol__walk_dir **larger = realloc(to->dirs, (to->n_dirs + 1) * sizeof *larger);
    if (!larger) {
        l->error = ENOMEM;
        return;
    }
    to->dirs = larger;
    to->dirs[to->n_dirs++] = dir;
}

static char *retain_name_of(const retain_listing *l, const iol__walk_dir *dir, const char *name) {
    char *whole;
    const int length = asprintf(&whole, "%s%s%s%s%s", l->prefix ? l->prefix : "", l->prefix ? "/" : "", dir->path,
                                *dir->path ? "/" : "", name);
    return length < 0 ? NULL : whole;
}

static void retain_file(void *context, iol__walk_dir *dir, const char *name, const struct stat *status) {
    retain_listing *l = context;
    iol__retained_list *to = l->to;
    const char *why = retain_refusal(status);
    if (why) {
        retain_skip(l, dir, name, why);
        return;
    }
    if (l->how->before && status->st_mtim.tv_sec >= l->how->before) return;
    if (!IOL_GROW_NEXT(to->all, to->count)) l->error = ENOMEM;
    char *whole = l->error ? NULL : retain_name_of(l, dir, name);
    if (!whole) {
        l->error = ENOMEM;
        return;
    }
    to->all[to->count++] = (iol__retained){whole, dir, whole + strlen(whole) - strlen(name), *status};
}

static void retain_leave(void *context, const iol__walk_dir *dir, bool complete) {
    (void)context, (void)dir, (void)complete;
}

static void retain_trouble(void *context, const char *path, int error) {
    retain_listing *l = context;
    l->to->skipped++;
    const char *why = error == ELOOP ? "a link of another user leads there, or too many links do" : strerror(error);
    if (l->how->trouble) l->how->trouble(l->how->context, path, why);
}

static int retain_by_name(const void *a, const void *b) {
    return strcmp(((const iol__retained *)a)->name, ((const iol__retained *)b)->name);
}

int iol__retained_find(const char *const *paths, size_t n_paths, const iol__retaining *how, iol__retained_list *list) {
    *list = (iol__retained_list){.roots = calloc(n_paths + 1, sizeof *list->roots)};
    if (!list->roots) return ENOMEM;
    retain_listing l = {.how = how, .to = list};
    const iol__walk walk = {retain_enter, retain_file, retain_leave, retain_trouble, &l, NULL};
    for (size_t i = 0; !l.error && i < n_paths; i++) {
        iol__walk_root *root = &list->roots[list->n_roots];
        const int error = iol__walk_open(paths[i], root);
        if (error) {
            retain_trouble(&l, paths[i], error);
            continue;
        }
        list->n_roots++;
        const char *base = strrchr(root->path, '/');
        l.prefix = n_paths > 1 && !root->file && base && base[1] ? base + 1 : NULL;
        iol__walk_tree(root, &walk);
    }
    if (list->count) qsort(list->all, list->count, sizeof *list->all, retain_by_name);
    for (size_t i = 1; !l.error && i < list->count; i++)
        if (retain_by_name(&list->all[i - 1], &list->all[i]) == 0) l.error = EEXIST;
    return l.error;
}

void iol__retained_free(iol__retained_list *list) {
    for (size_t i = 0; i < list->count; i++) free(list->all[i].name);
    for (size_t i = 0; i < list->n_dirs; i++) iol__walk_dir_free(list->dirs[i]);
    for (size_t i = 0; i < list->n_roots; i++) iol__walk_root_close(&list->roots[i]);
    free(list->all);
    free(list->dirs);
    free(list->roots);
    *list = (iol__retained_list){0};
}

/* Using ------------------------------------------------------------------------------------------------------------------ */

/* ctime tells of every change, of times that were set back too. */
static bool retain_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size && a->st_uid == b->st_uid &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
           a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

static int retain_changed(int dir, const iol__retained *log) {
    struct stat now;
    if (fstatat(dir, log->file, &now, AT_SYMLINK_NOFOLLOW) != 0) return errno;
    return retain_refusal(&now) || !retain_same(&now, &log->seen) ? ESTALE : 0;
}

int iol__retained_open(const iol__retained *log) {
    struct stat now;
    const int dir = iol__walk_open_dir(log->dir);
    if (dir < 0) return -1;
    int fd = iol__walk_open_file(dir, log->file, &now), error = fd < 0 ? errno : 0;
    if (!error && (retain_refusal(&now) || !retain_same(&now, &log->seen))) error = ESTALE;
    if (!error) error = retain_changed(dir, log); /* the name itself, not a link to the file */
    close(dir);
    if (!error) return fd;
    if (fd >= 0) close(fd);
    errno = error;
    return -1;
}

/* Between the look and the removal only the owner of the directory or of the file can put another one there, and what he
   would lose he could remove himself. */
int iol__retained_remove(const iol__retained *log) {
    const int dir = iol__walk_open_dir(log->dir);
    if (dir < 0) return errno;
    int error = retain_changed(dir, log);
    if (!error && unlinkat(dir, log->file, 0) != 0) error = errno;
    close(dir);
    return error;
}
