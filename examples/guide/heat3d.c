/* A checkpoint as it is often written: all ranks into one file, one small record after the other, each call for itself. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD = 3000 };

int main(int argc, char **argv) {
    int rank, ranks, steps = 2000;
    char record[RECORD];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 2 && strcmp(argv[1], "--steps") == 0) steps = atoi(argv[2]);
    memset(record, 'h', sizeof record);
    MPI_File_open(MPI_COMM_WORLD, "checkpoint", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    for (int step = 0; step < steps; step++) {
        const MPI_Offset at = ((MPI_Offset)step * ranks + rank) * RECORD;
        MPI_File_write_at(file, at, record, RECORD, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
