/* A collective call for every row of 512 bytes; afterwards one for all rows, with a view.
   RANKS 2
   ROMIO
   FINDS mpiio.collective.small */
#include "tests/pairs/pair.h"

enum { ROW = 512, ROWS = 1200 };

static void work(void) { write_rows(ROW, ROWS, MPI_File_write_at_all); }
