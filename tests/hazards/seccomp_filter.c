/* A sandbox: from here on read, write, close and the end are allowed, and any other system call is deadly.
   STATUS 3
   PLAIN recover
   EXPECT POSIX out.dat POSIX_OPENS = 1
   EXPECT POSIX out.dat POSIX_WRITES = 3
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 35
   EXPECT POSIX before.dat POSIX_BYTES_WRITTEN = 7 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

#define LET(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter rules[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
    LET(SYS_read),
    LET(SYS_write),
    LET(SYS_close),
    LET(SYS_exit_group),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

int main(void) {
    struct sock_fprog filter = {sizeof rules / sizeof *rules, rules};
    int fd = fresh("out.dat"), before = fresh("before.dat");
    put(fd, 5);
    put(before, 7);
    CHECK(close(before) == 0);
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) return CANNOT_RUN_HERE;
    put(fd, 10);
    put(fd, 20);
    say("inside");
    CHECK(close(fd) == 0);
    _exit(3);
}
