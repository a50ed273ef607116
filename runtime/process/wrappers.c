/* Wrapped functions that are about the process: its descriptors, its directory, its end, its children. */
#include <errno.h>
#include <gnu/libc-version.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include "record/mapped.h"
#include "runtime/core/core.h"
#include "runtime/process/declarations.h"
#include "runtime/core/process.h"
#include "runtime/core/real.h"
#include "runtime/core/text.h"
#include "runtime/posix/posix.h"
#include "runtime/stdio/stdio.h"

int pidfd_open(pid_t pid, unsigned flags); /* older headers do not have it */

#define FUNCTION(type, name, parameters)

#define MAKES(name, parameters, arguments)                \
    IOL_EXPORT int name parameters {                      \
        const int result = real(name) arguments;          \
        if (result >= 0) iol__descriptor_no_file(result); \
        return result;                                    \
    }

#define MOVES(type, name, parameters, arguments) \
    IOL_EXPORT type name parameters {            \
        type result = real(name) arguments;      \
        iol__directory_changed();                \
        return result;                           \
    }

#include "runtime/process/functions.def"

/* Descriptors ------------------------------------------------------------------------------------------------------ */

static int made_pair(int result, const int *pair) {
    if (result == 0) {
        iol__descriptor_no_file(pair[0]);
        iol__descriptor_no_file(pair[1]);
    }
    return result;
}

IOL_EXPORT int socketpair(int family, int type, int protocol, int pair[2]) {
    return made_pair(real(socketpair)(family, type, protocol, pair), pair);
}
IOL_EXPORT int pipe(int pair[2]) { return made_pair(real(pipe)(pair), pair); }
IOL_EXPORT int pipe2(int pair[2], int flags) { return made_pair(real(pipe2)(pair, flags), pair); }

IOL_EXPORT int close_range(unsigned first, unsigned last, int flags) {
    const int result = real(close_range)(first, last, flags);
    if (flags & (1 << 1)) iol__unshared(result, CLONE_FILES);                     /* CLOSE_RANGE_UNSHARE */
    if (result == 0 && !(flags & (1 << 2))) iol__descriptors_forget(first, last); /* CLOSE_RANGE_CLOEXEC closes later */
    return result;
}

IOL_EXPORT void closefrom(int first) {
    iol__descriptors_forget(first < 0 ? 0 : (unsigned)first, IOL_DESCRIPTORS);
    real(closefrom)(first);
}

IOL_EXPORT int shm_open(const char *name, int flags, mode_t mode) {
    const int result = real(shm_open)(name, flags, mode);
    if (result >= 0) iol__descriptor_no_file(result);
    return result;
}

/* The parent ends inside, and the child comes out. */
IOL_EXPORT int daemon(int stay, int keep) {
    iol__exec_before();
    const int result = real(daemon)(stay, keep);
    if (result != 0) iol__exec_failed();
    if (result == 0) {
        if (!keep) iol__descriptors_forget(0, 2);
        iol__directory_changed();
    }
    return result;
}

IOL_EXPORT int chroot(const char *path) {
    iol__keep_directory();
    const bool written = iol__jail_before();
    const int result = real(chroot)(path);
    if (written) iol__jail_after(result == 0);
    iol__directory_changed();
    return result;
}

/* What is mounted may cover the run's directory; what goes may take it along, or bare another one. */
IOL_EXPORT int mount(const char *what, const char *where, const char *type, unsigned long flags, const void *data) {
    iol__keep_directory();
    return iol__mounted(real(mount)(what, where, type, flags, data));
}

IOL_EXPORT int umount(const char *where) {
    iol__keep_directory();
    return iol__mounted(real(umount)(where));
}

IOL_EXPORT int umount2(const char *where, int flags) {
    iol__keep_directory();
    return iol__mounted(real(umount2)(where, flags));
}

IOL_EXPORT int move_mount(int from, const char *what, int to, const char *where, unsigned flags) {
    iol__keep_directory();
    return iol__mounted(real(move_mount)(from, what, to, where, flags));
}

/* The mounts of others: it concerns this process, and what it starts. */
IOL_EXPORT int setns(int fd, int kind) {
    iol__keep_directory();
    const int result = real(setns)(fd, kind);
    iol__directory_changed();
    return result;
}

IOL_EXPORT int unshare(int flags) { return iol__unshared(real(unshare)(flags), flags); }

/* Once the size of files is limited it is too late to make the one that holds the records. */
static void before_limit(int what, const void *limit) {
    if (what != RLIMIT_FSIZE || !limit || !iol__mine()) return;
    const int saved = errno;
    iol__records_early();
    errno = saved;
}

IOL_EXPORT int setrlimit(__rlimit_resource_t what, const struct rlimit *limit) {
    before_limit((int)what, limit);
    return real(setrlimit)(what, limit);
}

IOL_EXPORT int setrlimit64(__rlimit_resource_t what, const struct rlimit64 *limit) {
    before_limit((int)what, limit);
    return real(setrlimit64)(what, limit);
}

IOL_EXPORT int prlimit(pid_t pid, enum __rlimit_resource what, const struct rlimit *limit, struct rlimit *old) {
    before_limit((int)what, limit);
    return real(prlimit)(pid, what, limit, old);
}

IOL_EXPORT int prlimit64(pid_t pid, enum __rlimit_resource what, const struct rlimit64 *limit, struct rlimit64 *old) {
    before_limit((int)what, limit);
    return real(prlimit64)(pid, what, limit, old);
}

/* The kernel sends a signal for calls from elsewhere than a part of memory that we are not in. Older headers do not have
   the names. */
