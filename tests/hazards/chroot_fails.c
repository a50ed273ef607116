/* A root directory that is not there: nothing has changed, and recording goes on.
   PLAIN
   OPERATION processes STOPPED = 0
   EXPECT POSIX out.dat POSIX_WRITES = 2
   EXPECT POSIX later.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    put(fd, 3);
    CHECK(chroot("nowhere") != 0);
    put(fd, 4);
    put(fresh("later.dat"), 5);
    say("done");
    return 0;
}
