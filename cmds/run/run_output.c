/* As careful as a tool can be that replaces files: regular files of this user that begin as logs do, and nothing else. A
   file that appears while the program runs, another rank's log for example, is never replaced. */
#include "cmds/run/run_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/run/merged_logs.h"
#include "log/read/found.h"
#include "record/header.h"

static bool begins_like_a_log(const char *path) {
    struct {
        char version[8];
        int64_t magic;
    } head;
    struct stat st;
    const int fd = iol__found_open(AT_FDCWD, path, &st);
    if (fd < 0) return false;
    const bool whole = pread(fd, &head, sizeof head, 0) == (ssize_t)sizeof head;
    close(fd);
    return whole && (head.magic == IOL_LOG_MAGIC || head.magic == (int64_t)__builtin_bswap64(IOL_LOG_MAGIC));
}

/* What is wrong with replacing what is there, or NULL. */
static const char *not_replaced(const char *path, const struct stat *st) {
    if (S_ISDIR(st->st_mode)) return "is a directory";
    if (S_ISLNK(st->st_mode)) return "is a link";
    if (!S_ISREG(st->st_mode)) return "is no regular file";
    if (st->st_uid != geteuid()) return "belongs to another user";
    return begins_like_a_log(path) ? NULL : "is there, and is no log";
}

static bool run_output_refuse(const char *path, const char *why) {
    tell_stderr("%s %s: the program was not started", path, why);
    return false;
}

static bool refuse_for(const char *path, int error) {
    tell_stderr("%s: %s: the program was not started", path, strerror(error));
    return false;
}

static char *name_of_old(const char *path) {
    char *old = NULL;
    return asprintf(&old, "%s.old", path) < 0 ? NULL : old;
}

/* One of the names of the run's logs: free, or that of an earlier log, which may become LOG.old. */
static bool run_output_look_at_name(const char *path, run_output *output, bool *there) {
    struct stat st, old_st;
    *there = lstat(path, &st) == 0;
    if (!*there) return errno == ENOENT || refuse_for(path, errno);
    const char *wrong = not_replaced(path, &st);
    if (wrong) return run_output_refuse(path, wrong);
    char *old = name_of_old(path);
    const bool old_there = old && lstat(old, &old_st) == 0;
    bool good = old && (old_there || errno == ENOENT || refuse_for(old, errno));
    if (good && old_there && (wrong = not_replaced(old, &old_st)) != NULL) good = run_output_refuse(old, wrong);
    free(old);
    if (!good || output->n_earlier == EARLIER_LOGS) return good;
    char *kept = strdup(path);
    if (!kept) return refuse_for(path, ENOMEM);
    output->earlier[output->n_earlier].path = kept;
    output->earlier[output->n_earlier].device = st.st_dev;
    output->earlier[output->n_earlier++].inode = st.st_ino;
    return true;
}

/* LOG, LOG_others, and LOG_2, LOG_3, ... as far as there are any. */
static bool run_output_look_at_names(const char *path, run_output *output) {
    bool there, good = run_output_look_at_name(path, output, &there);
    char *name = iol__merge_name(path, IOL_MERGE_OTHERS);
    if (good && name) good = run_output_look_at_name(name, output, &there);
    there = true;
    for (size_t number = 1; good && there && number < EARLIER_LOGS; number++) {
        free(name);
        name = numbered_log(path, number);
        if (!name) break;
        good = run_output_look_at_name(name, output, &there);
    }
    free(name);
    return good;
}

/* 0 or errno: a file is made there, without a name where the file system can do that. */
static int try_directory(const char *directory) {
    int fd = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
        char name[PATH_MAX];
        if (snprintf(name, sizeof name, "%s/.iolite-XXXXXX", directory) >= PATH_MAX) return ENAMETOOLONG;
        fd = mkostemp(name, O_CLOEXEC);
        if (fd >= 0) unlink(name);
    }
    if (fd < 0) return errno;
    close(fd);
    return 0;
}

bool check_run_output(const char *path, run_output *output) {
    char directory[PATH_MAX];
    const char *slash = strrchr(path, '/');
    *output = (run_output){0};
    const size_t length = slash ? (size_t)(slash - path) + (slash == path) : 0;
    if (length == 0 || length >= sizeof directory) return refuse_for(path, ENAMETOOLONG);
    memcpy(directory, path, length);
    directory[length] = '\0';
    if (!run_output_look_at_names(path, output)) return false;
    const int error = try_directory(directory);
    return !error || refuse_for(directory, error);
}

void make_way_for_log(run_output *output) {
    for (size_t i = 0; i < output->n_earlier; i++) {
        char *from = output->earlier[i].path, *to = name_of_old(from);
        struct stat st;
        if (to && lstat(from, &st) == 0 && st.st_dev == output->earlier[i].device &&
            st.st_ino == output->earlier[i].inode && rename(from, to) != 0)
            tell_stderr("%s: %s", to, strerror(errno));
        free(to);
        free(from);
    }
    output->n_earlier = 0;
}