enum { SET_DISPATCH = 59, DISPATCH_OFF = 0, DISPATCH_ON = 1 };

/* A filter of system calls would end the program at one of ours; and the processor's counter can be taken away. */
IOL_EXPORT int prctl(int option, ...) {
    static bool dispatches; /* and that alone keeps us from calling */
    unsigned long a[4];
    va_list values;
    va_start(values, option);
    for (int i = 0; i < 4; i++) a[i] = va_arg(values, unsigned long); // NOLINT(clang-analyzer-valist.Uninitialized)
    va_end(values);
    const bool filter = option == PR_SET_SECCOMP, dispatch = option == SET_DISPATCH;
    const bool new =
        (filter || (dispatch && a[0] == DISPATCH_ON)) && iol__locked_in(filter && a[0] == SECCOMP_MODE_STRICT);
    if (option == PR_SET_TSC) iol__clock_give_up();
    const int result = real(prctl)(option, a[0], a[1], a[2], a[3]);
    if (new &&result != 0) iol__locked_in_failed();
    if (filter && result == 0) dispatches = false;
    if (dispatch && result == 0) {
        if (a[0] == DISPATCH_OFF && dispatches) iol__locked_in_failed();
        dispatches = a[0] == DISPATCH_ON && (new || dispatches);
    }
    return result;
}

/* Before it can be cancelled anywhere. */
IOL_EXPORT int pthread_setcanceltype(int type, int *old) {
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS && iol__awake()) iol__mortal_note();
    const int result = real(pthread_setcanceltype)(type, old);
    if (type == PTHREAD_CANCEL_DEFERRED) iol__mortal_forget();
    return result;
}

/* The end ---------------------------------------------------------------------------------------------------------- */

IOL_EXPORT void _exit(int status) {
    iol__finish(IOL_ENDED_EXIT);
    real(_exit)(status);
    __builtin_unreachable();
}

IOL_EXPORT void _Exit(int status) {
    iol__finish(IOL_ENDED_EXIT);
    real(_Exit)(status);
    __builtin_unreachable();
}

/* Children that share our memory ----------------------------------------------------------------------------------- */

/* vfork returns twice on one stack, so nothing of ours may be on it: a note for this thread, and on to the real one.
   The child's calls, and the first one of the parent afterwards, then ask who they are. */
__attribute__((used)) static void *before_vfork(void) {
    iol__sharing_memory(false);
    return (void *)real(vfork);
}

/* Until 2.33 pthread_create is in a library of its own, and calls clone as anybody would, always with these flags. */
static bool is_libc_thread(int flags) {
    enum { THREAD = 0x3d0f00, OUTSIDE = 33 };
    const char *version = gnu_get_libc_version();
    if (flags != THREAD || version[0] != '2' || version[1] != '.') return false;
    version += 2;
    return iol__text_take_number(&version) <= OUTSIDE;
}

/* A clone that has our memory, and does not stop us as vfork does, goes on beside us: a thread that the C library does
   not know of, and with it none of our locks. */
__attribute__((used)) static void *before_clone(int flags) {
    enum { MEMORY = 0x100, STOPS_US = 0x4000 };
    if ((flags & MEMORY) && (flags & STOPS_US))
        iol__sharing_memory(false);
    else if ((flags & MEMORY) && !is_libc_thread(flags))
        iol__stop_recording("it makes threads without the C library");
    return (void *)real(clone);
}

#if defined(__x86_64__)
/* Keeps all registers that carry arguments, asks `before` which function to go on to, and goes there. */
#define GO_ON(name, first_argument, before)                                                         \
    "  pushq %rdi\n  pushq %rsi\n  pushq %rdx\n  pushq %rcx\n  pushq %r8\n  pushq %r9\n  subq $8, " \
    "%rsp\n" first_argument "  call " before "\n"                                                   \
    "  addq $8, %rsp\n  popq %r9\n  popq %r8\n  popq %rcx\n  popq %rdx\n  popq %rsi\n  popq %rdi\n" \
    "  jmp *%rax\n"                                                                                 \
    ".size " name ", .-" name "\n"
#define BEGIN(name) ".globl " name "\n.type " name ", @function\n" name ":\n"

__asm__(".text\n"                                                                        /* */
        BEGIN("vfork") BEGIN("__vfork") "  endbr64\n" GO_ON("vfork", "", "before_vfork") /* */
        BEGIN("clone") BEGIN("__clone") "  endbr64\n" GO_ON("clone", "  movl %edx, %edi\n", "before_clone"));
#elif defined(__aarch64__)
#define GO_ON(name, first_argument, before)                                                      \
    "  hint #34\n" /* bti c */                                                                   \
    "  stp x29, x30, [sp, #-80]!\n  stp x0, x1, [sp, #16]\n  stp x2, x3, [sp, #32]\n"            \
    "  stp x4, x5, [sp, #48]\n  stp x6, x7, [sp, #64]\n" first_argument "  bl " before "\n"      \
    "  mov x16, x0\n  ldp x0, x1, [sp, #16]\n  ldp x2, x3, [sp, #32]\n  ldp x4, x5, [sp, #48]\n" \
    "  ldp x6, x7, [sp, #64]\n  ldp x29, x30, [sp], #80\n  br x16\n"                             \
    ".size " name ", .-" name "\n"
#define BEGIN(name) ".globl " name "\n.type " name ", %function\n" name ":\n"

__asm__(".text\n"                                                          /* */
        BEGIN("vfork") BEGIN("__vfork") GO_ON("vfork", "", "before_vfork") /* */
        BEGIN("clone") BEGIN("__clone") GO_ON("clone", "  mov w0, w2\n", "before_clone"));
#endif
