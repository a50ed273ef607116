/* Seeks and syncs that succeed count; those that fail do not.
   EXPECT POSIX out.dat POSIX_SEEKS = 4
   EXPECT POSIX out.dat POSIX_FSYNCS = 2
   EXPECT POSIX out.dat POSIX_FDSYNCS = 1
   EXPECT POSIX out.dat POSIX_MAX_BYTE_WRITTEN = 1009
   EXPECT POSIX out.dat POSIX_WRITES = 2 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    CHECK(lseek(fd, 1000, SEEK_SET) == 1000);
    put(fd, 10);
    CHECK(lseek64(fd, -10, SEEK_CUR) == 1000);
    CHECK(lseek(fd, 0, SEEK_END) == 1010);
    CHECK(lseek(fd, 500, SEEK_SET) == 500);
    put(fd, 10);
    say("bad seek: %lld %s", (long long)lseek(fd, -1, SEEK_SET), strerrorname_np(errno));
    CHECK(fsync(fd) == 0 && fsync(fd) == 0 && fdatasync(fd) == 0);
    say("bad sync: %d %s", fsync(-1), strerrorname_np(errno));
    return 0;
}
