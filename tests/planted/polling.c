/* Waits for a file that does not come, by asking for it as fast as it can.
   FINDS posix.lookup.failed */
#include "tests/planted/planted.h"

int main(void) {
    struct stat found;
    int fd = open("here.dat", O_WRONLY | O_CREAT, 0644);
    NEED(fd >= 0 && write(fd, "x", 1) == 1 && close(fd) == 0);
    while (more(10000)) {
        NEED(stat("ready.flag", &found) != 0 && access("ready.flag", F_OK) != 0); /* HERE */
    }
    return 0;
}
