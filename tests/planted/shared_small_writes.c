/* Four processes write the cells of one file in turn, 1000 bytes each: cells of two processes lie in one block.
   FINDS posix.small.shared.write */
#include "tests/planted/planted.h"

enum { WORKERS = 4, CELL = 1000 };

static void work(int number) {
    char cell[CELL] = "";
    int fd = open("mesh.dat", O_WRONLY | O_CREAT, 0644);
    NEED(fd >= 0);
    for (off_t i = number; more(2000); i += WORKERS) NEED(pwrite(fd, cell, CELL, i * CELL) == CELL); /* HERE */
    NEED(close(fd) == 0);
}

int main(void) {
    fork_workers(WORKERS, work);
    return 0;
}
