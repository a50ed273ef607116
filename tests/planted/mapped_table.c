/* Uses its tables through memory maps only; which pages it touched is known, and is not among reads.
   PREPARE
   INNOCENT
   TELLS posix.mmap.bytes */
#include <sys/mman.h>

#include "tests/planted/planted.h"

enum { TABLES = 20 };

int main(int argc, char **argv) {
    long sum = 0;
    for (int i = 0; i < TABLES; i++) {
        char path[32];
        snprintf(path, sizeof path, "table.%d", i);
        if (preparing(argc, argv)) {
            make_sparse(path, 4 * MiB);
            continue;
        }
        int fd = open(path, O_RDONLY);
        char *table = mmap(NULL, 4 * MiB, PROT_READ, MAP_PRIVATE, fd, 0);
        NEED(fd >= 0 && table != MAP_FAILED && close(fd) == 0);
        for (size_t at = 0; at < 4 * MiB; at += 64) sum += table[at];
        NEED(munmap(table, 4 * MiB) == 0);
    }
    return sum != 0;
}
