/* vfork lends the parent's memory to the child until it execs: what the child does must not spoil the parent's records.
   PROCESSES 2
   EXPECT POSIX parent.dat POSIX_WRITES = 2
   EXPECT POSIX parent.dat POSIX_BYTES_WRITTEN = 7
   EXPECT POSIX child.dat POSIX_WRITES = 1
   RECORDS POSIX child.dat 1 */
#include "tests/hazards/hazard.h"

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        put(fresh("child.dat"), 30);
        return 0;
    }
    int fd = fresh("parent.dat");
    put(fd, 3);
    pid_t child = vfork();
    CHECK(child >= 0);
    if (child == 0) {
        again("child");
        _exit(1);
    }
    collect(child);
    put(fd, 4);
    return 0;
}
