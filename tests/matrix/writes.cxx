// Writes one file, as a rank of MPI or alone.
#include <fstream>
#ifdef WITH_MPI
#include <mpi.h>
#endif

int main(int argc, char **argv) {
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
#else
    (void)argc, (void)argv;
#endif
    std::ofstream("written-by-matrix") << "some bytes\n";
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return 0;
}
