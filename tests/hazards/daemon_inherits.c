/* The file is open before and after daemon(), which ends the parent inside libc: each of both has written once.
   PLAIN
   PROCESSES 2
   RECORDS POSIX out.dat 2
   EXPECT POSIX out.dat POSIX_OPENS = 1
   EXPECT POSIX out.dat POSIX_WRITES = 2
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 11 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    put(fd, 5);
    CHECK(daemon(1, 1) == 0);
    put(fd, 6);
    return 0;
}
