/* A program that makes communicators until there are no more, and never frees one: the ranks cannot have one of their own
   at the end. It ends as it would without Iolite, whose records are found all the same.
   RANKS 2
   LOGS 1 2
   TALK
   EXPECT POSIX own.? POSIX_BYTES_WRITTEN = 21 */
#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    enum { MOST = 2500 };
    MPI_Comm one;
    start(&argc, &argv);
    write_own("own");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < MOST && MPI_Comm_dup(MPI_COMM_WORLD, &one) == MPI_SUCCESS; i++) continue;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    return MPI_Finalize();
}
