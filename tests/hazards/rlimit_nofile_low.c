/* The only numbers that the limit leaves free are those of the standard streams, which Iolite does not use: the records
   are kept in memory, and the file that was made for them is gone again.
   EXPECT POSIX out.dat POSIX_OPENS = 1
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 10 */
#include <sys/resource.h>

#include "tests/hazards/hazard.h"

int main(void) {
    struct rlimit before, low;
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    low = before;
    low.rlim_cur = 3;
    CHECK(close(0) == 0 && close(2) == 0);
    CHECK(setrlimit(RLIMIT_NOFILE, &low) == 0);
    int fd = fresh("out.dat");
    put(fd, 10);
    say("fd %d", fd);
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    return 0;
}
