/* Closing all descriptors at once, in three ways, takes Iolite's own with it and leaves numbers that mean other files.
   PLAIN
   EXPECT POSIX old.dat POSIX_BYTES_WRITTEN = 4
   EXPECT POSIX new1.dat POSIX_BYTES_WRITTEN = 8
   EXPECT POSIX new2.dat POSIX_BYTES_WRITTEN = 16
   EXPECT POSIX new3.dat POSIX_BYTES_WRITTEN = 96
   EXPECT POSIX new3.dat POSIX_WRITES = 2 */
#include <linux/close_range.h>

#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("old.dat");
    put(fd, 4);
    CHECK(close_range(3, ~0U, 0) == 0);
    CHECK(fresh("new1.dat") == 3);
    put(3, 8);
    closefrom(3);
    CHECK(fresh("new2.dat") == 3);
    put(3, 16);
    for (int number = 3; number < 1024; number++) close(number);
    CHECK(fresh("new3.dat") == 3);
    put(3, 32);
    CHECK(close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0);
    put(3, 64);
    return 0;
}
