/* One rank has most of the data; afterwards all have the same.
   RANKS 4
   FINDS posix.balance.bytes
   SAYS about 1 of 4 ranks */
#include "tests/pairs/pair.h"

static void work(void) {
    char *block = bytes_of(4 * MIB);
    int fd = create("shared"), blocks = fixed ? 5 : rank == 0 ? 17 : 1;
    off_t first = fixed ? 5 * rank : rank == 0 ? 0 : 16 + rank;
    for (int i = 0; i < blocks; i++) put(fd, block, 4 * MIB, (first + i) * 4 * MIB);
    close(fd);
    free(block);
}
