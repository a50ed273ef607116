/* System calls that Iolite makes for itself: sys(openat, AT_FDCWD, path, flags, 0), -1 with errno on failure. In the
   form of the library for fault tests each of them can be made to fail: IOL_FAULTS is 1 there and 0 elsewhere. Sources
   that make no system calls are compiled once for all forms and do not know the word: with its first call a source goes
   into the list iolite_runtime_calling of cmake/runtime.cmake. */
#ifndef IOL_RUNTIME_SYS_H
#define IOL_RUNTIME_SYS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_fstat
#define SYS_fstat SYS_fstat64
#endif
#ifndef SYS_listmount /* headers before 6.8; one number on all processors */
#define SYS_listmount 458
#endif
#ifndef SYS_newfstatat
#define SYS_newfstatat SYS_fstatat64
#endif

enum {
#define SYS(name) IOL_SYS_##name,
#include "runtime/core/sys.def"
#undef SYS
    IOL_SYS_CALLS
};

/* Whether this call is one that is to fail; errno is set then. */
int iol__fault(int call);
/* Says how many calls there were. */
void iol__fault_report(void);
/* A place where another thread may come at the worst moment: tests make who passes it wait there. */
void iol__fault_pause(const char *place);
#define iol__race(place) (IOL_FAULTS ? iol__fault_pause(place) : (void)0)

/* Straight into the kernel: libc's functions would come back to our wrappers. */
static inline long iol__kernel(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    if ((unsigned long)result < -4095ul) return result;
    errno = (int)-result;
    return -1;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory", "cc");
    if ((unsigned long)x0 < -4095ul) return x0;
    errno = (int)-x0;
    return -1;
#else
    return syscall(number, a, b, c, d, e, f);
#endif
}

#define IOL_KERNEL(number, a, b, c, d, e, f, ...) \
    iol__kernel(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
/* Set when the program has restricted its system calls: then we make none. */
extern bool iol__sealed;
static inline bool iol__refused(void) {
    if (__builtin_expect(!iol__sealed, 1)) return false;
    errno = EPERM;
    return true;
}

#define sys(name, ...)                                            \
    (iol__refused() || (IOL_FAULTS && iol__fault(IOL_SYS_##name)) \
         ? -1L                                                    \
         : IOL_KERNEL(SYS_##name, __VA_ARGS__, 0, 0, 0, 0, 0, 0))

/* Opens for ourselves, close-on-exec, and not as one of the standard descriptors even if those are free: what the
   program writes there must not end up with us. */
int iol__sys_open(int at, const char *path, int flags, int mode);
/* A whole small file: bytes read, or -1, also for what is not a plain file. Interrupted calls are taken up again. */
long iol__sys_read_file(const char *path, char *to, size_t room);
/* What the kernel says there, as far as one read gives it: a line or so. */
long iol__sys_read_proc(const char *path, char *to, size_t room);
/* Whose process this is. In a user namespace everybody may be root: then the number that the user has outside of it, by which
   all processes of a job know each other. */
long iol__sys_user(void);
/* All bytes, or -1. */
int iol__sys_write_all(int fd, const void *bytes, size_t length, long offset);
/* Signals of this thread wait, but for those that the processor or a filter of system calls raises, which cannot. False: none
   does. `before` is what iol__signals_let_in takes. */
bool iol__signals_keep_waiting(uint64_t *before);
void iol__signals_let_in(uint64_t before);
/* Zeroed private memory, or NULL. Never given back. */
void *iol__sys_memory(size_t bytes);

#endif
