/* By /proc. Kernels without lists of children, and trees that are very large, count as busy: then one waits. */
#include "cmds/run/descendants.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/hash.h"

enum { LEVELS = 32, MOST = 4096 };

static ssize_t read_descendants_text(int directory, const char *path, char *text, size_t room) {
    const int fd = openat(directory, path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd < 0 ? -1 : read(fd, text, room - 1);
    if (fd >= 0) close(fd);
    text[got < 0 ? 0 : got] = '\0';
    return got;
}

static void look_at_thread(int tasks, const char *thread, descendants *found) {
    char path[300], text[1024], state;
    struct {
        unsigned long long user, system;
        long thread;
    } facts = {0};
    snprintf(path, sizeof path, "%.200s/stat", thread);
    if (read_descendants_text(tasks, path, text, sizeof text) <= 0) return; /* it has just ended */
    const char *behind = strrchr(text, ')');
    if (!behind || sscanf(behind + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu", &state, &facts.user,
                          &facts.system) != 3)
        return;
    facts.thread = strtol(thread, NULL, 10);
    found->count++;
    found->mark = iol__hash(&facts, sizeof facts, found->mark);
    if (!strchr("SIT", state)) found->all_asleep = false;
}

static void descendants_look(pid_t pid, int level, descendants *found);

static void look_at_children(int tasks, const char *thread, int level, descendants *found) {
    char path[300], text[16384];
    snprintf(path, sizeof path, "%.200s/children", thread);
    const ssize_t got = read_descendants_text(tasks, path, text, sizeof text);
    if (got < 0 || got == (ssize_t)sizeof text - 1 || level == LEVELS || found->count > MOST) {
        found->all_asleep = false;
        return;
    }
    char *end;
    for (const char *at = text;; at = end) {
        const long child = strtol(at, &end, 10);
        if (end == at) return;
        descendants_look((pid_t)child, level + 1, found);
    }
}

static void descendants_look(pid_t pid, int level, descendants *found) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = opendir(path);
    const struct dirent *entry;
    while (threads && (entry = readdir(threads)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        if (level > 0) look_at_thread(dirfd(threads), entry->d_name, found);
        look_at_children(dirfd(threads), entry->d_name, level, found);
    }
    if (threads) closedir(threads);
}

descendants look_at_descendants(pid_t pid) {
    descendants found = {.all_asleep = true};
    descendants_look(pid, 0, &found);
    return found;
}
