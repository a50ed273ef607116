/* System calls that a program makes through libc's function of that name. Those that matter here go to C; all others,
   whatever their arguments, jump on to libc with every register and the stack as they came. */
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "runtime/core/core.h"
#include "runtime/process/exec.h"
#include "runtime/posix/operations.h"
#include "runtime/core/process.h"
#include "runtime/core/real.h"
#include "runtime/posix/libaio.h"
#include "runtime/posix/posix.h"
#include "runtime/posix/ring.h"
#include "runtime/posix/syscalls.h"

#if defined(__x86_64__) || defined(__aarch64__)

enum { OPENAT2 = 437, MOVE_MOUNT = 429, SETUP = 425, ENTER = 426, REGISTER = 427, NUMBERS = IOL_SYSCALLS };

/* One byte a number: whether somebody looks at it. */
__attribute__((used, visibility("hidden"))) const uint8_t iol__syscalls_watched[NUMBERS] = {
    [SYS_seccomp] = 1,       [OPENAT2] = 1,          [SETUP] = 1,      [ENTER] = 1,       [REGISTER] = 1,
    [SYS_io_submit] = 1,     [SYS_io_getevents] = 1, [SYS_munmap] = 1, [SYS_execve] = 1,  [SYS_execveat] = 1,
#ifdef SYS_io_pgetevents
    [SYS_io_pgetevents] = 1,
#endif
    [SYS_exit_group] = 1,    [SYS_pivot_root] = 1,   [SYS_mount] = 1,  [SYS_umount2] = 1, [MOVE_MOUNT] = 1,
    [SYS_setns] = 1,         [SYS_unshare] = 1,
#define ROW(name) [SYS_##name] = 1,
#include "runtime/posix/syscall_rows.h"
};

static long open_how(long number, int at, const char *path, const uint64_t *how, size_t size) {
    const double begin = iol__now();
    const long result = iol__real.syscall(number, (long)at, path, how, size);
    if (result >= 0)
        iol__posix_opened((int)result, at, path, (int)how[0], (mode_t)how[1], begin);
    else
        iol__operation_at(IOL_OPERATION_OPEN, true, at, path, begin);
    return result;
}

/* Memory or the descriptor of a ring that goes. */
static void leaving(long number, long a, long b) {
    if (IOL_LIKELY(!iol__rings) || !iol__mine()) return;
    if (number == SYS_munmap) iol__ring_unmapping((const void *)a, (size_t)b);
    if (number == SYS_close) iol__ring_closing((int)a);
}

/* Operations of seccomp that only ask change nothing. */
static long restricting(long number, long operation, long flags, long argument) {
    enum { STRICT = 0, FILTER = 1 };
    const bool locks = operation == STRICT || operation == FILTER;
    const bool new = locks &&iol__locked_in(operation == STRICT);
    const long result = real(syscall)(number, operation, flags, argument);
    if (new &&result != 0) iol__locked_in_failed();
    return result;
}

static long mounting(long number, long a, long b, long c, long d, long e) {
    iol__keep_directory();
    return iol__mounted((int)real(syscall)(number, a, b, c, d, e));
}

/* Takes its arguments as the caller passed them, so that it can be jumped to. */
__attribute__((used, visibility("hidden"))) long iol__syscall(long number, long a, long b, long c, long d, long e,
                                                              long f);
long iol__syscall(long number, long a, long b, long c, long d, long e, long f) {
    if (number == SYS_seccomp) return restricting(number, a, b, c);
    if (number == SYS_prctl) return prctl((int)a, b, c, d, e);
    if (number == SYS_execve || number == SYS_execveat) return iol__exec_syscall(number, a, b, c, d, e);
    if (number == SYS_exit_group) iol__finish(IOL_ENDED_EXIT);
    if (number == SYS_pivot_root || number == SYS_setns) iol__keep_directory();
    if (number == SYS_unshare) return iol__unshared((int)real(syscall)(number, a), (int)a);
    if (number == SYS_mount || number == SYS_umount2 || number == MOVE_MOUNT) return mounting(number, a, b, c, d, e);
    if (!iol__awake()) return real(syscall)(number, a, b, c, d, e, f);
    const int ring = number == ENTER && !(d & IOL_RING_BY_INDEX) ? (int)a : -1;
    if (number == OPENAT2) return open_how(number, (int)a, (const char *)b, (const uint64_t *)c, (size_t)d);
    if (ring >= 0) iol__ring_entering(ring);
    leaving(number, a, b);
    iol__syscall_seen *seen = iol__syscall_seen_by(number);
    if (seen) return seen(a, b, c, d, e, f);
    if (number == SYS_io_submit) iol__libaio_submitting(b, (void *const *)c);
    const long result = real(syscall)(number, a, b, c, d, e, f);
    if (number == SYS_io_submit && result < b) iol__libaio_submitted(result, b, (void *const *)c);
    if (result < 0) return result;
    if (number == SETUP) iol__ring_made((int)result, (const iol__ring_params *)b);
    if (ring >= 0) iol__ring_entered(ring);
    if (number == REGISTER) iol__ring_registered((int)a, (unsigned)b, (const void *)c, (unsigned)d);
    if (number == SYS_io_getevents) iol__libaio_fetched(result, (const void *)d);
#ifdef SYS_io_pgetevents
    if (number == SYS_io_pgetevents) iol__libaio_fetched(result, (const void *)d);
#endif
    return result;
}

_Static_assert(NUMBERS == 512, "compared below");
_Static_assert(offsetof(iol__functions, syscall) == 0, "read below: it stands first in its table");

#if defined(__x86_64__)
__asm__(".text\n.globl syscall\n.type syscall, @function\n"
        "syscall:\n"
        "  endbr64\n"
        "  cmpq $512, %rdi\n"
        "  jae 1f\n"
        "  leaq iol__syscalls_watched(%rip), %rax\n"
        "  cmpb $0, (%rax, %rdi)\n"
        "  jne iol__syscall\n"
        "1:\n"
        "  movq iol__real(%rip), %rax\n"
        "  testq %rax, %rax\n"
        "  je iol__syscall\n" /* before the start: libc's is not known yet */
        "  jmp *%rax\n"
        ".size syscall, .-syscall\n");
#else
__asm__(".text\n.globl syscall\n.type syscall, %function\n"
        "syscall:\n"
        "  hint #34\n" /* bti c */
        "  cmp x0, #512\n"
        "  b.hs 1f\n"
        "  adrp x16, iol__syscalls_watched\n"
        "  add x16, x16, :lo12:iol__syscalls_watched\n"
        "  ldrb w16, [x16, x0]\n"
        "  cbnz w16, 2f\n"
        "1:\n"
        "  adrp x16, iol__real\n"
        "  ldr x16, [x16, :lo12:iol__real]\n"
        "  cbz x16, 2f\n" /* before the start: libc's is not known yet */
        "  br x16\n"
        "2:\n"
        "  b iol__syscall\n"
        ".size syscall, .-syscall\n");
#endif
#endif
