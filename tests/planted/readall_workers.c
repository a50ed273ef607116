/* Four workers read all of one table each, in large requests, at the same time.
   PREPARE
   SET level.least_seconds=0
   FINDS posix.readall */
#include "tests/planted/planted.h"

static void work(int number) {
    static char piece[1 * MiB];
    ssize_t got;
    int fd = open("table.dat", O_RDONLY);
    NEED(fd >= 0 && number >= 0);
    while ((got = read(fd, piece, sizeof piece)) > 0) continue; /* HERE */
    NEED(got == 0 && close(fd) == 0);
}

int main(int argc, char **argv) {
    if (preparing(argc, argv)) return make_sparse("table.dat", 512 * MiB), 0;
    fork_workers(4, work);
    return 0;
}
