/* Looks where mapped files are kept for those without a living owner. */
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/leftovers.h"
#include "cmds/run_directory.h"
#include "log/run_inputs.h"
#include "record/header.h"
#include "record/mapped.h"

/* The head of the mapped file that begins at this offset of a file. */
static bool read_head(const char *path, uint64_t offset, uint8_t head[IOL_MAPPED_HEAD]) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return false;
    bool read = pread(fd, head, IOL_MAPPED_HEAD, (off_t)offset) == IOL_MAPPED_HEAD;
    close(fd);
    return read && iol__mapped_is(head, IOL_MAPPED_HEAD);
}

bool mapped_is_dead(const char *path) {
    uint8_t head[IOL_MAPPED_HEAD];
    iol__mapped facts;
    if (!read_head(path, 0, head)) return false;
    memcpy(&facts, head + IOL_MAPPED_AT, sizeof facts);
    return !iol__mapped_lives(path, facts.pid, facts.born);
}

static bool is_ours(const char *path, mode_t kind) {
    struct stat st;
    return lstat(path, &st) == 0 && (st.st_mode & S_IFMT) == kind && st.st_uid == geteuid();
}

/* Jobs ------------------------------------------------------------------------------------------------------------- */

static bool is_of_job(const char *path, uint64_t offset, int64_t job) {
    enum { JOB_ID_AT = sizeof(iol__log_header) + offsetof(iol__log_job, id) };
    uint8_t head[IOL_MAPPED_HEAD];
    int64_t id;
    if (!read_head(path, offset, head)) return false;
    memcpy(&id, head + JOB_ID_AT, sizeof id);
    return id == job;
}

/* Any of its processes tells of which job a run is. */
static bool run_is_of_job(const char *directory, int64_t job) {
    static const char *const spools[] = {IOL_RUN_SPOOL, IOL_RUN_SPOOL ".closed"};
    char path[PATH_MAX];
    glob_t found = {0};
    for (size_t i = 0; i < sizeof spools / sizeof *spools; i++) {
        if (snprintf(path, sizeof path, "%s/%s", directory, spools[i]) >= PATH_MAX) return false;
        if (is_of_job(path, sizeof(iol__spool_head) + sizeof(uint64_t), job)) return true;
    }
    if (snprintf(path, sizeof path, "%s/*" IOL_MAPPED_SUFFIX, directory) >= PATH_MAX) return false;
    bool is = glob(path, 0, NULL, &found) == 0 && is_of_job(found.gl_pathv[0], 0, job);
    globfree(&found);
    return is;
}

/* Looking ---------------------------------------------------------------------------------------------------------- */

typedef struct search {
    const int64_t *job;
    void (*each)(void *context, const char *path);
    void *context;
} search;

static void look_for_files(const search *s, char **paths, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (is_ours(paths[i], S_IFREG) && mapped_is_dead(paths[i]) && (!s->job || is_of_job(paths[i], 0, *s->job)))
            s->each(s->context, paths[i]);
}

static bool has_dead(const char *directory) {
    char pattern[PATH_MAX];
    glob_t found = {0};
    bool dead = false;
    if (snprintf(pattern, sizeof pattern, "%s/*" IOL_MAPPED_SUFFIX, directory) >= PATH_MAX) return false;
    if (glob(pattern, 0, NULL, &found) != 0) found.gl_pathc = 0;
    for (size_t i = 0; i < found.gl_pathc && !dead; i++)
        dead = is_ours(found.gl_pathv[i], S_IFREG) && mapped_is_dead(found.gl_pathv[i]);
    globfree(&found);
    return dead;
}

static void look_for_runs(const search *s, char **paths, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (is_ours(paths[i], S_IFDIR) && !run_lives(paths[i]) &&
            (s->job ? run_is_of_job(paths[i], *s->job) : has_dead(paths[i])))
            s->each(s->context, paths[i]);
}

static void look(const search *s, const char *place, const char *pattern,
                 void (*found_here)(const search *, char **paths, size_t count)) {
    char full[PATH_MAX];
    glob_t found = {0};
    if (snprintf(full, sizeof full, "%s/%s", place, pattern) >= PATH_MAX) return;
    if (glob(full, 0, NULL, &found) == 0) found_here(s, found.gl_pathv, found.gl_pathc);
    globfree(&found);
}

void find_leftovers(const iol__config *config, const int64_t *job, void (*each)(void *context, const char *path),
                    void *context) {
    const search s = {job, each, context};
    const char *place;
    for (unsigned i = 0; (place = mapped_place(config, i)) != NULL; i++) {
        look(&s, place, "iolite-*" IOL_MAPPED_SUFFIX, look_for_files);
        look(&s, place, "iolite-run-*", look_for_runs);
    }
}
