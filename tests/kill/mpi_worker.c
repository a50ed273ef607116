/* An MPI program that does the same I/O again and again, to be killed at some moment, or to come to its end: each rank
   writes to a file of its own and to a shared one, reads back, and now and then all meet.
   Usage: mpi-worker FOLDER ROUNDS; 0 rounds: for ever. FOLDER/ready.RANK is there when a rank has written something,
   and FOLDER/pid.RANK says who it is. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 4096, MEET = 64, BLOCKS = 256 };

static int open_in(const char *folder, const char *name, int flags) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, flags, 0644);
    if (fd >= 0) return fd;
    perror(path);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

/* Under its final name it is whole. */
static void say(const char *folder, const char *what, int rank, long value) {
    char from[4096], to[4096];
    snprintf(from, sizeof from, "%s/.%s.%d", folder, what, rank);
    snprintf(to, sizeof to, "%s/%s.%d", folder, what, rank);
    FILE *file = fopen(from, "w");
    if (!file) return;
    fprintf(file, "%ld\n", value);
    fclose(file);
    rename(from, to);
}

static void must(long got) {
    if (got == BLOCK) return;
    perror("mpi-worker");
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv) {
    int rank, size;
    char block[BLOCK], name[32];
    if (argc != 3 || MPI_Init(&argc, &argv) != MPI_SUCCESS) return 2;
    const long rounds = strtol(argv[2], NULL, 10);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    memset(block, 'a' + rank % 26, sizeof block);
    snprintf(name, sizeof name, "own.%d", rank);
    const int own = open_in(argv[1], name, O_RDWR | O_CREAT);
    const int shared = open_in(argv[1], "shared", O_RDWR | O_CREAT);
    for (long round = 0; rounds == 0 || round < rounds; round++) {
        const off_t at = (off_t)(round % BLOCKS) * BLOCK;
        must(pwrite(own, block, BLOCK, at));
        must(pwrite(shared, block, BLOCK, at * size + (off_t)rank * BLOCK));
        must(pread(own, block, BLOCK, at));
        if (round == 0) say(argv[1], "pid", rank, (long)getpid());
        if (round == 0) say(argv[1], "ready", rank, 1);
        if (round % MEET == MEET - 1) MPI_Barrier(MPI_COMM_WORLD);
        if (rounds == 0) nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    close(own);
    close(shared);
    MPI_Finalize();
    return 0;
}
