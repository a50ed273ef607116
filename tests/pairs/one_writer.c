/* All send their data to rank 0, which writes it; afterwards each writes its own part.
   RANKS 8
   FINDS posix.single.writer */
#include "tests/pairs/pair.h"

enum { PART = 10 * MIB };

static void work(void) {
    char *own = bytes_of(PART), *all = rank == 0 && !fixed ? bytes_of((size_t)PART * (size_t)ranks) : NULL;
    if (fixed) {
        MPI_File file = create_together("shared", MPI_INFO_NULL);
        MPI(MPI_File_write_at_all(file, (MPI_Offset)rank * PART, own, PART, MPI_BYTE, MPI_STATUS_IGNORE));
        MPI(MPI_File_close(&file));
    } else {
        MPI(MPI_Gather(own, PART, MPI_BYTE, all, PART, MPI_BYTE, 0, MPI_COMM_WORLD));
        if (rank == 0) {
            int fd = create("shared");
            for (int i = 0; i < ranks; i++) put(fd, all + (size_t)i * PART, PART, (off_t)i * PART);
            close(fd);
        }
    }
    MPI(MPI_Barrier(MPI_COMM_WORLD));
    free(own);
    free(all);
}
