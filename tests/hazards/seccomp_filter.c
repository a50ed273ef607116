/* A sandbox: from here on read, write, close and the end are allowed, and any other system call is deadly.
   STATUS 3
   PLAIN recover
   EXPECT POSIX out.dat POSIX_OPENS = 1
   EXPECT POSIX out.dat POSIX_WRITES = 3
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 35
   EXPECT POSIX before.dat POSIX_BYTES_WRITTEN = 7 */
#include "tests/hazards/sandbox.h"

static struct sock_filter rules[] = SANDBOX(LET(SYS_read), LET(SYS_write), LET(SYS_close), LET(SYS_exit_group));

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
