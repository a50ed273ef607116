/* A program with a second MPI in it, by some library that was built with another one: nobody can tell which calls are
   for which, so that MPI is left alone; what the processes do is recorded all the same.
   RANKS 2
   LOGS 1 3
   LINK -Wl,--no-as-needed -l:libmpi.so.40 -l:libmpich.so.12
   EXPECT POSIX own.? POSIX_BYTES_WRITTEN = 21 */
#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    write_own("own");
    return MPI_Finalize();
}
