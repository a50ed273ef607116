/* A hint makes the collective buffer as small as a page, so that collective calls write page by page; afterwards it is left
   alone.
   RANKS 4
   ROMIO
   FINDS mpiio.hints.buffer */
#include "tests/pairs/pair.h"

enum { ROW = 4 * KIB, ROWS = 150 };

static void work(void) {
    char *rows = bytes_of((size_t)ROW * ROWS);
    MPI_Info hints;
    MPI(MPI_Info_create(&hints));
    if (!fixed) {
        MPI(MPI_Info_set(hints, "romio_cb_write", "enable"));
        MPI(MPI_Info_set(hints, "cb_buffer_size", "4096"));
    }
    MPI_File file = create_together("rows", hints);
    if (!fixed) say_if_not_taken(file, "cb_buffer_size", "4096");
    interleave(file, ROW, ROWS);
    MPI(MPI_File_write_all(file, rows, ROW * ROWS, MPI_BYTE, MPI_STATUS_IGNORE));
    MPI(MPI_File_close(&file));
    MPI(MPI_Info_free(&hints));
    free(rows);
}
