/* Writes one file, as a rank of MPI or alone. */
#include <stdio.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

int main(int argc, char **argv) {
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
#else
    (void)argc, (void)argv;
#endif
    FILE *file = fopen("written-by-matrix", "w");
    if (!file) return 1;
    fputs("some bytes\n", file);
    fclose(file);
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return 0;
}
