/* Ranks write their rows in turn, each row a call of its own; afterwards one collective call with a view.
   RANKS 4
   FINDS mpiio.collective.none.write */
#include "tests/pairs/pair.h"

enum { ROW = 4 * KIB, ROWS = 400 };

static void work(void) { write_rows(ROW, ROWS, MPI_File_write_at); }
