/* Processes that are in another mount namespace may have a /dev/shm of their own, as batch systems give it to jobs and
   container engines to containers. Which mount a process has in a place is in its mountinfo, which everybody may read. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live/node.h"

/* The directory behind a place: the device of its file system, and where in that it is. */
typedef struct mounted_place {
    char device[32];
    char path[1024];
} mounted_place;

/* Whether `place` is `point` or below it. */
static bool is_at_or_below(const char *place, const char *point) {
    const size_t length = strlen(point);
    if (strcmp(point, "/") == 0) return true;
    return strncmp(place, point, length) == 0 && (place[length] == '/' || !place[length]);
}

/* A line is "36 35 98:0 /root /point options...": of the mounts that cover a place the longest counts, and of those at the
   same point the last. */
static void take_mount(const char *line, const char *place, size_t *longest, mounted_place *found) {
    char device[32], root[512], point[512];
    if (sscanf(line, "%*s %*s %31s %511s %511s", device, root, point) != 3 || !is_at_or_below(place, point)) return;
    if (strlen(point) < *longest) return;
    *longest = strlen(point);
    const char *rest = strcmp(point, "/") == 0 ? place : place + strlen(point);
    memcpy(found->device, device, sizeof device);
    snprintf(found->path, sizeof found->path, "%s%s", strcmp(root, "/") == 0 ? "" : root, rest);
}

static bool find_mount(const char *mounts, const char *place, mounted_place *found) {
    size_t longest = 0, room = 0;
    char *line = NULL;
    FILE *file = fopen(mounts, "re");
    *found = (mounted_place){0};
    while (file && getline(&line, &room, file) > 0) take_mount(line, place, &longest, found);
    if (file) fclose(file);
    free(line);
    return longest > 0;
}

static bool is_hidden(const char *pid, const char *place, const mounted_place *ours) {
    char path[64];
    struct stat st;
    mounted_place theirs;
    snprintf(path, sizeof path, "/proc/%.20s", pid);
    if (stat(path, &st) != 0 || st.st_uid == 0) return false;
    snprintf(path, sizeof path, "/proc/%.20s/mountinfo", pid);
    if (!find_mount(path, place, &theirs)) return false;
    return strcmp(theirs.device, ours->device) != 0 || strcmp(theirs.path, ours->path) != 0;
}

size_t iol__live_count_hidden(const char *place) {
    mounted_place ours;
    DIR *proc = find_mount("/proc/self/mountinfo", place, &ours) ? opendir("/proc") : NULL;
    const struct dirent *entry;
    size_t count = 0;
    while (proc && (entry = readdir(proc)) != NULL)
        count += isdigit((unsigned char)*entry->d_name) && is_hidden(entry->d_name, place, &ours);
    if (proc) closedir(proc);
    return count;
}
