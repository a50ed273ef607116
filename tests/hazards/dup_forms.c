/* All ways to duplicate a descriptor, and those that fail or only look like it.
   EXPECT POSIX out.dat POSIX_OPENS = 6
   EXPECT POSIX out.dat POSIX_DUPS = 5
   EXPECT POSIX out.dat POSIX_WRITES = 6
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 6
   EXPECT POSIX out.dat POSIX_MAX_BYTE_WRITTEN = 5
   EXPECT POSIX out.dat POSIX_CONSEC_WRITES = 5 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat"), copies[5];
    copies[0] = dup(fd);
    copies[1] = dup2(fd, 60);
    copies[2] = dup3(fd, 61, O_CLOEXEC);
    copies[3] = fcntl(fd, F_DUPFD, 70);
    copies[4] = fcntl(fd, F_DUPFD_CLOEXEC, 80);
    put(fd, 1);
    for (int i = 0; i < 5; i++) {
        CHECK(copies[i] > fd);
        put(copies[i], 1);
        say("%d: close on exec %d", i, fcntl(copies[i], F_GETFD));
    }
    say("dup3 of the same: %d %s", dup3(fd, fd, 0), strerrorname_np(errno));
    say("dup2 to -1: %d %s", dup2(fd, -1), strerrorname_np(errno));
    say("dup of -1: %d %s", dup(-1), strerrorname_np(errno));
    return 0;
}
