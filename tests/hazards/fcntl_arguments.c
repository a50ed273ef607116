/* fcntl takes an int, a pointer, or nothing behind the command; each must arrive as it was given.
   EXPECT POSIX out.dat POSIX_OPENS = 1
   EXPECT POSIX out.dat POSIX_WRITES = 2
   EXPECT POSIX out.dat POSIX_DUPS = 0 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 10};
    put(fd, 20);
    CHECK(fcntl(fd, F_SETFL, O_APPEND) == 0);
    say("flags %o", fcntl(fd, F_GETFL) & (O_APPEND | O_ACCMODE | O_NONBLOCK));
    CHECK(fcntl(fd, F_SETFD, FD_CLOEXEC) == 0);
    say("descriptor flags %d", fcntl(fd, F_GETFD));
    CHECK(fcntl(fd, F_SETLK, &lock) == 0);
    lock.l_type = F_RDLCK;
    CHECK(fcntl(fd, F_GETLK, &lock) == 0);
    say("lock %d", lock.l_type == F_UNLCK);
    say("bad command: %d %s", fcntl(fd, 12345, 0), strerrorname_np(errno));
    put(fd, 20);
    return 0;
}
