/* A parallel workload in the manner of IOR, for bench/overhead.py: each rank writes its blocks and reads them back, several
   times over, into one file together by collective calls (shared), or into a file of its own by pwrite and pread (own). Prints the
   seconds from the first open to the last close, as the slowest rank saw them. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;
static long accesses, bytes, rounds;
static char *buffer;

static void fail(const char *what) {
    fprintf(stderr, "overhead: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void check(int result, const char *what) {
    if (result != MPI_SUCCESS) fail(what);
}

/* Blocks of the ranks take turns, as segments of a checkpoint do. */
static void shared(const char *folder) {
    char path[4096];
    MPI_File file;
    snprintf(path, sizeof path, "%s/shared", folder);
    for (int reading = 0; reading < 2; reading++) {
        const int mode = reading ? MPI_MODE_RDONLY : MPI_MODE_CREATE | MPI_MODE_WRONLY;
        check(MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file), "MPI_File_open");
        for (long i = 0; i < accesses; i++) {
            const MPI_Offset at = (MPI_Offset)(i * ranks + rank) * bytes;
            check(reading ? MPI_File_read_at_all(file, at, buffer, (int)bytes, MPI_BYTE, MPI_STATUS_IGNORE)
                          : MPI_File_write_at_all(file, at, buffer, (int)bytes, MPI_BYTE, MPI_STATUS_IGNORE),
                  "a transfer");
        }
        check(MPI_File_close(&file), "MPI_File_close");
    }
}

static void own(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/own.%d", folder, rank);
    for (int reading = 0; reading < 2; reading++) {
        const int fd = open(path, reading ? O_RDONLY : O_CREAT | O_WRONLY, 0644);
        if (fd < 0) fail(path);
        for (long i = 0; i < accesses; i++) {
            const ssize_t done =
                reading ? pread(fd, buffer, (size_t)bytes, i * bytes) : pwrite(fd, buffer, (size_t)bytes, i * bytes);
            if (done != bytes) fail(path);
        }
        close(fd);
    }
}

int main(int argc, char **argv) {
    check(MPI_Init(&argc, &argv), "MPI_Init");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 6) fail("usage: overhead shared|own FOLDER ACCESSES BYTES ROUNDS");
    accesses = atol(argv[3]);
    bytes = atol(argv[4]);
    rounds = atol(argv[5]);
    buffer = malloc((size_t)bytes);
    if (!buffer || accesses < 1 || bytes < 1) fail("no memory, or no numbers");
    memset(buffer, rank, (size_t)bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (long i = 0; i < rounds; i++) {
        if (strcmp(argv[1], "shared") == 0)
            shared(argv[2]);
        else
            own(argv[2]);
    }
    double took = MPI_Wtime() - begin, slowest = 0;
    MPI_Reduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%.6f\n", slowest);
    free(buffer);
    return MPI_Finalize();
}
