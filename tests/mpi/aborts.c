/* Each rank writes a file; when all have, one of them ends the job by MPI_Abort and the others wait for that. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    char name[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s/own.%d", argv[argc - 1], rank);
    FILE *file = fopen(name, "w");
    if (!file || fputs("x", file) < 0 || fclose(file) != 0) return 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
    for (;;) pause();
}
