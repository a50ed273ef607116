/* A job of one rank is a parallel job all the same: its records are those of all ranks.
   RANKS 1
   LOGS 1 2
   PLAIN
   EXPECT POSIX own.0 POSIX_BYTES_WRITTEN = 10
   EXPECT POSIX own.0 POSIX_FASTEST_RANK_BYTES = 10 */
#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    write_own("own");
    return MPI_Finalize();
}
