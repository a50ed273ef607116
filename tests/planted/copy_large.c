/* Copies a file in pieces of 4 MiB.
   PREPARE
   INNOCENT */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    static char piece[4 * MiB];
    if (preparing(argc, argv)) return make_sparse("from.dat", 256 * MiB), 0;
    int from = open("from.dat", O_RDONLY), to = open("to.dat", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    NEED(from >= 0 && to >= 0);
    while (read(from, piece, sizeof piece) == sizeof piece) NEED(write(to, piece, sizeof piece) == sizeof piece);
    NEED(close(from) == 0);
    return close(to);
}
