/* A job that writes many files a rank, for the size of a log with true times: finalize_real FOLDER FILES. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    static char bytes[65536];
    int rank = 0, failed = argc != 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; !failed && i < atoi(argv[2]); i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/fpp-%d_rank-%d", argv[1], i, rank);
        const int fd = open(path, O_WRONLY | O_CREAT, 0644);
        const size_t size = 4096 + 512 * ((size_t)i * 7 % 32);
        failed = fd < 0 || write(fd, bytes, size) != (ssize_t)size || close(fd) != 0;
    }
    MPI_Finalize();
    return failed;
}
