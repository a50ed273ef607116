/* Opens that change what requests cost are counted: past the page cache, and so that each write waits for the device.
   EXPECT POSIX out.dat POSIX_OPENS = 3
   OPERATION open_sync COUNT = 2
   OPERATION open COUNT = 3 */
#include "tests/hazards/hazard.h"

int main(void) {
    static const int flags[] = {O_SYNC, O_DSYNC, 0};
    for (int i = 0; i < 3; i++) {
        int fd = open("out.dat", O_CREAT | O_WRONLY | flags[i], 0600);
        CHECK(fd >= 0);
        put(fd, 10);
        CHECK(close(fd) == 0);
    }
    return 0;
}
