/* One request twice among those that are asked after, and what else may become of a request.
   RANKS 2
   LOGS 1 2
   EXPECT MPI-IO own.dat.? MPIIO_NB_WRITES = 6
   EXPECT MPI-IO own.dat.? MPIIO_BYTES_WRITTEN = 6 */
#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    static char bytes[3] = "abc", path[64];
    MPI_File file;
    MPI_Request requests[3];
    int is = 0, index;
    start(&argc, &argv);
    snprintf(path, sizeof path, "own.dat.%d", rank);
    CHECK(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS);
    for (int i = 0; i < 3; i++) CHECK(MPI_File_iwrite_at(file, i, bytes + i, 1, MPI_BYTE, &requests[i]) == MPI_SUCCESS);
    MPI_Request twice[2] = {requests[0], requests[0]};
    while (!is) CHECK(MPI_Testany(2, twice, &index, &is, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    MPI_Request_get_status(requests[1], &is, MPI_STATUS_IGNORE);
    CHECK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(MPI_Request_free(&requests[2]) == MPI_SUCCESS);
    CHECK(MPI_File_close(&file) == MPI_SUCCESS);
    return MPI_Finalize();
}
