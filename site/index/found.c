/* Small logs are read here. Large ones are read in a process of their own, with limits of processor time and memory: what
   goes beyond them, or makes the reader crash, is marked, and the others go on. */
#include "site/index/found.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "log/read/log_internal.h"
#include "site/index/names.h"
#include "text/number.h"

enum {
    IN_MEMORY = 8 << 20, /* larger logs are read from the file */
    APART = 1 << 20,     /* larger logs are read by another process */
    PATIENCE = 20,       /* times the limit of processor time, for a file system that hangs */
    NO_MEMORY = 9,       /* exit status of that process */
};

/* The memory of sanitizers does not survive a fork beside other threads. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
static const bool can_read_apart = false;
#else
static const bool can_read_apart = true;
#endif

void iol__found_free(iol__found *found) {
    if (!found) return;
    iol__entry_free(&found->entry);
    free(found->reason);
    free((char *)(uintptr_t)found->name);
    free(found);
}

/* Reading one log ----------------------------------------------------------------------------------------------- */

static char *read_bytes(int fd, size_t size) {
    char *bytes = malloc(size + 1);
    size_t got = 0;
    while (bytes && got < size) {
        ssize_t n = pread(fd, bytes + got, size - got, (off_t)got);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break; /* it shrank; the reader says what is missing */
        got += (size_t)n;
    }
    if (bytes) memset(bytes + got, 0, size - got);
    return bytes;
}

/* What is kept of a log; it is closed. */
static iol_status make_entry(const iol__ingest_options *options, iol_log *log, const char *shown, iol__found *found,
                             iol_error *error) {
    iol_status status = iol__entry_make_of(log, shown, found->owner, &options->plan, &found->entry, error);
    /* A machine that has no memory left, or a disk that fails, is no damage of the log. */
    for (size_t i = 0; i < iol_log_error_count(log) && status != IOL_SYSTEM; i++)
        if (iol_log_error(log, i)->status == IOL_SYSTEM)
            status = iol__store_fail(error, IOL_SYSTEM, "%.300s", iol_log_error(log, i)->message);
    if (status == IOL_OK && iol_log_info(log)->job_damaged)
        status = iol__store_fail(error, IOL_DAMAGED, "%.200s: the job record cannot be read", shown);
    iol_log_close(log);
    return status;
}

static iol_status read_log(const iol__ingest_options *options, int fd, size_t size, const char *shown,
                           iol__found *found, iol_error *error) {
    iol_log *log = NULL;
    char *bytes = NULL;
    iol_status status;
    if (size <= IN_MEMORY) {
        bytes = read_bytes(fd, size);
        if (!bytes) return iol__store_fail(error, IOL_SYSTEM, "out of memory");
        status = iol_log_open_memory(bytes, size, shown, &log, error);
    } else {
        status = iol__log_open_part(fd, shown, 0, size, &log, error);
    }
    if (status == IOL_OK) status = make_entry(options, log, shown, found, error);
    free(bytes);
    return status;
}

static void break_it(iol__found *found, const char *reason) {
    iol__arena scratch = {0};
    jmp_buf exhausted;
    found->broken = true;
    scratch.exhausted = &exhausted;
    if (setjmp(exhausted) == 0) found->reason = strdup(iol__valid_text(&scratch, reason));
    iol__arena_free(&scratch);
}

/* In a process of its own ---------------------------------------------------------------------------------------- */

static void limit_memory(uint64_t most) {
    unsigned long pages = 0;
#ifdef __GLIBC__
    malloc_trim(0); /* what the process had for other logs is no gift to this one */
#endif
    FILE *file = most ? fopen("/proc/self/statm", "re") : NULL;
    if (!file) return;
    /* The sixth: data. Address space would not do, because threads have large parts of it in reserve. */
    if (fscanf(file, "%*s %*s %*s %*s %*s %lu", &pages) == 1) {
        rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + most;
        setrlimit(RLIMIT_DATA, &(struct rlimit){bytes, bytes});
    }
    fclose(file);
}

static void limit_time(double seconds) {
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    signal(SIGPROF, SIG_DFL);
    if (seconds > 0) setitimer(ITIMER_PROF, &timer, NULL);
}

