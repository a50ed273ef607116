/* statx by path and by descriptor.
   EXPECT POSIX s.dat POSIX_STATS = 3
   ABSENT POSIX directory */
#include "tests/hazards/hazard.h"

int main(void) {
    struct statx s;
    int fd = fresh("s.dat");
    put(fd, 12);
    CHECK(statx(AT_FDCWD, "s.dat", 0, STATX_SIZE | STATX_TYPE, &s) == 0);
    CHECK(statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &s) == 0);
    CHECK(statx(AT_FDCWD, "s.dat", AT_SYMLINK_NOFOLLOW, STATX_SIZE, &s) == 0);
    say("size %lld", (long long)s.stx_size);
    CHECK(mkdir("directory", 0755) == 0);
    CHECK(statx(AT_FDCWD, "directory", 0, STATX_BASIC_STATS, &s) == 0);
    say("missing: %d %s", statx(AT_FDCWD, "missing", 0, 0, &s), strerrorname_np(errno));
    return 0;
}
