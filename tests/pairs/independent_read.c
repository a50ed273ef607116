/* Ranks read their rows in turn, each row a call of its own; afterwards one collective call with a view.
   RANKS 4
   PREPARE rows 6553600
   FINDS mpiio.collective.none.read */
#include "tests/pairs/pair.h"

enum { ROW = 4 * KIB, ROWS = 400 };

static void work(void) {
    char *rows = bytes_of((size_t)ROW * ROWS);
    MPI_File file;
    MPI(MPI_File_open(MPI_COMM_WORLD, path_of("rows"), MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    if (fixed) {
        interleave(file, ROW, ROWS);
        MPI(MPI_File_read_all(file, rows, ROW * ROWS, MPI_BYTE, MPI_STATUS_IGNORE));
    } else {
        for (int i = 0; i < ROWS; i++)
            MPI(MPI_File_read_at(file, ((MPI_Offset)i * ranks + rank) * ROW, rows + (size_t)i * ROW, ROW, MPI_BYTE,
                                 MPI_STATUS_IGNORE));
    }
    MPI(MPI_File_close(&file));
    free(rows);
}
