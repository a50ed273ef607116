/* System calls on files by libc's `syscall`: what they do to the counters (syscalls.def). */
#ifndef IOL_RUNTIME_POSIX_SYSCALLS_H
#define IOL_RUNTIME_POSIX_SYSCALLS_H

#include <sys/syscall.h>

#ifndef SYS_close_range
#define SYS_close_range 436 /* on every processor; headers before Linux 5.9 do not have it */
#endif

enum { IOL_SYSCALLS = 512 }; /* numbers that are looked at */

/* Makes the call, with its arguments as they came, and records it. */
typedef long iol__syscall_seen(long a, long b, long c, long d, long e, long f);

/* By number; NULL: none of ours. Only while the process is recorded. */
iol__syscall_seen *iol__syscall_seen_by(long number);

#endif
