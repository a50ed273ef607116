/* A hint switches collective buffering off, so that collective calls write row by row; afterwards it is left alone.
   RANKS 4
   ROMIO
   FINDS mpiio.hints.off */
#include "tests/pairs/pair.h"

enum { ROW = 4 * KIB, ROWS = 300, TURNS = 2 };

static void work(void) {
    char *rows = bytes_of((size_t)ROW * ROWS);
    MPI_Info hints;
    MPI(MPI_Info_create(&hints));
    if (!fixed) {
        MPI(MPI_Info_set(hints, "romio_cb_write", "disable"));
        MPI(MPI_Info_set(hints, "romio_ds_write", "disable"));
    }
    MPI_File file = create_together("rows", hints);
    if (!fixed) say_if_not_taken(file, "romio_cb_write", "disable");
    interleave(file, ROW, ROWS * TURNS);
    for (int i = 0; i < TURNS; i++) MPI(MPI_File_write_all(file, rows, ROW * ROWS, MPI_BYTE, MPI_STATUS_IGNORE));
    MPI(MPI_File_close(&file));
    MPI(MPI_Info_free(&hints));
    free(rows);
}
