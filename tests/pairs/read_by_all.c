/* Every rank reads the whole input; afterwards one reads it and sends it to the others.
   RANKS 12
   PREPARE input 33554432
   FINDS posix.readall */
#include "tests/pairs/pair.h"

enum { BLOCK = 4 * MIB, BLOCKS = 8 };

static void work(void) {
    char *block = bytes_of(BLOCK);
    int fd = !fixed || rank == 0 ? open(path_of("input"), O_RDONLY) : -1;
    for (int i = 0; i < BLOCKS; i++) {
        if (fd >= 0) CHECK(pread(fd, block, BLOCK, (off_t)i * BLOCK) == BLOCK);
        if (fixed) MPI(MPI_Bcast(block, BLOCK, MPI_BYTE, 0, MPI_COMM_WORLD));
    }
    if (fd >= 0) close(fd);
    free(block);
}
