/* The directory of a run: made before the program starts, emptied when its log is written. Only its owner may enter it;
   processes of the run that have become somebody else leave their records beside it. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/leftovers.h"
#include "cmds/run_directory.h"
#include "record/hash.h"
#include "record/mapped.h"

enum { LOCK_TRIES = 200, LOCK_PAUSE_US = 10000 };

const char *mapped_place(const iol__config *config, unsigned index) {
    static const char *const usual[] = {"/dev/shm", "/tmp"};
    const char *set = config->values[IOL_SET_MMAP_DIR].text;
    if (*set && index-- == 0) return set;
    return index < sizeof usual / sizeof *usual ? usual[index] : NULL;
}

/* Making ---------------------------------------------------------------------------------------------------------- */

static uint64_t random_number(const struct timespec *time) {
    uint64_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
        int64_t facts[] = {time->tv_sec, time->tv_nsec, getpid()};
        number = iol__hash(facts, sizeof facts, 0);
    }
    return number ? number : 1;
}

static bool make_file(const run_directory *run, const char *name, const void *bytes, size_t length) {
    char path[RUN_PATH + 32];
    snprintf(path, sizeof path, "%s/%s", run->path, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return false;
    fchmod(fd, 0600); /* whatever the umask is */
    bool written = write(fd, bytes, length) == (ssize_t)length;
    if (close(fd) != 0) written = false;
    return written;
}

static bool fill(const run_directory *run) {
    iol__spool_head head = {.committed = sizeof head};
    memcpy(head.magic, IOL_SPOOL_MAGIC, sizeof head.magic);
    return make_file(run, IOL_RUN_SPOOL, &head, sizeof head) && make_file(run, IOL_RUN_PROCESSES, "", 0);
}

/* The lock goes when this process does, however it ends. Nothing else depends on it, so that a file system without
   locks will do. */
static void hold(run_directory *run) {
    run->held = open(run->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (run->held >= 0) flock(run->held, LOCK_SH);
}

static void let_go(run_directory *run) {
    if (run->held >= 0) close(run->held);
    run->held = -1;
}

bool run_lives(const char *path) {
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return false;
    const bool lives = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(fd);
    return lives;
}

/* 0 or errno. */
static int make_at(const char *place, run_directory *run) {
    int length = snprintf(run->path, sizeof run->path, "%s/iolite-run-%lu-%016" PRIx64, place, (unsigned long)getuid(),
                          run->number);
    if (length < 0 || (size_t)length >= sizeof run->path) return ENAMETOOLONG;
    if (mkdir(run->path, 0700) != 0) return errno;
    chmod(run->path, 0700);
    hold(run);
    errno = 0;
    if (fill(run)) return 0;
    int error = errno ? errno : ENOSPC;
    remove_run_directory(run);
    let_go(run);
    return error;
}

/* A relative directory would be another one in every process that changes its own. */
static const char *absolute(const char *place, char *room) { return *place == '/' ? place : realpath(place, room); }

bool make_run_directory(const iol__config *config, run_directory *run) {
    char full[PATH_MAX];
    clock_gettime(CLOCK_REALTIME, &run->zero);
    clock_gettime(CLOCK_MONOTONIC, &run->monotonic);
    run->number = random_number(&run->zero);
    const char *place;
    for (unsigned i = 0; (place = mapped_place(config, i)) != NULL; i++) {
        errno = 0;
        const char *path = absolute(place, full);
        int error = path ? make_at(path, run) : errno;
        if (!error) return true;
        fprintf(stderr, "iolite: records cannot be kept in %s: %s\n", place, strerror(error));
    }
    return false;
}

void describe_run(const run_directory *run, char *text, size_t room) {
    uint64_t monotonic = (uint64_t)run->monotonic.tv_sec * 1000000000u + (uint64_t)run->monotonic.tv_nsec;
    snprintf(text, room, "%" PRIx64 ":%lld.%09ld:%" PRIu64 ":%s", run->number, (long long)run->zero.tv_sec,
             run->zero.tv_nsec, monotonic, run->path);
}

/* Ending ---------------------------------------------------------------------------------------------------------- */

#define SPOOL_CLOSED IOL_RUN_SPOOL ".closed"

static void path_in(const run_directory *run, const char *name, char path[RUN_PATH + 32]) {
    snprintf(path, RUN_PATH + 32, "%s/%s", run->path, name);
}

void list_unseen(const run_directory *run, int32_t pid, const char *command) {
    char path[RUN_PATH + 32];
    struct stat st;
    size_t length = strlen(command), padded = (length + 7) / 8 * 8;
    path_in(run, IOL_RUN_PROCESSES, path);
    if (stat(path, &st) != 0 || st.st_size != 0) return;
    struct {
        iol__process_entry entry;
        char command[4096];
    } one = {.entry = {.pid = pid,
                       .parent = getpid(),
                       .run = run->number,
                       .zero_s = run->zero.tv_sec,
                       .zero_ns = run->zero.tv_nsec}};
    if (padded > sizeof one.command) return;
    one.entry.bytes = (uint32_t)(sizeof one.entry + padded);
    one.entry.command_bytes = (uint32_t)length;
    memcpy(one.command, command, length);
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0) return;
    ssize_t written = write(fd, &one, one.entry.bytes);
    (void)written; /* the log can do without */
    close(fd);
}

void close_spool(const run_directory *run) {
    char open_path[RUN_PATH + 32], closed_path[RUN_PATH + 32];
    path_in(run, IOL_RUN_SPOOL, open_path);
    path_in(run, SPOOL_CLOSED, closed_path);
    if (rename(open_path, closed_path) != 0) return;
    int fd = open(closed_path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return;
    /* A writer that stands still with the lock held has not moved the mark: what counts is whole in any case. */
    for (int i = 0; i < LOCK_TRIES && flock(fd, LOCK_EX | LOCK_NB) != 0; i++) usleep(LOCK_PAUSE_US);
    close(fd);
}

static bool copy(const char *from, const char *to) {
    int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), out = -1;
    bool good = false;
    ssize_t got = 0;
    if (in >= 0) out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (out >= 0) {
        while ((got = sendfile(out, in, NULL, 1 << 24)) > 0) continue;
        good = close(out) == 0 && got == 0;
        if (!good) unlink(to);
    }
    if (in >= 0) close(in);
    return good;
}

/* Beside the rest of the run it is seen which records are of one process. */
static bool move_in(const run_directory *run, const char *stray) {
    char path[RUN_PATH + PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", run->path, strrchr(stray, '/') + 1);
    if (!mapped_is_dead(stray)) return false;
    if (rename(stray, path) == 0) return true;
    if (errno != EXDEV || !copy(stray, path)) return false;
    if (unlink(stray) == 0) return true;
    unlink(path); /* or it would count twice */
    return false;
}

char **gather_strays(const iol__config *config, const run_directory *run) {
    glob_t found = {0};
    const char *place;
    for (unsigned i = 0; (place = mapped_place(config, i)) != NULL; i++) {
        char pattern[PATH_MAX];
        if (snprintf(pattern, sizeof pattern, "%s/iolite-%016" PRIx64 "-*" IOL_MAPPED_SUFFIX, place, run->number) >=
            PATH_MAX)
            continue;
        glob(pattern, i ? GLOB_APPEND : 0, NULL, &found);
    }
    char **strays = calloc(found.gl_pathc + 1, sizeof *strays);
    for (size_t i = 0, kept = 0; strays && i < found.gl_pathc; i++) {
        if (move_in(run, found.gl_pathv[i])) continue;
        strays[kept] = strdup(found.gl_pathv[i]);
        kept += strays[kept] != NULL;
    }
    globfree(&found);
    return strays;
}

void free_strays(char **strays) {
    for (char **stray = strays; stray && *stray; stray++) free(*stray);
    free(strays);
}

void tell_messages(const run_directory *run) {
    char path[RUN_PATH + 32], first[512] = "", line[512];
    unsigned more = 0;
    path_in(run, IOL_RUN_MESSAGES, path);
    FILE *file = fopen(path, "re");
    if (!file) return;
    if (!fgets(first, sizeof first, file)) first[0] = '\0';
    while (fgets(line, sizeof line, file)) more++;
    fclose(file);
    first[strcspn(first, "\n")] = '\0';
    if (!first[0]) return;
    fprintf(stderr, "iolite: %s", first);
    if (more) fprintf(stderr, " (and %u more)", more);
    fputc('\n', stderr);
}

/* A process that was killed while it made its mapped file leaves one without a log in it. Whose process it is stands in
   its name. */
static void remove_unfinished(const run_directory *run) {
    char pattern[RUN_PATH + 64];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/iolite-%016" PRIx64 "-*" IOL_MAPPED_SUFFIX, run->path, run->number);
    if (glob(pattern, 0, NULL, &found) != 0) return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        char head[16] = {0};
        static const char none[8];
        const long pid = strtol(path + strlen(run->path) + sizeof "/iolite-0123456789abcdef", NULL, 10);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        bool empty = fd >= 0 && pread(fd, head, sizeof head, 0) >= 0 && memcmp(head + 8, none, sizeof none) == 0;
        if (fd >= 0) close(fd);
        if (empty && pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH) unlink(path);
    }
    globfree(&found);
}

void remove_run_directory(const run_directory *run) {
    remove_unfinished(run);
    static const char closed[] = SPOOL_CLOSED;
    const char *const names[] = {IOL_RUN_SPOOL, closed, IOL_RUN_PROCESSES, IOL_RUN_MESSAGES, IOL_RUN_LOGS};
    char path[RUN_PATH + 32];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        path_in(run, names[i], path);
        unlink(path);
    }
    rmdir(run->path);
}
