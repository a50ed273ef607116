/* Four workers write one file, each a part of its own, but the last part is fifty times as long as the others.
   SET site.node_bandwidth=1e12
   SET level.least_seconds=0
   FINDS posix.balance.bytes */
#include "tests/planted/planted.h"

static void work(int number) {
    enum { BLOCK = 4 * MiB };
    static char block[BLOCK];
    const off_t part = (off_t)256 * sizeof block;
    int fd = open("domain.dat", O_WRONLY | O_CREAT, 0644);
    NEED(fd >= 0);
    long blocks = 0;
    while (blocks < 2 || (number == 3 && blocks < 256 && more(100)))
        NEED(pwrite(fd, block, BLOCK, number * part + blocks++ * (off_t)BLOCK) == BLOCK); /* HERE */
    NEED(close(fd) == 0);
}

int main(void) {
    fork_workers(4, work);
    return 0;
}
