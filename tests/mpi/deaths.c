/* deaths WAY FOLDER: each rank opens a file of its own and writes; when all have, rank 2 dies in this way, and the others
   wait for what becomes of them. */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void die(const char *way) {
    if (strcmp(way, "segv") == 0) raise(SIGSEGV);
    if (strcmp(way, "kill") == 0) raise(SIGKILL);
    if (strcmp(way, "abort") == 0) abort();
    if (strcmp(way, "exit") == 0) exit(3);
    if (strcmp(way, "mpi_abort") == 0) MPI_Abort(MPI_COMM_WORLD, 5);
}

int main(int argc, char **argv) {
    int rank;
    char name[4096];
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal(SIGSEGV, SIG_DFL); /* an MPI may have a handler that prints a stack */
    snprintf(name, sizeof name, "%s/own.%d", argv[2], rank);
    const int fd = open(name, O_WRONLY | O_CREAT, 0600);
    if (fd < 0 || write(fd, "x", 1) != 1) return 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) die(argv[1]);
    for (;;) pause();
}
