/* A job as it should be: one log, with the file of all ranks in one record and the others in one each.
   RANKS 4
   LOGS 1 2
   PLAIN
   EXPECT POSIX shared.dat POSIX_BYTES_WRITTEN = 400
   EXPECT POSIX shared.dat POSIX_OPENS = 4
   EXPECT POSIX shared.dat POSIX_SLOWEST_RANK_BYTES = 100
   RECORDS POSIX shared.dat 1
   EXPECT POSIX own.? POSIX_BYTES_WRITTEN = 46
   RECORDS POSIX own.? 4 */
#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    write_shared("shared.dat");
    write_own("own");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) say("%d ranks", ranks);
    return MPI_Finalize();
}
