/* A job as IOR is one, for the size of a log with true times: finalize_real FOLDER FILES own|shared posix|mpiio. For each
   file, every rank opens it, writes a block and closes it; a shared file has a block of each rank, and all begin together. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 65536, TRANSFER = 65536 };

static char bytes[TRANSFER];

static int use_posix(const char *path, off_t at) {
    const int fd = open(path, O_RDWR | O_CREAT, 0664);
    if (fd < 0) return 1;
    for (off_t end = at + BLOCK; at < end; at += TRANSFER)
        if (pwrite(fd, bytes, TRANSFER, at) != TRANSFER) return 1;
    return close(fd) != 0;
}

static int use_mpiio(const char *path, MPI_Comm comm, MPI_Offset at) {
    MPI_File file;
    if (MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS) return 1;
    for (MPI_Offset end = at + BLOCK; at < end; at += TRANSFER)
        if (MPI_File_write_at(file, at, bytes, TRANSFER, MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 1;
    return MPI_File_close(&file) != MPI_SUCCESS;
}

/* Ranks that wait give way: MPICH's barrier spins, and 32 ranks on two processors would take minutes. */
static void wait_for_all(void) {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; !done; sched_yield()) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int rank = 0, failed = argc != 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int shared = !failed && strcmp(argv[3], "shared") == 0, mpiio = !failed && strcmp(argv[4], "mpiio") == 0;
    for (int i = 0; !failed && i < atoi(argv[2]); i++) {
        char path[4096];
        const off_t at = shared ? (off_t)rank * BLOCK : 0;
        if (shared)
            snprintf(path, sizeof path, "%s/testfile.%08d", argv[1], i);
        else
            snprintf(path, sizeof path, "%s/testfile.%08d.%08d", argv[1], i, rank);
        if (shared) wait_for_all();
        failed = mpiio ? use_mpiio(path, shared ? MPI_COMM_WORLD : MPI_COMM_SELF, at) : use_posix(path, at);
    }
    MPI_Finalize();
    return failed;
}
