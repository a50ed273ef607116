/* System calls on files by libc's `syscall`. They are made by that function again, so that they are what they were: no
   cancellation points, with the kernel's own parameters. */
#include "runtime/posix/syscalls.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "runtime/posix/operations.h"
#include "runtime/core/process.h"
#include "runtime/core/real.h"
#include "runtime/posix/posix.h"

#if defined(__x86_64__) || defined(__aarch64__)

#define WORDS(...) __VA_ARGS__
#define ENTRY(type, name) static long seen_##name
#define CALL(type, name, arguments) (type) real(syscall)(SYS_##name, WORDS arguments)
#define FIRST(type, name, arguments) CALL(type, name, arguments)
#define CREATED(flags, mode) (((flags)&O_CREAT) || ((flags)&O_TMPFILE) == O_TMPFILE ? (mode) : 0)
#define HAND(name)
#define UNSEEN(name)                                                            \
    static long seen_##name(long a, long b, long c, long d, long e, long f) {   \
        __atomic_add_fetch(&iol__core_state.calls_unseen, 1, __ATOMIC_RELAXED); \
        return real(syscall)(SYS_##name, a, b, c, d, e, f);                     \
    }
#include "runtime/posix/forms.h"
#include "runtime/posix/syscalls.def"
#undef HAND
#undef UNSEEN

/* By hand: calls that change which descriptors there are, or where paths begin. */

static long seen_close(int fd) {
    if (fd == 2) iol__stderr_changed = true;
    iol__state *state = iol__posix_closing(fd);
    const double begin = iol__now();
    const long result = real(syscall)(SYS_close, fd);
    if (state) iol__posix_closed(state, result != 0, begin);
    return result;
}

static long seen_close_range(unsigned first, unsigned last, unsigned flags) {
    const long result = real(syscall)(SYS_close_range, first, last, flags);
    if (flags & (1 << 1)) iol__unshared((int)result, CLONE_FILES);                /* CLOSE_RANGE_UNSHARE */
    if (result == 0 && !(flags & (1 << 2))) iol__descriptors_forget(first, last); /* CLOSE_RANGE_CLOEXEC closes later */
    return result;
}

static long duplicated(long result, int fd, double begin) {
    if (result >= 0) iol__posix_duplicated((int)result, fd, IOL_POSIX_DUPS, begin);
    return result;
}

static long seen_dup(int fd) {
    const double begin = iol__now();
    return duplicated(real(syscall)(SYS_dup, fd), fd, begin);
}

#ifdef SYS_dup2
static long seen_dup2(int fd, int wanted) {
    const double begin = iol__now();
    return duplicated(real(syscall)(SYS_dup2, fd, wanted), fd, begin);
}
#endif

static long seen_dup3(int fd, int wanted, int flags) {
    const double begin = iol__now();
    return duplicated(real(syscall)(SYS_dup3, fd, wanted, flags), fd, begin);
}

static long seen_fcntl(int fd, int command, long argument) {
    const double begin = iol__now();
    const long result = real(syscall)(SYS_fcntl, fd, command, argument);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) duplicated(result, fd, begin);
    if (command == F_SETFL && result == 0) iol__posix_flags(fd, (int)argument);
    return result;
}

static long seen_ftruncate(int fd, off_t length) {
    const iol__opened *opened = iol__descriptor(fd);
    const double begin = iol__now();
    const long result = real(syscall)(SYS_ftruncate, fd, length);
    if (opened) iol__operation_done(IOL_OPERATION_TRUNCATE, result != 0, begin);
    if (opened && result == 0) iol__posix_cut(fd);
    return result;
}

static long seen_truncate(const char *path, off_t length) {
    if (!iol__awake()) return real(syscall)(SYS_truncate, path, length);
    const double begin = iol__now();
    const long result = real(syscall)(SYS_truncate, path, length);
    iol__operation_at(IOL_OPERATION_TRUNCATE, result != 0, AT_FDCWD, path, begin);
    if (result == 0) iol__posix_cut_at(path);
    return result;
}

static long seen_chdir(const char *path) {
    const long result = real(syscall)(SYS_chdir, path);
    iol__directory_changed();
    return result;
}

static long seen_fchdir(int fd) {
    const long result = real(syscall)(SYS_fchdir, fd);
    iol__directory_changed();
    return result;
}

/* Arguments are in registers, of which each function takes as many, and as much of each, as it knows of. */
static iol__syscall_seen *const functions[] = {
    NULL,
#define ROW(name) (iol__syscall_seen *)(void *)seen_##name,
#include "runtime/posix/syscall_rows.h"
#undef ROW
};

enum {
    ROW_NONE,
#define ROW(name) ROW_##name,
#include "runtime/posix/syscall_rows.h"
#undef ROW
};

/* Numbers of rows: addresses for every number would be a page that the loader has to fill in each process. */
static const uint8_t rows[IOL_SYSCALLS] = {
#define ROW(name) [SYS_##name] = ROW_##name,
#include "runtime/posix/syscall_rows.h"
#undef ROW
};
_Static_assert(sizeof functions / sizeof *functions <= UINT8_MAX, "a row's number is a byte");

iol__syscall_seen *iol__syscall_seen_by(long number) {
    return (unsigned long)number < IOL_SYSCALLS ? functions[rows[number]] : NULL;
}

#else
iol__syscall_seen *iol__syscall_seen_by(long number) {
    (void)number;
    return NULL;
}
#endif
