/* Eight workers open the result, and the first one writes all of it while the others wait.
   SET site.node_bandwidth=1e12
   SET level.least_seconds=0
   FINDS posix.balance.bytes */
#include "tests/planted/planted.h"

static void work(int number) {
    static char block[4 * MiB];
    int fd = open("result.dat", O_WRONLY | O_CREAT, 0644);
    NEED(fd >= 0);
    for (off_t i = 0; number == 0 && i < 256 && more(32); i++)
        NEED(pwrite(fd, block, sizeof block, i * (off_t)sizeof block) == sizeof block); /* HERE */
    NEED(close(fd) == 0);
}

int main(void) {
    fork_workers(8, work);
    return 0;
}
