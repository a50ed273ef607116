/* The stat family of current C libraries: real symbols, not the old versioned ones. Regular files only.
   EXPECT POSIX s.dat POSIX_STATS = 9
   EXPECT POSIX s.dat POSIX_OPENS = 1
   EXPECT POSIX queried.dat POSIX_STATS = 1
   EXPECT POSIX queried.dat POSIX_OPENS = 0
   ABSENT POSIX directory
   ABSENT POSIX missing */
#include "tests/hazards/hazard.h"

int main(void) {
    struct stat s;
    struct stat64 s64;
    int fd = fresh("s.dat");
    put(fd, 12);
    CHECK(stat("s.dat", &s) == 0 && lstat("s.dat", &s) == 0 && fstat(fd, &s) == 0);
    CHECK(fstatat(AT_FDCWD, "s.dat", &s, 0) == 0 && fstatat(fd, "", &s, AT_EMPTY_PATH) == 0);
    CHECK(stat64("s.dat", &s64) == 0 && lstat64("s.dat", &s64) == 0 && fstat64(fd, &s64) == 0);
    CHECK(fstatat64(AT_FDCWD, "s.dat", &s64, 0) == 0);
    say("size %lld, mode %o", (long long)s64.st_size, s64.st_mode);
    make_unknown("queried.dat");
    CHECK(stat("queried.dat", &s) == 0);
    CHECK(mkdir("directory", 0755) == 0 && stat("directory", &s) == 0);
    say("missing: %d %s", stat("missing", &s), strerrorname_np(errno));
    return 0;
}
