/* The same look as that of the runtime when it makes a spool (runtime/output/held.c), with ordinary calls. */
#include "cmds/run/held.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmds/run/run_directory.h"
#include "record/held.h"

static int open_held_directory(int at, const char *path) {
    return openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

static long list_held_directory(int directory, void *to, size_t room) {
    return syscall(SYS_getdents64, directory, to, room);
}

static bool find_held_status(int at, const char *name, struct stat *st) {
    return fstatat(at, name, st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void close_held_directory(int directory) { close(directory); }

static void correct_place(const char *place) {
    static const iol__held_calls calls = {open_held_directory, list_held_directory, find_held_status,
                                          close_held_directory};
    char path[RUN_PATH];
    struct stat st;
    iol__held held;
    const int length = snprintf(path, sizeof path, "%s/" IOL_HELD_FILE "%lu", place, (unsigned long)geteuid());
    if (length < 0 || (size_t)length >= sizeof path) return;
    const int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
        pread(fd, &held, sizeof held, 0) == sizeof held && memcmp(held.magic, IOL_HELD_MAGIC, sizeof held.magic) == 0) {
        held.bytes = iol__held_measure(&calls, place, geteuid());
        if (held.bytes == 0)
            unlink(path);
        else if (pwrite(fd, &held, sizeof held, 0) != sizeof held)
            perror(path);
    }
    close(fd);
}

void correct_held(const iol__config *config) {
    const char *place;
    for (unsigned i = 0; (place = mapped_place(config, i)) != NULL; i++) correct_place(place);
}
