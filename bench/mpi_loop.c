/* mpi-loop KIND COUNT FILE: opens and closes a file so many times through MPI-IO (open), or writes to it (write). */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { CALL_BYTES = 8 };

static MPI_File open_file(const char *path) {
    MPI_File file;
    if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return file;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
    const int opens = strcmp(argv[1], "open") == 0 ? atoi(argv[2]) : 1, writes = opens > 1 ? 0 : atoi(argv[2]);
    for (int i = 0; i < opens; i++) {
        MPI_File file = open_file(argv[3]);
        for (int k = 0; k < writes; k++)
            MPI_File_write_at(file, (MPI_Offset)k * CALL_BYTES, "12345678", CALL_BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
    MPI_Finalize();
    return 0;
}
