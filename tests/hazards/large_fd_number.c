/* Descriptor numbers far beyond the usual ones.
   EXPECT POSIX out.dat POSIX_DUPS = 3
   EXPECT POSIX out.dat POSIX_WRITES = 4
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 8
   EXPECT POSIX high.dat POSIX_WRITES = 1 */
#include <sys/resource.h>

#include "tests/hazards/hazard.h"

int main(void) {
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = limit.rlim_max;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    if (limit.rlim_max < 12010) return CANNOT_RUN_HERE;
    int fd = fresh("out.dat");
    put(fd, 2);
    CHECK(dup2(fd, 5000) == 5000);
    put(5000, 2);
    CHECK(fcntl(fd, F_DUPFD, 12000) == 12000);
    put(12000, 2);
    CHECK(dup3(fd, 9999, 0) == 9999);
    put(9999, 2);
    CHECK(close(5000) == 0 && close(12000) == 0 && close(9999) == 0);
    int high = fresh("high.dat");
    CHECK(fcntl(high, F_DUPFD, 5000) == 5000);
    put(5000, 3);
    return 0;
}
