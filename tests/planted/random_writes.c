/* Puts records of 1 KiB all over a file, each one into its place as soon as it is known.
   FINDS posix.random.write */
#include "tests/planted/planted.h"

enum { BITS = 19 };

int main(void) {
    static char record[1 * KiB];
    int fd = open("table.dat", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    NEED(fd >= 0);
    for (uint64_t i = 0; i >> BITS == 0 && more(4000); i++) {
        off_t at = (off_t)(scattered(i, BITS) * sizeof record);
        NEED(pwrite(fd, record, sizeof record, at) == sizeof record); /* HERE */
    }
    return close(fd);
}
