/* Iolite's part is over with MPI_Finalize; the program goes on, and so does its I/O, without a second log.
   RANKS 2
   LOGS 1 2
   EXPECT POSIX own.? POSIX_BYTES_WRITTEN = 21
   ABSENT POSIX late */
#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    write_own("own");
    const int result = MPI_Finalize();
    write_own("late");
    return result;
}
