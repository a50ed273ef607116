/* A child made by the bare system call runs no fork handler, and memory that is shared with the parent stays shared.
   PROCESSES 2
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 13
   EXPECT POSIX child.dat POSIX_BYTES_WRITTEN = 20
   EXPECT POSIX parent.dat POSIX_BYTES_WRITTEN = 10
   EXPECT POSIX parent.dat POSIX_WRITES = 1
   RECORDS POSIX out.dat 2 */
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    put(fd, 5);
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    CHECK(child >= 0);
    if (child == 0) {
        put(fd, 8);
        put(fresh("child.dat"), 20);
        exit(0);
    }
    collect((pid_t)child);
    put(fresh("parent.dat"), 10);
    return 0;
}
