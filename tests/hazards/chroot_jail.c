/* After chroot no path of ours leads anywhere: neither the log's directory nor that of the mapped records.
   EXPECT POSIX before.dat POSIX_WRITES = 2
   EXPECT POSIX /inside.dat POSIX_WRITES = 1
   PROCESSES 2
   EXPECT POSIX /child.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    if (geteuid() != 0) return CANNOT_RUN_HERE;
    int fd = fresh("before.dat");
    put(fd, 3);
    CHECK(mkdir("jail", 0755) == 0);
    if (chroot("jail") != 0) return CANNOT_RUN_HERE;
    CHECK(chdir("/") == 0);
    put(fd, 4);
    put(fresh("/inside.dat"), 5);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        put(fresh("/child.dat"), 6);
        exit(0);
    }
    collect(child);
    return 0;
}
