/* A program that uses MPI by sessions, without a world: its processes have ranks all the same.
   RANKS 2
   LOGS 1 3
   EXPECT POSIX own.? POSIX_BYTES_WRITTEN = 21 */
#include "tests/mpilife/rank.h"

int main(void) {
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Group group;
    CHECK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS);
    CHECK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group) == MPI_SUCCESS);
    MPI_Group_rank(group, &rank);
    MPI_Group_free(&group);
    write_own("own");
    return MPI_Session_finalize(&session);
#else
    return CANNOT_RUN_HERE;
#endif
}
