/* Trees of logs that anybody may have written into: FIFOs, devices, links out of the tree, names with newlines,
   directories that change while they are read. Nothing is opened by a path that a user could bend: each step is taken
   from a directory that is held open, links to directories are not followed, and what is opened is looked at before it
   is read. */
#ifndef IOL_SITE_WALK_H
#define IOL_SITE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* A directory of a tree. */
typedef struct iol__walk_dir {
    const struct iol__walk_root *root;
    char *path;   /* below the root; "" is the root itself */
    char *key;    /* the absolute path as the store keeps it, with a '#' behind that of a bundle */
    char *bundle; /* NULL; else the name of a bundle in this directory, which is what is meant */
} iol__walk_dir;

typedef struct iol__walk_root {
    int fd;     /* of the directory, or of the one that the single file is in */
    char *path; /* absolute */
    char *file; /* NULL: the tree; else only this name */
} iol__walk_root;

typedef struct iol__walk {
    /* A directory is about to be read. */
    void (*enter)(void *context, iol__walk_dir *dir);
    /* A file that may be a log: its name ends so, or it was named. */
    void (*file)(void *context, iol__walk_dir *dir, const char *name, const struct stat *status);
    /* All files of a directory were seen, unless reading it failed. */
    void (*leave)(void *context, const iol__walk_dir *dir, bool complete);
    /* What cannot be read. */
    void (*trouble)(void *context, const char *path, int error);
    void *context;
    /* A bundle of logs, behind the files of its directory. NULL: bundles are passed by. */
    void (*bundle)(void *context, iol__walk_dir *bundle);
} iol__walk;

/* A directory or a file. 0 or an errno value: ELOOP for root, or who may read everything, and a link of somebody else
   in the path. Directories that were handed out live until the root is closed. */
int iol__walk_open(const char *path, iol__walk_root *root);
void iol__walk_root_close(iol__walk_root *root);
void iol__walk_dir_free(iol__walk_dir *dir);
void iol__walk_tree(const iol__walk_root *root, const iol__walk *walk);

/* A file for reading: a regular one, or a link to a regular one of the same owner. -1 with errno: ELOOP for other
   links, EINVAL for what is not a file. Never waits, and has no effect on devices. `open_dir` is the descriptor of the
   directory. */
int iol__walk_open_file(int open_dir, const char *name, struct stat *status);
/* A directory of the tree. */
int iol__walk_open_dir(const iol__walk_dir *dir);

#endif
