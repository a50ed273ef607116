/* Four workers write one file, each a part of its own, the same amount each, in aligned pieces of 4 MiB.
   RUN --trace
   INNOCENT */
#include "tests/planted/planted.h"

static void work(int number) {
    static char piece[4 * MiB];
    const off_t part = (off_t)16 * sizeof piece;
    int fd = open("domain.dat", O_WRONLY | O_CREAT, 0644);
    NEED(fd >= 0);
    for (int i = 0; i < 16; i++)
        NEED(pwrite(fd, piece, sizeof piece, number * part + i * (off_t)sizeof piece) == sizeof piece);
    NEED(close(fd) == 0);
}

int main(void) {
    fork_workers(4, work);
    return 0;
}
