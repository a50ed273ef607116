/* Logs in trees that users can write to, for whoever packs and removes them, perhaps root. A log is listed once and from
   then on only reached through directories that are held open; before each use its descriptor has to show the file that was
   listed: the same inode, an ordinary file with one name and one owner, not written since. */
#ifndef IOL_SITE_RETAIN_H
#define IOL_SITE_RETAIN_H

#include "site/index/walk.h"

/* A log in a tree. */
typedef struct iol__retained {
    char *name; /* below what was named: its name in a bundle */
    iol__walk_dir *dir;
    const char *file; /* its name in the directory, within `name` */
    struct stat seen;
} iol__retained;

typedef struct iol__retained_list {
    iol__retained *all; /* in the order of names */
    size_t count;
    iol__walk_root *roots;
    iol__walk_dir **dirs;
    size_t n_roots, n_dirs;
    size_t skipped; /* what was there and is no log to be touched */
} iol__retained_list;

typedef struct iol__retaining {
    int64_t before; /* seconds since 1970: only logs that were written before then; 0: all */
    /* What is left alone, and why. */
    void (*trouble)(void *context, const char *path, const char *reason);
    void *context;
} iol__retaining;

/* 0 or an errno value; EEXIST if two logs would have one name. The list has to be freed either way. */
int iol__retained_find(const char *const *paths, size_t n_paths, const iol__retaining *how, iol__retained_list *list);
void iol__retained_free(iol__retained_list *list);

/* The log for reading; -1 with errno, ESTALE if it is no longer the file that was listed. Never waits. */
int iol__retained_open(const iol__retained *log);
/* Remove it, if it still is that file. 0 or an errno value. */
int iol__retained_remove(const iol__retained *log);

#endif
