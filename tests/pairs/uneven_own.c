/* Every rank writes a file of its own, and one has eight times the data of each other; afterwards all have the same.
   RANKS 8
   FINDS posix.balance.ranks
   SAYS uneven work */
#include "tests/pairs/pair.h"

static void work(void) {
    char name[32], *block = bytes_of(4 * MIB);
    snprintf(name, sizeof name, "own.%d", rank);
    int fd = create(name), blocks = fixed ? 11 : rank == 0 ? 48 : 6;
    for (int i = 0; i < blocks; i++) put(fd, block, 4 * MIB, (off_t)i * 4 * MIB);
    close(fd);
    free(block);
}
