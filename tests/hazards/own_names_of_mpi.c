/* Functions of the program that are called like those of MPI and HDF5, and are something else.
   PART own_mpi
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

double MPI_Init(double x, double y);
int PMPI_Barrier(const char *text);
double H5Fopen(int a, double b, int c, double d, int e, double f, int g, double h, int i, double j, int k);

int main(void) {
    for (int i = 0; i < 2; i++) {
        say("%g", MPI_Init(3, 4));
        say("%d", PMPI_Barrier("b"));
        say("%g", H5Fopen(1, 20, 300, 4e3, 50000, 6e5, 7000000, 8e7, 900000000, 0.5, 10));
    }
    put(fresh("out.dat"), 5);
    return 0;
}
