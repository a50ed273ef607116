/* The few things that Iolite does with its own system calls more than once, and the faults that tests put into them. */
#include "runtime/core/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>

bool iol__sealed;

enum { TRIES = 10000 }; /* of a call that is interrupted */

int iol__sys_open(int at, const char *path, int flags, int mode) {
    const int fd = (int)sys(openat, at, path, flags | O_CLOEXEC, mode);
    if (fd < 0 || fd > 2) return fd;
    const int higher = (int)sys(fcntl, fd, F_DUPFD_CLOEXEC, 3);
    const int why = errno;
    if (higher < 0 && (flags & O_CREAT) && (flags & O_EXCL)) sys(unlinkat, at, path, 0); /* nobody else knows of it */
    sys(close, fd);
    errno = why;
    return higher;
}

/* Neither opening nor reading waits, whatever the path leads to. */
static int open_plain_file(const char *path) {
    struct stat facts = {0};
    const int fd = iol__sys_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (fd < 0 || (sys(fstat, fd, &facts) == 0 && S_ISREG(facts.st_mode))) return fd;
    sys(close, fd);
    errno = EINVAL;
    return -1;
}

long iol__sys_read_file(const char *path, char *to, size_t room) {
    const int fd = open_plain_file(path);
    if (fd < 0) return -1;
    size_t have = 0;
    long got = 0;
    for (int tries = 0; have < room; tries++) {
        got = sys(read, fd, to + have, room - have);
        if (got < 0 && errno == EINTR && tries < TRIES) continue;
        if (got <= 0) break;
        have += (size_t)got;
    }
    sys(close, fd);
    return got < 0 ? -1 : (long)have;
}

long iol__sys_read_proc(const char *path, char *to, size_t room) {
    const int fd = iol__sys_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (fd < 0) return -1;
    const long got = sys(read, fd, to, room);
    sys(close, fd);
    return got;
}

/* A process that entered the namespace itself knows who it was at its start; others are in the first line of the map, which
   begins with number 0: "0 OUTSIDE COUNT". */
long iol__sys_user(void) {
    char map[64] = "";
    long user = sys(geteuid, 0);
    if (user == 0) user = (long)getauxval(AT_UID);
    if (user != 0 || iol__sys_read_proc("/proc/self/uid_map", map, sizeof map - 1) <= 0) return user;
    const char *at = map + strspn(map, " ");
    if (*at != '0') return user;
    at += 1 + strspn(at + 1, " ");
    long outside = 0;
    for (; *at >= '0' && *at <= '9'; at++) outside = outside * 10 + (*at - '0');
    return outside;
}

int iol__sys_write_all(int fd, const void *bytes, size_t length, long offset) {
    const char *at = bytes;
    for (int tries = 0; length > 0; tries++) {
        long done = sys(pwrite64, fd, at, length, offset);
        if (done < 0 && errno == EINTR && tries < TRIES) continue;
        if (done <= 0) return -1;
        at += done;
        length -= (size_t)done;
        offset += done;
    }
    return 0;
}

enum { KERNEL_SIGNALS = 8 }; /* bytes of the kernel's set of them */

bool iol__signals_keep_waiting(uint64_t *before) {
    static const int at_once[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
    uint64_t all = ~UINT64_C(0);
    for (size_t i = 0; i < sizeof at_once / sizeof *at_once; i++) all &= ~(UINT64_C(1) << (at_once[i] - 1));
    *before = 0;
    return sys(rt_sigprocmask, SIG_BLOCK, &all, before, KERNEL_SIGNALS) == 0;
}

void iol__signals_let_in(uint64_t before) { sys(rt_sigprocmask, SIG_SETMASK, &before, NULL, KERNEL_SIGNALS); }

void *iol__sys_memory(size_t bytes) {
    long at = sys(mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);
    return at == -1 ? NULL : (void *)at;
}

#if IOL_FAULTS
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/core/text.h"

/* IOL_FAULT_AT=n fails the n-th call, IOL_FAULT_FROM=n it and all later ones, with IOL_FAULT_ERRNO.
   IOL_FAULT_COUNT=FILE gets a line "pid calls" at the end. */
static long made, fail_at, fail_from, fail_errno = -1;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? iol__text_take_number(&text) : 0;
}

int iol__fault(int call) {
    if (fail_errno < 0) {
        fail_at = number("IOL_FAULT_AT");
        fail_from = number("IOL_FAULT_FROM");
        fail_errno = number("IOL_FAULT_ERRNO");
        if (fail_errno == 0) fail_errno = ENOSPC;
    }
    if (call == IOL_SYS_sched_yield) return 0;
    long n = __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
    if (n != fail_at && (fail_from == 0 || n < fail_from)) return 0;
    errno = (int)fail_errno;
    return 1;
}

/* IOL_RACE="PLACE=MS PLACE=MS": who passes such a place gives others that many milliseconds. */
void iol__fault_pause(const char *place) {
    const char *at = getenv("IOL_RACE");
    const size_t length = strlen(place);
    for (; at && *at; at += strcspn(at, " "), at += *at == ' ') {
        if (strncmp(at, place, length) != 0 || at[length] != '=') continue;
        const char *ms = at + length + 1;
        const struct timespec pause = {0, iol__text_take_number(&ms) * 1000000};
        iol__kernel(SYS_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
    }
}

static char *digits(char *to, long value) {
    if (value >= 10) to = digits(to, value / 10);
    *to = (char)('0' + value % 10);
    return to + 1;
}

void iol__fault_report(void) {
    const char *path = getenv("IOL_FAULT_COUNT");
    if (!path) return;
    char line[64], *end = digits(line, iol__kernel(SYS_getpid, 0, 0, 0, 0, 0, 0));
    *end++ = ' ';
    end = digits(end, made);
    *end++ = '\n';
    int fd = (int)iol__kernel(SYS_openat, AT_FDCWD, (long)path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600, 0, 0);
    if (fd < 0) return;
    if (iol__kernel(SYS_write, fd, (long)line, end - line, 0, 0, 0) < 0) made = 0;
    iol__kernel(SYS_close, fd, 0, 0, 0, 0, 0);
}
#endif
