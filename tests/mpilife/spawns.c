/* A job that starts another one: each has a log of its own, with its own ranks.
   RANKS 2
   LOGS 2 3
   EXPECT POSIX parent.? POSIX_BYTES_WRITTEN = 21
   EXPECT POSIX spawned.? POSIX_BYTES_WRITTEN = 21
   RECORDS POSIX spawned.? 2 */
#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm parent, others;
    MPI_Comm_get_parent(&parent);
    write_own(parent == MPI_COMM_NULL ? "parent" : "spawned");
    if (parent == MPI_COMM_NULL) {
        int errors[2];
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* not every build of MPI can do it */
        if (MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, errors) !=
            MPI_SUCCESS) {
            MPI_Finalize();
            return CANNOT_RUN_HERE;
        }
        parent = others;
    }
    MPI_Comm_disconnect(&parent);
    return MPI_Finalize();
}
