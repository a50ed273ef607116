/* Every rank syncs after every write; afterwards once, before it closes.
   RANKS 4
   FINDS posix.fsync.heavy */
#include "tests/pairs/pair.h"

enum { BLOCK = 64 * KIB, BLOCKS = 100 };

static void work(void) {
    char *block = bytes_of(BLOCK);
    char name[64];
    snprintf(name, sizeof name, "checkpoint.%d", rank);
    int fd = create(name);
    for (int i = 0; i < BLOCKS; i++) {
        put(fd, block, BLOCK, (off_t)i * BLOCK);
        if (!fixed || i + 1 == BLOCKS) CHECK(fsync(fd) == 0);
    }
    close(fd);
    free(block);
}
