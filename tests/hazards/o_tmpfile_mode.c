/* O_TMPFILE takes a mode like O_CREAT does; a wrapper that forgets it makes a file that nobody may read.
   EXPECT POSIX tmp POSIX_OPENS = 1
   EXPECT POSIX tmp POSIX_WRITES = 1
   EXPECT POSIX tmp POSIX_MODE = 0640 */
#include "tests/hazards/hazard.h"

int main(void) {
    struct stat status;
    CHECK(mkdir("tmp", 0755) == 0);
    int fd = open("tmp", O_TMPFILE | O_RDWR, 0640);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) return CANNOT_RUN_HERE;
    CHECK(fd >= 0);
    put(fd, 5);
    CHECK(fstat(fd, &status) == 0);
    say("mode %o", status.st_mode);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    CHECK(linkat(AT_FDCWD, path, AT_FDCWD, "tmp/linked", AT_SYMLINK_FOLLOW) == 0);
    return 0;
}
