/* For preadv2 and pwritev2 the offset -1 stands for the current position.
   EXPECT POSIX out.dat POSIX_WRITES = 3
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 30
   EXPECT POSIX out.dat POSIX_MAX_BYTE_WRITTEN = 109
   EXPECT POSIX out.dat POSIX_CONSEC_WRITES = 1
   EXPECT POSIX out.dat POSIX_SEQ_WRITES = 2
   EXPECT POSIX out.dat POSIX_READS = 2
   EXPECT POSIX out.dat POSIX_BYTES_READ = 10
   EXPECT POSIX out.dat POSIX_MAX_BYTE_READ = 9
   EXPECT POSIX out.dat POSIX_CONSEC_READS = 1
   EXPECT POSIX out.dat POSIX_FILE_NOT_ALIGNED = 3 WHEN POSIX_FILE_ALIGNMENT > 100 */
#include <sys/uio.h>

#include "tests/hazards/hazard.h"

int main(void) {
    char bytes[10] = "123456789";
    struct iovec parts[2] = {{bytes, 4}, {bytes + 4, 6}}, one = {bytes, 5};
    int fd = fresh("out.dat");
    CHECK(pwritev2(fd, parts, 2, -1, 0) == 10);
    CHECK(pwritev2(fd, parts, 2, -1, 0) == 10);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    CHECK(preadv2(fd, &one, 1, -1, 0) == 5);
    CHECK(preadv2(fd, &one, 1, -1, 0) == 5);
    say("position %lld", (long long)lseek(fd, 0, SEEK_CUR));
    CHECK(pwritev2(fd, parts, 2, 100, 0) == 10);
    return 0;
}
