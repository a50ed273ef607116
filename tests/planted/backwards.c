/* Reads a file from its end to its beginning.
   PREPARE
   FINDS posix.random.read */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    static char block[4 * KiB];
    const long blocks = 4096L * 64;
    if (preparing(argc, argv)) return make_sparse("data", blocks * (off_t)sizeof block), 0;
    int fd = open("data", O_RDONLY);
    NEED(fd >= 0);
    for (long i = 1; i < blocks && more(20000); i++)
        NEED(pread(fd, block, sizeof block, (blocks - i) * (off_t)sizeof block) > 0); /* HERE */
    return close(fd);
}
