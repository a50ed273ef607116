/* A program that is linked with MPI and does without it this time: it is like any other.
   RANKS 1
   LOGS 1 2
   EXPECT POSIX own.0 POSIX_BYTES_WRITTEN = 10 */
#include "tests/mpilife/rank.h"

int main(void) {
    int is = 1;
    CHECK(MPI_Initialized(&is) == MPI_SUCCESS && !is);
    write_own("own");
    return 0;
}
