/* Reads a file number by number, one after the other, without a buffer.
   PREPARE
   FINDS posix.small.read */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    double number, sum = 0;
    if (preparing(argc, argv)) return make_sparse("numbers.dat", (off_t)1024 * MiB), 0;
    int fd = open("numbers.dat", O_RDONLY);
    NEED(fd >= 0);
    while (more(2000) && read(fd, &number, sizeof number) == sizeof number) sum += number; /* HERE */
    return sum != 0;
}
