/* Changes between reading and writing are remembered over close and reopen, and over all descriptors of a file.
   EXPECT POSIX out.dat POSIX_RW_SWITCHES = 3
   EXPECT POSIX out.dat POSIX_OPENS = 3 */
#include "tests/hazards/hazard.h"

int main(void) {
    char byte;
    int fd = fresh("out.dat");
    put(fd, 10);
    CHECK(close(fd) == 0);
    fd = open("out.dat", O_RDWR);
    CHECK(read(fd, &byte, 1) == 1);
    CHECK(read(fd, &byte, 1) == 1);
    int other = open("out.dat", O_RDWR);
    put(other, 1);
    CHECK(read(fd, &byte, 1) == 1);
    return 0;
}
