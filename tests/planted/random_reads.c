/* Looks up records of 512 bytes all over a large file, in the order in which they are asked for.
   PREPARE
   FINDS posix.random.read */
#include "tests/planted/planted.h"

enum { BITS = 25 };

int main(int argc, char **argv) {
    static char record[512];
    if (preparing(argc, argv)) return make_sparse("table.dat", (off_t)sizeof record << BITS), 0;
    int fd = open("table.dat", O_RDONLY);
    NEED(fd >= 0);
    for (uint64_t i = 0; i >> BITS == 0 && more(4000); i++) {
        off_t at = (off_t)(scattered(i, BITS) * sizeof record);
        NEED(pread(fd, record, sizeof record, at) == sizeof record); /* HERE */
    }
    return 0;
}
