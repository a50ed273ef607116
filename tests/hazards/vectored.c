/* A vectored call is one operation of its total size.
   EXPECT POSIX out.dat POSIX_WRITES = 5
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 50
   EXPECT POSIX out.dat POSIX_MAX_BYTE_WRITTEN = 129
   EXPECT POSIX out.dat POSIX_READS = 5
   EXPECT POSIX out.dat POSIX_BYTES_READ = 50
   EXPECT POSIX out.dat POSIX_ACCESS1_ACCESS = 10
   EXPECT POSIX out.dat POSIX_ACCESS1_COUNT = 10 */
#include <sys/uio.h>

#include "tests/hazards/hazard.h"

int main(void) {
    char bytes[11] = "0123456789";
    struct iovec parts[4] = {{bytes, 3}, {bytes + 3, 0}, {bytes + 3, 3}, {bytes + 6, 4}};
    int fd = fresh("out.dat");
    CHECK(writev(fd, parts, 4) == 10);
    CHECK(pwritev(fd, parts, 4, 90) == 10);
    CHECK(pwritev64(fd, parts, 4, 100) == 10);
    CHECK(pwritev2(fd, parts, 4, 110, 0) == 10);
    CHECK(pwritev64v2(fd, parts, 4, 120, 0) == 10);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    CHECK(readv(fd, parts, 4) == 10);
    CHECK(preadv(fd, parts, 4, 90) == 10);
    CHECK(preadv64(fd, parts, 4, 100) == 10);
    CHECK(preadv2(fd, parts, 4, 110, 0) == 10);
    CHECK(preadv64v2(fd, parts, 4, 120, 0) == 10);
    say("%s", bytes);
    return 0;
}
