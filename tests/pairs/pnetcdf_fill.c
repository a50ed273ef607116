/* A variable is filled when it is defined, then written; afterwards it is not filled.
   RANKS 4
   LIBRARY pnetcdf
   FINDS hdf5.fill */
#include <pnetcdf.h>

#include "tests/pairs/pair.h"

#define NC(call) CHECK((call) == NC_NOERR)

enum { PART = 1 << 20 };

static void work(void) {
    double *data = bytes_of(sizeof *data * PART);
    const MPI_Offset start = (MPI_Offset)rank * PART, count = PART;
    int file, dimension, variable, old;
    NC(ncmpi_create(MPI_COMM_WORLD, path_of("filled.nc"), NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
    NC(ncmpi_set_fill(file, fixed ? NC_NOFILL : NC_FILL, &old));
    NC(ncmpi_def_dim(file, "x", (MPI_Offset)ranks * PART, &dimension));
    NC(ncmpi_def_var(file, "v", NC_DOUBLE, 1, &dimension, &variable));
    NC(ncmpi_enddef(file));
    NC(ncmpi_put_vara_double_all(file, variable, &start, &count, data));
    NC(ncmpi_close(file));
    free(data);
}
