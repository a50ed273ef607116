/* Looks where mapped files are kept for those without a living owner. These directories are everybody's: what is found
   there is opened without waiting and without following links, and has to be ours, private, and what its name says. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "base/strings.h"
#include "cmds/run/leftovers.h"
#include "cmds/run/run_directory.h"
#include "log/read/found.h"
#include "log/merge/living.h"
#include "log/merge/run_inputs.h"
#include "record/header.h"

bool read_mapped_head(int fd, uint64_t offset, uint8_t head[IOL_MAPPED_HEAD]) {
    return pread(fd, head, IOL_MAPPED_HEAD, (off_t)offset) == IOL_MAPPED_HEAD && iol__mapped_is(head, IOL_MAPPED_HEAD);
}

static leftover leftovers_describe(const uint8_t head[IOL_MAPPED_HEAD]) {
    leftover one = {0};
    iol__log_job job;
    iol__mapped facts;
    memcpy(&job, head + sizeof(iol__log_header), sizeof job);
    memcpy(&facts, head + IOL_MAPPED_AT, sizeof facts);
    one.job = job.id;
    one.run = facts.run;
    one.world = facts.world_size > 0 ? facts.world : 0;
    return one;
}

/* One file --------------------------------------------------------------------------------------------------------- */

/* A mapped file of ours; a descriptor, or -1. */
static int open_mapped(int directory, const char *name, uint8_t head[IOL_MAPPED_HEAD]) {
    struct stat st;
    const int fd = iol__found_open(directory, name, &st);
    if (fd < 0) return -1;
    if (st.st_uid == geteuid() && (st.st_mode & 0777) == 0600 && read_mapped_head(fd, 0, head)) return fd;
    close(fd);
    return -1;
}

static bool is_dead(int directory, const char *name, leftover *one) {
    uint8_t head[IOL_MAPPED_HEAD];
    iol__mapped facts;
    const int fd = open_mapped(directory, name, head);
    if (fd < 0) return false;
    memcpy(&facts, head + IOL_MAPPED_AT, sizeof facts);
    const bool dead = !iol__mapped_is_foreign(head) && !iol__mapped_lives_on(fd, name, &facts);
    close(fd);
    *one = leftovers_describe(head);
    return dead;
}

/* A run ------------------------------------------------------------------------------------------------------------ */

/* The first process that left something in order. */
static bool look_into_spool(int directory, leftover *one) {
    static const char *const spools[] = {IOL_RUN_SPOOL, IOL_RUN_SPOOL ".closed"};
    uint8_t head[IOL_MAPPED_HEAD];
    struct stat st;
    for (size_t i = 0; i < IOL_COUNT(spools); i++) {
        const int fd = iol__found_open(directory, spools[i], &st);
        const bool found = fd >= 0 && iol__spool_first(fd, head, sizeof head) && iol__mapped_is(head, sizeof head);
        if (fd >= 0) close(fd);
        if (!found) continue;
        *one = leftovers_describe(head);
        one->world = 0;
        return true;
    }
    return false;
}

/* Any of its processes says to which job a run belongs: one that ended in order, or was killed. */
static bool look_into_run(int directory, leftover *one) {
    if (look_into_spool(directory, one)) return true;
    const int again = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *names = again < 0 ? NULL : fdopendir(again);
    const struct dirent *entry;
    bool known = false;
    if (again >= 0 && !names) close(again);
    while (names && !known && (entry = readdir(names)) != NULL)
        known = iol__ends_with(entry->d_name, IOL_MAPPED_SUFFIX) && is_dead(directory, entry->d_name, one);
    if (names) closedir(names);
    one->world = 0;
    return known;
}

/* Looking ---------------------------------------------------------------------------------------------------------- */

typedef struct leftovers_search {
    const int64_t *job;
    void (*each)(void *context, const leftover *one);
    void *context;
} leftovers_search;

/* A run that makes its log holds its directory locked, and one that has made it has taken away the spool. */
static bool is_run_over(int directory, leftover *one) {
    struct stat st;
    if (fstat(directory, &st) != 0 || st.st_uid != geteuid() || (st.st_mode & 077)) return false;
    return !run_lives(directory) && look_into_run(directory, one);
}

/* A job whose processes had nothing to tell, or were killed before they had. */
static void tidy_job(const char *place, const char *name, int directory) {
    char path[PATH_MAX];
    run_directory job;
    struct stat st;
    if (fstat(directory, &st) != 0 || st.st_uid != geteuid() || (st.st_mode & 077) || !is_job_silent(directory)) return;
    if (snprintf(path, sizeof path, "%s/%s", place, name) >= PATH_MAX || !take_job_directory(path, &job)) return;
    leftover one;
    if (look_into_run(job.held, &one)) /* somebody has come meanwhile */
        put_job_back(&job);
    else
        remove_job_directory(&job);
    close_run_directory(&job);
}

static bool is_leftover(const char *where, int place, const char *name, bool by_number, leftover *one) {
    if (iol__ends_with(name, IOL_MAPPED_SUFFIX)) return is_dead(place, name, one);
    const bool batch = is_job_directory(name);
    if (strncmp(name, "iolite-run-", 11) != 0 && !batch) return false;
    const int directory = openat(place, name, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    bool over = directory >= 0 && is_run_over(directory, one);
    if (directory >= 0 && batch && !over && !by_number) tidy_job(where, name, directory);
    if (over && batch && !by_number) over = is_job_silent(directory);
    if (directory >= 0) close(directory);
    one->batch = batch;
    one->session = batch && is_session_directory(name);
    return over;
}

static void leftovers_look(const leftovers_search *s, const char *place) {
    DIR *names = opendir(place);
    const struct dirent *entry;
    char path[PATH_MAX];
    while (names && (entry = readdir(names)) != NULL) {
        leftover one = {0};
        if (strncmp(entry->d_name, "iolite-", 7) != 0 ||
            !is_leftover(place, dirfd(names), entry->d_name, s->job != NULL, &one))
            continue;
        if (s->job && one.job != *s->job) continue;
        if (snprintf(path, sizeof path, "%s/%s", place, entry->d_name) >= PATH_MAX) continue;
        one.path = path;
        s->each(s->context, &one);
    }
    if (names) closedir(names);
}

void find_leftovers(const iol__config *config, const int64_t *job, void (*each)(void *context, const leftover *one),
                    void *context) {
    const leftovers_search s = {job, each, context};
    const bool set = *config->values[IOL_SET_MMAP_DIR].text;
    const char *place;
    for (unsigned i = 0; (place = mapped_place(config, i)) != NULL && !(set && i > 0); i++) leftovers_look(&s, place);
}
