/* What an MPI program does to files, through all layers: a file that all ranks share, by independent, collective and
   nonblocking calls, a file of each rank's own, and text. The argument "abort" ends it before MPI_Finalize. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 4096, STEPS = 4 };

static char block[BLOCK];

static void together(int rank, int size) {
    MPI_File file;
    MPI_Request request;
    MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int i = 0; i < STEPS; i++)
        MPI_File_write_at(file, (MPI_Offset)(i * size + rank) * BLOCK, block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, (MPI_Offset)(STEPS * size + rank) * BLOCK, block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, (MPI_Offset)rank * BLOCK, block, BLOCK, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void alone(int rank) {
    char name[32];
    snprintf(name, sizeof name, "rank.%d", rank);
    const int fd = open(name, O_CREAT | O_WRONLY, 0600);
    for (int i = 0; i <= rank; i++)
        if (write(fd, block, BLOCK) != BLOCK) abort();
    close(fd);
    snprintf(name, sizeof name, "text.%d", rank);
    FILE *text = fopen(name, "w");
    for (int i = 0; i < 100; i++) fprintf(text, "line %d of rank %d\n", i, rank);
    fclose(text);
}

int main(int argc, char **argv) {
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    together(rank, size);
    alone(rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (argc > 1 && strcmp(argv[1], "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    return sum == size * (size - 1) / 2 ? 0 : 1;
}
