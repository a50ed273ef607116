/* A program asks what seccomp can do, and tries in vain to restrict itself: nothing has changed, and recording goes on.
   PLAIN
   EXPECT POSIX out.dat POSIX_OPENS = 1
   EXPECT POSIX out.dat POSIX_WRITES = 10
   EXPECT POSIX out.dat POSIX_F_WRITE_END_TIMESTAMP > 0 */
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

int main(void) {
    unsigned action = SECCOMP_RET_ALLOW;
    say("asked %ld", syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action));
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 1, NULL) == -1 && errno == EFAULT);
    CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL) == -1 && errno == EINVAL);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) == -1 && errno == EFAULT);
    int fd = fresh("out.dat");
    for (size_t i = 1; i <= 10; i++) put(fd, i);
    CHECK(close(fd) == 0);
    return 0;
}
