/* Reads small pieces past the page cache.
   PREPARE
   FINDS posix.direct.small */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    void *piece;
    NEED(posix_memalign(&piece, 4096, 4096) == 0);
    if (preparing(argc, argv)) {
        memset(piece, 'x', 4096);
        int out = open("table.dat", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        for (int i = 0; i < 4096; i++) NEED(write(out, piece, 4096) == 4096);
        return close(out);
    }
    int fd = open("table.dat", O_RDONLY | O_DIRECT);
    if (fd < 0) {
        fprintf(stderr, "this file system knows no direct I/O\n");
        return 77;
    }
    for (off_t at = 0; more(2000); at = (at + 4096) % (4096 * 4096))
        NEED(pread(fd, piece, 4096, at) == 4096); /* HERE */
    free(piece);
    return close(fd);
}
