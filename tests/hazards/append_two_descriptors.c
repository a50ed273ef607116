/* Two descriptors append to one file in turns; a file is cut under one that appends; pwrite appends too.
   EXPECT POSIX both.dat POSIX_WRITES = 200
   EXPECT POSIX both.dat POSIX_BYTES_WRITTEN = 2000
   EXPECT POSIX both.dat POSIX_MAX_BYTE_WRITTEN = 1999
   EXPECT POSIX cut.dat POSIX_WRITES = 10
   EXPECT POSIX cut.dat POSIX_MAX_BYTE_WRITTEN = 9
   EXPECT POSIX at.dat POSIX_WRITES = 10
   EXPECT POSIX at.dat POSIX_BYTES_WRITTEN = 100 */
#include "tests/hazards/hazard.h"

static int appending(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    CHECK(fd >= 0);
    return fd;
}

int main(void) {
    int one = appending("both.dat"), two = appending("both.dat"), cut = appending("cut.dat"), at = appending("at.dat");
    for (int i = 0; i < 100; i++) {
        put(one, 10);
        put(two, 10);
    }
    for (int i = 0; i < 10; i++) {
        put(cut, 10);
        CHECK(ftruncate(cut, 0) == 0);
        put_at(at, 10, 0);
    }
    say("%ld %ld", (long)lseek(one, 0, SEEK_END), (long)lseek(at, 0, SEEK_END));
    return 0;
}
