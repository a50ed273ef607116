/* What a program left behind: two directories are the same if their entries have the same names, types, modes, sizes
   and bytes. Times and owners may differ. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/hazards/driver.h"

static int no_dots(const struct dirent *entry) { return strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."); }

size_t tree_entries(const char *directory, void (*visit)(const char *path, const char *name, void *context),
                    void *context) {
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, no_dots, alphasort);
    for (int i = 0; i < count; i++) {
        char path[PATH_ROOM];
        if (snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name) < PATH_ROOM)
            visit(path, entries[i]->d_name, context);
        free(entries[i]);
    }
    free(entries);
    return count > 0 ? (size_t)count : 0;
}

static void remove_one(const char *path, const char *name, void *context) {
    (void)name, (void)context;
    if (unlink(path) != 0) tree_remove(path);
}

void tree_remove(const char *path) {
    chmod(path, 0700);
    tree_entries(path, remove_one, NULL);
    rmdir(path);
}

static void compare_bytes(const char *without, const char *with) {
    size_t lengths[2] = {0};
    char *bytes[2] = {read_whole(without, &lengths[0]), read_whole(with, &lengths[1])};
    if (bytes[0] && bytes[1] && (lengths[0] != lengths[1] || memcmp(bytes[0], bytes[1], lengths[0]) != 0))
        complain("%s has other bytes with Iolite", without);
    free(bytes[0]);
    free(bytes[1]);
}

static void compare_one(const char *path, const char *name, void *context) {
    char other[PATH_ROOM];
    struct stat a, b;
    if (snprintf(other, sizeof other, "%s/%s", (const char *)context, name) >= PATH_ROOM) return;
    if (lstat(path, &a) != 0) return;
    if (lstat(other, &b) != 0) {
        complain("%s is missing with Iolite", path);
        return;
    }
    if (a.st_mode != b.st_mode) complain("%s: mode %o, with Iolite %o", path, a.st_mode, b.st_mode);
    if (S_ISDIR(a.st_mode) && S_ISDIR(b.st_mode)) trees_compare(path, other);
    if (!S_ISREG(a.st_mode) || !S_ISREG(b.st_mode)) return;
    if (a.st_size != b.st_size)
        complain("%s: %lld bytes, with Iolite %lld", path, (long long)a.st_size, (long long)b.st_size);
    else
        compare_bytes(path, other);
}

static void only_there(const char *path, const char *name, void *context) {
    char other[PATH_ROOM];
    if (snprintf(other, sizeof other, "%s/%s", (const char *)context, name) >= PATH_ROOM) return;
    if (access(other, F_OK) != 0 && access(path, F_OK) == 0) complain("%s is there only with Iolite", path);
}

void trees_compare(const char *without, const char *with) {
    tree_entries(without, compare_one, (void *)with);
    tree_entries(with, only_there, (void *)without);
}
