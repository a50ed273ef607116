/* Rank 0 writes the first half of the file alone, while the others wait; afterwards all write.
   RANKS 8
   TRACE
   FINDS phase.serial */
#include "tests/pairs/pair.h"

enum { BLOCKS = 120 };

static void work(void) {
    char *block = bytes_of(MIB);
    int fd = create("shared");
    if (fixed) {
        for (int i = rank; i < BLOCKS; i += ranks) put(fd, block, MIB, (off_t)i * MIB);
    } else if (rank == 0) {
        for (int i = 0; i < BLOCKS; i++) put(fd, block, MIB, (off_t)i * MIB);
    }
    MPI(MPI_Barrier(MPI_COMM_WORLD));
    usleep(300000);
    for (int i = 0; i < BLOCKS / ranks; i++) put(fd, block, MIB, ((off_t)BLOCKS + rank * (BLOCKS / ranks) + i) * MIB);
    close(fd);
    free(block);
}
