/* Updates records of a data base in no order, some of them several times: the order is the fault, not that.
   PREPARE
   FINDS posix.random.write
   LACKS posix.redundant.write */
#include "tests/planted/planted.h"

/* Beyond 32 times the 64 MiB the fault is that they are written again. A machine that gets there in the time of a planted
   program writes into its memory at full speed, in whatever order: there is nothing to find. */
enum { RECORD = 4 * KiB, BITS = 14, LEAST = 4 << BITS, MOST = 32 << BITS };

int main(int argc, char **argv) {
    static char record[RECORD];
    if (preparing(argc, argv)) make_sparse("records.db", (off_t)RECORD << BITS);
    int fd = open("records.db", O_WRONLY);
    NEED(fd >= 0);
    for (uint64_t i = 0; !preparing(argc, argv) && more(LEAST); i++) {
        if (i == MOST) {
            fprintf(stderr, "the order of writes costs nothing here\n");
            return 77;
        }
        off_t at = (off_t)scattered(i * 2654435761u + (i >> BITS), BITS) * RECORD;
        NEED(pwrite(fd, record, RECORD, at) == RECORD); /* HERE */
    }
    return close(fd);
}
