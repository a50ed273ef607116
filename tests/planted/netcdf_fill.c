/* A netCDF classic file whose variable is filled when it is defined, as by default, and then written in full.
   SET level.least_seconds=0
   FINDS hdf5.fill
   LIBRARY netcdf.h netcdf */
#include "tests/planted/netcdf_file.h"

int main(void) { return write_files(NC_CLOBBER | NC_64BIT_OFFSET, 4 * MiB, NC_FILL); }
