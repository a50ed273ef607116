/* A single process that ends by _exit still has its log, without `run` too.
   STATUS 5
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 2 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    put(fd, 1);
    put(fd, 1);
    _exit(5);
}
