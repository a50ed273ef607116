/* A program that opens the library of MPI by itself and asks for each function, as some languages do.
   RANKS 2
   LOGS 1 2
   LINK -ldl
   EXPECT POSIX handle.? POSIX_BYTES_WRITTEN = 10
   EXPECT POSIX shared.dat POSIX_BYTES_WRITTEN = 20
   RECORDS POSIX shared.dat 1 */
#include <dlfcn.h>

#include "tests/hazards/hazard.h"

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    void *library = dlopen(getenv("MPILIFE_LIBRARY"), RTLD_NOW | RTLD_GLOBAL);
    CHECK(library);
    int (*init)(int *, char ***) = (int (*)(int *, char ***))dlsym(library, "MPI_Init");
    int (*finalize)(void) = (int (*)(void))dlsym(library, "MPI_Finalize");
    int (*initialized)(int *) = (int (*)(int *))dlsym(library, "MPI_Initialized");
    CHECK(init && finalize && initialized);
    int is = 0;
    CHECK(init(NULL, NULL) == 0 && initialized(&is) == 0 && is);
    const char *rank = getenv("PMI_RANK") ? getenv("PMI_RANK") : getenv("OMPI_COMM_WORLD_RANK");
    const int fd = open("shared.dat", O_RDWR | O_CREAT, 0644);
    put_at(fd, 10, 0);
    close(fd);
    if (rank && strcmp(rank, "0") == 0) put(fresh("handle.0"), 10);
    return finalize();
}
