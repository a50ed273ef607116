/* One small file that all processes of the user change, each for an instant. It has to be the user's own, and a file: the
   place is everybody's. */
#include "runtime/output/held.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "record/held.h"
#include "runtime/core/core.h"
#include "runtime/output/spool.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

enum { PATH_ROOM = 4096 + 64, PART = 4 /* of the machine that one user's records may take: one in PART */ };

/* The counter ------------------------------------------------------------------------------------------------------ */

static bool is_ours(const struct stat *st) {
    return S_ISREG(st->st_mode) && st->st_uid == (uid_t)sys(geteuid, 0) && (st->st_mode & 077) == 0 &&
           st->st_nlink == 1;
}

static uint64_t machine_allows(const char *place) {
    struct statfs facts = {0};
    uint64_t most = iol__memory_limit() / PART;
    if (sys(statfs, place, &facts) == 0 && facts.f_bsize > 0 && facts.f_blocks > 0) {
        const uint64_t part = (uint64_t)facts.f_blocks * (uint64_t)facts.f_bsize / PART;
        if (part < most) most = part;
    }
    return most;
}

/* A new one, or one whose maker was killed. */
static void begin_counter(const char *place, iol__held *held) {
    *held = (iol__held){.most = machine_allows(place)};
    memcpy(held->magic, IOL_HELD_MAGIC, sizeof held->magic);
}

/* Opens and locks it; what is in it. Whoever makes logs removes it when nothing is left: one that has no name any more is
   nobody's. */
static int open_counter(const char *place, iol__held *held) {
    enum { TRIES = 3 };
    static char path[PATH_ROOM];
    iol__text text = {path, sizeof path, 0};
    iol__text_add(&text, place);
    iol__text_add(&text, "/" IOL_HELD_FILE);
    iol__text_number(&text, iol__sys_user());
    for (int i = 0; i < TRIES; i++) {
        struct stat st = {0};
        int fd = iol__sys_open(AT_FDCWD, path, O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0);
        if (fd < 0 && errno == ENOENT) fd = iol__sys_open(AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
        if (fd < 0) {
            if (errno == EEXIST) continue;
            return -1;
        }
        const bool locked = iol__lock_briefly(fd) && sys(fstat, fd, &st) == 0;
        if (locked && is_ours(&st)) {
            if (sys(pread64, fd, held, sizeof *held, 0L) != (long)sizeof *held ||
                memcmp(held->magic, IOL_HELD_MAGIC, sizeof held->magic) != 0)
                begin_counter(place, held);
            return fd;
        }
        sys(close, fd);
        if (!locked || st.st_nlink > 0) return -1;
    }
    return -1;
}

static bool close_counter(int fd, const iol__held *held) {
    const bool done = iol__may_write(fd, sizeof *held) && iol__sys_write_all(fd, held, sizeof *held, 0) == 0;
    sys(close, fd);
    return done;
}

static uint64_t limit_of(const iol__held *held) {
    const uint64_t set = (uint64_t)iol__setting_number(&iol__core_state.config, IOL_SET_SPOOL_MEMORY);
    return set < held->most ? set : held->most;
}

bool iol__held_change(const char *place, int64_t bytes) {
    iol__held held;
    const int fd = open_counter(place, &held);
    if (fd < 0) return bytes <= 0;
    if (bytes > 0 && (held.bytes > limit_of(&held) || (uint64_t)bytes > limit_of(&held) - held.bytes)) {
        sys(close, fd);
        return false;
    }
    const uint64_t less = bytes < 0 ? (uint64_t)-bytes : 0;
    held.bytes = bytes >= 0 ? held.bytes + (uint64_t)bytes : held.bytes > less ? held.bytes - less : 0;
    return close_counter(fd, &held) || bytes <= 0;
}

void iol__held_dropped(const char *place) {
    iol__held held;
    const int fd = open_counter(place, &held);
    if (fd < 0) return;
    held.dropped++;
    close_counter(fd, &held);
}

bool iol__held_speaks(const char *place, uint64_t job) {
    iol__held held;
    const int fd = open_counter(place, &held);
    if (fd < 0) return true;
    bool told = false;
    for (int i = 0; i < IOL_HELD_JOBS; i++) told = told || held.said[i] == job;
    if (told) {
        sys(close, fd);
        return false;
    }
    held.said[held.next++ % IOL_HELD_JOBS] = job;
    close_counter(fd, &held);
    return true;
}

/* Counting again --------------------------------------------------------------------------------------------------- */

static int open_directory(int at, const char *path) {
    return iol__sys_open(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK, 0);
}

static long list_directory(int directory, void *to, size_t room) { return sys(getdents64, directory, to, room); }

static bool find_status(int at, const char *name, struct stat *st) {
    *st = (struct stat){0};
    return sys(newfstatat, at, name, st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void close_directory(int directory) { sys(close, directory); }

void iol__held_correct(const char *place) {
    static const iol__held_calls calls = {open_directory, list_directory, find_status, close_directory};
    iol__held held;
    const uint64_t bytes = iol__held_measure(&calls, place, (uid_t)sys(geteuid, 0));
    const int fd = open_counter(place, &held);
    if (fd < 0) return;
    held.bytes = bytes;
    held.most = machine_allows(place);
    close_counter(fd, &held);
}
