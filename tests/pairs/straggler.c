/* Every rank writes as much as the others, but the storage of one is ten times slower; afterwards it is not.
   RANKS 4
   SLOW 2
   FINDS posix.balance.time
   SAYS a straggler */
#include "tests/pairs/pair.h"

static void work(void) {
    char *block = bytes_of(MIB);
    int fd = create("shared");
    for (int i = 0; i < 20; i++) put(fd, block, MIB, ((off_t)rank * 20 + i) * MIB);
    close(fd);
    free(block);
}
