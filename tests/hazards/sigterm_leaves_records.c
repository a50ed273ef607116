/* A batch system ends a job with SIGTERM; the default action runs no handler of the process.
   STATUS signal 15
   PLAIN recover
   EXPECT POSIX out.dat POSIX_WRITES = 3 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    for (int i = 0; i < 3; i++) put(fd, 5);
    raise(SIGTERM);
    return 0;
}