static _Noreturn void read_and_tell(const iol__ingest_options *options, int fd, const char *path, iol__found *found,
                                    int to) {
    iol_error error = {0};
    iol__rows rows = {0};
    signal(SIGPIPE, SIG_IGN);
    limit_time(options->most_seconds);
    limit_memory(options->most_memory);
    error.status = read_log(options, fd, (size_t)found->size, path, found, &error);
    if (error.status == IOL_SYSTEM && strstr(error.message, "memory")) _exit(NO_MEMORY);
    if (error.status != IOL_OK) break_it(found, error.message);
    iol__found_pack(&rows, found);
    if (rows.failed) _exit(NO_MEMORY);
    for (size_t at = 0; at < rows.length;) {
        ssize_t n = write(to, rows.bytes + at, rows.length - at);
        if (n < 0 && errno != EINTR) _exit(1);
        if (n > 0) at += (size_t)n;
    }
    _exit(0);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* All that comes; false when it does not end in time. */
static bool listen_to(int from, double until, iol__rows *rows) {
    char bytes[65536];
    for (;;) {
        struct pollfd wait = {.fd = from, .events = POLLIN};
        double left = until - now();
        if (left <= 0) return false;
        if (poll(&wait, 1, left < 1 ? 1000 : 10000) <= 0) continue;
        ssize_t n = read(from, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return true;
        iol__rows_add(rows, bytes, (size_t)n);
    }
}

static void describe(const iol__ingest_options *options, int status, bool ended, char reason[200]) {
    char limit[IOL_HUMAN];
    if (!ended || (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF))
        snprintf(reason, 200, "takes longer than the limit of %s", iol__human_seconds(limit, options->most_seconds));
    else if (WIFEXITED(status) && WEXITSTATUS(status) == NO_MEMORY)
        snprintf(reason, 200, "needs more memory than the limit of %s",
                 iol__human_bytes(limit, (double)options->most_memory));
    else if (WIFSIGNALED(status))
        snprintf(reason, 200, "the reader was ended by signal %d", WTERMSIG(status));
    else
        snprintf(reason, 200, "the reader failed");
}

/* Replaces what is found by what the other process says. */
static iol__found *read_apart(const iol__ingest_options *options, int fd, const char *path, iol__found *found) {
    int ends[2], status = 0;
    if (pipe(ends) != 0) return found;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        read_and_tell(options, fd, path, found, ends[1]);
    }
    close(ends[1]);
    iol__rows rows = {0};
    double until = now() + (options->most_seconds > 0 ? PATIENCE * options->most_seconds + 10 : 1e9);
    bool ended = child > 0 && listen_to(ends[0], until, &rows);
    close(ends[0]);
    if (child > 0 && !ended) kill(child, SIGKILL);
    if (child > 0)
        waitpid(child, &status, ended ? 0 : WNOHANG); /* one that hangs in the file system cannot be waited for */
    const char *at = rows.bytes;
    iol__found *sent = ended && status == 0 && at && !rows.failed ? iol__found_unpack(&at, at + rows.length) : NULL;
    iol__rows_free(&rows);
    if (sent) {
        sent->dir = found->dir;
        iol__found_free(found);
        return sent;
    }
    char reason[200];
    describe(options, status, ended, reason);
    break_it(found, child < 0 ? "no other process could be started to read it" : reason);
    return found;
}

/* One file ------------------------------------------------------------------------------------------------------ */

static iol__found *judge_file(const iol__ingest_options *options, int fd, const char *path, iol__found *found) {
    iol_error error = {0};
    char limit[IOL_HUMAN];
    uint64_t most = options->most_bytes;
    if (most && (uint64_t)found->size > most)
        iol__store_fail(&error, IOL_LIMIT, "larger than the limit of %s", iol__human_bytes(limit, (double)most));
    else if (can_read_apart && found->size > APART && (options->most_seconds > 0 || options->most_memory))
        return read_apart(options, fd, path, found);
    else
        error.status = read_log(options, fd, (size_t)found->size, path, found, &error);
    if (error.status != IOL_OK) break_it(found, error.message);
    return found;
}

iol__found *iol__found_read(const iol__ingest_options *options, int dir_fd, const iol__walk_dir *dir, const char *name,
                            int64_t before) {
    struct stat status;
    int fd = dir_fd < 0 ? -1 : iol__walk_open_file(dir_fd, name, &status);
    if (fd < 0 && (errno == ENOENT || errno == EINVAL || errno == ELOOP || errno == ENOTDIR)) return NULL;
    int reason = errno;
    iol__found *found = calloc(1, sizeof *found);
    char *path = NULL, *raw = iol__path_of_key(dir->key);
    if (!found || !raw || asprintf(&path, "%s/%s", raw, name) < 0 || !(found->name = iol__key_of_path(name))) {
        free(found);
        found = NULL;
    } else if (fd < 0) {
        found->dir = dir->key;
        found->closed = true;
        break_it(found, strerror(reason));
    } else {
        found->dir = dir->key;
        found->before = before;
        found->owner = (int64_t)status.st_uid;
        found->device = (int64_t)status.st_dev;
        found->inode = (int64_t)status.st_ino;
        found->size = status.st_size;
        found->mtime = (int64_t)status.st_mtim.tv_sec * 1000000 + status.st_mtim.tv_nsec / 1000;
        found = judge_file(options, fd, path, found);
    }
    if (fd >= 0) close(fd);
    free(raw);
    free(path);
    return found;
}

iol__found *iol__found_bundled(const iol__ingest_options *options, iol__bundle *bundle, const iol__walk_dir *dir,
                               const char *name, int64_t before) {
    iol_error error = {0};
    iol__bundle_entry entry;
    iol_log *log;
    iol__found *found = calloc(1, sizeof *found);
    if (!found || !(found->name = iol__key_of_path(name))) {
        iol__found_free(found);
        return NULL;
    }
    found->dir = dir->key;
    found->before = before;
    found->owner = -1;
    error.status = iol__bundle_find(bundle, name, &entry, &error);
    if (error.status == IOL_OK) {
        found->size = (int64_t)entry.size;
        found->mtime = entry.mtime / 1000;
        error.status = iol__bundle_log(bundle, &entry, &log, &error);
        if (error.status == IOL_OK) error.status = make_entry(options, log, name, found, &error);
    }
    if (error.status != IOL_OK) break_it(found, error.message);
    return found;
}
