/* Reads a column of a table that is stored by rows: 8 bytes every 8 KiB.
   PREPARE
   FINDS posix.small.read
   TELLS posix.strided */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    double value;
    const off_t row = 8 * KiB, rows = 256 * KiB;
    if (preparing(argc, argv)) return make_sparse("rows.dat", rows * row), 0;
    int fd = open("rows.dat", O_RDONLY);
    NEED(fd >= 0);
    for (off_t at = 0; at < rows && more(4000); at++)
        NEED(pread(fd, &value, sizeof value, at * row) == sizeof value); /* HERE */
    return 0;
}
