/* dup2 of a number onto itself changes nothing, and must not forget the descriptor.
   EXPECT POSIX out.dat POSIX_WRITES = 2
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 8 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    put(fd, 4);
    CHECK(dup2(fd, fd) == fd);
    put(fd, 4);
    return 0;
}
