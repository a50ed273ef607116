/* PnetCDF: one variable, of which each rank writes and reads a part. */
#include <mpi.h>
#include <pnetcdf.h>

int main(int argc, char **argv) {
    enum { N = 256 };
    static int numbers[N];
    int rank, size, file, dimension, variable, failed = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    failed |= ncmpi_create(MPI_COMM_WORLD, "variables", NC_CLOBBER, MPI_INFO_NULL, &file);
    failed |= ncmpi_def_dim(file, "x", (MPI_Offset)N * size, &dimension);
    failed |= ncmpi_def_var(file, "numbers", NC_INT, 1, &dimension, &variable);
    failed |= ncmpi_enddef(file);
    const MPI_Offset start = (MPI_Offset)N * rank, count = N;
    failed |= ncmpi_put_vara_int_all(file, variable, &start, &count, numbers);
    failed |= ncmpi_get_vara_int_all(file, variable, &start, &count, numbers);
    failed |= ncmpi_close(file);
    MPI_Finalize();
    return failed != 0;
}
