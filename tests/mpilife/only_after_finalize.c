/* One rank uses a file, and only when MPI is over: the ranks had nothing to write, so the log is the run's.
   RANKS 2
   LOGS 1
   RECORDS POSIX late.? 1
   EXPECT POSIX late.1 POSIX_BYTES_WRITTEN = 11 */
#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    const int result = MPI_Finalize();
    if (rank == 1) write_own("late");
    return result;
}
