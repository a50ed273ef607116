/* Reads its input again in every step, in large requests.
   PREPARE
   FINDS posix.redundant.read */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    static char input[2 * MiB];
    if (preparing(argc, argv)) return make_sparse("forcing.dat", sizeof input), 0;
    int fd = open("forcing.dat", O_RDONLY);
    NEED(fd >= 0);
    while (more(20)) NEED(pread(fd, input, sizeof input, 0) == sizeof input); /* HERE */
    return 0;
}
