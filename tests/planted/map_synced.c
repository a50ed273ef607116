/* A table in a memory map, written back after every change.
   FINDS posix.sync.many */
#include <sys/mman.h>

#include "tests/planted/planted.h"

enum { BYTES = 4 * MiB };

int main(void) {
    int fd = open("table.map", O_RDWR | O_CREAT | O_TRUNC, 0644);
    NEED(fd >= 0 && ftruncate(fd, BYTES) == 0);
    char *table = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    NEED(table != MAP_FAILED && close(fd) == 0);
    double in_syncs = 0;
    for (uint64_t i = 0; more(400); i++) {
        table[scattered(i, 22)]++;
        const double begin = seconds();
        NEED(msync(table, BYTES, MS_SYNC) == 0); /* HERE */
        in_syncs += seconds() - begin;
    }
    NEED(munmap(table, BYTES) == 0);
    return costly(in_syncs);
}
