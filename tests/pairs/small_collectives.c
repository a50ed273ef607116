/* A collective call for every row of 512 bytes; afterwards one for all rows, with a view.
   RANKS 2
   ROMIO
   FINDS mpiio.collective.small */
#include "tests/pairs/pair.h"

enum { ROW = 512, ROWS = 1200 };

static void work(void) {
    char *rows = bytes_of((size_t)ROW * ROWS);
    MPI_File file = create_together("rows", MPI_INFO_NULL);
    if (fixed) {
        interleave(file, ROW, ROWS);
        MPI(MPI_File_write_all(file, rows, ROW * ROWS, MPI_BYTE, MPI_STATUS_IGNORE));
    } else {
        for (int i = 0; i < ROWS; i++)
            MPI(MPI_File_write_at_all(file, ((MPI_Offset)i * ranks + rank) * ROW, rows + (size_t)i * ROW, ROW, MPI_BYTE,
                                      MPI_STATUS_IGNORE));
    }
    MPI(MPI_File_close(&file));
    free(rows);
}
