/* A job as IOR is one, for the size of a log with true times: finalize_real FOLDER FILES own|shared. For each file, every
   rank opens it, writes a block and closes it; a shared file has a block of each rank, and all begin together. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 65536, TRANSFER = 65536 };

static int use_file(const char *path, off_t at) {
    static char bytes[TRANSFER];
    const int fd = open(path, O_RDWR | O_CREAT, 0664);
    if (fd < 0) return 1;
    for (off_t end = at + BLOCK; at < end; at += TRANSFER)
        if (pwrite(fd, bytes, TRANSFER, at) != TRANSFER) return 1;
    return close(fd) != 0;
}

int main(int argc, char **argv) {
    int rank = 0, failed = argc != 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int shared = !failed && strcmp(argv[3], "shared") == 0;
    for (int i = 0; !failed && i < atoi(argv[2]); i++) {
        char path[4096];
        if (shared)
            snprintf(path, sizeof path, "%s/testfile.%08d", argv[1], i);
        else
            snprintf(path, sizeof path, "%s/testfile.%08d.%08d", argv[1], i, rank);
        if (shared) MPI_Barrier(MPI_COMM_WORLD);
        failed = use_file(path, shared ? (off_t)rank * BLOCK : 0);
    }
    MPI_Finalize();
    return failed;
}
