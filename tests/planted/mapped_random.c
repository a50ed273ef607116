/* Looks numbers up all over a large mapped file that is not in memory: every page is waited for.
   PREPARE
   FINDS posix.mmap.faults
   SET level.least_seconds=0.01 */
#include <sys/mman.h>

#include "tests/planted/planted.h"

enum { PAGE = 4096, BITS = 14, PAGES = 1 << BITS };

static void prepare(void) {
    static char block[MiB];
    int fd = open("table.dat", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    NEED(fd >= 0);
    for (int i = 0; i < PAGES * PAGE / MiB; i++) {
        memset(block, i + 1, sizeof block);
        NEED(write(fd, block, sizeof block) == sizeof block);
    }
    NEED(fsync(fd) == 0 && posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0 && close(fd) == 0);
}

int main(int argc, char **argv) {
    static unsigned char resident[PAGES];
    if (preparing(argc, argv)) return prepare(), 0;
    int fd = open("table.dat", O_RDONLY), kept = 0;
    NEED(fd >= 0);
    unsigned char *table = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ, MAP_SHARED, fd, 0); /* HERE */
    NEED(table != MAP_FAILED && madvise(table, (size_t)PAGES * PAGE, MADV_RANDOM) == 0);
    NEED(mincore(table, (size_t)PAGES * PAGE, resident) == 0);
    for (int i = 0; i < PAGES; i++) kept += resident[i] & 1;
    if (kept > PAGES / 2) {
        fprintf(stderr, "this file system is memory\n");
        return 77;
    }
    unsigned sum = 0;
    for (uint64_t i = 0; i < PAGES; i++) sum += table[scattered(i, BITS) * PAGE];
    printf("%u\n", sum);
    return close(fd);
}
