/* The mode argument exists only where a file may be made; it must reach the kernel and the log in every spelling.
   EXPECT POSIX a.dat POSIX_MODE = 0600
   EXPECT POSIX b.dat POSIX_MODE = 0640
   EXPECT POSIX c.dat POSIX_MODE = 0604
   EXPECT POSIX d.dat POSIX_MODE = 0444
   EXPECT POSIX a.dat POSIX_OPENS = 2
   EXPECT POSIX e.dat POSIX_OPENS = 4 */
#include "tests/hazards/hazard.h"

static void tell(const char *path, int fd) {
    struct stat status;
    CHECK(fd >= 0 && fstat(fd, &status) == 0);
    say("%s %o", path, status.st_mode);
}

int main(void) {
    tell("a.dat", open("a.dat", O_WRONLY | O_CREAT, 0600));
    tell("a.dat", open("a.dat", O_RDONLY));
    tell("b.dat", open64("b.dat", O_WRONLY | O_CREAT | O_EXCL, 0640));
    tell("c.dat", creat("c.dat", 0604));
    tell("d.dat", openat(AT_FDCWD, "d.dat", O_RDWR | O_CREAT, 0444));
    tell("e.dat", creat64("e.dat", 0600));
    tell("e.dat", openat64(AT_FDCWD, "e.dat", O_RDONLY));
    tell("e.dat", open("e.dat", O_RDONLY | O_PATH));
    tell("e.dat", open("e.dat", O_RDWR | O_APPEND | O_CLOEXEC));
    say("exclusive: %d %s", open("a.dat", O_WRONLY | O_CREAT | O_EXCL, 0600), strerrorname_np(errno));
    return 0;
}
