/* pwritev2 with RWF_APPEND writes to the end whatever the offset says, and moves the position only where that is -1.
   EXPECT POSIX flag.dat POSIX_WRITES = 6
   EXPECT POSIX flag.dat POSIX_MAX_BYTE_WRITTEN = 1074
   EXPECT POSIX flag.dat POSIX_CONSEC_WRITES = 3
   EXPECT POSIX flag.dat POSIX_BYTES_WRITTEN = 175 */
#include <sys/uio.h>

#include "tests/hazards/hazard.h"

int main(void) {
    static char bytes[100];
    struct iovec part = {bytes, 20};
    make_unknown("flag.dat");
    CHECK(truncate("flag.dat", 1000) == 0);
    int fd = open("flag.dat", O_RDWR);
    CHECK(fd >= 0);
    ssize_t done = pwritev2(fd, &part, 1, 0, RWF_APPEND); /* to 1000 */
    if (done < 0 && errno == EOPNOTSUPP) return CANNOT_RUN_HERE;
    CHECK(done == 20);
    CHECK(pwritev2(fd, &part, 1, 5, RWF_APPEND) == 20); /* to 1020 */
    say("position %ld", (long)lseek(fd, 0, SEEK_CUR));
    part.iov_len = 5;
    CHECK(pwritev2(fd, &part, 1, -1, RWF_APPEND) == 5); /* to 1040 */
    put(fd, 25);                                        /* to 1045, where that left the position */
    part.iov_len = 100;
    CHECK(pwritev2(fd, &part, 1, 0, 0) == 100); /* to 0 */
    part.iov_len = 5;
    CHECK(pwritev2(fd, &part, 1, 0, RWF_APPEND) == 5);
    struct stat facts;
    CHECK(fstat(fd, &facts) == 0);
    say("size %ld", (long)facts.st_size);
    return 0;
}
