/* Another tool of MPI is preloaded, before Iolite or behind it: both see what they would see alone.
   RANKS 2
   LOGS 1 2
   PRELOAD pmpi_tool
   PLAIN
   EXPECT POSIX shared.dat POSIX_BYTES_WRITTEN = 200
   RECORDS POSIX shared.dat 1 */
#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    write_shared("shared.dat");
    for (int i = 0; i < 3; i++) MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
