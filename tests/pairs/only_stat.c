/* Ranks ask for a file that one of them makes, again and again; afterwards a message tells them.
   RANKS 4
   FINDS posix.stat.heavy */
#include "tests/pairs/pair.h"

enum { ASKED = 1200 };

static void work(void) {
    char byte = 'x';
    struct stat facts;
    if (rank == 0) {
        int fd = create("ready");
        put(fd, &byte, 1, 0);
        close(fd);
    }
    MPI(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < (fixed ? 1 : ASKED); i++) CHECK(stat(path_of("ready"), &facts) == 0);
    MPI(MPI_Bcast(&byte, 1, MPI_BYTE, 0, MPI_COMM_WORLD));
}
