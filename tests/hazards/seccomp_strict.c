/* The oldest sandbox: read, write and the bare end, all else is deadly. Set by the system call that has no function.
   PLAIN recover
   EXPECT POSIX out.dat POSIX_OPENS = 1
   EXPECT POSIX out.dat POSIX_WRITES = 2
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 15 */
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    put(fd, 5);
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL) != 0) return CANNOT_RUN_HERE;
    put(fd, 10);
    put(1, 3);
    syscall(SYS_exit, 0);
    return 0;
}
