/* Numbers of processes mean something in one PID namespace only, and /dev/shm is often shared by several. So a lock says
   who lives, wherever it can (runtime/core/store.c takes it), and what comes from elsewhere is kept apart. */
#include "log/merge/living.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <time.h>

#include "record/header.h"

/* What /proc tells of a process. */
typedef struct living_process {
    unsigned long long born; /* in clock ticks since boot */
    bool ending;
} living_process;

/* False if there is none. */
static bool living_look_at(int pid, living_process *found) {
    enum { EXITING = 4 }; /* PF_EXITING of the kernel */
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    size_t got = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[got] = 0;
    char *after = strrchr(text, ')'), state; /* a program's name may hold anything */
    unsigned flags;
    if (!after || sscanf(after + 1, " %c %*s %*s %*s %*s %*s %u %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
                         &state, &flags, &found->born) != 3)
        return false;
    found->ending = state == 'Z' || state == 'X' || (flags & EXITING);
    return true;
}

static bool line_is_of(const char *line, const struct stat *st, const char *name) {
    unsigned major_number, minor_number;
    unsigned long long inode;
    if (sscanf(line, "%*s %*s %*s %x:%x %llu", &major_number, &minor_number, &inode) != 3 || inode != st->st_ino)
        return false;
    /* Some file systems show one device here and another there; the name has a random number in it. */
    return makedev(major_number, minor_number) == st->st_dev || strstr(line, name);
}

/* The same process, and not about to be gone. */
static bool living_is_there(const iol__mapped *facts) {
    living_process found;
    const uint64_t ticks = iol__born(facts->born, 0);
    return ticks != 0 && living_look_at(facts->pid, &found) && found.born == ticks && !found.ending;
}

static bool has_mapped(int fd, const char *path, const iol__mapped *facts) {
    char maps[64], *line = NULL;
    struct stat st;
    size_t room = 0;
    if (facts->pid <= 0 || fstat(fd, &st) != 0) return false;
    snprintf(maps, sizeof maps, "/proc/%d/maps", (int)facts->pid);
    FILE *file = fopen(maps, "re");
    bool seen = false, any = false;
    const char *slash = strrchr(path, '/');
    while (file && !seen && getline(&line, &room, file) > 0) {
        any = true;
        seen = line_is_of(line, &st, slash ? slash + 1 : path);
    }
    if (file) fclose(file);
    free(line);
    if (any) return seen;
    /* Without the right to look, assume that the same process still has it. */
    return living_is_there(facts);
}

static bool elsewhere(const iol__mapped *facts) {
    struct stat here;
    if (facts->name_space == 0 || stat("/proc/self/ns/pid", &here) != 0) return false;
    return facts->name_space != here.st_ino;
}

/* Looking is sharing, so that those who look do not see each other. */
bool iol__mapped_lives(int fd, const char *path, const iol__mapped *facts) {
    if (facts->locked) {
        const bool locked = flock(fd, LOCK_SH | LOCK_NB) != 0;
        if (locked && errno == EWOULDBLOCK) return true;
        if (!locked) flock(fd, LOCK_UN);
        if (!locked) return false;
    }
    return elsewhere(facts) || has_mapped(fd, path, facts);
}

bool iol__mapped_lives_on(int fd, const char *path, const iol__mapped *facts) {
    enum { NAP_NS = 10000000, NAPS = 200 };
    static int naps;
    const struct timespec nap = {0, NAP_NS};
    while (iol__mapped_lives(fd, path, facts)) {
        if (elsewhere(facts) || facts->pid <= 0 || living_is_there(facts) || naps == NAPS) return true;
        naps++;
        nanosleep(&nap, NULL);
    }
    return false;
}

bool iol__mapped_is_foreign(const uint8_t head[IOL_MAPPED_HEAD]) {
    static const char key[] = "\nhostname=";
    iol__mapped facts;
    iol__log_job job;
    struct utsname here;
    memcpy(&facts, head + IOL_MAPPED_AT, sizeof facts);
    memcpy(&job, head + sizeof(iol__log_header), sizeof job);
    job.metadata[sizeof job.metadata - 1] = 0;
    if (elsewhere(&facts)) return true;
    const char *host = strstr(job.metadata, key);
    if (!host || uname(&here) != 0) return false;
    host += sizeof key - 1;
    const size_t length = strcspn(host, "\n");
    return length != strlen(here.nodename) || memcmp(host, here.nodename, length) != 0;
}
