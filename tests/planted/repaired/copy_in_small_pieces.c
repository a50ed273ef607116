/* Copies a file by pieces of a few bytes.
   PREPARE
   FINDS posix.small.write
   REPAIRED */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    static char piece[MiB];
    if (preparing(argc, argv)) {
        make_sparse("source", 40 * MiB);
        return 0;
    }
    const int from = open("source", O_RDONLY), to = open("copy", O_WRONLY | O_CREAT, 0644);
    const size_t length = repaired(argc, argv) ? sizeof piece : 128;
    NEED(from >= 0 && to >= 0);
    for (ssize_t n; (n = read(from, piece, length)) > 0;) NEED(write(to, piece, (size_t)n) == n); /* HERE */
    return 0;
}
