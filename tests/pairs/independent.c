/* Ranks write their rows in turn, each row a call of its own; afterwards one collective call with a view.
   RANKS 4
   FINDS mpiio.collective.none.write */
#include "tests/pairs/pair.h"

enum { ROW = 4 * KIB, ROWS = 400 };

static void work(void) {
    char *rows = bytes_of((size_t)ROW * ROWS);
    MPI_File file = create_together("rows", MPI_INFO_NULL);
    if (fixed) {
        interleave(file, ROW, ROWS);
        MPI(MPI_File_write_all(file, rows, ROW * ROWS, MPI_BYTE, MPI_STATUS_IGNORE));
    } else {
        for (int i = 0; i < ROWS; i++)
            MPI(MPI_File_write_at(file, ((MPI_Offset)i * ranks + rank) * ROW, rows + (size_t)i * ROW, ROW, MPI_BYTE,
                                  MPI_STATUS_IGNORE));
    }
    MPI(MPI_File_close(&file));
    free(rows);
}
